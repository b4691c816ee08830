import datetime as dt
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import document, pair, space_story, story

from narrative_core.counting import count
from narrative_core.records import DatePrecision, Document, StoryPair, TrailRequest
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    format_gap,
    format_list,
    format_span,
    format_strength,
    format_terms,
    format_title,
    gap_between,
    link_sentence,
    plain_line,
    price_sentence,
    quote_title,
    request_wishes,
    shorter_draws_sentence,
    sources_sentence,
    weak_label,
    weakest_link_sentence,
)

APRIL = dt.date(1961, 4, 12)


def dated(date: dt.date | None, precision: DatePrecision = "day") -> Document:
    return document(1, "Title", date, precision=precision)


@pytest.mark.parametrize(
    ("date", "precision", "words"),
    [
        (APRIL, "day", "12 April 1961"),
        (dt.date(1961, 4, 1), "month", "April 1961"),
        (dt.date(1961, 1, 1), "year", "1961"),
        (dt.date(476, 9, 4), "day", "4 September 476"),
        (dt.date(9999, 12, 31), "day", "31 December 9999"),
        (None, "day", "no date"),
    ],
)
def test_a_date_is_said_as_precisely_as_it_was_given(
    date: dt.date | None, precision: DatePrecision, words: str
) -> None:
    assert format_date(dated(date, precision)) == words


def test_a_date_of_unstated_precision_is_a_day() -> None:
    assert format_date(Document("d", "", "", APRIL)) == "12 April 1961"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "same day"),
        (1, "1 day"),
        (4, "4 days"),
        (60, "60 days"),
        (61, "2 months"),
        (90, "3 months"),
        (365, "1 year"),
        (366, "1 year"),
        (548, "18 months"),
        (715, "23 months"),
        (716, "2 years"),
        (1461, "4 years"),
        (4307, "12 years"),
        (-4, "4 days back"),
        (-1461, "4 years back"),
        (None, "time unknown"),
    ],
)
def test_a_gap_is_said_in_the_unit_that_fits(days: int | None, words: str) -> None:
    assert format_gap(days) == words


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (dt.date(1957, 10, 4), dt.date(1969, 7, 20), "12 years"),
        (dt.date(1969, 7, 20), dt.date(1957, 10, 4), "12 years"),
        (dt.date(1961, 1, 12), APRIL, "3 months"),
        (dt.date(1961, 4, 7), APRIL, "5 days"),
        (APRIL, APRIL, "one day"),
        (None, APRIL, "an unknown time"),
        (APRIL, None, "an unknown time"),
    ],
)
def test_a_span_is_said_in_the_unit_that_fits(first: dt.date | None, last: dt.date | None, words: str) -> None:
    assert format_span(first, last) == words


def test_a_span_of_partial_dates_claims_no_more_than_they_say() -> None:
    assert format_span(dt.date(1961, 1, 1), APRIL, precision="year") == "one year"
    assert format_span(dt.date(1961, 4, 1), APRIL, precision="month") == "one month"
    assert format_span(dt.date(1961, 1, 1), dt.date(1962, 1, 1), precision="year") == "1 year"
    assert format_span(dt.date(1961, 1, 1), dt.date(1962, 2, 1), precision="month") == "13 months"


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (dated(dt.date(1961, 1, 1), "year"), dated(dt.date(1961, 1, 1), "year"), "same year"),
        (dated(dt.date(1961, 1, 1), "year"), dated(APRIL), "same year"),
        (dated(dt.date(1961, 4, 1), "month"), dated(APRIL), "same month"),
        (dated(dt.date(1961, 4, 1), "month"), dated(dt.date(1961, 5, 31)), "1 month"),
        (dated(dt.date(1961, 1, 1), "year"), dated(dt.date(1961, 4, 1), "month"), "same year"),
        (dated(dt.date(1965, 1, 1), "year"), dated(APRIL), "4 years back"),
        (dated(APRIL), dated(APRIL), "same day"),
        (dated(APRIL), dated(dt.date(1961, 4, 16)), "4 days"),
        (dated(APRIL), dated(None), "time unknown"),
        (dated(None), dated(APRIL), "time unknown"),
    ],
)
def test_the_time_between_is_no_more_precise_than_the_dates(first: Document, second: Document, words: str) -> None:
    assert gap_between(first, second) == words


