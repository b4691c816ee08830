import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.ingest import file_table, zip_directory
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import MAX_CHARACTERS, Loaded, build_documents
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.sources import read_path, read_source
from narrative_core.ingest.tables import RawTable
from tests.ingest.file_samples import zipped
from tests.ingest.source_samples import ENDINGS, ROW, WRITERS, Rows, csv_bytes, parquet_bytes, rss_bytes, xlsx_bytes

KINDS = tuple(WRITERS)
FOUR_FILES = zipped({f"{name}.txt": b"A bridge." for name in "abcd"})


def build(table: RawTable) -> Loaded:
    return build_documents(table, detect_columns(table), date_order="day first")


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_gives_the_same_document(kind: FileKind) -> None:
    table = read_source(WRITERS[kind]([ROW]), f"news{ENDINGS[kind]}")
    (document,) = build(table).documents
    assert (table.kind, table.notices[:1]) == (kind, ("The feed is “Courier”.",) if kind == "feed" else ())
    assert document.title == "Bridge opens"
    assert document.text.endswith("The bridge is open again.")
    if kind != "zip":  # files of prose say no more than that
        assert (document.iso_date, document.document_id) == ("2021-07-11", "a1")
        assert (document.source, document.url) == ("Courier", "https://example.org/a1")


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_suffix_is_said_and_the_content_believed(kind: FileKind) -> None:
    wrong = ".ris" if kind in ("csv", "bibtex") else ".csv"
    table = read_source(SOUND[kind], f"news{wrong}")
    assert table.kind == kind
    assert any(notice.startswith(f"news{wrong} is ") for notice in table.notices)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_without_a_suffix_is_told_by_its_content(kind: FileKind) -> None:
    table = read_source(WRITERS[kind]([ROW, ROW | {"id": "a2", "text": "Another."}]), "upload")
    assert (table.kind, table.n_read) == (kind, 2)


# What every format can hold as it is: no line ends, blanks at the ends, markup of one of them, or nothing at all.
WORDS = st.text(
    st.characters(categories=["Lu", "Ll", "Lo", "Nd"]) | st.sampled_from(" .;'!?-"), min_size=1, max_size=20
).map(lambda text: f"w{' '.join(text.split())}w")
DATES = st.sampled_from(["2021-07-11", "1999-12-31", "2021-07-12"])


@st.composite
def sample_rows(draw: st.DrawFn) -> Rows:
    rows = draw(st.lists(st.tuples(WORDS, WORDS, DATES), min_size=1, max_size=6))
    return [
        ROW | {"id": f"a{i}", "title": title, "text": text, "date": date} for i, (title, text, date) in enumerate(rows)
    ]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "zip"])
@settings(deadline=None, max_examples=25)
@given(rows=sample_rows())
def test_rows_in_are_rows_kept_duplicates_and_dropped(kind: FileKind, rows: Rows) -> None:
    report = build(read_source(WRITERS[kind](rows), f"news{ENDINGS[kind]}")).report
    assert report.read == len(rows)
    assert report.read == report.kept + report.duplicates + report.dropped
    distinct = {(row["title"], row["text"], row["date"]) for row in rows}
    assert report.kept == len(distinct) and report.undated == 0


SIGNATURES = [
    b"",
    b"PAR1",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"<rss>",
    b"<feed>",
    b"@article{",
    b"TY  - ",
    b"[",
    b'{"a":',
    b"\xff\xfe",
]


@settings(deadline=None, max_examples=200)
@given(
    start=st.sampled_from(SIGNATURES),
    rest=st.binary(max_size=300),
    ending=st.sampled_from(["", ".txt", *ENDINGS.values()]),
)
def test_no_bytes_end_in_anything_but_rows_or_a_sentence(start: bytes, rest: bytes, ending: str) -> None:
    check_account(start + rest, f"any{ending}")


