"""The timeline and the profile as pictures of our own."""

import datetime as dt
import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import document, hostile_story, pair, space_story, story

from narrative_core.records import StoryPair
from narrative_core.reports import palette
from narrative_core.reports.profile_svg import profile_svg
from narrative_core.reports.svg import NAMESPACE, checked_picture, text_width
from narrative_core.reports.timeline_svg import timeline_svg

SVG = f"{{{NAMESPACE}}}"
DENSITY = [dt.date(1955, 1, 1) + dt.timedelta(days=37 * number) for number in range(150)]


def parsed(drawn: str) -> ElementTree.Element:
    assert checked_picture(drawn) == drawn
    return ElementTree.fromstring(drawn)


def words_of(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def described(root: ElementTree.Element) -> str:
    return root.findtext(f"{SVG}desc") or ""


def on_days(days: list[dt.date]) -> StoryPair:
    return pair(story([document(n, f"Headline {n}", day) for n, day in enumerate(days)], [0.7] * (len(days) - 1)))


@pytest.mark.parametrize(
    "told", [space_story(2), space_story(8), space_story(20), hostile_story()], ids=lambda s: s.name
)
@pytest.mark.parametrize(("width", "height"), [(900, 440), (500, 300), (1400, 900)])
def test_both_pictures_are_plain_drawings_at_any_size(told: object, width: int, height: int) -> None:
    story_pair = told.pair  # type: ignore[attr-defined]
    for drawn in (
        timeline_svg(story_pair, density=DENSITY, width=width, height=height),
        profile_svg(story_pair, width=width, height=height),
    ):
        root = parsed(drawn)
        assert root.get("viewBox") == f"0 0 {width} {height}"
        assert not re.search(r"nan|inf\b", drawn.split("<desc")[0])


def test_documents_stand_at_their_dates() -> None:
    days = [dt.date(1960, 1, 1), dt.date(1962, 1, 1), dt.date(1970, 1, 1)]
    root = parsed(timeline_svg(on_days(days)))
    places = [float(c.get("cx", "nan")) for c in root.iter(f"{SVG}circle") if c.get("fill") == palette.TRAIL]
    left, middle, right = sorted(places[:3])
    share = (days[1] - days[0]).days / (days[2] - days[0]).days
    assert (middle - left) / (right - left) == pytest.approx(share, abs=0.002)
    assert {"A", "2", "B"} <= set(words_of(root))


def test_a_partial_date_is_a_bar_over_its_days() -> None:
    chain = [
        document(0, date=dt.date(1960, 1, 1)),
        document(1, date=dt.date(1961, 1, 1), precision="year"),
        document(2, date=dt.date(1964, 1, 1)),
    ]
    told = replace(pair(story(chain, [0.7, 0.8])), baseline=story(chain[::2], [0.5], kind="baseline"))
    root = parsed(timeline_svg(told))
    (bar,) = [one for one in root.iter(f"{SVG}rect") if one.get("fill") == palette.TRAIL]
    first, last = (
        next(float(c.get("cx", "nan")) for c in root.iter(f"{SVG}circle") if c.get("r") == "11" and which(c))
        for which in (lambda c: float(c.get("cx", "nan")) < 450, lambda c: float(c.get("cx", "nan")) > 450)
    )
    assert float(bar.get("width", "nan")) / (last - first) == pytest.approx(365 / 1461, abs=0.002)


def test_weak_links_and_long_gaps_are_told_in_words() -> None:
    root = parsed(timeline_svg(space_story().pair))
    assert "weakest 0.64" in words_of(root)
    days = [dt.date(1960, 1, 1), dt.date(1961, 1, 1), dt.date(1962, 1, 1), dt.date(1990, 1, 1)]
    assert "28 years" in words_of(parsed(timeline_svg(on_days(days))))
    alone = pair(story([document(0), document(1, date=dt.date(1962, 1, 1))], [0.9]))
    assert not any(words.startswith("weak") and words != "weak link" for words in words_of(parsed(timeline_svg(alone))))


def test_the_lanes_can_be_told_apart_in_grey() -> None:
    root = parsed(timeline_svg(space_story().pair, overlay=space_story(5).pair.trail))
    dashes = {
        line.get("stroke"): line.get("stroke-dasharray")
        for line in root.iter(f"{SVG}line")
        if line.get("stroke") in {palette.BASELINE, palette.INK}
    }
    assert len(set(dashes.values())) == 2 and None not in dashes.values()
    solid = [line for line in root.iter(f"{SVG}line") if line.get("stroke") == palette.TRAIL]
    assert any(line.get("stroke-dasharray") is None for line in solid)
    assert {"trail, from A to B", "random chronology (chance)", "another story"} <= set(words_of(root))


def flag_lines(root: ElementTree.Element) -> list[tuple[float, float, float]]:
    """Left, right and height of each line of a headline."""
    boxes = []
    for node in root.iter(f"{SVG}text"):
        if node.get("font-weight") == "600":
            x, y, width = (
                float(node.get("x", "nan")),
                float(node.get("y", "nan")),
                1.1 * text_width(node.text or "", 12.5),
            )
            boxes.append((x - width, x, y) if node.get("text-anchor") == "end" else (x, x + width, y))
    return boxes


@settings(deadline=None, max_examples=30)
@given(st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2020, 1, 1)), min_size=2, max_size=15), st.integers(500, 1300))
def test_headlines_never_lie_on_each_other(days: list[dt.date], width: int) -> None:
    boxes = flag_lines(parsed(timeline_svg(on_days(sorted(days)), width=width, height=480)))
    assert boxes
    for one, other in combinations(boxes, 2):
        assert abs(one[2] - other[2]) >= 14 or one[1] <= other[0] or other[1] <= one[0]


