import csv
import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from narrative_core.bundle import (
    ABOUT,
    FILES,
    RECORDING,
    read_collection,
    read_judgements,
    read_landscape,
    read_vectors,
    write_bundle,
    write_documents,
)
from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.recordings import read_recording
from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, Topic, Vectors
from tests.judgement_samples import answered

COLUMNS = ("id", "title", "date", "text", "source", "url", "Section", "word count")
CHOICE = ColumnChoice(title="title", text="text", date="date", source="source", url="url", document_id="id")
DOCUMENTS = (
    Document("a", "Ford opens", "A ford.", dt.date(1960, 1, 1), "1960", "year", "Courier", "https://example.org/a"),
    Document("b", "Bridge, “new”", 'Line one\nline "two"; three', dt.date(1961, 4, 1), "April 1961", "month"),
    Document("c", "Pont\tneuf", "Ünïcode 桥 🌉", dt.date(1961, 4, 12), "1961-04-12", "day", extras={"Section": "City"}),
    Document("d", "Undated", "", None, "some day", None, extras={"word count": "0", "Section": "-"}),
)
ODD_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20) | st.sampled_from(
    [
        '"',
        '""',
        ",;\t",
        "a\r\nb",
        "\ufeff",
        "\0",
        "=1+1",
        "e\u0301",
        "\u2028",
        "'",
        "{",
        "nan",
        "  x  ",
        "مرحبا",
        "👩‍👩‍👧",
    ]
)
ISO_DATE = st.sampled_from(["", "2021", "2021-05", "2021-05-06", "1066-10-14"])
LINK = st.sampled_from(["", "https://example.org/a?b=c,d&e=“f”"])
ROW = st.tuples(ODD_TEXT, ODD_TEXT, ISO_DATE, ODD_TEXT, ODD_TEXT, LINK, ODD_TEXT, ODD_TEXT)


def landscape(n: int = 4, k: int = 2) -> Landscape:
    rng = np.random.default_rng(3)
    return Landscape(
        landscape_id="abc123",
        positions=rng.normal(size=(n, 2)),
        nearest_topic=np.arange(n, dtype=np.int64) % k if k else np.full(n, -1, dtype=np.int64),
        is_outlier=np.arange(n) % 2 == 1,
        memberships=rng.random((n, k)),
        topics=tuple(Topic(i, f"bridge · größe {i}", ("bridge", "größe", "桥"), 1) for i in range(k)),
        parameters=LandscapeParameters(n_neighbors=7, min_dist=0.05, divergence="base2"),
        critical_coherence=0.1 + 0.2,
        median_link=1 / 3,
        created_at="2024-03-01T12:00:00+00:00",
        versions={"umap-learn": "0.5"},
        notices=("One “notice”.", "Zwei."),
    )


def vectors(n: int = 4) -> Vectors:
    values = np.random.default_rng(4).normal(size=(n, 5)).astype(np.float32)
    return Vectors(values, "wordllama", "0.4 l2")


def read_documents(path: Path) -> tuple[Document, ...]:
    table = read_table(path.read_bytes(), path.name)
    return build_documents(table, detect_columns(table)).documents


def assert_same_landscape(one: Landscape | None, other: Landscape) -> None:
    assert one is not None
    for name in ("positions", "nearest_topic", "is_outlier", "memberships"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        assert ours.tobytes() == theirs.tobytes()
    assert (one.topics, one.parameters, one.notices) == (other.topics, other.parameters, other.notices)
    assert (one.landscape_id, one.created_at, one.versions) == (other.landscape_id, other.created_at, other.versions)
    assert one.critical_coherence == other.critical_coherence
    np.testing.assert_equal(one.median_link, other.median_link)


def test_vectors_and_landscape_come_back_bit_for_bit(tmp_path: Path) -> None:
    write_bundle(tmp_path / "new" / "folder", DOCUMENTS, vectors(), landscape())
    read = read_vectors(tmp_path / "new" / "folder")
    assert read is not None
    assert (read.model, read.version) == ("wordllama", "0.4 l2")
    assert read.values.dtype == np.float32
    assert read.values.tobytes() == vectors().values.tobytes()
    assert_same_landscape(read_landscape(tmp_path / "new" / "folder", DOCUMENTS), landscape())


def test_the_folder_holds_the_files_that_the_bundle_names(tmp_path: Path) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), landscape())
    assert {path.name for path in tmp_path.iterdir()} == set(FILES)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(1, 5), k=st.integers(0, 3))
