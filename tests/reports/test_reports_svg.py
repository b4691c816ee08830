import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import document, pair, sketch, space_story, story

from narrative_core.bidi import isolated
from narrative_core.errors import InvalidInput
from narrative_core.figures import theme
from narrative_core.reports import palette
from narrative_core.reports.draws_svg import draws_svg
from narrative_core.reports.map_svg import MapSketch, map_svg
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.svg import NAMESPACE, checked_picture

SVG = f"{{{NAMESPACE}}}"


def parsed(svg: str) -> ElementTree.Element:
    assert checked_picture(svg) == svg
    return ElementTree.fromstring(svg)


def words_of(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def small(**changes: object) -> MapSketch:
    positions = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return replace(MapSketch(positions, np.array([0, 0, 1, -1]), labels=("North", "South")), **changes)


def test_the_map_is_a_described_picture_that_scales() -> None:
    root = parsed(map_svg(sketch()))
    assert (root.tag, root.get("role"), root.get("viewBox")) == (f"{SVG}svg", "img", "0 0 900 560")
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert "287 documents" in (description.text or "")
    assert "solid blue line through 8 documents, from A to B" in (description.text or "")


def test_the_trail_is_solid_blue_from_a_to_b_and_the_baseline_dashed_orange_and_hollow() -> None:
    root = parsed(map_svg(small(trail=(0, 1, 2), baseline=(0, 3, 2))))
    lines = {line.get("stroke"): line for line in root.iter(f"{SVG}polyline")}
    assert lines[palette.TRAIL].get("stroke-dasharray") is None
    assert lines[palette.BASELINE].get("stroke-dasharray") == "6 5"
    assert len((lines[palette.TRAIL].get("points") or "").split()) == 3
    assert {"A", "2", "B"} <= set(words_of(root))
    hollow = [c for c in root.iter(f"{SVG}circle") if c.get("stroke") == palette.BASELINE]
    assert {c.get("fill") for c in hollow} == {palette.PAPER}
    assert len(hollow) == 3 + 1


@pytest.mark.parametrize(
    ("trail", "marks", "n_corners", "told"),
    [
        ((0, None, 1, 2, 3), ["3", "4", "A", "B"], [3], "4 of its 5 documents, but is broken at 2,"),
        ((0, 1, None, 2, 3), ["2", "4", "A", "B"], [2, 2], "4 of its 5 documents, but is broken at 3,"),
        ((None, 1, 2, None), ["2", "3"], [2], "2 of its 4 documents, but is broken at A and B,"),
        ((0, None, 2), ["A", "B"], [], "2 of its 3 documents, but is broken at 2,"),
        ((None, None), [], [], ""),
    ],
)
def test_a_document_without_a_place_leaves_a_gap_and_the_others_keep_their_numbers(
    trail: tuple[int | None, ...], marks: list[str], n_corners: list[int], told: str
) -> None:
    drawn = map_svg(small(trail=trail, baseline=trail))
    root = parsed(drawn)
    assert "nan" not in drawn
    assert sorted(set(words_of(root)) & {"A", "2", "3", "4", "5", "B"}) == marks
    for colour in (palette.TRAIL, palette.BASELINE):
        lines = [line for line in root.iter(f"{SVG}polyline") if line.get("stroke") == colour]
        assert [len((line.get("points") or "").split()) for line in lines] == n_corners
        assert len([c for c in root.iter(f"{SVG}circle") if colour in (c.get("fill"), c.get("stroke"))]) == (
            len(marks) + 1 if marks else 0
        )
    description = root.findtext(f"{SVG}desc") or ""
    assert told in description
    assert description.count("but is broken at") == (2 if marks else 0)
    assert ("trail" in description, "chronology" in description) == (bool(marks), bool(marks))


def test_up_on_the_map_is_up_and_one_scale_serves_both_axes() -> None:
    root = parsed(map_svg(small(trail=(0, 1, 2, 3))))
    line = next(line for line in root.iter(f"{SVG}polyline") if line.get("stroke") == palette.TRAIL)
    (x0, y0), (x1, y1), (x2, y2), _ = (map(float, corner.split(",")) for corner in (line.get("points") or "").split())
    assert y2 < y1
    assert y0 == y1
    assert x1 - x0 == pytest.approx(y1 - y2, abs=0.02)
    assert x2 == x1


def test_dots_have_the_colour_of_their_topic_and_stay_on_the_picture() -> None:
    root = parsed(map_svg(sketch(), width=500, height=400))
    groups = [g for g in root.iter(f"{SVG}g") if g.get("fill")]
    dots = [(g.get("fill"), float(c.get("cx", "nan")), float(c.get("cy", "nan"))) for g in groups for c in g]
    assert len(dots) == 287
    assert all(0 < x < 500 and 0 < y < 400 for _, x, y in dots)
    drawn = sketch()
    for colour in {palette.GREY, *palette.TOPICS}:
        expected = sum(palette.topic_colour(int(topic)) == colour for topic in drawn.topics)
        assert sum(fill == colour for fill, _, _ in dots) == expected


def label_boxes(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    labels = [node for node in root.iter(f"{SVG}text") if node.get("paint-order")]
    halves = [4.0 * len(node.text or "") for node in labels]
    points = [(float(node.get("x", "nan")), float(node.get("y", "nan"))) for node in labels]
    return [(x - half, y - 14, x + half, y + 3) for (x, y), half in zip(points, halves, strict=True)]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 500))
