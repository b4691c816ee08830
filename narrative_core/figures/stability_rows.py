"""How far landscapes of other seeds agree with the one that is kept: a row a seed."""

import math
from collections.abc import Sequence
from typing import Final, Literal

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.estimates import SeedAgreement
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import number_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides
from narrative_core.figures.theme import Mode, ink, trail_colour

Compared = Literal["topics", "trails"]
_SYMBOLS: Final[dict[Compared, str]] = {"topics": "diamond", "trails": "circle"}
_WINDOW: Final = (-0.03, 1.03)


def stability_rows(agreements: Sequence[SeedAgreement], *, mode: Mode = "light") -> go.Figure:
    """The agreement of topics and of trails with each other seed, from 0 to 1.

    ``customdata`` is [seed, "topics" or "trails"].
    """
    rows = tuple(_row(one, mode) for one in agreements)
    return dot_rows(
        [Panel("agreement with the map that is kept", rows, _WINDOW, (), {"tick0": 0, "dtick": 0.25})],
        sides=Sides(48, 40),
        foot="◆ topics: adjusted Rand index, 0 as by chance, 1 the same groups · "
        "● trails: share of inner documents that both have, 1 the same trails",
        empty="A row a seed stands here when the check has run.",
        mode=mode,
    )


def _row(one: SeedAgreement, mode: Mode) -> Row:
    words = f"{count(one.n_topics, 'topic')}, {one.outlier_share:.0%} outside"
    topics = f"Seed {one.seed}: topics agree at {number_words(one.topic_agreement)} (adjusted Rand index)."
    trails = (
        f"Seed {one.seed}: trails share {one.trail_agreement:.0%} of their inner documents,<br>"
        f"the mean of {count(one.n_trails, 'pair')} of ends that have a trail on both maps."
        if math.isfinite(one.trail_agreement)
        else f"Seed {one.seed}: no pair of ends has a trail on both maps."
    )
    return Row(
        f"Seed {one.seed}",
        (
            _lane("topics", one.topic_agreement, topics, one.seed, ink(mode)),
            _lane("trails", one.trail_agreement, trails, one.seed, trail_colour(mode)),
        ),
        words,
    )


def _lane(compared: Compared, value: float, hover: str, seed: int, colour: str) -> Lane:
    return Lane(
        value,
        colour,
        hover,
        label=compared,
        words=number_words(value) if math.isfinite(value) else "–",
        symbol=_SYMBOLS[compared],
        key=(seed, compared),
    )
