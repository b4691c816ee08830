import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.date_column import read_date_column
from narrative_core.ingest.dates import (
    DateExample,
    DateOrder,
    ParsedDate,
    detect_date_format,
    parse_date,
    why_unreadable,
)
from narrative_core.records import DatePrecision

JULY_11 = dt.date(2021, 7, 11)


@pytest.mark.parametrize(
    "text",
    [
        "2021-07-11",
        " 2021-7-11 ",
        "2021/07/11",
        "2021.07.11",
        "2021-07-11T23:30:00-05:00",
        "2021-07-11T00:30:00+09:00",
        "2021-07-11 14:30:00.123456+00:00",
        "2021-07-11 14:30:00 UTC",
        "2021-07-11Z",
        "20210711",
        "20210711T143000Z",
        "20210711143000",
        "July 11, 2021",
        "Jul. 11 2021",
        "Sunday, July 11, 2021 at 3:04 p.m. EDT",
        "11 July 2021",
        "11th of July, 2021",
        "11-JUL-2021",
        "2021 July 11",
        "Sun, 11 Jul 2021 23:30:00 -0500",
        "Sun, 11 Jul 2021 14:30:00 GMT",
        "Sun Jul 11 14:30:00 2021",
        "Sun Jul 11 14:30:00 +0000 2021",
        "Sun Jul 11 2021 14:30:00 GMT+0200 (Central European Summer Time)",
        "1626012345",
        "1626012345.0",
        "1626012345678",
        "11 июля 2021 г.",
        "воскресенье, 11 июля 2021 года, 14:30",
        "11 de julio de 2021",
        "domingo, 11 de julio del 2021",
        "11 de julho de 2021",
        "11 luglio 2021",
        "11 juillet 2021 à 14h30",
        "11. Juli 2021",
        "Sonntag, 11. Juli 2021, 14.30 Uhr",
        "2021年7月11日",
        "2021年7月11日 14:30",
        "２０２１年７月１１日",
        "2021년 7월 11일",
        "11 يوليو 2021",
        "١١ تموز ٢٠٢١",
        "٢٠٢١-٠٧-١١",
        "۲۰۲۱/۰۷/۱۱",
        "\u200f11 July 2021",
    ],
)
@pytest.mark.parametrize("order", ["iso", "day first", "month first", "mixed"])
def test_a_date_that_tells_day_and_month_is_read_in_every_order(text: str, order: DateOrder) -> None:
    assert parse_date(text, order) == ParsedDate(JULY_11, "day")


@pytest.mark.parametrize(
    ("text", "date", "precision"),
    [
        ("2021", dt.date(2021, 1, 1), "year"),
        ("1790", dt.date(1790, 1, 1), "year"),
        ("2021.0", dt.date(2021, 1, 1), "year"),
        ("2021-07", dt.date(2021, 7, 1), "month"),
        ("07/2021", dt.date(2021, 7, 1), "month"),
        ("Jul 2021", dt.date(2021, 7, 1), "month"),
        ("July, 2021", dt.date(2021, 7, 1), "month"),
        ("Sept 2021", dt.date(2021, 9, 1), "month"),
        ("июль 2021 г.", dt.date(2021, 7, 1), "month"),
        ("julio de 2021", dt.date(2021, 7, 1), "month"),
        ("März 2021", dt.date(2021, 3, 1), "month"),
        ("2021年7月", dt.date(2021, 7, 1), "month"),
        ("2021年", dt.date(2021, 1, 1), "year"),
        ("2021 год", dt.date(2021, 1, 1), "year"),
        ("Q2 2021", dt.date(2021, 4, 1), "month"),
        ("2021-Q4", dt.date(2021, 10, 1), "month"),
    ],
)
def test_a_partial_date_is_its_first_day_and_keeps_its_precision(
    text: str, date: dt.date, precision: DatePrecision
) -> None:
    assert parse_date(text, "iso") == ParsedDate(date, precision)


@pytest.mark.parametrize("text", ["07/11/2021", "07.11.2021", "7-11-2021", "07/11/2021 14:30", "07/11/2021, 2:30 PM"])
def test_a_numeric_date_is_read_in_the_order_asked_for(text: str) -> None:
    assert parse_date(text, "day first") == ParsedDate(dt.date(2021, 11, 7), "day")
    assert parse_date(text, "month first") == ParsedDate(JULY_11, "day")


