import datetime as dt

import plotly.graph_objects as go
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.theme import background, trail_colour
from narrative_core.figures.water_level import outline_cells, water_level_figure
from narrative_core.records import Document

DOCUMENTS = [
    Document(f"d{day}", title, "", dt.date(2020, 1, day), f"2020-01-0{day}", "day")
    for day, title in enumerate(["First", "<b>Second</b>", "Third", "Fourth"], start=1)
]
STRENGTHS = [[0.0, 0.9, 0.5, 0.2], [0.9, 0.0, 0.8, 0.3], [0.5, 0.8, 0.0, 0.6], [0.2, 0.3, 0.6, 0.0]]


def draw(links: list[tuple[int, int]], chain: list[int], fallen: tuple[int, int] | None = None) -> go.Figure:
    return water_level_figure(
        DOCUMENTS, links, STRENGTHS, chain=chain, endpoints=(0, 3), reached={0, 1, 2}, fallen=fallen
    )


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(trace for trace in figure.data if trace.name == name)


def n_arcs(figure: go.Figure, name: str) -> int:
    return list(trace(figure, name).x).count(None)


def test_every_link_and_every_step_of_the_chain_is_an_arc() -> None:
    figure = draw([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3])
    assert (n_arcs(figure, "links"), n_arcs(figure, "chain"), n_arcs(figure, "fallen")) == (3, 3, 0)


def test_a_fallen_link_is_dotted_and_named() -> None:
    figure = draw([(0, 1), (1, 2)], [], fallen=(2, 3))
    assert n_arcs(figure, "fallen") == 1
    assert trace(figure, "fallen").line.dash == "dot"
    assert "⚠ went under at 0.60" in [note.text for note in figure.layout.annotations]


def test_documents_out_of_reach_are_hollow() -> None:
    colours = trace(draw([(0, 1)], []), "documents").marker.color
    assert colours[0] == trail_colour("light")
    assert colours[3] == background("light")


def test_hovered_links_say_their_strength_and_titles_stay_text() -> None:
    hovered = trace(draw([(0, 1)], []), "strengths").hovertext[0]
    assert "strength 0.90" in hovered
    assert "&lt;b&gt;Second" in hovered


def test_the_scale_does_not_move_with_the_water() -> None:
    many, few = draw([(0, 3), (0, 1)], [0, 3]), draw([(0, 1)], [])
    assert many.layout.yaxis.range == few.layout.yaxis.range


def test_a_link_to_nowhere_is_refused() -> None:
    with pytest.raises(InvalidInput, match="4 documents"):
        draw([(0, 4)], [])


def test_cells_of_the_chain_are_framed() -> None:
    figure = outline_cells(go.Figure(), [(0, 2)])
    (shape,) = figure.layout.shapes
    assert (shape.x0, shape.x1, shape.y0, shape.y1) == (1.5, 2.5, -0.5, 0.5)
