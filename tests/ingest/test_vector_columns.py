import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, check_columns, detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.sources import read_source
from narrative_core.ingest.tables import RawTable
from narrative_core.ingest.vector_columns import read_vector_column
from tests.ingest.source_samples import csv_bytes, parquet_bytes

UNITS = np.eye(8)[:3]


def table_of(values: list[str]) -> RawTable:
    rows = [{"title": f"T{i}", "text": f"Text {i}", "emb": value} for i, value in enumerate(values)]
    return read_source(csv_bytes(rows), "n.csv")


def written(vectors: list[list[float]]) -> list[str]:
    return [str(list(map(float, vector))) for vector in vectors]


@pytest.mark.parametrize(
    "form",
    [
        lambda v: str(v.tolist()),
        str,
        lambda v: str(tuple(v.tolist())),
        repr,
        lambda v: f"np.array({v.tolist()})",
        lambda v: "[" + "; ".join(map(str, v)) + "]",
        lambda v: f" {v.tolist()}\n",
    ],
    ids=["JSON", "numpy", "tuple", "repr", "np.array", "semicolons", "blanks"],
)
def test_vectors_are_read_however_they_are_written(form: object) -> None:
    table = table_of([form(3.0 * vector) for vector in UNITS])  # type: ignore[operator]
    assert detect_columns(table).vectors == "emb"
    np.testing.assert_allclose(read_vector_column(table, "emb").values, UNITS)


def test_numbers_without_brackets_are_read_when_chosen_but_never_guessed() -> None:
    table = table_of([" ".join(map(str, vector)) for vector in UNITS])
    assert detect_columns(table).vectors == ""
    np.testing.assert_allclose(read_vector_column(table, "emb").values, UNITS)


def test_each_fault_is_said_with_its_row() -> None:
    values = [
        *written(UNITS.tolist()),
        "[1, 2, 3, 4]",
        "[0.1 0.2 ... 0.3]",
        "",
        "[nan, 0, 0, 0, 0, 0, 0, 1]",
        str([0.0] * 8),
    ]
    column = read_vector_column(table_of(values), "emb")
    assert dict(column.faults) == {
        3: "it has 4 numbers where most have 8",
        4: "it is no list of numbers",
        5: "it is no list of numbers",
        6: "it has a nan or an infinity",
        7: "it is all zeros",
    }
    assert column.n_dimensions == 8
    assert np.isnan(column.values[3:]).all()


def test_vectors_are_left_out_and_said_so_where_a_kept_row_has_none() -> None:
    table = table_of([*written(UNITS.tolist()), "[1, 2]"])
    loaded = build_documents(table, ColumnChoice(title="title", text="text", vectors="emb"))
    assert loaded.vectors is None
    assert [(problem.row, problem.reason) for problem in loaded.report.problems if "vector" in problem.reason] == [
        (
            4,
            "no vector: it has 2 numbers where most have 8; so the vectors of the file are not used "
            "(1 of 4 rows have none)",
        )
    ]


def test_a_row_that_is_dropped_may_lack_its_vector_and_the_others_keep_their_own() -> None:
    rows = [
        {"text": "Second", "date": "2022", "emb": str(UNITS[1].tolist())},
        {"text": "", "date": "2021", "emb": "none"},
        {"text": "First", "date": "2021", "emb": str(UNITS[0].tolist())},
    ]
    table = read_source(csv_bytes(rows), "n.csv")
    loaded = build_documents(table, ColumnChoice(text="text", date="date", vectors="emb"))
    assert [document.text for document in loaded.documents] == ["First", "Second"]
    assert loaded.vectors is not None
    np.testing.assert_allclose(loaded.vectors, UNITS[:2])


def test_vectors_of_two_dimensions_are_refused_as_a_map() -> None:
    table = table_of(["[0.5, 1.5]", "[2, 3]"])
    assert detect_columns(table).vectors == ""
    with pytest.raises(InvalidInput, match=r"“emb” have 2 dimensions; two are a position on a map .* or none"):
        build_documents(table, ColumnChoice(text="text", vectors="emb"))


def test_a_column_without_vectors_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match=r"“text” has none\. Choose another column, or none"):
        read_vector_column(table_of(["a", "b"]), "text")


def test_a_parquet_column_is_offered_and_its_missing_rows_are_faults() -> None:
    vectors = [*UNITS.tolist(), None]
    table = read_source(parquet_bytes({"text": list("abcd"), "v": vectors}), "n.parquet")
    choice = detect_columns(table)
    check_columns(table, choice)
    assert choice.vectors == "v"
    assert dict(read_vector_column(table, "v").faults) == {3: "it is no list of numbers"}