@pytest.mark.parametrize("order", ["iso", "mixed"])
def test_without_an_order_a_numeric_date_is_read_only_where_one_reading_is_possible(order: DateOrder) -> None:
    assert parse_date("07/11/2021", order) is None
    assert parse_date("25/12/2021", order) == ParsedDate(dt.date(2021, 12, 25), "day")
    assert parse_date("12/25/2021", order) == ParsedDate(dt.date(2021, 12, 25), "day")
    assert parse_date("07/07/2021", order) == ParsedDate(dt.date(2021, 7, 7), "day")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2021-02-31", "no 31 February 2021"),
        ("31/02/2021", "no 31 February 2021"),
        ("29 February 2021", "no 29 February 2021"),
        ("2021-13-01", "no month 13"),
        ("0000-00-00", "outside 1000 to 2200"),
        ("0999", "outside 1000 to 2200"),
        ("2201-01-01", "outside 1000 to 2200"),
        ("11/07/21", "two-digit year"),
        ("11-Jul-21", "two-digit year"),
        ("July 4, '76", "two-digit year"),
        ("44388", "not written as a date"),
        ("2021071114", "not written as a date"),
        ("3626012345", "not written as a date"),
        ("2019-2021", "not written as a date"),
        ("next week", "not written as a date"),
        ("before 11 July 2021", "not written as a date"),
        ("2021-Q5", "not written as a date"),
        ("31 июня 2021", "no 31 June 2021"),
        ("", "not written as a date"),
        ("2021-07-11" + " " * 200 + "x", "not written as a date"),
    ],
)
def test_what_is_no_date_is_unreadable_for_a_stated_reason(text: str, reason: str) -> None:
    assert parse_date(text, "day first") is None
    assert reason in why_unreadable(text, "day first")


@given(st.dates(dt.date(1000, 1, 1), dt.date(2200, 12, 31)))
def test_every_date_is_read_back_from_every_way_of_writing_it(date: dt.date) -> None:
    year, expected = f"{date.year:04d}", ParsedDate(date, "day")
    assert parse_date(date.isoformat(), "iso") == expected
    assert parse_date(date.strftime("%d/%m/") + year, "day first") == expected
    assert parse_date(date.strftime("%m.%d.") + year, "month first") == expected
    assert parse_date(date.strftime("%B %d, ") + year, "iso") == expected
    assert parse_date(date.strftime("%a, %d %b ") + year + " 10:00:00 GMT", "iso") == expected


@given(st.text(max_size=40))
def test_no_text_crashes_the_reader(text: str) -> None:
    assert (parse_date(text, "mixed") is None) == bool(why_unreadable(text, "mixed"))


def test_a_first_number_over_twelve_says_day_first() -> None:
    found = detect_date_format(["03/04/2021", "25/12/2021", ""])
    assert (found.order, found.is_ambiguous, found.name) == ("day first", False, "DD/MM/YYYY, day first")
    assert found.examples[0] == DateExample("03/04/2021", "3 April 2021")


def test_a_second_number_over_twelve_says_month_first() -> None:
    found = detect_date_format(["03/04/2021", "12/25/2021"])
    assert (found.order, found.is_ambiguous) == ("month first", False)
    assert found.examples[0] == DateExample("03/04/2021", "4 March 2021")


def test_values_that_contradict_each_other_are_mixed() -> None:
    found = detect_date_format(["25/12/2021", "12/25/2021", "03/04/2021"])
    assert (found.order, found.is_ambiguous) == ("mixed", False)
    assert (found.n_readable, found.n_unreadable) == (2, 1)


def test_values_that_all_have_two_readings_are_ambiguous_with_three_examples() -> None:
    found = detect_date_format(["2020", "05/05/2021", "03/04/2021", "07/11/2021", "01/02/2021"])
    assert found.is_ambiguous
    assert [example.understood for example in found.examples] == [
        "3 April 2021 or 4 March 2021",
        "7 November 2021 or 11 July 2021",
        "1 February 2021 or 2 January 2021",
    ]


def test_equal_day_and_month_are_not_ambiguous() -> None:
    found = detect_date_format(["05/05/2021", "07/07/2021"])
    assert (found.order, found.is_ambiguous, found.n_readable) == ("iso", False, 2)


