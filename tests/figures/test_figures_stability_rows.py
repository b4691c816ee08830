import math
from typing import Any

import plotly.graph_objects as go
import pytest

from narrative_core.estimates import SeedAgreement
from narrative_core.figures.stability_rows import stability_rows
from narrative_core.figures.theme import Mode

ONE = SeedAgreement(43, 11, 0.349, 0.81, 72, 0.416, 0.023)
UNKNOWN = SeedAgreement(44, 1, 1.0, math.nan, 0, math.nan, math.nan)


def dots(figure: go.Figure) -> list[tuple[float, list[Any]]]:
    return [
        (x, list(key))
        for trace in figure.data
        if trace.name == "dots"
        for x, key in zip(trace.x, trace.customdata, strict=True)
    ]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_seed_has_a_dot_for_topics_and_one_for_trails(mode: Mode) -> None:
    found = dots(stability_rows([ONE, ONE], mode=mode))
    assert sorted(found, key=repr) == sorted([(0.81, [43, "topics"]), (0.416, [43, "trails"])] * 2, key=repr)


def test_a_row_says_how_many_topics_and_how_many_documents_outside() -> None:
    notes = " ".join(note.text for note in stability_rows([ONE]).layout.annotations)
    assert "Seed 43" in notes
    assert "11 topics, 35% outside" in notes


def test_what_could_not_be_compared_is_said_and_not_drawn_as_zero() -> None:
    figure = stability_rows([ONE, UNKNOWN])
    assert all(x != 0 for x, _ in dots(figure))
    assert "–" in [note.text for note in figure.layout.annotations]


def test_without_a_check_there_is_a_sentence() -> None:
    figure = stability_rows([])
    assert "A row a seed stands here" in " ".join(note.text for note in figure.layout.annotations)