@given(st.dates(), st.dates())
def test_full_dates_give_the_same_gap_by_days_and_by_documents(first: dt.date, second: dt.date) -> None:
    assert gap_between(dated(first), dated(second)) == format_gap((second - first).days)


@pytest.mark.parametrize(
    ("strength", "words"),
    [(0.714, "0.71"), (1.0, "1.00"), (0.0, "0.00"), (float("nan"), "unknown"), (float("-inf"), "unknown")],
)
def test_a_strength_has_two_decimals_or_is_unknown(strength: float, words: str) -> None:
    assert format_strength(strength) == words


def test_lists_and_counts_read_as_english() -> None:
    assert [format_list(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert format_list(["a", "b", "c", "d"], most=2) == "a, b and 2 more"
    assert format_terms([]) == "no shared terms"
    assert (count(0, "day"), count(1, "day"), count(1200, "day")) == ("0 days", "1 day", "1,200 days")


def test_a_title_is_one_clean_line_and_never_empty() -> None:
    assert format_title(document(3, " two\r\nlines\x00\u202ehere\u2066 ")) == "two lines here"
    assert format_title(document(3, "\u202e \t")) == "Untitled (d3)"
    assert plain_line("👩🏽‍🚀 crew") == "👩🏽‍🚀 crew"


def test_a_quoted_title_is_cut_at_a_word_and_isolated_where_it_runs_from_right_to_left() -> None:
    assert quote_title(document(1, "Short")) == "“Short”"
    long = quote_title(document(1, "satellite, " * 30))
    assert long.endswith("satellite…”")
    assert len(long) <= 113
    assert quote_title(document(1, "قمر صناعي")) == "“\u2068قمر صناعي\u2069”"
    assert len(quote_title(document(1, "x" * 500))) <= 113


@pytest.mark.parametrize(
    ("dates", "precision", "words"),
    [
        ([dt.date(1957, 10, 4), APRIL, dt.date(1969, 7, 20)], "day", "3 documents over 12 years"),
        ([APRIL, APRIL], "day", "2 documents within one day"),
        ([dt.date(1961, 1, 1), dt.date(1961, 1, 1)], "year", "2 documents within one year"),
        ([dt.date(1961, 1, 1), dt.date(1962, 1, 1)], "year", "2 documents over 1 year"),
        ([APRIL, None, dt.date(1961, 4, 16)], "day", "3 documents over 4 days, 1 without a date"),
        ([None, None], "day", "2 documents, none with a date"),
        ([dt.date(1969, 7, 20), dt.date(1957, 10, 4)], "day", "2 documents over 12 years"),
    ],
)
def test_the_counts_say_how_many_documents_over_how_long(
    dates: list[dt.date | None], precision: DatePrecision, words: str
) -> None:
    documents = [document(number, "T", date, precision=precision) for number, date in enumerate(dates)]
    assert counts_sentence(story(documents, [0.7] * (len(dates) - 1))) == words


def compared(draws: list[float], *, n: int = 3, bottleneck: float = 0.7) -> StoryPair:
    documents = [document(number) for number in range(n)]
    return pair(story(documents, [0.8] * (n - 2) + [bottleneck]), draws=draws)


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        ([0.5] * 197 + [0.8] * 3, "Stronger than 197 of 200 random chronologies"),
        ([0.5] * 200, "Stronger than all 200 random chronologies"),
        ([0.5] + [0.8] * 199, "Stronger than 1 of 200 random chronologies"),
        ([0.5] * 1500 + [0.9], "Stronger than 1,500 of 1,501 random chronologies"),
        ([0.7] * 199 + [0.8], "Not stronger than any of 200 random chronologies"),
        ([0.7] * 200, "Exactly as strong as all 200 random chronologies"),
        ([0.5], "Stronger than the one random chronology"),
        ([0.9], "Not stronger than the one random chronology"),
        ([0.7], "Exactly as strong as the one random chronology"),
        ([], "No random chronology was drawn to compare with"),
    ],
)
def test_the_comparison_counts_the_weaker_random_chronologies(draws: list[float], words: str) -> None:
    assert comparison_sentence(compared(draws)) == words


