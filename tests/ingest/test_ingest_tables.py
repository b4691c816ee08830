import codecs
import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.records import Problem

HEADER = ("title", "text", "date")
ROW = ("Bridge", "The bridge is open.", "2021-07-11")

# Lone surrogates are no text, and a file full of control characters is refused as binary.
CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\n\r\t",;'), max_size=30)
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8)


def csv_bytes(rows: list[tuple[str, ...]], *, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    return stream.getvalue().encode(encoding)


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


@given(rows=ROWS, delimiter=st.sampled_from(",;\t|"))
def test_every_value_of_a_csv_file_comes_back_as_it_was_written(
    rows: list[tuple[str, str, str]], delimiter: str
) -> None:
    table = read_table(csv_bytes([HEADER, *rows], delimiter=delimiter), "any.csv")
    assert table.columns == HEADER
    assert list(table.rows) == rows
    assert (table.delimiter, table.problems, table.n_read) == (delimiter, (), len(rows))


@given(rows=ROWS)
def test_every_value_of_a_json_lines_file_comes_back_as_it_was_written(rows: list[tuple[str, str, str]]) -> None:
    data = "\n".join(json.dumps(dict(zip(HEADER, row, strict=True)), ensure_ascii=False) for row in rows)
    table = read_table(data.encode(), "any.jsonl")
    assert table.columns == HEADER
    assert list(table.rows) == rows
    assert table.problems == ()


@given(values=st.lists(CELLS, min_size=1, max_size=8))
def test_a_file_of_one_column_is_not_cut_at_its_commas(values: list[str]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([["text"], *([value] for value in values)])
    table = read_table(stream.getvalue().encode(), "one.csv")
    assert [row[0] for row in table.rows] == values
    assert table.delimiter == ""


def test_an_unquoted_comma_in_a_file_of_one_column_is_text() -> None:
    assert read_table(lines("text", "The town, the river"), "one.csv").rows == (("The town, the river",),)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (csv_bytes([HEADER, ROW]), "utf-8"),
        (csv_bytes([HEADER, ROW], encoding="utf-8-sig"), "utf-8-sig"),
        (csv_bytes([HEADER, ROW], encoding="utf-16"), "utf-16"),
        (codecs.BOM_UTF16_BE + csv_bytes([HEADER, ROW], encoding="utf-16-be"), "utf-16"),
        (csv_bytes([HEADER, ROW], encoding="utf-16-le"), "utf-16-le"),
        (csv_bytes([HEADER, ROW], encoding="utf-32"), "utf-32"),
    ],
    ids=["utf-8", "BOM", "UTF-16", "UTF-16 big-endian", "UTF-16 without BOM", "UTF-32"],
)
def test_each_unicode_encoding_is_read_and_named(data: bytes, encoding: str) -> None:
    table = read_table(data, "news.csv")
    assert (table.columns, table.rows, table.encoding) == (HEADER, (ROW,), encoding)


def test_quoted_line_ends_delimiters_and_quotation_marks_belong_to_the_value() -> None:
    table = read_table(b'title,text\r\n"A ""new"" bridge","One, two\r\nthree\n\nfour"\r\n', "news.csv")
    assert table.rows == (('A "new" bridge', "One, two\r\nthree\n\nfour"),)


def test_the_words_nan_and_na_stay_text() -> None:
    assert read_table(lines("title,text", "nan,NA", "NULL,"), "n.csv").rows == (("nan", "NA"), ("NULL", ""))


def test_leading_zeros_and_blanks_stay() -> None:
    assert read_table(lines("id,text", "007, x "), "n.csv").rows == (("007", " x "),)


def test_three_hundred_columns_are_all_kept() -> None:
    names = [f"c{i}" for i in range(300)]
    table = read_table(csv_bytes([tuple(names), tuple(map(str, range(300)))]), "wide.csv")
    assert (len(table.columns), table.rows[0][299]) == (300, "299")


def test_a_value_longer_than_the_csv_modules_own_limit_is_read() -> None:
    assert len(read_table(lines("title,text", "a," + "x" * 200_000), "long.csv").rows[0][1]) == 200_000


def test_unnamed_and_repeated_columns_get_names_of_their_own() -> None:
    assert read_table(lines("text,,text,", "a,b,c,d"), "n.csv").columns == ("text", "column 2", "text (2)", "column 4")


def test_a_row_with_too_many_values_is_a_problem_with_its_number() -> None:
    table = read_table(lines("title,text", "a,b", "c,d,e", "f,g"), "n.csv")
    assert table.rows == (("a", "b"), ("f", "g"))
    assert table.row_numbers == (1, 3)
    assert [problem.row for problem in table.problems] == [2]
    assert "3 values for 2 columns" in table.problems[0].reason
    assert table.n_read == 3


