import datetime as dt
import io
import zipfile

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import workbooks
from narrative_core.ingest.raw_rows import ReadRows
from narrative_core.ingest.workbooks import read_workbook
from tests.ingest.source_samples import xlsx_bytes

HEADER = ["title", "text", "date"]


def read(rows: list[list[object]], **options: object) -> ReadRows:
    merged = options.pop("merged", ())
    data = xlsx_bytes({"News": rows}, merged=merged)  # type: ignore[arg-type]
    return read_workbook(data, "n.xlsx", max_rows=100, **options)  # type: ignore[arg-type]


def test_cells_become_text_as_a_reader_would_write_it() -> None:
    row = ["A", 3, 2.5, True, None, dt.datetime(2021, 7, 11), dt.datetime(2021, 7, 11, 9, 30), dt.date(2021, 7, 12)]
    found = read([[f"c{i}" for i in range(8)], row])
    assert found.collected.rows == [
        ("A", "3", "2.5", "true", "", "2021-07-11", "2021-07-11T09:30:00", "2021-07-12"),
    ]


def test_blank_rows_are_no_rows_and_cells_beyond_the_header_are_kept() -> None:
    found = read([[], HEADER, [], ["A", "b"], [None, None], ["C", "d", "2021", "more"]])
    assert found.columns == ("title", "text", "date", "column 4")
    assert found.collected.rows == [("A", "b", "", ""), ("C", "d", "2021", "more")]


def test_a_heading_above_the_names_is_passed_over_and_said_so() -> None:
    found = read([["Press archive 2021"], HEADER, ["A", "b", "2021"]], merged=["A1:C1"])
    assert (found.columns, len(found.collected.rows)) == (("title", "text", "date"), 1)
    assert found.notices == ("“Press archive 2021” stands above the names of the columns and was passed over.",)


def test_a_sheet_of_one_column_loses_no_row() -> None:
    found = read([["text"], ["One"], ["Two"]])
    assert (found.columns, found.collected.rows, found.notices) == (("text",), [("One",), ("Two",)], ())


def test_a_value_merged_over_several_rows_is_that_of_each_of_them() -> None:
    found = read([HEADER, ["A", "b", "2021"], ["C", "d"], ["E", "f"], ["G", "h"]], merged=["C2:C4"])
    assert [row[2] for row in found.collected.rows] == ["2021", "2021", "2021", ""]


def test_the_first_sheet_with_rows_is_read_unless_one_is_named() -> None:
    data = xlsx_bytes({"Empty": [], "Names": [HEADER], "One": [HEADER, ["A"]], "Two": [HEADER, ["B"]]})
    found = read_workbook(data, "n.xlsx", max_rows=9)
    assert (found.sheet, found.sheets, found.collected.rows) == (
        "One",
        ("Empty", "Names", "One", "Two"),
        [("A", "", "")],
    )
    assert read_workbook(data, "n.xlsx", max_rows=9, sheet="Two").collected.rows == [("B", "", "")]
    with pytest.raises(InvalidInput, match="must have the sheet “Three”; it has “Empty”, “Names”"):
        read_workbook(data, "n.xlsx", max_rows=9, sheet="Three")
    with pytest.raises(InvalidInput, match="“Names” is none"):
        read_workbook(data, "n.xlsx", max_rows=9, sheet="Names")


def changed(data: bytes, name: str, content: bytes) -> bytes:
    """Return the workbook with other content in one of its parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as written:
        for part in given.infolist():
            written.writestr(part.filename, content if part.filename == name else given.read(part))
    return stream.getvalue()


SOUND = xlsx_bytes({"News": [HEADER, ["A", "b", "2021"]]})
LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_UNPACKED_BYTES", 50_000_000)
    bomb = changed(SOUND, "xl/styles.xml", b"<styleSheet>" + b" " * 60_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(InvalidInput, match=r"at most 50 MB in 10,000 parts; n\.xlsx unpacks to 60 MB"):
        read_workbook(bomb, "n.xlsx", max_rows=9)


def test_entities_of_a_workbooks_own_making_are_not_expanded() -> None:
    sheet = b'<?xml version="1.0"?>' + LAUGHS + b"<worksheet><sheetData/></worksheet>"
    with pytest.raises(InvalidInput, match="damaged"):
        read_workbook(changed(SOUND, "xl/worksheets/sheet1.xml", sheet), "n.xlsx", max_rows=9)


def test_a_row_number_beyond_all_sheets_is_refused() -> None:
    row = b'<row r="%d"><c r="A%d" t="inlineStr"><is><t>x</t></is></c></row>'
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + row % (1, 1)
        + row % (9_000_000_000, 9_000_000_000)
        + b"</sheetData></worksheet>"
    )
    with pytest.raises(InvalidInput, match="at most 1,048,576 rows"):
        read_workbook(changed(SOUND, "xl/worksheets/sheet1.xml", sheet), "n.xlsx", max_rows=9)


@pytest.mark.parametrize(
    "name", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml", "[Content_Types].xml"]
)
@pytest.mark.parametrize("content", [b"", b"<broken", b"\0\1\2"])
def test_a_damaged_part_is_told_in_a_sentence(name: str, content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"n\.xlsx must (be an Excel workbook|have a sheet)"):
        read_workbook(changed(SOUND, name, content), "n.xlsx", max_rows=9)