def test_two_documents_are_not_said_to_beat_chance() -> None:
    words = "With two documents there is only one chronology, so nothing random to compare with"
    assert comparison_sentence(compared([0.7] * 200, n=2)) == words


def test_the_weakest_link_is_named_with_both_headlines() -> None:
    documents = [
        document(0, "Sputnik", dt.date(1957, 10, 4)),
        document(1, "Gagarin", dt.date(1961, 10, 4)),
        document(2, "Apollo", dt.date(1961, 10, 4)),
    ]
    told = story(documents, [0.71, 0.9])
    assert weakest_link_sentence(told) == (
        "The weakest link is from “Sputnik” to “Gagarin” (0.71): 4 years apart, sharing satellite and orbit."
    )
    assert weakest_link_sentence(story(documents, [0.9, 0.71], terms=())) == (
        "The weakest link is from “Gagarin” to “Apollo” (0.71): on the same day, with no shared terms."
    )
    assert weakest_link_sentence(story(documents[:2], [0.9])).startswith("The only link is from “Sputnik”")


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (dated(APRIL), dated(None), "an unknown time apart"),
        (dated(dt.date(1961, 1, 1), "year"), dated(APRIL), "in the same year"),
        (dated(dt.date(1965, 4, 12)), dated(APRIL), "going 4 years back"),
        (dated(APRIL), dated(dt.date(1961, 4, 13)), "1 day apart"),
    ],
)
def test_the_weakest_link_says_the_time_between_whatever_the_dates(
    first: Document, second: Document, words: str
) -> None:
    assert f"(0.71): {words}, sharing" in weakest_link_sentence(story([first, second], [0.71]))


def test_a_link_is_told_forwards() -> None:
    told = story([document(0), document(1, "Next", dt.date(1965, 4, 12))], [0.83])
    assert link_sentence(told.links[0], *told.documents) == (
        "Strength 0.83: 4 years later, sharing satellite and orbit."
    )
    same = story([document(0), document(1)], [0.83])
    assert link_sentence(same.links[0], *same.documents) == (
        "Strength 0.83: on the same day, sharing satellite and orbit."
    )
    back = story([document(0), document(1, "Before", dt.date(1957, 4, 12))], [0.83])
    assert "going 4 years back" in link_sentence(back.links[0], *back.documents)


def test_weak_links_are_marked_and_an_only_link_only_when_it_is_weak() -> None:
    told = story([document(number) for number in range(4)], [0.5, 0.6, 0.9])
    assert [weak_label(link) for link in told.links] == ["⚠ weakest link", "⚠ weak link", ""]
    only = story([document(0), document(1)], [0.9]).links[0]
    assert weak_label(only, is_only=True, median_link=0.66) == ""
    assert weak_label(only, is_only=True, median_link=0.95) == "⚠ weak link"
    assert weak_label(only, is_only=True) == ""


def priced(free: float, paid: float, **wishes: object) -> str:
    request = replace(TrailRequest("d0", "d1"), **wishes)
    told = pair(story([document(0), document(1), document(2)], [0.9, paid]))
    return price_sentence(replace(told, request=request, unconstrained_bottleneck=free))