def test_topic_names_cover_neither_each_other_nor_the_trail(seed: int) -> None:
    root = parsed(map_svg(sketch(seed=seed)))
    boxes = label_boxes(root)
    assert boxes
    for number, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[:number]:
            assert right < other_left or other_right < left or bottom < other_top or other_bottom < top
        for circle in (c for c in root.iter(f"{SVG}circle") if c.get("fill") == palette.TRAIL and c.get("stroke")):
            x, y = float(circle.get("cx", "nan")), float(circle.get("cy", "nan"))
            assert not (left < x < right and top < y < bottom)


def test_a_topic_name_gives_way_to_the_line_of_the_trail() -> None:
    positions = np.array([[0.0, 0.0], [10.0, 0.0], [5.0, 0.0], [5.0, 3.0], [5.0, -3.0]])
    alone = MapSketch(positions, np.array([-1, -1, 0, -1, -1]), labels=("Middle",))
    crossed = replace(alone, trail=(0, 1))
    line_y = 267.0
    (_, top, _, bottom), *_ = label_boxes(parsed(map_svg(alone)))
    assert top < line_y < bottom
    (_, top, _, bottom), *_ = label_boxes(parsed(map_svg(crossed)))
    assert not top < line_y < bottom


def test_larger_topics_are_named_first() -> None:
    named = MapSketch(np.zeros((40, 2)), np.arange(40), labels=tuple(f"Topic {n}" for n in range(40)))
    shown = words_of(parsed(map_svg(named)))
    assert shown[0] == "Topic 0"
    assert 0 < len(shown) < 40
    assert "Topic 39" not in shown


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_label_is_text(label: str) -> None:
    shown = words_of(parsed(map_svg(small(labels=(label, "South")))))
    words = plain_line(label)
    assert words == "" or isolated(words) in shown


def test_a_label_from_right_to_left_does_not_turn_its_number() -> None:
    shown = words_of(parsed(map_svg(small(labels=("פיצוץ", "South")))))
    assert "\u2068פיצוץ\u2069" in shown
    assert "South" in shown