@settings(deadline=None, max_examples=150)
@given(kind=st.sampled_from(KINDS), at=st.floats(0, 1), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_file_ends_in_rows_or_a_sentence(kind: FileKind, at: float, byte: int, cut: bool) -> None:
    data = bytearray(SOUND[kind])
    position = int(at * (len(data) - 1))
    data[position] = byte
    check_account(bytes(data[: position + 1] if cut else data), f"any{ENDINGS[kind]}")


SOUND = {kind: write([ROW, ROW | {"id": "a2", "text": "Another text, with more."}]) for kind, write in WRITERS.items()}


def check_account(data: bytes, filename: str) -> None:
    try:
        table = read_source(data, filename)
        report = build(table).report
    except InvalidInput:
        return
    assert report.read == table.n_read == report.kept + report.duplicates + report.dropped


@settings(deadline=None)
@given(text=st.text(max_size=200), ending=st.sampled_from([".csv", ".json", ".jsonl", ".bib", ".ris", ".xml"]))
def test_no_text_ends_in_anything_but_rows_or_a_sentence(text: str, ending: str) -> None:
    check_account(text.encode("utf-8", "replace"), f"any{ending}")


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"), ("cp1252", "cp1252")],
)
def test_encodings_are_told_and_read(encoding: str, name: str) -> None:
    rows = [ROW | {"title": "Señor Müller’s café", "text": "Él cruzó el puente – déjà vu"}]
    table = read_source(csv_bytes(rows, delimiter=";", encoding=encoding), "news.csv")
    assert (table.encoding, table.delimiter, table.values("title")) == (name, ";", ("Señor Müller’s café",))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("افتتاح الجسر", "افتُتح الجسر مرة أخرى أمام المارة"),
        ("大桥重新开放", "大桥于今天重新开放，市民们都很高兴。"),
        ("Мост открыт", "Мост снова открыт для движения."),
        ("Se abre el puente", "El puente está abierto otra vez, ¡por fin!"),
        ("मिश्रित mixed смесь", "पुल खुला है and the мост is open"),
    ],
)
def test_texts_of_every_script_come_through_every_format(kind: FileKind, title: str, text: str) -> None:
    (document,) = build(
        read_source(WRITERS[kind]([ROW | {"title": title, "text": text}]), f"n{ENDINGS[kind]}")
    ).documents
    assert document.title == title
    assert text in document.text


def test_columns_with_names_in_other_languages_are_found() -> None:
    table = read_source(
        "titular;texto;fecha;medio\nPuente;Se abre el puente;11 de julio de 2021;El Día\n".encode(), "n.csv"
    )
    assert detect_columns(table).chosen() == {"title": "titular", "text": "texto", "date": "fecha", "source": "medio"}
    table = read_source("标题,正文,日期\n大桥,大桥开放,2021年7月11日\n".encode(), "n.csv")
    assert detect_columns(table).chosen() == {"title": "标题", "text": "正文", "date": "日期"}


def test_three_hundred_columns_are_all_kept_as_extras() -> None:
    names = ["title", "text", *(f"c{i}" for i in range(298))]
    table = read_source(csv_bytes([{name: f"value of {name}" for name in names}]), "wide.csv")
    (document,) = build(table).documents
    assert len(document.extras) == 298
    assert document.extras["c297"] == "value of c297"