def test_wishes_are_told_with_what_they_cost() -> None:
    assert priced(0.76, 0.71) == ""
    assert priced(0.76, 0.71, is_chronological=False) == ""
    assert priced(0.76, 0.71, via=("v",)) == (
        "Passing through 1 chosen document lowers the weakest link by 0.05, from 0.76 to 0.71."
    )
    assert priced(0.76, 0.71, via=("v", "w"), avoid=("x",)) == (
        "Passing through 2 chosen documents and avoiding 1 document lower the weakest link by 0.05, from 0.76 to 0.71."
    )
    assert priced(0.71, 0.71, maximum_gap_days=30) == (
        "Allowing no gap over 30 days costs nothing: the weakest link stays at 0.71."
    )
    assert priced(0.713, 0.711, maximum_length=6) == (
        "Using at most 6 documents lowers the weakest link by less than 0.01, to 0.71."
    )
    assert priced(float("nan"), 0.71, avoid=("x",)) == (
        "Avoiding 1 document: there is no trail without these wishes to compare the weakest link with."
    )


def test_a_story_made_by_hand_is_priced_against_the_trail_that_is_found() -> None:
    order = ("d0", "d2", "d1")
    assert priced(0.76, 0.71, by_hand=order, avoid=("x",)) == (
        "Made by hand: its weakest link is 0.71, weaker than the 0.76 of the trail that is found."
    )
    assert priced(0.71, 0.76, by_hand=order) == (
        "Made by hand: its weakest link is 0.76, stronger than the 0.71 of the trail that is found."
    )
    assert priced(0.712, 0.714, by_hand=order) == (
        "Made by hand, at no cost: the weakest link is 0.71, as in the trail that is found."
    )
    assert priced(float("nan"), 0.71, by_hand=order) == (
        "Made by hand: no trail is found between the two ends to compare the weakest link with."
    )
    assert request_wishes(TrailRequest("d0", "d1", avoid=("x",), by_hand=order)) == ()


def test_random_chronologies_that_are_shorter_than_the_story_are_said_so() -> None:
    documents = [document(number) for number in range(5)]
    told = pair(story(documents, [0.7] * 4))
    assert shorter_draws_sentence(told) == ""
    fewer = replace(told, baseline=story(documents[:3], [0.6] * 2, kind="baseline"))
    assert shorter_draws_sentence(fewer) == "Its random chronologies have 3 documents: no more lie between the ends."
    none = replace(told, baseline=story(documents[:2], [0.6], kind="baseline"))
    assert shorter_draws_sentence(none) == ""
    assert comparison_sentence(none) == (
        "No other document lies between the ends, so there is nothing random to compare with"
    )


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_the_price_adds_up_as_printed(free: float, paid: float) -> None:
    words = priced(free, paid, avoid=("x",))
    printed = re.search(r"by (0\.\d\d), from (\d\.\d\d) to (\d\.\d\d)\.", words)
    if printed:
        lost, before, after = (round(100 * float(number)) for number in printed.groups())
        assert before - lost == after
    else:
        assert free - paid < 0.011


def test_every_wish_has_words() -> None:
    request = TrailRequest("a", "b", ("v",), ("x", "y"), 1, 1, avoid_sources=("Wire",), avoid_topics=(1, 2))
    assert request_wishes(request) == (
        "passing through 1 chosen document",
        "avoiding 2 documents",
        "avoiding 1 source",
        "avoiding 2 topics",
        "allowing no gap over 1 day",
        "using at most 1 document",
    )


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        (["A", "A", "A"], "All 3 documents come from one source, A."),
        (["A", "A", "B"], "2 of 3 documents come from one source, A."),
        (["A", "B", "C"], ""),
        (["A", "A", "B", "B"], ""),
        (["", "", "A"], ""),
        (["A", "A"], ""),
        (["", "", ""], ""),
    ],
)
def test_a_story_told_mostly_by_one_source_says_so(sources: list[str], words: str) -> None:
    documents = [document(number, source=source) for number, source in enumerate(sources)]
    assert sources_sentence(story(documents, [0.7] * (len(sources) - 1))) == words


def test_a_well_behaved_story_reads_as_the_page_shows_it() -> None:
    told = space_story().pair
    assert counts_sentence(told.trail) == "8 documents over 11 years"
    assert comparison_sentence(told) == "Stronger than all 200 random chronologies"
