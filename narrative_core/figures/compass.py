"""Two directions on a circle and the angle between them, for the page that teaches the method."""

import math

import plotly.graph_objects as go

from narrative_core.figures.theme import Mode, base_layout, css, hairline, ink, note, trail_colour
from narrative_core.figures.wording import clip_text, plot_text

_ARROW = 0.62
_LABEL_LIMIT = 28
_ROOMY = math.radians(40)
_SAME_DIRECTION = math.cos(math.radians(6))


def compass(
    directions: tuple[tuple[float, float], tuple[float, float]], labels: tuple[str, str], *, mode: Mode = "light"
) -> go.Figure:
    """Two vectors of two dimensions as arrows in a circle, the angle between them filled and written in.

    Parameters
    ----------
    directions : two pairs (x, y)
        Of any length but 0; only where they point is drawn.
    labels : two str
        What stands at the tips.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Traces "circle", "angle" and "arrows".
    """
    start, other = (math.atan2(y, x) for x, y in directions)
    turn = (other - start + math.pi) % (2 * math.pi) - math.pi
    wedge = [start + turn * share / 40 for share in range(41)]
    ring = [2 * math.pi * share / 90 for share in range(91)]
    colour = trail_colour(mode)
    figure = go.Figure(
        [
            _line("circle", [_point(angle) for angle in ring], {"color": hairline(mode), "width": 1}),
            _line(
                "angle",
                [(0.0, 0.0), *(_point(angle, _ARROW / 2) for angle in wedge), (0.0, 0.0)],
                {"width": 0},
                fill=css(colour, 0.18),
            ),
            _line("arrows", [_point(start), (0.0, 0.0), _point(other)], {"color": colour, "width": 3}),
        ]
    )
    figure.update_layout(base_layout(mode, height=270))
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        xaxis=hidden | {"range": [-2.1, 2.1]},
        yaxis=hidden | {"range": [-1.25, 1.25], "scaleanchor": "x"},
        margin={"l": 0, "r": 0, "t": 4, "b": 4},
        annotations=[
            *_tips((start, other), labels, mode),
            _written(start + turn / 2, abs(turn), mode),
        ],
    )
    return figure


def _point(angle: float, radius: float = 1.0) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


def _line(name: str, points: list[tuple[float, float]], line: dict[str, object], *, fill: str = "") -> go.Scatter:
    return go.Scatter(
        name=name,
        x=[x for x, _ in points],
        y=[y for _, y in points],
        mode="lines",
        line=line,
        fill="toself" if fill else "none",
        fillcolor=fill or None,
        hoverinfo="skip",
    )


def _tips(angles: tuple[float, float], labels: tuple[str, str], mode: Mode) -> list[dict[str, object]]:
    """The labels at the tips, in one where the arrows lie on each other."""
    if math.cos(angles[1] - angles[0]) > _SAME_DIRECTION:
        return [_tip(angles[0], " and ".join(labels), mode)]
    return [_tip(angle, label, mode) for angle, label in zip(angles, labels, strict=True)]


def _tip(angle: float, label: str, mode: Mode) -> dict[str, object]:
    x, y = _point(angle, 1.08)
    side = "left" if x > 0.2 else "right" if x < -0.2 else "center"
    height = "bottom" if y > 0.6 else "top" if y < -0.6 else "middle"
    text = plot_text(clip_text(label, _LABEL_LIMIT))
    return note(text, mode, x=x, y=y, xanchor=side, yanchor=height, font={"size": 13, "color": ink(mode)})


def _written(middle: float, turn: float, mode: Mode) -> dict[str, object]:
    """The angle in degrees, between the arrows where there is room, behind their tails where there is not."""
    x, y = _point(middle, _ARROW * 0.72) if turn > _ROOMY else _point(middle + math.pi, 0.16)
    return note(f"{math.degrees(turn):.0f}°", mode, x=x, y=y, xanchor="center", font={"size": 14, "color": ink(mode)})
