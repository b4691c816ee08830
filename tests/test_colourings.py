import datetime as dt

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.colourings import colour_by_column, colour_by_date, colour_by_reach, reach_steps
from narrative_core.figures.map_colouring import NO_STEP, Colouring
from narrative_core.figures.theme import N_DATE_STEPS, N_REACH_STEPS, N_TOPIC_COLOURS
from narrative_core.holdings import listed_column
from narrative_core.records import Document

DATES = st.dates(dt.date(1600, 1, 1), dt.date(2100, 12, 31)) | st.none()
REACHES = st.floats(0.01, 1) | st.sampled_from([-np.inf, np.inf, np.nan, 0.0])


def dated(*days: str | None) -> list[Document]:
    dates = [None if day is None else dt.date.fromisoformat(day) for day in days]
    return [Document(f"d{row}", "", "", date) for row, date in enumerate(dates)]


def told(colouring: Colouring) -> list[tuple[int, str, int]]:
    return [(swatch.step, swatch.words, swatch.count) for swatch in colouring.legend]


def test_dates_are_coloured_by_stretches_of_the_calendar_the_last_day_included() -> None:
    found = colour_by_date(dated("1957-10-04", "1959-12-31", "1960-01-01", "1998-12-31", None))
    assert told(found) == [
        (0, "1957–1959", 2),
        (2, "1960–1969", 1),
        (3, "1970–1979", 0),
        (4, "1980–1989", 0),
        (6, "1990–1998", 1),
        (NO_STEP, "undated", 1),
    ]
    assert found.steps.tolist() == [0, 0, 2, 6, NO_STEP]


def test_a_few_days_are_coloured_day_by_day() -> None:
    found = colour_by_date(dated("2021-03-01", "2021-03-02", "2021-03-03"))
    assert told(found) == [(0, "1 Mar 2021", 1), (3, "2 Mar 2021", 1), (6, "3 Mar 2021", 1)]


def test_without_any_date_all_is_grey() -> None:
    assert told(colour_by_date(dated(None, None))) == [(NO_STEP, "undated", 2)]
    assert colour_by_date([]).legend == ()


@settings(deadline=None)
@given(st.lists(DATES, min_size=1, max_size=30))
def test_later_dates_never_have_an_earlier_colour_and_the_legend_counts_every_document(
    days: list[dt.date | None],
) -> None:
    found = colour_by_date([Document(f"d{row}", "", "", day) for row, day in enumerate(days)])
    known = sorted((day, step) for day, step in zip(days, found.steps.tolist(), strict=True) if day is not None)
    assert [step for _, step in known] == sorted(step for _, step in known)
    assert all(0 <= step < N_DATE_STEPS for _, step in known)
    assert_legend_counts(found)


def assert_legend_counts(found: Colouring) -> None:
    """Each step of the legend is there once, and has as many documents as it says."""
    counted = dict.fromkeys(found.steps.tolist(), 0)
    for swatch in found.legend:
        counted[swatch.step] = counted.get(swatch.step, 0) + swatch.count
    assert counted == {step: int((found.steps == step).sum()) for step in counted}


def test_the_ten_most_frequent_values_have_a_colour_and_the_others_are_counted_together() -> None:
    values = [f"Paper {row}" for row in range(12) for _ in range(12 - row)] + ["", ""]
    found = colour_by_column(listed_column("source", values))
    assert told(found)[0] == (0, "Paper 0", 12)
    assert told(found)[9:] == [(9, "Paper 9", 3), (NO_STEP, "2 others", 3), (NO_STEP, "no value", 2)]
    assert found.told[0] == "source: Paper 0"
    assert (found.told[-3], found.told[-1]) == ("source: Paper 11", "source: none")


def test_values_of_one_frequency_are_in_alphabetical_order() -> None:
    assert told(colour_by_column(listed_column("desk", ["b", "a"]))) == [(0, "a", 1), (1, "b", 1)]


@settings(deadline=None)
@given(st.lists(st.sampled_from([*(f"v{number}" for number in range(14)), ""]), min_size=1, max_size=60))
def test_documents_of_one_value_have_one_colour_and_the_legend_counts_every_document(values: list[str]) -> None:
    found = colour_by_column(listed_column("desk", values))
    steps = {value: {int(found.steps[row]) for row, one in enumerate(values) if one == value} for value in set(values)}
    assert all(len(of_value) == 1 for of_value in steps.values())
    coloured = [step for (step,) in steps.values() if step != NO_STEP]
    assert len(coloured) == len(set(coloured)) == min(len(set(values) - {""}), N_TOPIC_COLOURS)
    assert_legend_counts(found)


def test_reach_is_cut_into_equally_filled_steps() -> None:
    assert reach_steps(np.linspace(0.1, 0.9, 10)).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_documents_out_of_reach_and_the_source_have_no_step() -> None:
    assert reach_steps(np.array([np.inf, 0.5, np.nan, 0.0])).tolist()[0::2] == [NO_STEP, NO_STEP]
    assert reach_steps(np.array([0.0, np.nan])).tolist() == [NO_STEP, NO_STEP]


def test_the_legend_of_a_reach_says_how_strong_and_does_not_count_the_source() -> None:
    found = colour_by_reach(np.array([np.inf, 0.5, 0.7, -np.inf]))
    assert told(found) == [(0, "0.50", 1), (4, "0.70", 1), (NO_STEP, "no trail leads there", 1)]
    assert found.told == (
        "the trails start here",
        "reached with a weakest link of 0.50",
        "reached with a weakest link of 0.70",
        "no trail leads there",
    )


def test_equal_reaches_are_one_step() -> None:
    assert len(told(colour_by_reach(np.full(7, 0.6)))) == 1


@settings(deadline=None)
@given(st.lists(REACHES, min_size=1, max_size=40))
def test_a_stronger_reach_never_has_a_weaker_colour(values: list[float]) -> None:
    found = colour_by_reach(np.array(values))
    reached = sorted((value, step) for value, step in zip(values, found.steps.tolist(), strict=True) if step != NO_STEP)
    assert [step for _, step in reached] == sorted(step for _, step in reached)
    assert all(0 <= step < N_REACH_STEPS for _, step in reached)
    n_sources = sum(value == np.inf for value in values)
    assert sum(swatch.count for swatch in found.legend) == len(values) - n_sources
