"""A damaged bundle is refused in one sentence, and nothing of it is stored."""

import contextlib
import io
import json
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core import bundle_files, recordings
from narrative_core.bundle import ABOUT, FILES, RECORDING, write_bundle
from narrative_core.bundle_documents import read_documents
from narrative_core.errors import InvalidInput
from narrative_core.ingest.tables import MAX_BYTES
from narrative_core.intake import import_bundle
from narrative_core.records import Collection, Document
from narrative_core.store.collections import list_collections
from narrative_core.store.database import Database, open_database
from tests.judgement_samples import answered
from tests.test_bundle import DOCUMENTS, landscape, vectors

Damage = Callable[[Path], object]
COLLECTION = Collection("first", "The first", "letters", "Many.", "An attic", "CC0", ("dear",))
HUGE_HEADER = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4, 99999999999), }"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path_factory.mktemp("damage") / "throughline.duckdb")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_bundle(tmp_path / "out", DOCUMENTS, vectors(), landscape(), collection=COLLECTION, judgements=[answered()])
    return tmp_path / "out"


def refusal(database: Database, folder: Path) -> str:
    """Return the one sentence with which a folder is refused; nothing of it may be stored."""
    with pytest.raises(InvalidInput) as caught:
        import_bundle(database, "copy", folder)
    assert list_collections(database) == ()
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


def swap(name: str, old: str, new: str) -> Damage:
    """Put one text of a file in place of another."""

    def damage(folder: Path) -> None:
        text = (folder / name).read_bytes().decode()
        assert old in text
        (folder / name).write_bytes(text.replace(old, new, 1).encode())

    return damage


def put(name: str, data: bytes | str) -> Damage:
    return lambda folder: (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def remove(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def array(name: str, values: NDArray[Any], *, allow_pickle: bool = False) -> Damage:
    return lambda folder: np.save(folder / name, values, allow_pickle=allow_pickle)


def cut(name: str, n_bytes: int) -> Damage:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:n_bytes])


def with_entry(values: NDArray[Any], entry: float) -> NDArray[Any]:
    values = values.copy()
    values[1, 1] = entry
    return values


def told(name: str, change: Callable[[dict[str, Any]], object]) -> Damage:
    """Change the object of a JSON file."""

    def damage(folder: Path) -> None:
        found = json.loads((folder / name).read_text(encoding="utf-8"))
        change(found)
        (folder / name).write_text(json.dumps(found), encoding="utf-8")

    return damage


