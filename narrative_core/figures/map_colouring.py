"""What the documents of a map are coloured by, as a value: the colour of each, and the legend."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from narrative_core.figures.theme import Mode, date_colour, grey, reach_colour, topic_colour

Kind = Literal["topic", "date", "column", "reach"]

NO_STEP: Final = -1
"""The step of a document without a colour of its own; it is grey."""


@dataclass(frozen=True, slots=True)
class Swatch:
    """A colour of the legend: its step, what it stands for, and how many documents have it."""

    step: int
    words: str
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Colouring:
    """What documents are coloured by.

    ``steps`` (n,) are places in the colours of ``kind``, `NO_STEP` for grey · ``legend`` in the order in which it is
    read · ``told`` is what a tooltip says of each document; empty where its headline, date, source and topic say it.
    """

    kind: Kind
    steps: NDArray[np.int64]
    legend: tuple[Swatch, ...] = ()
    told: tuple[str, ...] = ()


_COLOURS: Final[dict[Kind, Callable[[int, Mode], str]]] = {
    "topic": topic_colour,
    "date": date_colour,
    # Values have the colours of topics: ten that stay apart in any kind of colour sight.
    "column": topic_colour,
    "reach": reach_colour,
}


def step_colour(kind: Kind, step: int, mode: Mode) -> str:
    """Colour of a step.

    >>> step_colour("date", NO_STEP, "light") == step_colour("column", NO_STEP, "light") == grey("light")
    True
    """
    return grey(mode) if step == NO_STEP else _COLOURS[kind](step, mode)