def long_text(n_bytes: int) -> str:
    return "The bridge is open again. " * (n_bytes // 26)


def test_a_text_beyond_the_limit_is_cut_and_said_so() -> None:
    text = long_text(2_200_000)
    loaded = build(read_source(csv_bytes([ROW | {"text": text}, ROW | {"id": "a2"}]), "long.csv"))
    assert len(loaded.documents[0].text) == MAX_CHARACTERS
    assert [problem.reason for problem in loaded.report.problems] == [
        f'"text" has {len(text):,} characters; the first 2,000,000 are kept'
    ]


@pytest.mark.slow
def test_fifty_megabytes_in_one_cell_are_read() -> None:
    text = long_text(50_000_000)
    loaded = build(read_source(csv_bytes([ROW | {"text": text}, ROW]), "long.csv"))
    assert (loaded.report.kept, len(loaded.documents[0].text)) == (2, MAX_CHARACTERS)
    assert f"{len(text):,} characters" in loaded.report.problems[0].reason


def test_dates_of_many_ways_in_one_column_are_read_and_none_drops_a_document() -> None:
    written = {
        "2021-07-11": "2021-07-11",
        "Sun, 11 Jul 2021 09:39:21 GMT": "2021-07-11",
        "11 июля 2021 г.": "2021-07-11",
        "11 de julio de 2021": "2021-07-11",
        "2021年7月11日": "2021-07-11",
        "٢٠٢١-٠٧-١١": "2021-07-11",
        "Juli 2021": "2021-07",
        "Q3 2021": "2021-07",
        "2021": "2021",
        "soon": "",
        "2021-02-31": "",
        "": "",
    }
    rows = [ROW | {"id": f"a{i}", "text": f"Text {i}.", "date": date} for i, date in enumerate(written)]
    loaded = build(read_source(csv_bytes(rows), "dates.csv"))
    assert (loaded.report.kept, loaded.report.undated) == (len(written), 3)
    found = {document.date_text: document.iso_date for document in loaded.documents}
    assert found == written
    reasons = [problem.reason for problem in loaded.report.problems]
    assert any("is a quarter; placed at its first month, July 2021" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("filename", "data", "sentence"),
    [
        ("one.pdf", b"%PDF-1.7 and more", "^one.pdf is damaged"),
        (
            "one.odt",
            b"PK\x03\x04 and more",
            "^one.odt is in a format that cannot be read: save it as .docx, .pdf or .txt.$",
        ),
        ("one.msg", b"a mail", "^one.msg is mail in a format that cannot be read: save each message as .eml.$"),
        ("page", b"<!doctype html><html><body>Hi</body></html>", "it is a web page. Give it the ending .html"),
        ("feed.xml", b"<note><to>You</to></note>", "no <rss> or <feed>"),
        ("t.parquet", b"PAR1 and nothing else", "must be a Parquet file; it is damaged"),
        ("t.parquet", b"\0\1\2\3 nothing of the kind", "must be a Parquet file; it is damaged or something else"),
        ("t.xlsx", b"PK\x03\x04 nothing of the kind", "must be an Excel workbook; it is damaged"),
        ("old.xls", b"\xd0\xcf\x11\xe0" + bytes(600), "an old Excel or Word file"),
        ("empty.json", b"", "it is empty"),
        ("cut.json", b'[{"title": "A"}, {"tit', "not JSON"),
        ("n.json", b"[1, 2]", "Row 1: a JSON number"),
        ("n.bib", b"% nothing here", "must have rows"),
        ("n.ris", b"nothing here", "must have rows"),
        ("n.rss", b"<rss><channel></channel></rss>", "a feed without entries|no feed"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(filename: str, data: bytes, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        read_source(data, filename)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "zip"])
def test_more_rows_than_are_read_are_refused_with_the_number(kind: FileKind) -> None:
    rows = [ROW | {"id": f"a{i}", "text": f"Text {i}"} for i in range(4)]
    with pytest.raises(InvalidInput, match="at most 3 rows"):
        read_source(WRITERS[kind](rows), f"n{ENDINGS[kind]}", max_rows=3)


@pytest.mark.parametrize("kind", ["zip", "parquet", "xlsx", "csv"])
def test_the_work_can_be_stopped(kind: FileKind) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_source(SOUND[kind], f"n{ENDINGS[kind]}", progress=stop)


def test_a_path_is_a_file_or_a_folder(tmp_path: Path) -> None:
    (tmp_path / "news.csv").write_bytes(csv_bytes([ROW]))
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "2021-07-11 bridge.txt").write_text("Bridge opens\n\nThe bridge is open.", encoding="utf-8")
    assert read_path(tmp_path / "news.csv").kind == "csv"
    assert (read_path(folder).kind, read_path(folder).n_read) == ("folder", 1)
    with pytest.raises(FileNotFoundError):
        read_path(tmp_path / "missing.csv")


def test_a_path_to_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 300_000_000)
    with pytest.raises(InvalidInput, match=r"at most 200\.0 MB; large\.csv has 300\.0 MB"):
        read_path(path)


def test_a_table_of_vectors_written_as_text_is_offered_and_used() -> None:
    vectors = [[float(i == j) + 0.25 for j in range(8)] for i in range(3)]
    rows = [ROW | {"id": f"a{i}", "text": f"Text {i}", "emb": str(vector)} for i, vector in enumerate(vectors)]
    table = read_source(csv_bytes(rows), "n.csv")
    assert detect_columns(table).vectors == "emb"
    loaded = build(table)
    assert loaded.vectors is not None and loaded.vectors.shape == (3, 8)
    assert "emb" not in loaded.documents[0].extras
    assert loaded.report.columns["vectors"] == "emb"


def test_json_vectors_and_parquet_vectors_are_the_same() -> None:
    vectors = [[0.5, -1.25, 0.1, 3, 0, 0, 0, 1], [0.0, 2.0, 0.3, 1, 1, 1, 1, 1]]
    rows = [{"title": f"T{i}", "text": f"Text {i}", "vector": vector} for i, vector in enumerate(vectors)]
    from_json = build(read_source(json.dumps(rows).encode(), "n.json")).vectors
    columns = {"title": ["T0", "T1"], "text": ["Text 0", "Text 1"], "vector": vectors}
    from_parquet = build(read_source(parquet_bytes(columns), "n.parquet")).vectors
    assert from_json is not None and from_parquet is not None
    assert abs(from_json - from_parquet).max() < 1e-6


def test_a_workbook_says_its_sheets() -> None:
    data = xlsx_bytes({"Notes": [], "News": [["title", "text"], ["A", "b"]]})
    table = read_source(data, "n.xlsx")
    assert (table.sheet, table.sheets) == ("News", ("Notes", "News"))


def test_a_feed_with_html_gives_clean_text() -> None:
    text = "<p>The bridge &amp; the <b>river</b></p><script>alert(1)</script>"
    (document,) = build(read_source(rss_bytes([ROW | {"text": text}]), "feed.xml")).documents
    assert document.text == "The bridge & the river"


def test_an_archive_of_very_many_files_is_refused_before_its_directory_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(zip_directory, "MAX_LISTED", 3)
    monkeypatch.setattr(file_table, "MAX_FILES", 3)
    monkeypatch.setattr(zipfile, "ZipFile", pytest.fail)
    for name in ("news.zip", "news.xlsx"):
        with pytest.raises(InvalidInput, match=r"at most 3 files can be read at a time; news\.[a-z]+ has 4"):
            read_source(FOUR_FILES, name)
