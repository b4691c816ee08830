import datetime as dt
import decimal
import json
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import parquet
from narrative_core.ingest.parquet import read_parquet
from narrative_core.ingest.raw_rows import ReadRows
from tests.ingest.source_samples import parquet_bytes


def read(columns: dict[str, object], **options: object) -> ReadRows:
    return read_parquet(parquet_bytes(columns, **options), "n.parquet", max_rows=10_000)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pa.array(["A", None, ""]), ["A", "", ""]),
        (pa.array(["A", "A", None]).dictionary_encode(), ["A", "A", ""]),
        (pa.array([1, None, -3]), ["1", "", "-3"]),
        (pa.array([1.5, None, 0.1]), ["1.5", "", "0.1"]),
        (pa.array([True, None, False]), ["true", "", "false"]),
        (pa.array([decimal.Decimal("1.10"), None]), ["1.10", ""]),
        (pa.array([dt.date(2021, 7, 11), None]), ["2021-07-11", ""]),
        (pa.array([dt.datetime(2021, 7, 11, 9, 30), None]), ["2021-07-11T09:30:00", ""]),
        (pa.array([1625996200000000001], pa.timestamp("ns")), ["2021-07-11T09:36:40"]),
        (
            pa.array(
                [dt.datetime(2021, 7, 11, 9, 30, tzinfo=ZoneInfo("Europe/Madrid"))], pa.timestamp("s", "Europe/Madrid")
            ),
            ["2021-07-11T09:30:00+02:00"],
        ),
        (pa.array([4_000_000, 18_819], pa.date32()), ["12921-08-18", "2021-07-11"]),
        (pa.array([1625996200], pa.timestamp("s", "Nowhere/Here")), ["2021-07-11 09:36:40.000Z"]),
        (pa.array([["a", "b"], None]), ['["a", "b"]', ""]),
        (pa.array([{"name": "Ana", "age": 3}]), ['{"name": "Ana", "age": 3}']),
        (pa.array([[1, 2], [3]]), ["[1, 2]", "[3]"]),
        (pa.array([[0.5, 2.0], [0.25]]), ["[0.5, 2.0]", "[0.25]"]),
        (pa.array([b"\x00\xff", None]), ["", ""]),
        (pa.array([None, None]), ["", ""]),
    ],
    ids=str,
)
def test_each_type_of_value_is_text(values: object, texts: list[str]) -> None:
    found = read({"value": values})
    assert [row[0] for row in found.collected.rows] == texts


def test_rows_of_several_groups_and_batches_stand_in_order() -> None:
    found = read({"n": list(range(3000))}, row_group_size=700)
    assert [row[0] for row in found.collected.rows] == [str(i) for i in range(3000)]


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float64()), pa.list_(pa.float32(), 8)], ids=str)
def test_a_column_of_lists_of_decimals_is_vectors(kind: pa.DataType) -> None:
    values = np.random.default_rng(3).normal(size=(5, 8)).astype(np.float32)
    found = read({"text": list("abcde"), "vector": pa.array(values.tolist(), kind)})
    assert found.columns == ("text",)
    np.testing.assert_allclose(found.vectors["vector"], values, rtol=1e-6)


def test_a_row_without_a_vector_of_the_usual_length_is_nan() -> None:
    found = read({"text": list("abcd"), "vector": [[1.0, 2.0, 3.0], None, [1.0, 2.0], [4.0, 5.0, 6.0]]})
    assert np.isnan(found.vectors["vector"]).all(axis=1).tolist() == [False, True, True, False]


def test_bytes_are_said_to_be_none_that_can_be_shown() -> None:
    assert read({"text": ["a"], "picture": [b"\x89PNG"]}).notices == (
        "picture cannot be shown: the values are bytes and no text.",
    )


def test_a_file_of_too_many_rows_or_bytes_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = parquet_bytes({"text": ["the same text " * 100] * 5000})
    with pytest.raises(InvalidInput, match=r"at most 4,999 rows; n\.parquet has 5,000"):
        read_parquet(data, "n.parquet", max_rows=4_999)
    monkeypatch.setattr(parquet, "MAX_UNPACKED_BYTES", 1_000)
    with pytest.raises(InvalidInput, match=r"unpack to at most 0 MB; n\.parquet unpacks"):
        read_parquet(data, "n.parquet", max_rows=5_000)


def test_a_corrupted_file_is_told_in_a_sentence() -> None:
    data = bytearray(parquet_bytes({"text": [f"text number {i} of many" for i in range(2000)]}))
    for start in range(10, len(data) // 2, 37):
        data[start : start + 8] = b"\xff\x00\xfe\x01\xfd\x02\xfc\x03"
    with pytest.raises(InvalidInput, match=r"n\.parquet must be a Parquet file; it is damaged"):
        read_parquet(bytes(data), "n.parquet", max_rows=10_000)


def test_a_column_of_lists_that_are_no_vectors_is_json() -> None:
    found = read({"text": ["a", "b", "c"], "scores": [[0.1], [0.1, 0.2], [0.1, 0.2, 0.3]]})
    assert [json.loads(row[1]) for row in found.collected.rows] == [[0.1], [0.1, 0.2], [0.1, 0.2, 0.3]]
    assert found.vectors == {}
