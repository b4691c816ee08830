"""The same stories measured in two ways: how far apart the two are, and story by story."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import PairedDifference
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import estimate_words, interval_words, number_words
from narrative_core.figures.lanes import Lane, Panel, Row, fitting_window, lane_values
from narrative_core.figures.run_marks import empty_figure, legend_top, made_colour, made_symbol, n_words
from narrative_core.figures.run_means import SHORT_WORDS
from narrative_core.figures.run_p_values import p_words
from narrative_core.figures.strips import Strip, lay_strips
from narrative_core.figures.theme import Mode, css, hairline, ink, quiet
from narrative_core.figures.wording import clip_text, plot_text
from narrative_core.run_outcomes import Comparison
from narrative_core.runs import MADE_WORDS, Made

PLOT_PX = 300
_LABEL_LIMIT = 34
_STANDARDISED = ", standardised"
_LEGEND_PX = 28
_MANY = 150
_GROUP_WORDS: Mapping[str, str] = {
    "all": "All together",
    **{made: words.capitalize() for made, words in MADE_WORDS.items()},
}
_MADE: Mapping[str, Made] = {made: made for made in MADE_WORDS}


def difference_figure(comparison: Comparison, *, unit: str = "points", mode: Mode = "light") -> go.Figure:
    """Mean difference of the two measures, first less second, with its interval, by how stories were made.

    0 lies in the middle, so that a side tells which of the two is higher, and no words run through its line.
    ``unit`` is that of both measures. ``customdata`` is [-1, made], or [-1, "all"].
    """
    rows = tuple(_difference_row(name, paired, unit, mode) for name, paired in comparison.differences.items())
    names = comparison.first, comparison.second
    scale = ", both standardised" if all(name.endswith(_STANDARDISED) for name in names) else ""
    first, second = (
        clip_text(name.removesuffix(_STANDARDISED) if scale else name, _LABEL_LIMIT).replace(" · ", ", ")
        for name in names
    )
    foot = f"{first} less {second}{scale} · whiskers: 95 % interval over endpoint pairs"
    if comparison.n_unmatched:
        foot += f" · {n_words(comparison.n_unmatched, 'story').removeprefix('n = ')} left out, known to one only"
    values = lane_values(rows)
    window = fitting_window([*values, *(-value for value in values)], holds=(0,))
    return dot_rows(
        [Panel(f"difference, {unit}", rows, window, ((0.0, "no difference"),))],
        foot=foot,
        empty="Differences stand here when the two have measured the same stories.",
        mode=mode,
    )


def paired_scatter(
    first_values: NDArray[np.float64],
    second_values: NDArray[np.float64],
    made: Sequence[Made],
    pairs: Sequence[int],
    labels: tuple[str, str],
    *,
    is_one_unit: bool = True,
    mode: Mode = "light",
) -> go.Figure:
    """Stories by the first measure, to the right, and by the second, upwards.

    Parameters
    ----------
    first_values, second_values : array (n_stories,)
        nan is not drawn, and counted in the last line.
    made, pairs : sequence of n_stories
        How each story was made, and its endpoint pair.
    labels : two str
        Names of the measures, with their unit.
    is_one_unit : bool
        Whether both have the same unit; then both axes are alike, and a line marks where they agree.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        One trace a way of making stories, named by its short word; ``customdata`` of a point is [pair, made].

    Raises
    ------
    InvalidInput
        If the sequences differ in length.
    """
    lengths = {len(first_values), len(second_values), len(made), len(pairs)}
    if len(lengths) != 1:
        raise InvalidInput(f"each story needs two values, how it was made and its pair; got {sorted(lengths)} of them.")
    known = np.isfinite(first_values) & np.isfinite(second_values)
    if not known.any():
        return empty_figure("Stories stand here when both have measured them.", mode)
    names = (clip_text(labels[0], _LABEL_LIMIT), clip_text(labels[1], _LABEL_LIMIT))
    traces, shapes = [], []
    for kind in MADE_WORDS:
        own = [(row, pairs[row], kind) for row in range(len(made)) if known[row] and made[row] == kind]
        if own:
            traces.append(_points(first_values, second_values, own, names, mode))
    windows = [fitting_window(values[known].tolist()) for values in (first_values, second_values)]
    if is_one_unit:
        windows = [fitting_window([*first_values[known].tolist(), *second_values[known].tolist()])] * 2
        shapes.append(_diagonal(windows[0], mode))
    foot = n_words(int(known.sum()), "story", {"without both values": int((~known).sum())})
    foot += " · dotted: both alike" if is_one_unit else ""
    grid = {"showgrid": True, "gridcolor": css(hairline(mode), 0.5)}
    strip = Strip("", "", plot_text(names[0]), plot_text(names[1]), windows[0], windows[1], grid, {"nticks": 6})
    parts = lay_strips([strip], plot_px=PLOT_PX, top_px=_LEGEND_PX, foot=foot, mode=mode)
    parts.traces += traces
    parts.shapes += shapes
    parts.layout |= legend_top(mode)
    return parts.figure()


def _difference_row(name: str, paired: PairedDifference, unit: str, mode: Mode) -> Row:
    made, words = _MADE.get(name), estimate_words(paired.difference)
    label = _GROUP_WORDS.get(name, name)
    lane = Lane(
        paired.difference.value,
        made_colour(made, mode) if made else ink(mode),
        f"{plot_text(label)}: first less second {words}, in {unit};"
        f"<br>d_z {number_words(paired.d_z)}, p {plot_text(p_words(paired.p))}.",
        paired.difference.low,
        paired.difference.high,
        symbol=made_symbol(made) if made else "circle",
        key=(-1, name),
    )
    return Row(f"{label}, n = {paired.difference.n:,}", (lane,), interval_words(paired.difference))


def _points(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    stories: Sequence[tuple[int, int, Made]],
    labels: tuple[str, str],
    mode: Mode,
) -> go.Scatter:
    made, rows = stories[0][2], [row for row, _, _ in stories]
    names = [plot_text(label) for label in labels]
    opacity = 0.55 if len(rows) > _MANY else 0.8
    return go.Scatter(
        name=SHORT_WORDS.get(made, made),
        x=first[rows].tolist(),
        y=second[rows].tolist(),
        mode="markers",
        customdata=[[pair, made] for _, pair, made in stories],
        hovertext=[
            f"Pair {pair + 1:,}, {MADE_WORDS[made]}:<br>{names[0]} {number_words(first[row])},"
            f"<br>{names[1]} {number_words(second[row])}."
            for row, pair, made in stories
        ],
        hoverinfo="text",
        marker={
            "symbol": made_symbol(made),
            "size": 7,
            "color": made_colour(made, mode),
            "opacity": opacity,
            "line": {"width": 1.5 if made_symbol(made).endswith("open") else 0},
        },
        unselected={"marker": {"opacity": opacity}},
        cliponaxis=False,
    )


def _diagonal(window: tuple[float, float], mode: Mode) -> dict[str, object]:
    low, high = window
    line = {"color": quiet(mode), "width": 1, "dash": "dot"}
    return {"type": "line", "x0": low, "y0": low, "x1": high, "y1": high, "line": line, "layer": "below"}
