import math

import plotly.graph_objects as go
import pytest

from narrative_core.figures.compass import compass


def degrees(first: float, second: float) -> go.Figure:
    directions = [(3 * math.cos(math.radians(angle)), 3 * math.sin(math.radians(angle))) for angle in (first, second)]
    return compass((directions[0], directions[1]), ("one", "<other>"))


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@pytest.mark.parametrize(
    ("first", "second", "angle"), [(45, 30, "15°"), (45, 315, "90°"), (350, 10, "20°"), (225, 45, "180°")]
)
def test_the_smaller_angle_between_the_arrows_is_written(first: float, second: float, angle: str) -> None:
    assert angle in notes(degrees(first, second))


def test_labels_are_text_and_not_markup() -> None:
    assert "&lt;other&gt;" in notes(degrees(0, 90))


def test_arrows_that_lie_on_each_other_share_a_label() -> None:
    assert notes(degrees(45, 45)) == ["one and &lt;other&gt;", "0°"]


def test_arrows_have_the_length_of_the_circle() -> None:
    arrows = next(trace for trace in degrees(0, 90).data if trace.name == "arrows")
    assert [round(math.hypot(x, y), 9) for x, y in zip(arrows.x, arrows.y, strict=True)] == [1.0, 0.0, 1.0]