def test_undated_documents_are_counted_and_nothing_is_drawn_of_nothing() -> None:
    root = parsed(timeline_svg(hostile_story().pair))
    assert "2 documents without a date are not drawn" in described(root)
    undated = pair(story([document(n, date=None) for n in range(3)], [0.7, 0.8]))
    assert timeline_svg(undated) == ""


def test_the_caption_is_part_of_the_description() -> None:
    assert described(parsed(timeline_svg(space_story().pair, caption="Seed 7."))).endswith("Seed 7.")
    assert described(parsed(profile_svg(space_story().pair, caption="Seed 7."))).endswith("Seed 7.")


def test_the_collection_is_a_faint_histogram() -> None:
    plain, dense = (parsed(timeline_svg(space_story().pair, density=days)) for days in ([], DENSITY))
    assert not [g for g in plain.iter(f"{SVG}g") if g.get("fill") == palette.GREY]
    (bars,) = [g for g in dense.iter(f"{SVG}g") if g.get("fill") == palette.GREY]
    n = sum(dt.date(1957, 6, 1) <= day <= dt.date(1969, 6, 1) for day in DENSITY)
    told = next(
        int(words.split(" ")[0]) for words in words_of(dense) if words.endswith("of the collection in this time")
    )
    assert abs(told - n) <= 2
    assert len(bars) > 10


def test_the_profile_puts_each_strength_at_its_height() -> None:
    told = space_story().pair
    root = parsed(profile_svg(told))
    (line,) = [one for one in root.iter(f"{SVG}polyline") if one.get("stroke") == palette.TRAIL]
    corners = [tuple(map(float, corner.split(","))) for corner in (line.get("points") or "").split()]
    heights = [-y for _, y in corners]
    strengths = [link.coherence for link in told.trail.links]
    scale = (heights[0] - heights[4]) / (strengths[0] - strengths[4])
    assert heights == pytest.approx([heights[0] + scale * (s - strengths[0]) for s in strengths], abs=0.02)
    assert {"weakest 0.64", "weakest 0.46", "a typical link of the collection, 0.66"} <= set(words_of(root))


def test_an_unknown_strength_leaves_a_gap_and_a_profile_of_nothing_is_empty() -> None:
    told, nan = space_story(3).pair, float("nan")
    unknown = replace(
        told.trail, links=tuple(replace(link, coherence=nan) for link in told.trail.links), bottleneck=nan
    )
    assert "nan" not in profile_svg(replace(told, trail=unknown, median_link=nan)).split("<desc")[0]
    assert profile_svg(replace(told, trail=unknown, baseline=replace(unknown, kind="baseline"))) == ""
