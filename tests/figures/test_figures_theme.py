from typing import get_args

import pytest

from narrative_core.figures.theme import (
    N_DATE_STEPS,
    N_REACH_STEPS,
    N_TOPIC_COLOURS,
    Mode,
    background,
    base_layout,
    baseline_colour,
    date_colour,
    grey,
    ink,
    quiet,
    reach_colour,
    topic_colour,
    trail_colour,
)

MODES: tuple[Mode, ...] = get_args(Mode)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", MODES)
def test_every_colour_with_a_meaning_is_used_for_one_thing_only(mode: Mode) -> None:
    topics = [topic_colour(rank, mode) for rank in range(N_TOPIC_COLOURS)]
    colours = [*topics, grey(mode), trail_colour(mode), baseline_colour(mode)]
    assert len(set(colours)) == N_TOPIC_COLOURS + 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rank", [-1, 10, 400])
def test_topics_beyond_the_tenth_and_no_topic_are_grey(mode: Mode, rank: int) -> None:
    assert topic_colour(rank, mode) == grey(mode)


@pytest.mark.parametrize("mode", MODES)
def test_text_is_legible_on_its_background(mode: Mode) -> None:
    for colour in (ink(mode), quiet(mode)):
        assert contrast(colour, background(mode)) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_both_stories_stand_out_from_the_background(mode: Mode) -> None:
    for colour in (trail_colour(mode), baseline_colour(mode)):
        assert contrast(colour, background(mode)) >= 4


@pytest.mark.parametrize("mode", MODES)
def test_reach_stands_out_more_the_stronger_it_is(mode: Mode) -> None:
    contrasts = [contrast(reach_colour(step, mode), background(mode)) for step in range(N_REACH_STEPS)]
    assert contrasts == sorted(contrasts)
    assert len(set(contrasts)) == N_REACH_STEPS


@pytest.mark.parametrize("mode", MODES)
def test_later_dates_stand_out_more_and_no_date_looks_like_a_story_or_a_reach(mode: Mode) -> None:
    dates = [date_colour(step, mode) for step in range(N_DATE_STEPS)]
    contrasts = [contrast(colour, background(mode)) for colour in dates]
    assert contrasts == sorted(contrasts) and len(set(contrasts)) == N_DATE_STEPS
    others = {trail_colour(mode), baseline_colour(mode), grey(mode), *(reach_colour(s, mode) for s in range(5))}
    assert others.isdisjoint(dates)


def test_a_figure_stands_on_the_page_and_not_on_plotlys_template() -> None:
    layout = base_layout("dark", title="A sentence")
    assert (layout["template"], layout["showlegend"]) == ("none", False)
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
