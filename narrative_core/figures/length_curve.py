"""Length against strength: what a longer trail buys, each length a choice."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.figures.scales import value_range
from narrative_core.figures.theme import Mode, axis, background, base_layout, css, note, quiet, trail_colour
from narrative_core.figures.wording import strength_words
from narrative_core.records import CurvePoint


def length_curve_figure(
    curve: Sequence[CurvePoint],
    *,
    chosen_length: int,
    chosen_bottleneck: float,
    canonical_length: int,
    canonical_bottleneck: float,
    mode: Mode = "light",
) -> go.Figure:
    """Best weakest link by number of documents, as steps; the chosen trail is the large filled dot.

    Parameters
    ----------
    curve : sequence of CurvePoint
        Best bottleneck with at most so many documents.
    chosen_length, chosen_bottleneck
        The trail on screen.
    canonical_length, canonical_bottleneck
        The trail of the search without a limit of length, drawn as a diamond; it may be longer than the curve.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        One trace, "lengths"; each point's ``customdata`` is its length, to be chosen.
    """
    strengths = {point.length: point.bottleneck for point in curve}
    strengths.setdefault(canonical_length, canonical_bottleneck)
    strengths[chosen_length] = chosen_bottleneck
    lengths = sorted(strengths)
    figure = go.Figure(_trace(lengths, strengths, chosen_length, canonical_length, mode))
    title = f"Weakest link {strength_words(chosen_bottleneck)} with {count(chosen_length, 'document')}"
    figure.update_layout(base_layout(mode, title=title))
    low, high = value_range([strengths[length] for length in lengths])
    figure.update_layout(
        xaxis=axis("documents in the trail", mode, range=_length_range(lengths), tickformat=",d", **_ticks(lengths)),
        yaxis=axis("weakest link", mode, range=[low, high], nticks=5, tickformat=".2f"),
        annotations=_notes(strengths, chosen_length, canonical_length, lengths, mode),
    )
    return figure


def _trace(lengths: Sequence[int], strengths: dict[int, float], chosen: int, canonical: int, mode: Mode) -> go.Scatter:
    colour = trail_colour(mode)
    return go.Scatter(
        name="lengths",
        x=list(lengths),
        y=[strengths[length] for length in lengths],
        customdata=list(lengths),
        mode="lines+markers",
        hovertext=[_sentence(length, strengths[length], chosen, canonical) for length in lengths],
        hoverinfo="text",
        line={"color": css(colour, 0.55), "width": 1.5, "shape": "hv"},
        marker={
            "symbol": ["diamond" if length == canonical else "circle" for length in lengths],
            "size": [16 if length == chosen else 10 if length == canonical else 9 for length in lengths],
            "color": [colour if length == chosen else background(mode) for length in lengths],
            "line": {"color": colour, "width": 2},
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
    )


def _sentence(length: int, strength: float, chosen: int, canonical: int) -> str:
    sentence = f"With at most {count(length, 'document')} the weakest link can be {strength_words(strength)}."
    if length == canonical:
        sentence = f"Without a limit the trail has {count(length, 'document')};<br>"
        sentence += f"its weakest link is {strength_words(strength)}."
    return sentence + ("<br>This is the trail shown." if length == chosen else "<br>Click to show this trail.")


def _length_range(lengths: Sequence[int]) -> list[float]:
    air = max(0.5, (lengths[-1] - lengths[0]) * 0.06)
    return [lengths[0] - air, lengths[-1] + air]


def _ticks(lengths: Sequence[int]) -> dict[str, Any]:
    every = max(1, -(-(lengths[-1] - lengths[0] + 1) // 8))
    return {"tickmode": "linear", "tick0": lengths[0], "dtick": every}


def _notes(
    strengths: dict[int, float], chosen: int, canonical: int, lengths: Sequence[int], mode: Mode
) -> list[dict[str, Any]]:
    """Names of the two trails where rising steps leave room: below to the right, above to the left."""
    is_chosen_late = _share(chosen, lengths) > 0.7
    marked = [(chosen, "shown", trail_colour(mode), is_chosen_late)]
    if canonical != chosen:
        marked.append((canonical, "no limit", quiet(mode), not is_chosen_late))
    return [
        note(
            f"{word} {strength_words(strengths[length])}",
            mode,
            x=length,
            y=strengths[length],
            yshift=13 if is_above else -9,
            yanchor="bottom" if is_above else "top",
            xshift=6 if is_above else 8,
            xanchor="left" if _share(length, lengths) < (0.3 if is_above else 0.7) else "right",
            font={"size": 12, "color": colour},
        )
        for length, word, colour, is_above in marked
    ]


def _share(length: int, lengths: Sequence[int]) -> float:
    return (length - lengths[0]) / max(lengths[-1] - lengths[0], 1)
