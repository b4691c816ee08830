"""Files as people write them elsewhere: code pages, names of columns, dates, texts without spaces."""

import datetime as dt
from dataclasses import replace

import pytest

from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.dates import parse_date, why_unreadable
from narrative_core.ingest.near_duplicates import group_copies
from narrative_core.ingest.plain_text import opening_words
from narrative_core.ingest.sources import read_source
from narrative_core.ingest.tables import read_table
from narrative_core.records import Document
from narrative_core.ui.words import clamp
from tests.languages.news import FOLDER, table

ROUND = "٠١٢٣٤٥٦٧٨٩"
THE_DAY = dt.date(2021, 7, 11)


@pytest.mark.parametrize(
    ("language", "encoding"),
    [
        ("ar", "cp1256"),
        ("ar", "utf-16"),
        ("ru", "cp1251"),
        ("ru", "koi8_r"),
        ("es", "cp1252"),
        ("zh_hans", "gb18030"),
        ("zh_hans", "gbk"),
        ("zh_hant", "big5"),
    ],
)
@pytest.mark.parametrize("n_lines", [2, 6, 41])
def test_a_file_in_the_code_page_of_its_language_is_read(language: str, encoding: str, n_lines: int) -> None:
    lines = (FOLDER / f"{language}.csv").read_text(encoding="utf-8").splitlines()[:n_lines]
    written = "\n".join(lines).translate(str.maketrans(ROUND + "«»—", '0123456789""-')).replace('""', '"')
    assert read_source(written.encode(encoding), "news.csv").rows == read_source(written.encode(), "news.csv").rows


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("发布日期", "date"),
        ("新闻标题", "title"),
        ("全文", "text"),
        ("報紙", "source"),
        ("تاريخ النشر", "date"),
        ("عنوان الخبر", "title"),
        ("نص الخبر", "text"),
        ("Дата публикации", "date"),
        ("Fecha de publicación", "date"),
        ("Noticia", "text"),
    ],
)
def test_columns_are_known_by_the_names_of_their_language(header: str, part: str) -> None:
    read = read_table(f"{header};x\na;b\n".encode(), "news.csv")
    assert detect_columns(read).chosen().get(part) == header


def test_a_column_of_chinese_prose_is_the_text_whatever_its_name() -> None:
    read = read_table("甲,乙\n新闻,连续四天暴雨之后塞伦河水位比平时高出两米居民正在撤离\n".encode(), "news.csv")
    assert detect_columns(read).text == "乙"


@pytest.mark.parametrize(
    "written",
    [
        "2021年7月11日（星期日）下午3时",
        "2021年7月11日 上午10:30",
        "二〇二一年七月十一日",
        "民國110年7月11日",
        "110年7月11日",
        "الأحد 11 يوليو/تموز 2021",
        "الأحد، 11 تموز (يوليو) 2021",
        "١١ جويلية ٢٠٢١",
        "11 يوليوز 2021م",
        "11 يوليو 2021 - 14:30",
        "11/7/2021 10:30 م",
        "воскресенье, 11 июля 2021, 14:30 мск",
        "11 июля 2021 г. в 14:30",
        "domingo, 11 de julio de 2021, 14:30 h",
        "11/jul/2021",
    ],
)
def test_dates_are_read_as_each_language_writes_them(written: str) -> None:
    found = parse_date(written, "day first")
    assert found is not None
    assert (found.date, found.precision) == (THE_DAY, "day")


@pytest.mark.parametrize(
    ("written", "month"),
    [("二〇二一年十月", 10), ("2021年十二月", 12), ("民國110年二月", 2), ("كانون الأول/ديسمبر 2021", 12)],
)
def test_months_written_out_are_read(written: str, month: int) -> None:
    found = parse_date(written, "iso")
    assert found is not None
    assert (found.date, found.precision) == (dt.date(2021, month, 1), "month")


@pytest.mark.parametrize("written", ["15 محرم 1443 هـ", "15/03/1443هـ", "3 رمضان 1442"])
def test_a_date_of_the_islamic_calendar_is_not_taken_for_one_of_the_common_era(written: str) -> None:
    assert parse_date(written, "day first") is None
    assert "Islamic calendar" in why_unreadable(written, "day first")


@pytest.mark.parametrize("language", ["ar", "zh_hans", "zh_hant", "ru"])
def test_an_edited_agency_report_is_a_copy_and_another_report_is_not(language: str) -> None:
    read = table(language)
    choice = detect_columns(read)
    title, text = read.columns.index(choice.title), read.columns.index(choice.text)
    items = [Document(str(i), row[title], row[text], THE_DAY, "", "day") for i, row in enumerate(read.rows[:8])]
    joined = replace(items[0], text=" ".join(one.text for one in items[:3]))
    edited = replace(joined, document_id="copy", title="", text=joined.text[: int(len(joined.text) * 0.8)])
    others = replace(items[3], text=" ".join(one.text for one in items[3:6]))
    assert group_copies([joined, others, edited]) == ((0, 2),)


def test_a_cut_of_chinese_is_not_moved_back_to_a_space_at_its_beginning() -> None:
    line = "NASA 宣布月球探测器曙光三号已经进入月球轨道并传回第一批照片"
    assert len(clamp(line, 20)) > 15
    assert len(opening_words(line, limit=20)) > 15