def test_years_only_are_named_so() -> None:
    found = detect_date_format(["2005", "2006", "2005"])
    assert (found.name, found.order, found.n_readable) == ("YYYY", "iso", 3)


def test_several_ways_of_writing_are_counted() -> None:
    assert detect_date_format(["2021-01-01", "2021-01-02", "July 1, 2021"]).name == "YYYY-MM-DD (2); Month D, YYYY (1)"


def test_a_column_without_values_has_no_format() -> None:
    found = detect_date_format(["", " "])
    assert (found.name, found.n_readable, found.n_unreadable, found.examples) == ("", 0, 0, ())


def test_an_ambiguous_column_asks_for_the_order_with_three_examples() -> None:
    values = ["03/04/2021", "07/11/2021", "01/02/2021", "05/06/2021"]
    with pytest.raises(InvalidInput, match=r"03/04/2021 is 3 April 2021 or 4 March 2021; 07/11.*; 01/02.*say whether"):
        read_date_column(values)


def test_a_chosen_order_settles_an_ambiguous_column() -> None:
    column = read_date_column(["03/04/2021"], date_order="month first")
    assert column.read("03/04/2021").parsed == ParsedDate(dt.date(2021, 3, 4), "day")
    assert column.name == "DD/MM/YYYY or MM/DD/YYYY, read month first as chosen"


def test_a_value_that_contradicts_the_chosen_order_is_read_the_only_way_and_remarked_on() -> None:
    dated = read_date_column(["03/04/2021"], date_order="day first").read("12/25/2021")
    assert dated.parsed == ParsedDate(dt.date(2021, 12, 25), "day")
    assert "can only be 25 December 2021" in dated.remark


def test_in_a_mixed_column_what_has_two_readings_is_left_undated() -> None:
    dated = read_date_column(["25/12/2021", "12/25/2021"]).read("03/04/2021")
    assert dated.parsed is None
    assert "3 April 2021 or 4 March 2021" in dated.remark


LANGUAGES = {
    "Spanish": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "French": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "German": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "Russian": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "Russian alone": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "Portuguese": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "Italian": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "Arabic": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_month_is_told_in_each_language(language: str) -> None:
    for number, name in enumerate(LANGUAGES[language].split(), start=1):
        assert parse_date(f"3 {name} 2021", "iso") == ParsedDate(dt.date(2021, number, 3), "day")
        assert parse_date(f"{name} 2021".upper(), "iso") == ParsedDate(dt.date(2021, number, 1), "month")


def test_a_column_of_the_numbers_of_a_spreadsheet_is_read_as_days() -> None:
    column = read_date_column(["44388", "44389.75", ""])
    assert (column.name, column.read("44388").parsed) == ("days since 1900 (spreadsheet)", ParsedDate(JULY_11, "day"))
    assert column.format.examples[0] == DateExample("44388", "11 July 2021")
    assert "no number of days" in column.read("soon").remark


@pytest.mark.parametrize("other", ["2021", "2021-07-11", "07/11/2021"])
def test_numbers_are_no_days_of_a_spreadsheet_where_a_date_stands_among_them(other: str) -> None:
    found = detect_date_format([*(str(44000 + i) for i in range(20)), other])
    assert (found.is_serial, found.n_unreadable) == (False, 20)


def test_a_value_that_is_no_date_leaves_the_numbers_of_a_spreadsheet_what_they_are() -> None:
    found = detect_date_format([*(str(44000 + i) for i in range(20)), "n/a"])
    assert (found.is_serial, found.n_readable, found.n_unreadable) == (True, 20, 1)
    assert not detect_date_format(["44388", "n/a"]).is_serial


def test_a_quarter_stands_at_its_first_month_and_says_so() -> None:
    dated = read_date_column(["Q3 2021"]).read("Q3 2021")
    assert dated.parsed == ParsedDate(dt.date(2021, 7, 1), "month")
    assert dated.remark == 'the date "Q3 2021" is a quarter; placed at its first month, July 2021'


def test_examples_show_different_ways_of_writing() -> None:
    found = detect_date_format(["2021-07-01", "2021-07-02", "2021-07-03", "July 5, 2021", "11 июля 2021"])
    assert [example.given for example in found.examples] == ["2021-07-01", "July 5, 2021", "11 июля 2021"]