def test_empty_values_beyond_the_last_column_are_no_values() -> None:
    assert read_table(lines("title,text", "a,b,,"), "n.csv").rows == (("a", "b"),)


def test_a_row_with_too_few_values_is_kept_with_a_remark() -> None:
    table = read_table(lines("title,text,date", "a,b"), "n.csv")
    assert table.rows == (("a", "b", ""),)
    assert [remark.row for remark in table.remarks] == [1]


def test_blank_lines_are_no_rows() -> None:
    assert read_table(b"\n\ntitle,text\n\na,b\n\n\nc,d\n\n", "n.csv").row_numbers == (1, 2)


def test_a_quotation_mark_that_never_closes_costs_its_own_row_only() -> None:
    table = read_table(lines("title,text", "a,b", 'c,"d', "e,f", "g,h"), "n.csv")
    assert table.rows == (("a", "b"), ("e", "f"), ("g", "h"))
    assert [problem.row for problem in table.problems] == [2]
    assert "never closed" in table.problems[0].reason


def test_rows_that_a_stray_quotation_mark_may_have_joined_are_remarked_on() -> None:
    table = read_table(lines("title,text", 'a,"b', 'c,"d', "e,f"), "n.csv")
    assert [remark.row for remark in table.remarks] == [1]
    assert "read as one" in table.remarks[0].reason


def test_a_file_whose_quotation_marks_never_close_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be closed; more than 20"):
        read_table(lines("a,b,c,d", *['1,"a",b"c,"d'] * 30), "n.csv")


def test_an_unclosed_quotation_mark_in_the_header_is_refused() -> None:
    with pytest.raises(InvalidInput, match="first row must name the columns"):
        read_table(lines('title,"text', "a,b"), "n.csv")


def test_the_delimiter_that_fits_the_header_wins_over_the_more_frequent_one() -> None:
    table = read_table(lines("title;text", "a, b, c;d, e, f", "g, h;i, j, k"), "n.csv")
    assert (table.delimiter, table.rows[0]) == (";", ("a, b, c", "d, e, f"))
    assert read_table(lines("title|text", "a, b|c, d"), "n.csv").rows == (("a, b", "c, d"),)


def test_a_delimiter_can_be_given() -> None:
    assert read_table(lines("title|text", "a|b"), "n.csv", delimiter="|").rows == (("a", "b"),)


@pytest.mark.parametrize("mark", [";", ",", "\t", "|", "^"])
@pytest.mark.parametrize("start", ["sep={}\n", "sep={}\r\n", "SEP={}\r", '"sep={}"\n', "\ufeffsep={}\n"])
def test_the_line_by_which_excel_is_told_the_delimiter_is_obeyed_and_no_row(start: str, mark: str) -> None:
    written = start.format(mark) + f"title{mark}text\nA{mark}b\nC\nD{mark}e\n"
    table = read_table(written.encode(), "n.csv")
    assert (table.columns, table.rows) == (("title", "text"), (("A", "b"), ("C", ""), ("D", "e")))
    assert (table.delimiter, table.row_numbers, table.remarks[0].row) == (mark, (1, 2, 3), 2)


def test_a_delimiter_that_is_given_wins_over_the_one_that_the_file_names() -> None:
    assert read_table(lines("sep=;", "title,text", "a,b;c"), "n.csv", delimiter=",").rows == (("a", "b;c"),)


@pytest.mark.parametrize("name", ["sep=", "sep=;;", 'sep="', "sep=;x", "a sep=;"])
def test_a_first_line_that_names_no_delimiter_is_the_header(name: str) -> None:
    with pytest.raises(InvalidInput, match="must have rows below"):
        read_table(name.encode() + b"\n", "n.csv")


def test_a_file_with_nothing_below_the_name_of_its_delimiter_has_no_rows() -> None:
    with pytest.raises(InvalidInput, match="must have rows below"):
        read_table(b"sep=;\n \n", "n.csv")


def test_json_lines_keep_numbers_as_written_and_lists_of_objects_as_json() -> None:
    line = '{"a": 1.10, "b": 12345678901234567890, "c": null, "d": true, "e": [{"x": [1, 2.5, "é"]}], "f": NaN}'
    table = read_table(line.encode(), "n.jsonl")
    assert table.rows == (("1.10", "12345678901234567890", "", "true", '[{"x": [1, 2.5, "é"]}]', "NaN"),)