@pytest.mark.parametrize(
    "positions", [np.empty((0, 2)), np.array([[3.0, 4.0]]), np.array([[1.0, 0.0], [1.0, 5.0]]), np.ones((3, 2))]
)
def test_maps_without_extent_are_drawn(positions: np.ndarray) -> None:
    n = len(positions)
    trail = tuple(range(n)) if n > 1 else ()
    root = parsed(map_svg(MapSketch(positions, np.zeros(n, dtype=np.int64), trail, labels=("One",))))
    numbers = [node.get(name) for node in root.iter() for name in ("cx", "cy", "x", "y", "points") if node.get(name)]
    assert bool(numbers) == bool(n)
    assert not any(re.search("nan|inf", number or "") for number in numbers)
    assert ("trail, from A to B" in words_of(root)) == bool(trail)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"positions": np.zeros((4, 3))}, "positions must be"),
        ({"topics": np.zeros(3, dtype=np.int64)}, "positions must be"),
        ({"positions": np.array([[0, 0], [1, 0], [1, np.nan], [0, 1]])}, "finite"),
        ({"trail": (0, 4)}, "rows must lie"),
        ({"baseline": (-1, 2)}, "rows must lie"),
        ({"trail": (0, None, 4)}, "rows must lie"),
    ],
)
def test_a_sketch_that_cannot_be_drawn_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        small(**changes)


def test_the_draws_are_all_drawn_and_the_trail_stands_to_the_right_of_what_it_beats() -> None:
    told = pair(story([document(n) for n in range(3)], [0.8, 0.7]), draws=[0.41] * 30 + [0.51] * 60 + [0.75] * 10)
    root = parsed(draws_svg(told))
    bars = next(g for g in root.iter(f"{SVG}g") if g.get("fill") == palette.BASELINE)
    heights = [float(bar.get("height", "nan")) for bar in bars]
    lefts = [float(bar.get("x", "nan")) for bar in bars]
    assert [height / max(heights) for height in heights] == pytest.approx([0.5, 1, 1 / 6], abs=0.001)
    mark = next(c for c in root.iter(f"{SVG}circle") if c.get("fill") == palette.TRAIL)
    assert lefts[1] < float(mark.get("cx", "nan")) < lefts[2]
    assert "this trail 0.70" in words_of(root)
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text == (
        "Stronger than 90 of 100 random chronologies. The random weakest links lie between 0.41 and 0.75; "
        "that of the trail is 0.70."
    )


def test_every_strength_lies_in_the_bar_that_stands_over_it() -> None:
    for hundredths in range(0, 101):
        value = hundredths / 100
        told = pair(story([document(n) for n in range(3)], [1.0, max(value, 0.001)]), draws=[value])
        told = replace(told, trail=replace(told.trail, bottleneck=value))
        root = parsed(draws_svg(told))
        bar = next(rect for rect in root.iter(f"{SVG}rect"))
        mark = next(c for c in root.iter(f"{SVG}circle") if c.get("fill") == palette.TRAIL)
        left, width = float(bar.get("x", "nan")), float(bar.get("width", "nan"))
        assert left - 1 <= float(mark.get("cx", "nan")) <= left + width + 1


def test_there_is_no_picture_of_draws_where_there_is_nothing_to_compare() -> None:
    kept = space_story(3).pair
    assert draws_svg(replace(kept, draw_bottlenecks=())) == ""
    assert draws_svg(replace(kept, draw_bottlenecks=(float("nan"),))) == ""
    assert draws_svg(space_story(2).pair) == ""
    assert draws_svg(replace(kept, trail=replace(kept.trail, bottleneck=float("nan")))) == ""
    assert "nan" not in draws_svg(replace(kept, baseline=replace(kept.baseline, bottleneck=float("nan"))))


def test_the_colours_are_those_on_screen() -> None:
    assert theme.trail_colour("light") == palette.TRAIL
    assert theme.baseline_colour("light") == palette.BASELINE
    assert (theme.ink("light"), theme.quiet("light")) == (palette.INK, palette.QUIET)
    assert (theme.hairline("light"), theme.background("light")) == (palette.RULE, palette.PAPER)
    for rank in range(-1, 12):
        assert theme.topic_colour(rank, "light") == palette.topic_colour(rank)
