import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from narrative_core.extraction import tell
from narrative_core.records import DatePrecision, Document, Link, SavedStory, Story, StoryPair, TrailRequest
from narrative_core.story_warnings import (
    SAME_EVENT_WORDING,
    StoryWarning,
    pair_warnings,
    saved_warnings,
    story_warnings,
)
from tests.builders import build_collection, symmetric

START = dt.date(2020, 1, 1)


def story(
    days: Sequence[int | None],
    *,
    sources: Sequence[str] = (),
    strengths: Sequence[float] = (),
    wording: float = 0.7,
    precision: DatePrecision = "day",
) -> Story:
    dates = [None if day is None else START + dt.timedelta(days=day) for day in days]
    names = sources or [""] * len(days)
    documents = tuple(
        Document(f"d{row}", f"Title {row}", "", date, "", precision if date else None, source)
        for row, (date, source) in enumerate(zip(dates, names, strict=True))
    )
    links = tuple(
        Link(
            documents[step].document_id,
            documents[step + 1].document_id,
            strengths[step] if strengths else 0.7,
            wording,
            0.7,
            None if first is None or second is None else (second - first).days,
            (),
            step == 0,
            step == 0,
        )
        for step, (first, second) in enumerate(pairwise(dates))
    )
    return Story("trail", documents, links, 0.5, 0.6, 0.6)


def dated(written: Sequence[str]) -> Story:
    """Return a story of documents that are dated as precisely as that."""
    days = [dt.date.fromisoformat(f"{date}-01-01"[:10]) for date in written]
    made = story([(day - START).days for day in days])
    precisions: dict[int, DatePrecision] = {4: "year", 7: "month", 10: "day"}
    documents = [
        replace(document, date_precision=precisions[len(date)])
        for document, date in zip(made.documents, written, strict=True)
    ]
    return replace(made, documents=tuple(documents))


def only(warnings: Sequence[StoryWarning]) -> StoryWarning:
    (warning,) = warnings
    return warning


def test_a_sound_story_has_no_warning() -> None:
    assert story_warnings(story([0, 5, 11, 15, 21], sources="ABCAB"), floor=0.5, n_sources=3) == ()
    assert story_warnings(story([0, 1])) == ()


def test_a_story_of_one_source_is_said_so() -> None:
    told = only(story_warnings(story([0, 5, 10], sources=["Wire"] * 3)))
    assert (told.kind, told.document_ids) == ("single source", ("d0", "d1", "d2"))
    assert told.sentence == "All 3 documents come from one source, Wire."


@pytest.mark.parametrize(
    ("sources", "n_sources", "documents"),
    [
        ("XAABY", 3, ("d1", "d2")),
        ("XAABY", 2, ()),  # nobody else to tell from
        ("XAABBY", 3, ()),  # a half is not more than half
        ("XAAY", 5, ()),  # two documents between the ends are too few to speak of
        ("AABCA", 5, ()),  # the ends were chosen
        (["A", "", "", "", "A"], 5, ()),  # not known
        ("AA", 5, ()),
    ],
)
def test_more_than_half_of_the_inside_from_one_source_is_said_where_there_are_others(
    sources: Sequence[str], n_sources: int, documents: tuple[str, ...]
) -> None:
    told = story_warnings(story([5 * row for row in range(len(sources))], sources=sources), n_sources=n_sources)
    assert tuple(one for warning in told for one in warning.document_ids) == documents
    if told:
        assert told[0].sentence == (
            "2 of the 3 documents between the ends come from one source, A, though there are 3 to tell from."
        )


def test_copies_anywhere_in_a_story_are_one_event_told_twice() -> None:
    told = only(story_warnings(story([0, 5, 10]), copies={"d0": ("d0", "d2"), "d2": ("d0", "d2")}))
    assert (told.kind, told.document_ids) == ("duplicate event", ("d0", "d2"))
    assert told.sentence == "“Title 0” and “Title 2” are copies of one text: one event told twice."


@pytest.mark.parametrize(
    ("days", "wording", "precision", "is_warned"),
    [
        ([0, 0], SAME_EVENT_WORDING, "day", True),
        ([0, 1], 0.95, "day", True),
        ([1, 0], 0.95, "day", True),
        ([0, 2], 0.99, "day", False),
        ([0, 1], SAME_EVENT_WORDING - 0.01, "day", False),
        ([0, 0], 0.99, "month", False),  # some day of that month
        ([0, None], 0.99, "day", False),
    ],
)
def test_neighbours_of_a_day_in_nearly_the_same_words_may_be_one_event(
    days: list[int | None], wording: float, precision: DatePrecision, is_warned: bool
) -> None:
    told = story_warnings(story(days, wording=wording, precision=precision))
    assert ("duplicate event" in {warning.kind for warning in told}) is is_warned


def test_copies_are_not_said_a_second_time_for_their_wording() -> None:
    told = story_warnings(story([0, 0], wording=0.99), copies={"d0": ("d0", "d1")})
    assert [warning.kind for warning in told] == ["duplicate event"]