def folder_in_place(name: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return damage


def link_in_place(name: str, target: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(target)

    return damage


DAMAGES: dict[str, tuple[Damage, str]] = {
    "no documents": (remove("documents.csv"), "has no documents.csv"),
    "empty documents": (put("documents.csv", ""), "out/documents.csv must hold a table; it is empty"),
    "header alone": (put("documents.csv", "id,title,date,text,source,url\n"), "must have rows below"),
    "renamed column": (swap("documents.csv", "id,title,", "id,headline,"), "must begin with the columns id, title,"),
    "missing column": (put("documents.csv", "id,title,text\na,A,b\n"), "must begin with the columns id, title,"),
    "wording gone": (swap("documents.csv", "date_as_given", "other"), "must have the column date_as_given"),
    "extra twice": (swap("documents.csv", "word count", "Section"), "must have each extra column once"),
    "latin letters": (put("documents.csv", "id,title,date,text,source,url\na,é,,,,\n".encode("latin-1")), "UTF-8"),
    "binary": (put("documents.csv", b"\x89PNG\r\n\x1a\n" + bytes(99)), "documents.csv must be in UTF-8"),
    "a document twice": (
        lambda folder: write_bundle(folder, (*DOCUMENTS, DOCUMENTS[3]), None, None),
        "row 5 must have an id of its own",
    ),
    "a row too few": (swap("documents.csv", "d,Undated,,,,,some day,-,0\r\n", ""), "do not have the rows"),
    "a row too many": (
        swap("documents.csv", "d,Undated", "x,Undated,,,,,,,\r\nd,Undated"),
        "do not have the rows of documents.csv",
    ),
    "empty row": (
        swap("documents.csv", "d,Undated", "d,"),
        "has 4 rows, of which 1 cannot be kept (row 4: neither title nor text; dropped)",
    ),
    "short row": (swap("documents.csv", ",some day,-,0", ""), "row 4: only 6 of 9 values"),
    "long row": (swap("documents.csv", ",some day,-,0", ",some day,-,0,1"), "row 4: 10 values for 9 columns"),
    "id twice": (swap("documents.csv", "d,Undated", "a,Undated"), "row 4 must have an id of its own"),
    "no id": (swap("documents.csv", "d,Undated", ",Undated"), "row 4 must have an id of its own"),
    "out of order": (
        swap("documents.csv", "1961-04-12", "1950-04-12"),
        "must have an id of its own and stand in order",
    ),
    "no date at all": (swap("documents.csv", ",1961-04-12,", ",12 April 1961,"), "has a date “12 April 1961”"),
    "wording that is a date": (swap("documents.csv", "some day", "1999"), "row 4 has a date “”"),
    "renamed hash column": (swap("embedded.csv", "text_sha256", "hash"), "must have the columns id, text_sha256"),
    "hashes of other ids": (swap("embedded.csv", "\nb,", "\nx,"), "out/embedded.csv do not have the rows"),
    "no points": (remove("points.csv"), "out/points.csv is missing"),
    "no memberships": (remove("memberships.npy"), "out/memberships.npy is missing"),
    "no landscape": (remove("landscape.json"), "out/landscape.json is missing"),
    "no vectors": (remove("vectors.npy"), "out has a landscape and no vectors"),
    "other points": (swap("points.csv", "\nb,", "\nx,"), "do not have the rows of documents.csv"),
    "points in another order": (put("points.csv", "id,x,y,topic,outlier\nb,0,0,0,0\na,0,0,0,0\n"), "do not have"),
    "renamed point column": (swap("points.csv", "outlier", "odd"), "must have the columns id, x, y, topic, outlier"),
    "empty points": (put("points.csv", ""), "must name its columns in the first row"),
    "ragged points": (put("points.csv", "id,x,y,topic,outlier\na,1\n"), "row 1 has 2 values for 5 columns"),
    "open quotation mark": (swap("points.csv", "\nb,", '\n"b,'), "must be a CSV file in UTF-8"),
    "binary points": (put("points.csv", b"\xff\xfe\x00"), "must be a CSV file in UTF-8"),
    **{
        f"point {bad}": (
            put("points.csv", f"id,x,y,topic,outlier\na,{bad}\nb,0,0,0,0\nc,0,0,0,0\nd,0,0,0,0\n"),
            "out/points.csv: row 1 must have finite x and y",
        )
        for bad in (
            "nan,0,0,0",
            "0,inf,0,0",
            "0,1e999,0,0",
            "x,0,0,0",
            ",,,",
            "0,0,2,0",
            "0,0,-2,0",
            "0,0,0.5,0",
            "0,0,9999999999999999999999,0",
            "0,0,0,2",
            "0,0,0,True",
            f"0,0,{'9' * 5000},0",
        )
    },
    "vectors cut": (cut("vectors.npy", 150), "must have 80 bytes of numbers; it has 22"),
    "vectors cut in the header": (cut("vectors.npy", 40), "must be a .npy file"),
    "vectors empty": (put("vectors.npy", b""), "must be a .npy file"),
    "vectors longer": (lambda f: (f / "vectors.npy").open("ab").write(b"12"), "80 bytes of numbers; it has 82"),
    "vectors of doubles": (array("vectors.npy", vectors().values.astype(np.float64)), "hold float32; it holds float64"),
    "vectors of integers": (array("vectors.npy", np.eye(4, dtype=np.int64)), "must hold float32; it holds int64"),
    "vectors of words": (array("vectors.npy", np.array([["a", "b"]] * 4)), "must hold float32; it holds <U1"),
    "vectors of records": (array("vectors.npy", np.zeros(4, dtype="f4,f4")), "must hold float32; it holds ["),
    "vectors pickled": (
        array("vectors.npy", np.array([[{}]], dtype=object), allow_pickle=True),
        "holds Python objects",
    ),
    "a pickle": (put("vectors.npy", pickle.dumps([1.0])), "must be a .npy file"),
    "vectors flat": (array("vectors.npy", np.ones(4, dtype=np.float32)), "it has shape (4,)"),
    "vectors deep": (array("vectors.npy", np.ones((4, 1, 1), dtype=np.float32)), "it has shape (4, 1, 1)"),
    "vectors one row less": (
        array("vectors.npy", vectors(3).values),
        "do not have the rows of documents.csv: 4, not 3",
    ),
    "vectors without columns": (array("vectors.npy", np.ones((4, 0), dtype=np.float32)), "must be finite and not zero"),
    "vectors nan": (array("vectors.npy", with_entry(vectors().values, np.nan)), "must be finite and not zero"),
    "vectors infinite": (array("vectors.npy", with_entry(vectors().values, np.inf)), "must be finite and not zero"),
    "vectors zero": (array("vectors.npy", np.zeros((4, 5), dtype=np.float32)), "must be finite and not zero"),
    "vectors that claim to be huge": (put("vectors.npy", HUGE_HEADER.ljust(127) + b"\n"), "bytes of numbers; it has"),
    "vectors of other ids": (put("vectors.csv", "id,x\na,1\nb,1\nd,1\nc,1\n"), "do not have the rows"),
    "vectors of words in a csv": (put("vectors.csv", "id,x\na,1\nb,1\nc,one\nd,1\n"), "must have numbers behind"),
    "vectors too large in a csv": (put("vectors.csv", "id,x\na,1\nb,1\nc,1e99\nd,1\n"), "must be finite and not zero"),
    "memberships of singles": (array("memberships.npy", np.ones((4, 2), np.float32)), "hold float64; it holds float32"),
    "memberships nan": (array("memberships.npy", with_entry(landscape().memberships, np.nan)), "finite and at least 0"),
    "memberships infinite": (array("memberships.npy", with_entry(landscape().memberships, np.inf)), "finite and at"),
    "memberships negative": (array("memberships.npy", with_entry(landscape().memberships, -0.1)), "at least 0"),
    "memberships without a finite sum": (array("memberships.npy", np.full((4, 2), 1.7e308)), "finite and at least 0"),
    "memberships one row less": (array("memberships.npy", np.ones((3, 2))), "do not have the rows"),
    "memberships of other ids": (put("memberships.csv", "id,x\nb,1\na,1\nc,1\nd,1\n"), "do not have the rows"),
    "no json": (put("landscape.json", "{"), "out/landscape.json must be a JSON object in UTF-8"),
    "json of something else": (put("landscape.json", "[]"), "must be a JSON object; it is something else"),
    "json that is deep": (put("landscape.json", "[" * 200_000), "must be a JSON object in UTF-8"),
    "json with a long number": (put("landscape.json", '{"a": ' + "9" * 5000 + "}"), "must be a JSON object in UTF-8"),
    "json that is not strict": (put("landscape.json", '{"a": NaN}'), "must be a JSON object in UTF-8"),
    "json with half a character": (put("landscape.json", '{"a": "\\ud800"}'), "must be a JSON object in UTF-8"),
    "json in another encoding": (put("landscape.json", b"\xff\xfe{\x00"), "must be a JSON object in UTF-8"),
    "later format": (
        told(ABOUT, lambda found: found.update(format=2)),
        "out/collection.json is of format 2, and this version of Throughline reads 1. Update the program.",
    ),
    "format that is true": (told(ABOUT, lambda found: found.update(format=True)), "“format” must be a whole number"),
    "topics in another order": (told("landscape.json", lambda found: found["topics"].reverse()), "numbered from 0"),
    "unknown divergence": (
        told("landscape.json", lambda found: found["parameters"].update(divergence="best")),
        "“divergence” must be one of root, plain, base2; got “best”",
    ),
    "versions of numbers": (
        told("landscape.json", lambda found: found.update(versions={"numpy": 2})),
        "“numpy” must be",
    ),
    "blank landscape id": (told("landscape.json", lambda found: found.update(landscape_id=" ")), "that is not blank"),
    "too much coherence": (told("landscape.json", lambda found: found.update(critical_coherence=1.5)), "from 0 to 1"),
    "a folder": (folder_in_place("vectors.npy"), "out/vectors.npy must be a file; it is a folder or a device"),
    "a link to nowhere": (link_in_place("points.csv", "nowhere"), "is a link to a file that is not there"),
    "a link to itself": (link_in_place("points.csv", "points.csv"), "out/points.csv cannot be read ("),
    "a link to a device": (link_in_place("vectors.npy", "/dev/zero"), "must be a file; it is a folder or a device"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_bundle_is_refused_in_one_sentence_and_nothing_is_stored(
    database: Database, folder: Path, name: str
) -> None:
    damage, said = DAMAGES[name]
    damage(folder)
    assert said in refusal(database, folder)


def paths(told: object, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value inside of a JSON value."""
    inside: Any = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inside:
        yield (*above, key)
        yield from paths(value, *above, key)


def changed(told: dict[str, Any], path: tuple[str | int, ...], change: Callable[[Any, Any], object]) -> str:
    """Return a JSON object, one value of which was changed."""
    copy: Any = json.loads(json.dumps(told))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return json.dumps(copy)


@pytest.mark.parametrize("name", [ABOUT, "landscape.json"])
def test_a_value_that_is_missing_or_of_another_kind_is_refused_by_its_name(
    database: Database, folder: Path, name: str
) -> None:
    good = json.loads((folder / name).read_text(encoding="utf-8"))
    if name == ABOUT:  # whose the vectors are is read from the landscape where there is one
        del good["model"], good["model_version"]
    optional = {("versions", "umap-learn")}
    for path in paths(good):
        last = path[-1]
        if isinstance(last, str) and path not in optional:
            (folder / name).write_text(changed(good, path, lambda inner, key: inner.pop(key)), encoding="utf-8")
            assert f"“{last}” must be" in refusal(database, folder)
        for other in ([[]], {"x": [1]}, True if last != "date_as_given" else 1, -7, 1e400):
            text = changed(good, path, lambda inner, key, other=other: inner.__setitem__(key, other))
            (folder / name).write_text(text.replace("Infinity", "1e400"), encoding="utf-8")
            refusal(database, folder)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    name=st.sampled_from([*FILES, ABOUT]),
    place=st.floats(0, 1, exclude_max=True),
    junk=st.binary(max_size=6),
    n_cut=st.integers(0, 40),
)
def test_whatever_happened_to_a_file_only_one_kind_of_error_comes_of_it(
    tmp_path: Path, *, name: str, place: float, junk: bytes, n_cut: int
) -> None:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as database:
        write_bundle(tmp_path / "out", DOCUMENTS, vectors(), landscape(), collection=COLLECTION)
        data = (tmp_path / "out" / name).read_bytes()
        at = int(place * len(data))
        (tmp_path / "out" / name).write_bytes(data[:at] + junk + data[at + n_cut :])
        with contextlib.suppress(InvalidInput), database.transaction():
            import_bundle(database, "copy", tmp_path / "out")
            raise InvalidInput("so that the transaction is undone and the name is free again.")
        assert list_collections(database) == ()


@pytest.mark.parametrize("name", [*FILES, ABOUT, RECORDING])
def test_a_file_that_is_too_large_is_refused_with_the_limit(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with (folder / name).open("r+b") as file:
        file.truncate(3_000_000)  # with a hole: it takes no room on the disk
    monkeypatch.setitem(bundle_files.MOST_BYTES, name, 2_000_000)
    assert f"out/{name} may have at most 2 MB; it has 3 MB." in refusal(database, folder)


def test_a_recording_of_too_many_lines_undoes_the_whole_import(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "MOST_LINES", 2)
    (folder / RECORDING).write_text("\n" * 3)
    assert "at most 2 lines" in refusal(database, folder)


def test_a_file_larger_than_the_real_limit_is_refused_before_it_is_read(database: Database, folder: Path) -> None:
    with (folder / "vectors.npy").open("r+b") as file:
        file.truncate(3_000_000_000)
    assert "may have at most 2,000 MB; it has 3,000 MB." in refusal(database, folder)


@pytest.mark.slow
def test_documents_of_more_bytes_than_an_import_takes_are_read(tmp_path: Path) -> None:
    documents = [Document(f"d{number:02}", f"Title {number}", "桥" * 2_000_000) for number in range(34)]
    write_bundle(tmp_path / "out", documents, None, None, collection=COLLECTION)
    assert (tmp_path / "out" / "documents.csv").stat().st_size > MAX_BYTES
    assert read_documents(tmp_path / "out")[0] == tuple(documents)


def test_what_a_folder_holds_may_be_as_large_as_what_a_project_file_does() -> None:
    assert bundle_files.MOST_BYTES["documents.csv"] == bundle_files.MOST_BYTES["documents.jsonl"]


def test_a_link_counts_as_the_file_that_it_leads_to(folder: Path, tmp_path: Path) -> None:
    for name in (*FILES, ABOUT, RECORDING):
        (folder / name).rename(tmp_path / name)
        (folder / name).symlink_to(tmp_path / name)
    with contextlib.closing(open_database(tmp_path / "links.duckdb")) as database:
        report = import_bundle(database, "copy", folder)
    assert (report.documents.kept, report.judgements.kept, report.is_built) == (4, 1, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are POSIX")
def test_a_pipe_is_refused_and_not_waited_for(database: Database, folder: Path) -> None:
    (folder / "documents.csv").unlink()
    os.mkfifo(folder / "documents.csv")
    assert "out/documents.csv must be a file" in refusal(database, folder)


def test_arrays_of_another_byte_order_and_layout_are_read_as_they_are_meant(folder: Path, tmp_path: Path) -> None:
    stream = io.BytesIO()
    np.save(stream, np.asfortranarray(vectors().values.astype(">f4")))
    (folder / "vectors.npy").write_bytes(stream.getvalue())
    matrix = bundle_files.read_matrix(folder, "vectors", np.float32)
    assert matrix is not None
    assert matrix.values.dtype == np.float32
    assert matrix.values.flags.c_contiguous
    np.testing.assert_array_equal(matrix.values, vectors().values)