def test_any_landscape_comes_back_bit_for_bit(tmp_path: Path, data: st.DataObject, n: int, k: int) -> None:
    finite = st.floats(allow_nan=False, allow_infinity=False)
    shown = replace(
        landscape(n, k),
        positions=data.draw(npst.arrays(np.float64, (n, 2), elements=finite)),
        memberships=data.draw(npst.arrays(np.float64, (n, k), elements=st.floats(0, 1))),
        topics=tuple(Topic(i, data.draw(ODD_TEXT), tuple(data.draw(st.lists(ODD_TEXT))), n) for i in range(k)),
        notices=tuple(data.draw(st.lists(ODD_TEXT))),
        median_link=data.draw(st.just(float("nan")) | st.floats(0, 1)),
    )
    ids = data.draw(st.lists(ODD_TEXT.filter(str.strip), min_size=n, max_size=n, unique=True))
    documents = [Document(document_id, "", "") for document_id in ids]
    write_bundle(tmp_path, documents, vectors(n), shown)
    assert_same_landscape(read_landscape(tmp_path, documents), shown)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=6))
def test_documents_that_were_imported_come_back_from_the_file_the_same(
    tmp_path: Path, rows: Sequence[tuple[str, ...]]
) -> None:
    table = RawTable(COLUMNS, tuple(rows), tuple(range(1, len(rows) + 1)), "utf-8", ",", "csv")
    documents = build_documents(table, CHOICE).documents
    # A title made of the opening words can equal one that was given: the file then has the same document twice.
    assume(len({(d.title, d.text, d.date, d.date_precision, d.source) for d in documents}) == len(documents))
    write_documents(tmp_path / "documents.csv", documents)
    if documents:
        assert read_documents(tmp_path / "documents.csv") == documents


def test_partial_dates_stay_partial_and_their_wording_stays_beside_them(tmp_path: Path) -> None:
    write_documents(tmp_path / "documents.csv", DOCUMENTS)
    with (tmp_path / "documents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["date"] for row in rows] == ["1960", "1961-04", "1961-04-12", ""]
    assert [row["date_as_given"] for row in rows] == ["1960", "April 1961", "1961-04-12", "some day"]
    read = read_documents(tmp_path / "documents.csv")
    assert [(document.date, document.date_precision) for document in read] == [
        (document.date, document.date_precision) for document in DOCUMENTS
    ]


def test_a_file_read_and_written_again_does_not_change(tmp_path: Path) -> None:
    write_documents(tmp_path / "first.csv", DOCUMENTS)
    read = read_documents(tmp_path / "first.csv")
    write_documents(tmp_path / "second.csv", read)
    assert read_documents(tmp_path / "second.csv") == read


def test_extra_columns_follow_the_standard_ones_in_alphabetical_order(tmp_path: Path) -> None:
    documents = [replace(document, date_text="") for document in DOCUMENTS if document.date is None]
    write_documents(tmp_path / "documents.csv", documents)
    with (tmp_path / "documents.csv").open(encoding="utf-8", newline="") as file:
        header, row = list(csv.reader(file))
    assert header == ["id", "title", "date", "text", "source", "url", "Section", "word count"]
    assert row == ["d", "Undated", "", "", "", "", "-", "0"]


def test_without_a_landscape_only_documents_and_vectors_are_written(tmp_path: Path) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), None)
    assert {path.name for path in tmp_path.iterdir()} == {"documents.csv", "vectors.npy", "embedded.csv"}
    assert read_landscape(tmp_path, DOCUMENTS) is None
    read = read_vectors(tmp_path)
    assert read is not None
    np.testing.assert_array_equal(read.values, vectors().values)


