import datetime as dt
from dataclasses import replace
from itertools import combinations

import pytest
from figure_samples import EVIL_TITLE, pair, story
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.figures.marks import text_width
from narrative_core.figures.theme import baseline_colour, ink, trail_colour
from narrative_core.figures.timeline import timeline
from narrative_core.records import DatePrecision, Document, Story, StoryPair


def dated(number: int, date: dt.date | None, title: str = "", precision: DatePrecision = "day") -> Document:
    return Document(f"d{number}", title or f"Headline {number}", "", date, "", precision if date else None, "Reuters")


def told(dates: list[dt.date | None], strengths: list[float] | None = None) -> StoryPair:
    chain = [dated(number, date) for number, date in enumerate(dates)]
    values = strengths or [0.7 + 0.01 * number for number in range(len(dates) - 1)]
    other = [replace(document, document_id=f"r{number}") for number, document in enumerate(chain)]
    return pair(story("trail", chain, values), story("baseline", other, values), [0.5])


YEARS = [dt.date(1957, 10, 4), dt.date(1961, 4, 12), dt.date(1965, 3, 18), dt.date(1969, 7, 20)]
PAIR = told(YEARS, [0.8, 0.5, 0.7])


def traces(figure: object) -> dict[str, object]:
    return {trace.name: trace for trace in figure.data}  # type: ignore[attr-defined]


def texts(figure: object) -> list[str]:
    return [note.text for note in figure.layout.annotations]  # type: ignore[attr-defined]


def test_each_document_is_a_point_at_its_date_that_carries_its_id() -> None:
    trail = traces(timeline(PAIR))["trail"]
    assert list(trail.x) == [day.isoformat() for day in YEARS]
    assert list(trail.customdata) == ["d0", "d1", "d2", "d3"]
    assert [text for text in trail.text if text] == ["A", "B"]


def test_only_documents_lead_anywhere() -> None:
    found = traces(timeline(PAIR, density=YEARS))
    leading = {name for name, trace in found.items() if trace.customdata is not None}
    assert leading == {"trail", "baseline"}


def test_stories_have_lanes_of_their_own_in_their_colours_and_symbols() -> None:
    other = story("trail", [dated(7, YEARS[0]), dated(8, YEARS[1])], [0.9])
    found = traces(timeline(PAIR, overlay=other, density=YEARS))
    trail, overlay, baseline = (found[name] for name in ("trail", "overlay", "baseline"))
    assert min(trail.y) > max(overlay.y) > max(baseline.y) > 0
    assert trail.marker.color == trail_colour("light")
    assert baseline.marker.line.color == baseline_colour("light")
    assert (overlay.marker.line.color, overlay.marker.symbol) == (ink("light"), "diamond")


def test_a_weak_link_is_marked_by_a_symbol_and_words() -> None:
    figure = timeline(PAIR)
    links = traces(figure)["trail links"]
    assert list(links.marker.opacity) == [0.0, 1.0, 0.0]
    assert "weakest 0.50" in texts(figure)
    assert links.hovertext[1].startswith("Weakest link of the trail, 0.50, 4 years later:")
    assert traces(figure)["trail line"].x is not None


def test_the_only_link_of_a_story_is_weak_only_below_the_typical_one() -> None:
    two = told(YEARS[:2], [0.7])
    assert not any(text.startswith("weak") for text in texts(timeline(two)))
    assert "weak 0.70" in texts(timeline(replace(two, median_link=0.8)))


def test_a_long_gap_is_told_in_words() -> None:
    days = [dt.date(1960, 1, 1), dt.date(1961, 1, 1), dt.date(1962, 1, 1), dt.date(1990, 1, 1)]
    assert "28 years" in texts(timeline(told(days)))
    assert not any("year" in text for text in texts(timeline(told(YEARS))))


def test_a_partial_date_is_a_bar_over_all_the_days_that_it_may_mean() -> None:
    chain = [dated(0, YEARS[0]), dated(1, dt.date(1961, 1, 1), precision="year"), dated(2, YEARS[3])]
    figure = timeline(pair(story("trail", chain, [0.8, 0.7]), story("baseline", chain[::2], [0.5]), [0.5]))
    bars = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(bar.x0, bar.x1[:10]) for bar in bars] == [("1961-01-01", "1961-12-31")]
    assert "(1961)" in traces(figure)["trail"].hovertext[1]


def test_documents_of_one_day_stand_above_one_another() -> None:
    trail = traces(timeline(told([dt.date(1961, 4, 12)] * 4)))["trail"]
    assert len(set(trail.y)) == 4


def test_undated_documents_are_counted() -> None:
    figure = timeline(told([YEARS[0], None, YEARS[3]]))
    assert len(traces(figure)["trail"].x) == 2
    assert any("2 documents without a date are not drawn" in text for text in texts(figure))


def test_a_link_too_short_to_point_at_leaves_the_clicks_to_its_documents() -> None:
    near = told([dt.date(1957, 10, 4), dt.date(1957, 12, 1), *YEARS[2:]], [0.9, 0.5, 0.8])
    middles = traces(timeline(near))["trail links"].x
    assert len(middles) == 2
    assert min(middles) > "1960"


