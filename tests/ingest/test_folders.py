import os
from pathlib import Path

import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.ingest import file_table
from narrative_core.ingest.folders import read_folder
from tests.ingest.file_samples import PROSE, pdf


def fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf(PROSE) if name.endswith(".pdf") else PROSE.encode())


def test_files_are_read_in_the_order_of_their_paths_with_the_folders_inside(tmp_path: Path) -> None:
    fill(tmp_path, "b/x.txt", "b/c/d.pdf", "a.md", "t.csv", ".hidden/x.txt", "b/.DS_Store", "__MACOSX/x.txt")
    table = read_folder(tmp_path)
    assert table.kind == "folder"
    assert table.values("id") == ("a.md", "b/c/d.pdf", "b/x.txt")
    assert table.values("folder") == ("", "b/c", "b")
    assert [problem.reason.split()[0] for problem in table.problems] == ["t.csv"]
    assert table.notices == ("3 hidden files were left out (.hidden, __MACOSX, b/.DS_Store).",)


def test_links_that_lead_out_or_to_folders_are_not_followed(tmp_path: Path) -> None:
    fill(tmp_path, "out/secret.txt", "in/a.txt", "in/deep/b.txt")
    inside = tmp_path / "in"
    (inside / "file_out.txt").symlink_to(tmp_path / "out" / "secret.txt")
    (inside / "folder_out").symlink_to(tmp_path / "out")
    (inside / "loop").symlink_to(inside)
    (inside / "same.txt").symlink_to(inside / "a.txt")
    (inside / "gone.txt").symlink_to(inside / "nowhere")
    table = read_folder(inside)
    assert table.values("id") == ("a.txt", "deep/b.txt", "same.txt")
    reasons = {problem.reason.split()[0]: problem.reason for problem in table.problems}
    assert "leads out of the folder" in reasons["file_out.txt"]
    assert "leads out of the folder" in reasons["folder_out"]
    assert "link to a folder" in reasons["loop"]
    assert "cannot be opened" in reasons["gone.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    fill(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    assert read_folder(tmp_path).problems[0].reason == "pipe.txt is no regular file"


def test_names_that_are_no_utf_8_are_read(tmp_path: Path) -> None:
    fill(tmp_path, "a.txt")
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("Text.")
    except OSError:
        pytest.skip("the file system takes UTF-8 only")
    assert read_folder(tmp_path).values("id") == ("a.txt", "caf\ufffd.txt")


@pytest.mark.parametrize(
    ("name", "message"), [("nowhere", "does not exist"), ("a.txt", "is a file"), ("empty", "has no files")]
)
def test_what_holds_no_documents_is_refused(tmp_path: Path, name: str, message: str) -> None:
    fill(tmp_path, "a.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=message):
        read_folder(tmp_path / name)


def test_number_and_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, "a.txt", "b.txt", "c.txt")
    monkeypatch.setattr(file_table, "MAX_TOTAL_BYTES", len(PROSE))
    with pytest.raises(InvalidInput, match="MB together"):
        read_folder(tmp_path)
    monkeypatch.setattr(file_table, "MAX_TOTAL_BYTES", 3 * len(PROSE))
    monkeypatch.setattr(file_table, "MAX_FILES", 2)
    with pytest.raises(InvalidInput, match="at most 2 files"):
        read_folder(tmp_path)


def test_a_folder_that_is_being_listed_can_be_cancelled(tmp_path: Path) -> None:
    fill(tmp_path, "a.txt")

    def stop(done: int, total: int) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_folder(tmp_path, progress=stop)
