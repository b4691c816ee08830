"""An archive that is damaged or hostile is refused in one sentence, and nothing is written outside of its folder."""

import io
import json
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from narrative_core import project_archive, project_packing
from narrative_core.errors import InvalidInput
from narrative_core.project_archive import MANIFEST, Manifest, is_project_file, read_manifest, unpack
from narrative_core.project_packing import pack

FILES = {
    "collection.json": b'{"title": "Letters"}\n',
    "documents.jsonl": b'{"id": "a"}\n' * 50,
    "vectors.npy": bytes(64),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for name, data in FILES.items():
        (tmp_path / "in" / name).write_bytes(data)
    (tmp_path / "in" / "private.txt").write_text("not ours to pack")
    return tmp_path / "in"


@pytest.fixture
def project(folder: Path) -> bytes:
    target = io.BytesIO()
    pack(folder, target, name="letters", title="Letters", counts={"documents": 50})
    return target.getvalue()


def members(project: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(project)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Mapping[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]], compression: int = 8) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, data in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(name, data)
    return target.getvalue()


def told(project: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a project whose manifest says something else."""
    files = members(project)
    manifest = json.loads(files[MANIFEST])
    change(manifest)
    return zipped({**files, MANIFEST: json.dumps(manifest).encode()})


def refusal(project: bytes, tmp_path: Path) -> str:
    (tmp_path / "out").mkdir(exist_ok=True)
    before = {path for path in tmp_path.rglob("*") if (tmp_path / "out") not in path.parents}
    with pytest.raises(InvalidInput) as caught:
        unpack(project, tmp_path / "out")
    assert {path for path in tmp_path.rglob("*") if (tmp_path / "out") not in path.parents} == before
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


def test_what_is_packed_is_unpacked_and_nothing_else(folder: Path, project: bytes, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert unpack(project, tmp_path / "out") == read_manifest(project)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == FILES


def test_the_manifest_says_what_is_inside(project: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_bytes(project)
    manifest = read_manifest(tmp_path / "p.zip")
    assert (manifest.name, manifest.title, dict(manifest.counts)) == ("letters", "Letters", {"documents": 50})
    assert dict(manifest.sizes) == {name: len(data) for name, data in FILES.items()}
    assert is_project_file(tmp_path / "p.zip")


def test_no_time_and_no_owner_is_packed(project: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(project)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert [entry.filename for entry in archive.infolist()] == [MANIFEST, *sorted(FILES)]


def test_unknown_members_are_left_out_and_named(project: bytes, tmp_path: Path) -> None:
    extra = {"__MACOSX/._x": b"", "notes/": b"", "program.py": b"import os", "stories.jsonl": b"{}"}
    (tmp_path / "out").mkdir()
    manifest = unpack(zipped({**members(project), **extra}), tmp_path / "out")
    assert manifest.ignored == tuple(extra)  # stories.jsonl too: the manifest does not vouch for it
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(FILES)


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "a/../../b", "..\\evil", "\\\\host\\share", "C:evil", "c:/evil", "a/..", "..", "\\evil"],
)
def test_a_path_that_leads_elsewhere_is_refused_even_where_it_would_be_left_out(
    project: bytes, tmp_path: Path, name: str
) -> None:
    assert "a path that leads elsewhere" in refusal(zipped({**members(project), name: b"x"}), tmp_path)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_or_device_is_refused(project: bytes, tmp_path: Path, kind: int) -> None:
    entry = zipfile.ZipInfo("documents.jsonl" if kind == stat.S_IFLNK else "other")
    entry.external_attr = (kind | 0o777) << 16
    files: list[tuple[str | zipfile.ZipInfo, bytes]] = [
        *((name, data) for name, data in members(project).items() if name != entry.filename), (entry, b"/etc/passwd")
    ]  # fmt: skip
    assert "is a link or a device" in refusal(zipped(files), tmp_path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("twin", ["documents.jsonl", "Documents.JSONL"])
def test_a_member_twice_is_refused(project: bytes, tmp_path: Path, twin: str) -> None:
    files: list[tuple[str | zipfile.ZipInfo, bytes]] = [*members(project).items(), (twin, b"{}")]
    assert "two members named" in refusal(zipped(files), tmp_path)


def test_an_encrypted_member_is_refused(project: bytes, tmp_path: Path) -> None:
    at = project.index(b"PK\x01\x02")
    encrypted = project[: at + 8] + b"\x01\x00" + project[at + 10 :]
    assert "is encrypted. Unpack it and pack it without a password" in refusal(encrypted, tmp_path)


def test_a_packing_that_is_seldom_is_refused(project: bytes, tmp_path: Path) -> None:
    assert "packed in a way that is not read" in refusal(zipped(members(project), zipfile.ZIP_BZIP2), tmp_path)


def test_a_member_that_unpacks_to_far_more_than_it_is_is_refused(
    project: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_archive, "UNSUSPICIOUS_BYTES", 1_000)
    bomb = zipped({**members(project), "documents.jsonl": bytes(1_000_000)})
    bomb = told(bomb, lambda manifest: manifest["members"]["documents.jsonl"].update(size=1_000_000))
    assert "would unpack to 1 MB, over 200 times its packed size" in refusal(bomb, tmp_path)


def test_a_member_that_is_larger_than_it_says_is_read_no_further(project: bytes, tmp_path: Path) -> None:
    files = members(project)
    honest = zipped({**files, "documents.jsonl": bytes(5_000_000)})
    lie = honest.replace(struct.pack("<L", 5_000_000), struct.pack("<L", len(FILES["documents.jsonl"])))
    assert lie != honest
    assert "damaged" in refusal(lie, tmp_path)
    assert (tmp_path / "out" / "documents.jsonl").stat().st_size <= len(FILES["documents.jsonl"])


def test_a_member_larger_than_such_a_file_may_be_is_refused(
    project: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(project_archive.MOST_BYTES, "documents.jsonl", 100)
    assert "documents.jsonl of a project file may have at most" in refusal(project, tmp_path)


def test_members_beyond_counting_are_refused_before_the_directory_is_read(project: bytes, tmp_path: Path) -> None:
    many = zipped({**members(project), **{f"m{number}": b"" for number in range(200)}})
    assert "has at most 100 members" in refusal(many, tmp_path)
    assert is_project_file(many)


def test_all_members_together_have_a_limit(project: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_archive, "MOST_ARCHIVE_BYTES", len(project) - 1)
    assert "A project file may have at most" in refusal(project, tmp_path)


def test_a_collection_too_large_for_one_file_is_sent_to_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_packing, "MOST_ARCHIVE_BYTES", 600)
    with pytest.raises(InvalidInput, match="Export it to a folder instead"):
        pack(folder, io.BytesIO(), name="a", title="A", counts={})


MANIFESTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "newer": (lambda m: m.update(format=2), "is of format 2; this version of Throughline reads 1. Update the program."),
    "other kind": (lambda m: m.update(kind="other"), "is no project file"),
    "no kind": (lambda m: m.pop("kind"), "is no project file"),
    "no name": (lambda m: m.update(name=" "), "“name” must be a text that is not blank"),
    "other hash": (lambda m: m["members"]["vectors.npy"].update(sha256="0"), "another checksum"),
    "other size": (lambda m: m["members"]["vectors.npy"].update(size=65), "has another size than was packed"),
    "lost member": (
        lambda m: m["members"].update({"stories.jsonl": {"size": 1, "sha256": ""}}),
        "stories.jsonl is missing",
    ),
    "no members": (lambda m: m.update(members=[]), "“members” must be an object"),
    "odd count": (lambda m: m["counts"].update(documents=-1), "“documents” must be a whole number"),
}


@pytest.mark.parametrize("damage", MANIFESTS)
def test_a_manifest_that_is_not_true_is_refused(project: bytes, tmp_path: Path, damage: str) -> None:
    change, words = MANIFESTS[damage]
    assert words in refusal(told(project, change), tmp_path)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"\xff", b'{"kind": NaN}', b'{"kind": "\\ud800"}', b"[]"])
def test_a_manifest_that_is_no_object_is_refused(project: bytes, tmp_path: Path, text: bytes) -> None:
    assert "must be a JSON object" in refusal(zipped({**members(project), MANIFEST: text}), tmp_path)


@pytest.mark.parametrize("other", [b"", b"PK", b"id,title\na,b\n", bytes(100), zipped({"a.txt": b"A letter."})])
def test_another_file_is_no_project(other: bytes, tmp_path: Path) -> None:
    assert not is_project_file(other)
    assert refusal(other, tmp_path)


def test_a_path_in_the_manifest_is_no_place_to_write(project: bytes, tmp_path: Path) -> None:
    files = members(project)
    manifest = json.loads(files[MANIFEST])
    manifest["members"]["../evil"] = {"size": 1, "sha256": "0"}
    (tmp_path / "out").mkdir()
    found: Manifest = unpack(zipped({**files, MANIFEST: json.dumps(manifest).encode()}), tmp_path / "out")
    assert set(found.hashes) == set(FILES)
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_a_project_file_that_was_cut_off_is_known_for_what_it_was(project: bytes, tmp_path: Path, share: float) -> None:
    cut = project[: int(len(project) * share)]
    assert is_project_file(cut)
    assert "not downloaded whole" in refusal(cut, tmp_path)
    (tmp_path / "cut.zip").write_bytes(cut)
    assert is_project_file(tmp_path / "cut.zip")


def test_another_archive_that_was_cut_off_is_none(project: bytes) -> None:
    other = zipped({"notes.txt": project}, compression=0)
    assert not is_project_file(other[:-40])
    assert not is_project_file(zipped({MANIFEST: b'{"kind": "extension"}', "a.js": b"1"})[:-40])
    assert not is_project_file(project[:20])


def test_a_member_that_packs_too_well_to_be_believed_is_stored_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    alike = json.dumps({"id": "a", "text": "The bridge is open. " * 50}).encode() + b"\n"
    (tmp_path / "in" / "documents.jsonl").write_bytes(alike * 11_000)
    target = io.BytesIO()
    pack(tmp_path / "in", target, name="alike", title="Alike", counts={})
    unpack(target.getvalue(), tmp_path / "out")
    assert (tmp_path / "out" / "documents.jsonl").stat().st_size == 11_000 * len(alike)