def test_without_any_date_a_sentence_stands_in_for_the_figure() -> None:
    figure = timeline(told([None, None]))
    assert not figure.data
    assert "No document of these stories has a date" in texts(figure)[0].replace("<br>", " ")


def test_the_axes_stand_still_and_have_air_at_both_ends() -> None:
    layout = timeline(PAIR).layout
    assert (layout.xaxis.fixedrange, layout.yaxis.fixedrange) == (True, True)
    assert layout.xaxis.range[0] < "1957-10-04" and layout.xaxis.range[1] > "1969-07-20"


def test_a_closer_look_has_its_own_dates_and_labels_the_documents_in_them_alone() -> None:
    figure = timeline(PAIR, shown=(dt.date(1961, 1, 1), dt.date(1966, 1, 1)))
    first, last = figure.layout.xaxis.range
    assert "1960" < first < "1961-01-01" and "1966-01-01" < last < "1967"
    assert [text for text in texts(figure) if text.startswith("Headline")] == ["Headline 1", "Headline 2"]
    assert list(traces(figure)["trail"].customdata) == ["d0", "d1", "d2", "d3"]


def test_nothing_is_drawn_beyond_the_axis_since_bars_that_a_zoom_hides_would_stay_hidden() -> None:
    assert all(getattr(trace, "cliponaxis", None) is None for trace in timeline(PAIR, density=YEARS).data)


def test_the_documents_of_the_collection_are_counted_beneath() -> None:
    days = [dt.date(1960, 1, 1), dt.date(1960, 1, 2), dt.date(1968, 5, 5), dt.date(2001, 1, 1)]
    figure = timeline(PAIR, density=days)
    bars = traces(figure)["collection"]
    assert len(bars.x) == 2
    assert bars.y[0] == pytest.approx(2 * bars.y[1])
    assert "3 documents of the collection in this time" in texts(figure)


def test_a_hostile_title_is_text_in_labels_and_hovers() -> None:
    chain = [dated(0, YEARS[0], EVIL_TITLE), dated(1, YEARS[3], EVIL_TITLE)]
    figure = timeline(pair(story("trail", chain, [0.8]), story("baseline", chain, [0.8]), [0.5]))
    said = [*texts(figure), *traces(figure)["trail"].hovertext, *traces(figure)["trail links"].hovertext]
    assert any("&lt;img" in text for text in said)
    assert not any("<img" in text or "<b>" in text for text in said)


def test_headlines_without_room_are_left_to_the_hover() -> None:
    crowd = told([dt.date(1960, 1, 1 + number) for number in range(25)])
    figure = timeline(crowd)
    labels = [text for text in texts(figure) if text.startswith("Headline")]
    assert 2 <= len(labels) < 25
    assert all(f"Headline {number}" in traces(figure)["trail"].hovertext[number] for number in range(25))


def label_boxes(figure: object, width_px: float) -> list[tuple[float, float, float]]:
    """Left, right and height of each headline in pixels, by the same generous measure of text."""
    layout = figure.layout  # type: ignore[attr-defined]
    first, last = (dt.date.fromisoformat(end) for end in layout.xaxis.range)
    boxes = []
    for note in layout.annotations:
        if note.text and note.yanchor == "top":
            x = (dt.date.fromisoformat(note.x) - first).days / (last - first).days * width_px
            width = max(text_width(line, 11) for line in note.text.split("<br>"))
            boxes.append((x - width, x, note.y) if note.xanchor == "right" else (x, x + width, note.y))
    return boxes


@settings(deadline=None, max_examples=25)
@given(st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2020, 1, 1)), min_size=2, max_size=16), st.floats(1, 4))
def test_headlines_never_lie_on_each_other_on_a_telephone_and_wider(days: list[dt.date], wider: float) -> None:
    figure = timeline(told(sorted(days)))
    boxes = label_boxes(figure, 328 * wider)
    assert boxes
    for one, other in combinations(boxes, 2):
        assert one[2] != other[2] or one[1] <= other[0] or other[1] <= one[0]


def test_dark_has_its_own_colours() -> None:
    assert traces(timeline(PAIR, mode="dark"))["trail"].marker.color == trail_colour("dark")


def test_the_same_pair_gives_the_same_figure() -> None:
    assert timeline(PAIR, density=YEARS).to_json() == timeline(PAIR, density=YEARS).to_json()


@pytest.mark.parametrize("days", [1, 30, 400, 4_000, 40_000, 400_000])
def test_spans_from_a_day_to_a_millennium_are_drawn(days: int) -> None:
    first = dt.date(900, 1, 1)
    figure = timeline(told([first, first + dt.timedelta(days=days)]))
    assert len(traces(figure)["trail"].x) == 2


def test_a_story_against_the_order_of_dates_is_drawn() -> None:
    back: Story = told([YEARS[3], YEARS[0], YEARS[1]]).trail
    figure = timeline(replace(PAIR, trail=back))
    assert "back" in traces(figure)["trail links"].hovertext[0]
