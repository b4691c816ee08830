"""A few documents in date order and the links between them that are above the water, as arcs."""

import itertools
from collections.abc import Sequence, Set

import plotly.graph_objects as go

from narrative_core.errors import InvalidInput
from narrative_core.figures.theme import Mode, background, base_layout, css, ink, note, quiet, trail_colour
from narrative_core.figures.wording import headline, strength_words
from narrative_core.records import Document

_ARC_POINTS = 24
_BEND = 0.6

Pair = tuple[int, int]


def water_level_figure(
    documents: Sequence[Document],
    links: Sequence[Pair],
    strengths: Sequence[Sequence[float]],
    *,
    chain: Sequence[int],
    endpoints: Pair,
    reached: Set[int],
    fallen: Pair | None = None,
    mode: Mode = "light",
) -> go.Figure:
    """Documents on a line, links as arcs over it; the chain between the endpoints in the colour of the trail.

    Parameters
    ----------
    documents : sequence of Document
        In date order.
    links : sequence of (int, int)
        Those that are drawn.
    strengths : n rows of n values
        Strength of every pair, for the words of a hovered link.
    chain : sequence of int
        Documents from source to target; empty once the two have parted.
    endpoints : (int, int)
        Source and target, which carry A and B.
    reached : set of int
        Documents that the source leads to; the others are drawn hollow.
    fallen : (int, int), optional
        The link that went under last, drawn dotted and named.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Traces "links", "chain", "fallen", "strengths" (what is hovered of a link) and "documents".

    Raises
    ------
    InvalidInput
        If a link names a document that is not there.
    """
    n = len(documents)
    steps = list(itertools.pairwise(chain))
    drawn = [*links, *steps, *([fallen] if fallen else [])]
    if any(not 0 <= document < n for pair in drawn for document in pair):
        raise InvalidInput(f"a link must join two of the {n} documents, numbered from 0.")
    figure = go.Figure(
        [
            _arcs("links", links, {"color": css(quiet(mode), 0.5), "width": 1.2}),
            _arcs("fallen", [fallen] if fallen else [], {"color": ink(mode), "width": 2, "dash": "dot"}),
            _arcs("chain", steps, {"color": trail_colour(mode), "width": 3.5}),
            _tops(documents, drawn, strengths),
            _dots(documents, chain, endpoints, reached, mode),
        ]
    )
    figure.update_layout(base_layout(mode, height=400))
    figure.update_layout(
        xaxis=_axis(mode, n),
        yaxis={"visible": False, "fixedrange": True, "range": [-0.3, _top((0, max(n - 1, 1))) + 0.4]},
        margin={"l": 8, "r": 8, "t": 8, "b": 40},
        annotations=_letters(endpoints, reached, mode) + ([_fallen_note(fallen, n, strengths, mode)] if fallen else []),
    )
    return figure


def outline_cells(figure: go.Figure, pairs: Sequence[Pair], *, mode: Mode = "light") -> go.Figure:
    """Frame the cells [row, column] of a square of strengths that the chain goes through; returns the figure."""
    for row, column in pairs:
        figure.add_shape(
            type="rect",
            x0=column - 0.5,
            x1=column + 0.5,
            y0=row - 0.5,
            y1=row + 0.5,
            line={"color": trail_colour(mode), "width": 2.5},
        )
    return figure


def _arcs(name: str, pairs: Sequence[Pair], line: dict[str, object]) -> go.Scatter:
    x: list[float | None] = []
    y: list[float | None] = []
    for first, second in pairs:
        for point in range(_ARC_POINTS + 1):
            share = point / _ARC_POINTS
            x.append(first + (second - first) * share)
            y.append(4 * _top((first, second)) * share * (1 - share))
        x.append(None)
        y.append(None)
    return go.Scatter(name=name, x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _tops(documents: Sequence[Document], pairs: Sequence[Pair], strengths: Sequence[Sequence[float]]) -> go.Scatter:
    """Invisible points on the arcs, for a mouse to find."""
    unique = sorted({(min(pair), max(pair)) for pair in pairs})
    return go.Scatter(
        name="strengths",
        x=[(first + second) / 2 for first, second in unique],
        y=[_top(pair) for pair in unique],
        mode="markers",
        marker={"size": 12, "opacity": 0},
        hovertext=[
            f"{headline(documents[first])}<br>and {headline(documents[second])}:<br>"
            f"strength {strength_words(strengths[first][second])}."
            for first, second in unique
        ],
        hoverinfo="text",
    )


def _dots(
    documents: Sequence[Document], chain: Sequence[int], endpoints: Pair, reached: Set[int], mode: Mode
) -> go.Scatter:
    numbers = range(len(documents))
    blue = [document in chain or document in endpoints for document in numbers]
    colours = [trail_colour(mode) if is_blue else quiet(mode) for is_blue in blue]
    return go.Scatter(
        name="documents",
        x=list(numbers),
        y=[0.0] * len(documents),
        mode="markers",
        marker={
            "size": [22 if i in endpoints else 16 if blue[i] else 13 for i in numbers],
            "color": [colours[i] if i in reached else background(mode) for i in numbers],
            "line": {"color": colours, "width": 2},
            "opacity": 1,
        },
        customdata=list(numbers),
        hovertext=[
            f"{i + 1}. {headline(document)}"
            + ("" if i in reached else "<br>No chain of links above the water leads here from A.")
            for i, document in enumerate(documents)
        ],
        hoverinfo="text",
        cliponaxis=False,
    )


def _axis(mode: Mode, n: int) -> dict[str, object]:
    return {
        "title": {"text": "documents in date order", "font": {"size": 12, "color": quiet(mode)}, "standoff": 4},
        "tickvals": list(range(n)),
        "ticktext": [str(i + 1) for i in range(n)],
        "tickfont": {"size": 12, "color": quiet(mode)},
        "tickangle": 0,
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "fixedrange": True,
        "range": [-0.6, n - 0.4],
    }


def _letters(endpoints: Pair, reached: Set[int], mode: Mode) -> list[dict[str, object]]:
    return [
        note(
            f"<b>{letter}</b>",
            mode,
            x=document,
            y=0,
            xanchor="center",
            font={"size": 13, "color": background(mode) if document in reached else trail_colour(mode)},
        )
        for letter, document in zip("AB", endpoints, strict=True)
    ]


def _fallen_note(pair: Pair, n: int, strengths: Sequence[Sequence[float]], mode: Mode) -> dict[str, object]:
    middle = (pair[0] + pair[1]) / 2
    return note(
        f"⚠ went under at {strength_words(strengths[pair[0]][pair[1]])}",
        mode,
        x=middle,
        y=_top(pair),
        yshift=12,
        xanchor="left" if middle < n * 0.25 else "right" if middle > n * 0.75 else "center",
        font={"size": 12, "color": ink(mode)},
        bgcolor=css(background(mode), 0.8),
    )


def _top(pair: Pair) -> float:
    """Height of an arc: the wider the higher, less than in proportion so that the short ones can be seen."""
    return float(abs(pair[1] - pair[0]) ** _BEND)
