from typing import get_args

import pytest

from narrative_core.figures.map_colouring import NO_STEP, Kind, step_colour
from narrative_core.figures.theme import (
    N_DATE_STEPS,
    N_REACH_STEPS,
    N_TOPIC_COLOURS,
    Mode,
    grey,
    topic_colour,
)

MODES: tuple[Mode, ...] = get_args(Mode)
STEPS: dict[Kind, int] = {
    "topic": N_TOPIC_COLOURS,
    "date": N_DATE_STEPS,
    "column": N_TOPIC_COLOURS,
    "reach": N_REACH_STEPS,
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_step_has_a_colour_of_its_own_and_no_step_is_grey(kind: Kind, mode: Mode) -> None:
    colours = [step_colour(kind, step, mode) for step in range(STEPS[kind])]
    assert len(set(colours)) == STEPS[kind]
    assert grey(mode) not in colours
    assert step_colour(kind, NO_STEP, mode) == grey(mode)


def test_a_topic_beyond_the_tenth_is_grey_and_values_have_the_colours_of_topics() -> None:
    assert step_colour("topic", 10, "light") == grey("light")
    assert step_colour("column", 3, "dark") == topic_colour(3, "dark")