@pytest.mark.parametrize(
    ("days", "ends"),
    [
        ([0, 10, 20, 30, 61], ("d3", "d4")),  # 31 days > 3 × 10, half of the span
        ([0, 10, 20, 30, 60], ()),  # 30 days are not more than 3 × 10
        ([0, 1, 2, 3, 16], ()),  # 13 days are no silence
        ([0, 1, 2, 3, 17], ("d3", "d4")),
        ([0, 0, 0, 0, 20], ("d3", "d4")),
        ([0, 400], ()),  # one gap is its own measure
    ],
)
def test_long_gaps_by_table(days: list[int], ends: tuple[str, ...]) -> None:
    told = [warning for warning in story_warnings(story(days)) if warning.kind == "long gap"]
    assert tuple(one for warning in told for one in warning.document_ids) == ends


def test_a_long_gap_is_more_than_a_tenth_of_the_span() -> None:
    # Each has one gap of 401 days among gaps of 100.
    short, long = [*range(0, 3000, 100), *range(3301, 3900, 100)], [*range(0, 3000, 100), *range(3301, 5000, 100)]
    assert only(story_warnings(story(short))).document_ids == ("d29", "d30")
    assert story_warnings(story(long)) == ()


def test_a_long_gap_is_said_with_its_length_and_the_usual_one() -> None:
    told = only(story_warnings(story([0, 10, 20, 30, 80])))
    assert told.sentence == ("Nothing is told for 50 days between “Title 3” and “Title 4”; the typical gap is 10 days.")
    told = only(story_warnings(story([0, 0, 0, 20])))
    assert told.sentence.endswith("; most of the story is told within days.")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        # "2020" may be the 20th of November as well.
        (["2019-12-28", "2019-12-30", "2020", "2020-11-20", "2020-11-22"], ""),
        (["2019-12-28", "2019-12-30", "2020", "2021-11-20", "2021-11-22"], "Nothing is told for 11 months"),
        (["2020-01-01", "2020-01-02", "2020-01", "2020-02-20", "2020-02-22"], "Nothing is told for 20 days"),
        (["2020-01-01", "2020-01-02", "2020-03", "2020-03-04", "2020-03-05"], "Nothing is told for 59 days"),
    ],
)
def test_a_silence_lasts_as_long_as_partial_dates_are_sure_of(written: list[str], sentence: str) -> None:
    told = [warning.sentence for warning in story_warnings(dated(written)) if warning.kind == "long gap"]
    assert [one.split(" between ")[0] for one in told] == ([sentence] if sentence else [])


def test_a_gap_reaches_over_a_document_without_a_date() -> None:
    told = story_warnings(story([0, 10, 20, None, 80]))
    assert [(warning.kind, warning.document_ids) for warning in told] == [
        ("undated", ("d3",)),
        ("long gap", ("d2", "d4")),
    ]
    assert told[0].sentence == "1 document has no date, so the order in time is unsure: “Title 3”."


def test_steps_back_in_time_are_counted_and_named() -> None:
    told = only(story_warnings(story([5, 0, 8, 7])))
    assert told.document_ids == ("d0", "d1", "d2", "d3")
    assert told.sentence == (
        "2 steps go back in time: from “Title 0” to “Title 1” (5 days back) and from “Title 2” to “Title 3” "
        "(1 day back)."
    )
    # Within one month no step is known to go back.
    assert story_warnings(story([5, 0], precision="month")) == ()


def test_links_below_the_floor_are_counted_and_named() -> None:
    told = only(story_warnings(story([0, 5, 10], strengths=[0.5, 0.4]), floor=0.5))
    assert (told.kind, told.document_ids) == ("below floor", ("d1", "d2"))
    assert told.sentence == (
        "1 link is weaker than 0.50, below which no search of this collection goes: from “Title 1” to “Title 2” (0.40)."
    )
    assert story_warnings(story([0, 5, 10], strengths=[0.5, 0.4])) == ()


def test_a_found_trail_is_warned_of_by_what_its_collection_knows() -> None:
    loaded = build_collection(range(0, 60, 10), theta=symmetric(6, [0.6] * 15), floor=0.5)
    documents = tuple(
        replace(document, source=source) for document, source in zip(loaded.documents, "XAABCY", strict=True)
    )
    loaded = replace(loaded, documents=documents)
    pair = tell(loaded, TrailRequest("d0", "d5", by_hand=("d0", "d1", "d2", "d3", "d5")), draws=2)
    assert [(warning.kind, warning.document_ids) for warning in pair_warnings(loaded, pair)] == [
        ("single source", ("d1", "d2"))
    ]
    raised = replace(loaded, graph=replace(loaded.graph, floor=0.7), copies={"d1": ("d1", "d3"), "d3": ("d1", "d3")})
    assert {warning.kind for warning in pair_warnings(raised, pair)} == {
        "single source",
        "duplicate event",
        "below floor",
    }


def test_a_saved_story_is_warned_of_without_its_collection() -> None:
    trail, chance = story([9, 0, 20, 30, 40], sources="XAABY"), story([0, 10, 20, 30, 40], sources="XBCBY")
    pair = StoryPair(TrailRequest("d0", "d4"), trail, replace(chance, kind="baseline"), 0, (0.5,), 0, 1, 0.5)
    saved = SavedStory("s1", "Name", "", "news", "gone", "2024-01-01", pair)
    assert [warning.kind for warning in saved_warnings(saved)] == ["single source", "backwards"]