def test_json_lines_have_the_columns_of_all_lines_in_order_of_appearance() -> None:
    table = read_table(lines('{"a": "1"}', '{"b": "2", "a": "3"}'), "n.ndjson")
    assert (table.columns, table.rows) == (("a", "b"), (("1", ""), ("3", "2")))


def test_json_lines_that_are_no_objects_are_problems_with_their_numbers() -> None:
    table = read_table(lines('{"text": "a"}', "", "[1]", '"x"', "3", "null", '{"text": ', '{"text": "b"}'), "n.jsonl")
    assert table.rows == (("a",), ("b",))
    assert table.row_numbers == (1, 7)
    assert [problem.row for problem in table.problems] == [2, 3, 4, 5, 6]
    kinds = ["JSON list", "JSON text", "JSON number", "JSON null", "not JSON"]
    assert all(kind in problem.reason for kind, problem in zip(kinds, table.problems, strict=True))


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a": ' + "[" * 100_000, '{"a": ' + "9" * 5000 + "}"])
def test_json_that_python_cannot_hold_is_no_crash(line: str) -> None:
    table = read_table(lines('{"text": "a"}', line), "n.jsonl")
    assert table.n_read == 2


def test_a_line_separator_inside_a_json_value_does_not_end_the_line() -> None:
    assert read_table('{"text": "a\u2028b"}'.encode(), "n.jsonl").rows == (("a\u2028b",),)


def test_lone_surrogates_in_json_become_writable_text() -> None:
    table = read_table(b'{"text": "a\\ud800b", "pair": "\\ud83d\\ude00"}', "n.jsonl")
    assert table.rows == (("a\ufffdb", "😀"),)


def test_a_json_list_is_read_as_its_objects() -> None:
    table = read_table(b'[{"text": "a"}, 3, {"text": "b"}]', "n.json")
    assert (table.kind, table.rows, table.row_numbers) == ("json", (("a",), ("b",)), (1, 3))
    assert [problem.row for problem in table.problems] == [2]


def test_the_kind_follows_the_content_where_the_name_does_not_tell() -> None:
    assert read_table(b'{"text": "a"}\n{"text": "b"}', "upload").kind == "jsonl"
    assert read_table(b"text,title\na,b", "upload.txt").kind == "csv"


@pytest.mark.parametrize("data", [b"", b"  \n ", codecs.BOM_UTF8, codecs.BOM_UTF8 + b"\n", codecs.BOM_UTF16_LE])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        read_table(data, "empty.csv")


def test_a_header_without_rows_is_refused() -> None:
    with pytest.raises(InvalidInput, match="rows below the names"):
        read_table(b"title,text\n", "header.csv")


def test_a_file_without_a_readable_row_names_the_first_reason() -> None:
    with pytest.raises(InvalidInput, match="Row 1: not JSON"):
        read_table(b"title,text\na,b\n", "n.jsonl")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04rest", "Excel workbook"),
        (b"%PDF-1.7", "PDF"),
        (b"\x1f\x8b\x08", "gzip"),
        (bytes(range(32)) * 50, "control codes"),
    ],
)
def test_a_binary_file_is_refused_by_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(InvalidInput, match=what):
        read_table(data, "strange.csv")


def test_a_nul_byte_in_a_text_is_kept_for_the_report_to_name() -> None:
    assert read_table(b"title,text\na,b\x00c and more words\n", "n.csv").rows == (("a", "b\x00c and more words"),)


def test_a_file_over_the_size_limit_is_refused_with_both_numbers() -> None:
    with pytest.raises(InvalidInput, match=r"at most 1\.0 MB; big\.csv has 2\.0 MB"):
        read_table(b"x" * 2_000_000, "big.csv", max_bytes=1_000_000)


@pytest.mark.parametrize("filename", ["n.csv", "n.jsonl"])
def test_a_file_over_the_row_limit_is_refused_with_the_number(filename: str) -> None:
    rows = ["title,text", *["a,b"] * 4] if filename == "n.csv" else ['{"text": "a"}'] * 4
    assert read_table(lines(*rows[:-1]), filename, max_rows=3).n_read == 3
    with pytest.raises(InvalidInput, match="at most 3 rows"):
        read_table(lines(*rows), filename, max_rows=3)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InvalidInput, match="utf-99"):
        read_table(b"a,b\nc,d", "n.csv", encoding="utf-99")


def test_the_values_of_no_column_are_empty() -> None:
    table = RawTable(("a",), (("x",), ("y",)), (1, 2), "utf-8", ",", "csv", (Problem(3, "lost"),))
    assert (table.values(""), table.values("a"), table.n_read) == (("", ""), ("x", "y"), 3)
