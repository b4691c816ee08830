"""An export takes the place of an earlier one when it is whole, and of nothing else."""

import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from narrative_core import bundle_files
from narrative_core.bundle import FILES, write_bundle
from narrative_core.bundle_target import export_file, export_folder, story_file
from narrative_core.errors import InvalidInput
from narrative_core.records import Collection
from tests.test_bundle import DOCUMENTS, landscape, vectors

COLLECTION = Collection("first", "The first")
MINE = "This is mine."


def content(folder: Path) -> Mapping[str, bytes]:
    """Return all files below a folder by their path in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(folder: Path, n: int = 4, *, stories: tuple[str, ...] = (), computed: bool = True) -> None:
    """Export the first documents with stories of these ids."""
    with export_folder(folder) as new:
        write_bundle(
            new,
            DOCUMENTS[:n],
            vectors(n) if computed else None,
            landscape(n) if computed else None,
            collection=COLLECTION,
        )
        (new / "stories").mkdir()
        for story in stories:
            told = {"format": "throughline-story", "story_id": story}
            (new / "stories" / story_file(story)).write_text(json.dumps(told))


def full_disk() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_folder_and_an_empty_one_get_the_same_files(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".DS_Store").write_text("of a system")
    write(tmp_path / "empty", stories=("s1",))
    assert (tmp_path / "empty" / ".DS_Store").read_text() == "of a system"
    (tmp_path / "empty" / ".DS_Store").unlink()
    write(tmp_path / "deep" / "new", stories=("s1",))
    assert content(tmp_path / "empty") == content(tmp_path / "deep" / "new")
    assert set(content(tmp_path / "empty")) == {*FILES, "collection.json", "stories/s1.json"}
    assert {path.name for path in tmp_path.iterdir()} == {"empty", "deep"}


def test_nothing_of_an_earlier_export_stays_and_all_that_a_person_put_there(tmp_path: Path) -> None:
    write(tmp_path, stories=("s1", "s2", "../s3"))
    told = {"format": "throughline-story", "story_id": "s1"}
    mine = {
        "notes.txt": MINE,
        "manifest.json": '{"mine": 1}',
        "stories/feature.json": '{"mine": true}',
        "stories/list.json": "[1]",
        "stories/copy of s1.json": json.dumps(told),
        "deep/vectors.npy": MINE,
    }
    for name, text in mine.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("vectors.csv", "memberships.csv", "documents.jsonl", "load_report.json"):
        (tmp_path / name).write_text("of an earlier export")
    write(tmp_path, 2, stories=("s2",), computed=False)
    assert set(content(tmp_path)) == {"documents.csv", "collection.json", "stories/s2.json", *mine}
    assert all((tmp_path / name).read_text() == text for name, text in mine.items())


@pytest.mark.parametrize(
    "names",
    [
        ("documents.csv", "vectors.npy", "manifest.json", "stories/mine.json"),
        ("notes.txt",),
        ("collection.json",),
        ("deep/notes.txt",),
    ],
)
def test_a_folder_that_no_export_wrote_is_refused_and_left_alone(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(MINE)
    before = content(tmp_path)
    with pytest.raises(InvalidInput) as refusal:
        write(tmp_path / "mine")
    assert f"mine has files ({names[0].split('/')[0]}) and is no earlier export" in str(refusal.value)
    assert content(tmp_path) == before


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(MINE)
    with pytest.raises(InvalidInput, match=r"mine is a file\. Name a folder, or a file that ends in \.zip\."):
        write(tmp_path / "mine")
    with pytest.raises(InvalidInput, match=r"mine/out cannot be written \(.+\); what was there is as it was\."):
        write(tmp_path / "mine" / "out")
    assert content(tmp_path) == {"mine": MINE.encode()}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("error", [full_disk(), InvalidInput("A story is damaged."), KeyboardInterrupt()])
def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path, error: BaseException, *, is_there: bool) -> None:
    if is_there:
        write(tmp_path / "out", stories=("s1",))
    before = content(tmp_path)
    with pytest.raises((InvalidInput, KeyboardInterrupt)) as failure, export_folder(tmp_path / "out") as new:
        (new / "documents.csv").write_text("id,ti")
        raise error
    if isinstance(error, OSError):
        said = f"{tmp_path / 'out'} cannot be written (No space left on device); what was there is as it was."
        assert str(failure.value).startswith(said)
    assert content(tmp_path) == before
    assert (tmp_path / "out").exists() == is_there


def test_where_a_file_cannot_take_its_place_all_go_back(tmp_path: Path) -> None:
    write(tmp_path, 2, stories=("s1",), computed=False)
    (tmp_path / "vectors.npy").mkdir()
    (tmp_path / "vectors.npy" / "notes.txt").write_text(MINE)
    before = content(tmp_path)
    with pytest.raises(InvalidInput, match="cannot be written"):
        write(tmp_path, stories=("s2",))
    assert content(tmp_path) == before


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert set(FILES) <= {path.name for path in (tmp_path / "real").iterdir()}


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bundle_files.MOST_BYTES, "documents.csv", 2_000_000)
    with (
        pytest.raises(InvalidInput, match=r"documents\.csv of .+/out would have 3 MB, and 2 MB is the most"),
        export_folder(tmp_path / "out") as new,
    ):
        (new / "documents.csv").write_bytes(bytes(3_000_000))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("story_id", "name"), [("s1-2", "s1-2.json"), ("../../s1", None), ("", None), ("a b", None)])
def test_the_file_of_a_story_stays_in_its_folder(story_id: str, name: str | None) -> None:
    found = story_file(story_id)
    assert found == name or (name is None and len(found) == 21 and found[:16].isalnum())


def test_a_file_takes_the_place_of_an_earlier_project_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "news.zip"
    with export_file(target) as new:
        new.write_bytes(b"first")
    assert content(tmp_path) == {"deep/news.zip": b"first"}
    with pytest.raises(InvalidInput, match=r"news\.zip is there already and is no project file"), export_file(target):
        raise AssertionError
    assert content(tmp_path) == {"deep/news.zip": b"first"}
