"""A table is refused before its empty cells are made, of which a small file may have more than any memory holds."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import raw_rows
from narrative_core.ingest.raw_rows import check_shape
from narrative_core.ingest.sources import read_source
from tests.ingest.source_samples import xlsx_bytes


def parquet_bytes() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": pa.nulls(20, pa.string()) for i in range(20)} | {"text": ["A"] * 20}), file)
    return file.getvalue()


SPARSE = {
    "n.csv": (",".join(f"c{i}" for i in range(20)) + "\n" + "x\n" * 20).encode(),
    "n.json": json.dumps([{"text": "A", f"c{i}": "x"} for i in range(20)]).encode(),
    "n.jsonl": b"\n".join(json.dumps({"text": "A", f"c{i}": "x"}).encode() for i in range(20)),
    "n.xlsx": xlsx_bytes({"News": [["text"], *[["A"]] * 20, [*[""] * 20, "stray"]]}),
    "n.bib": b"".join(b"@book{k%d, title={A}, f%d={x}}\n" % (i, i) for i in range(20)),
    "n.ris": b"".join(b"TY  - BOOK\nTI  - A\nX%d  - x\nER  - \n" % i for i in range(10)),
    "n.parquet": parquet_bytes(),
}


@pytest.mark.parametrize("filename", SPARSE)
def test_a_table_of_too_many_cells_is_refused_before_they_are_made(
    filename: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_source(SPARSE[filename], filename).rows
    monkeypatch.setattr(raw_rows, "MAX_CELLS", 100)
    with pytest.raises(InvalidInput, match=r"cells; this one has \d+ rows of \d+ columns"):
        read_source(SPARSE[filename], filename)


@pytest.mark.parametrize("filename", SPARSE)
def test_a_table_of_too_many_columns_is_refused_with_their_number(
    filename: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_rows, "MAX_COLUMNS", 9)
    with pytest.raises(InvalidInput, match=r"at most 9 columns; this one has \d\d\."):
        read_source(SPARSE[filename], filename)


def test_the_most_cells_are_allowed_and_one_row_more_is_not() -> None:
    check_shape(200_000, 500)
    with pytest.raises(InvalidInput, match="100 million cells; this one has 200,001 rows of 500 columns"):
        check_shape(200_001, 500)