@pytest.mark.parametrize("shown", [None, landscape()])
def test_without_vectors_only_documents_are_written(tmp_path: Path, shown: Landscape | None) -> None:
    write_bundle(tmp_path, DOCUMENTS, None, shown)
    assert {path.name for path in tmp_path.iterdir()} == {"documents.csv"}
    assert read_vectors(tmp_path) is None
    assert read_landscape(tmp_path, DOCUMENTS) is None


def test_judgements_come_back_from_a_file_beside_the_others(tmp_path: Path) -> None:
    judgements = (answered(1), answered(0))
    write_bundle(tmp_path / "both", DOCUMENTS, vectors(), landscape(), judgements=judgements)
    assert {path.name for path in (tmp_path / "both").iterdir()} == {*FILES, RECORDING}
    assert set(read_recording(read_judgements(tmp_path / "both")).judgements) == set(judgements)
    write_bundle(tmp_path / "one", DOCUMENTS, None, None, judgements=judgements[:1])
    assert read_recording(read_judgements(tmp_path / "one")).judgements == judgements[:1]
    write_bundle(tmp_path / "none", DOCUMENTS, None, None)
    assert read_judgements(tmp_path / "none") == b""
    assert not (tmp_path / "none" / RECORDING).exists()


@pytest.mark.parametrize("shown", [DOCUMENTS[::-1], DOCUMENTS[:3], (*DOCUMENTS, Document("e", "", ""))])
def test_a_landscape_whose_rows_are_not_those_of_the_documents_is_refused(
    tmp_path: Path, shown: Sequence[Document]
) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), landscape())
    with pytest.raises(InvalidInput, match=r"points\.csv and memberships do not have the rows of documents\.csv\. "):
        read_landscape(tmp_path, shown)


def test_memberships_of_other_rows_are_refused(tmp_path: Path) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), landscape())
    np.save(tmp_path / "memberships.npy", landscape().memberships[:3])
    with pytest.raises(InvalidInput, match="memberships do not have the rows"):
        read_landscape(tmp_path, DOCUMENTS)


def test_writing_a_landscape_of_other_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="zip"):
        write_bundle(tmp_path, DOCUMENTS[:3], vectors(), landscape())


def test_arrays_may_be_csv_with_the_ids_in_front(tmp_path: Path) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), landscape())
    for name, values in (("vectors", vectors().values), ("memberships", landscape().memberships)):
        header = ["id", *map(str, range(values.shape[1]))]
        pairs = zip(DOCUMENTS, values.tolist(), strict=True)
        rows = [header, *([document.document_id, *map(repr, row)] for document, row in pairs)]
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
        (tmp_path / f"{name}.npy").unlink()
    read = read_vectors(tmp_path, DOCUMENTS)
    assert read is not None
    np.testing.assert_array_equal(read.values, vectors().values)
    assert_same_landscape(read_landscape(tmp_path, DOCUMENTS), landscape())


def test_the_landscape_file_is_strict_json_also_without_a_median_link(tmp_path: Path) -> None:
    write_bundle(tmp_path, DOCUMENTS, vectors(), replace(landscape(), median_link=float("nan")))

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    told = json.loads((tmp_path / "landscape.json").read_text(encoding="utf-8"), parse_constant=refuse)
    assert told["median_link"] is None
    read = read_landscape(tmp_path, DOCUMENTS)
    assert read is not None
    assert np.isnan(read.median_link)


def test_what_a_collection_is_called_comes_back_under_any_name(tmp_path: Path) -> None:
    about = Collection("first", "Die “erste”", "Briefe", "Many.\nReally.", "An attic", "CC0", ("dear", "größe"))
    write_bundle(tmp_path, DOCUMENTS, vectors(), None, collection=about)
    assert read_collection(tmp_path, "second") == replace(about, name="second")
    told = json.loads((tmp_path / ABOUT).read_text(encoding="utf-8"))
    assert (told["format"], told["date_as_given"], "name" in told) == (1, True, False)
    read = read_vectors(tmp_path, DOCUMENTS)
    assert read is not None
    assert (read.model, read.version) == ("wordllama", "0.4 l2")
    write_bundle(tmp_path / "silent", DOCUMENTS, vectors(), None)
    assert read_collection(tmp_path / "silent", "second") is None
