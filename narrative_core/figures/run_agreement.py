"""How well the agents of a judge agree, and how far they are apart."""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import estimate_words, number_words, range_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides, fitting_window, lane_values
from narrative_core.figures.run_marks import is_in_nats, seat_colour
from narrative_core.figures.theme import Mode
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import RunResults, SeatResults

_MEASURES: Mapping[str, tuple[str, str]] = {
    "icc_single": ("ICC(2,1)", "absolute agreement of one agent with another."),
    "icc_average": ("ICC(2,k)", "reliability of the mean of all agents."),
    "krippendorff_alpha": ("α", "Krippendorff's α, interval."),
    "kendall_w": ("W", "Kendall's concordance of the agents' rankings."),
    "exact": ("same score", "share of agent pairs that give the same score."),
    "within_one": ("within one", "share of agent pairs that are at most one point apart."),
}
_SHARES = ("exact", "within_one")
_OF_ALL = ("icc_single", "icc_average", "kendall_w")
"""Measured over the stories that every agent rated; the others over those that at least two rated."""

_EMPTY = "Agents can be compared where a judge is asked more than once about a story."


def agreement_bars(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """ICC(2,1), ICC(2,k), α and W of each judge with several agents, and the shares of equal and of near scores.

    Parameters
    ----------
    results : RunResults
    study : mapping, optional
        What the reference study printed, by "label, measure": "GPT-4.1 · simple, icc_single".
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Dots from 0 to 1, lower where a coefficient is; shares are squares. ``customdata`` is [seat number, measure].
    """
    rows = []
    for number, seat in enumerate(results.seats):
        if seat.seat.n_agents > 1:
            lanes = tuple(_measure(seat, number, name, study or {}, mode) for name in _MEASURES)
            n = range_words([seat.agreement.n_complete, seat.agreement.n_used])
            rows.append(Row(seat.label, lanes, f"{seat.agreement.n_agents} agents, {n}"))
    window = fitting_window(lane_values(rows), holds=(0, 1))
    return dot_rows(
        [Panel("0 no agreement, 1 perfect", tuple(rows), window)],
        sides=Sides(76, 38),
        foot="● coefficient · ■ share of agent pairs · n: stories rated by all agents, or by at least two",
        empty=_EMPTY,
        mode=mode,
    )


def spread_bars(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """How far a judge's agents are apart on a story: standard deviation, and its share of the score, means of stories.

    A panel for points, one for nats, one for the coefficient of variation. ``study`` is by "label, spread" and
    "label, variation"; ``customdata`` is [seat number, "spread" or "variation"].
    """
    panels: dict[str, list[Row]] = {
        "standard deviation across agents, points": [],
        "standard deviation across agents, nats per token": [],
        "coefficient of variation across agents": [],
    }
    points, nats, shares = panels.values()
    for number, seat in enumerate(results.seats):
        if seat.seat.n_agents > 1:
            (nats if is_in_nats(seat.seat) else points).append(_spread(seat, number, study or {}, mode))
            shares.append(_variation(seat, number, study or {}, mode))
    return dot_rows(
        [Panel(title, tuple(rows), _from_zero(rows)) for title, rows in panels.items()],
        foot="whiskers: 95 % interval over endpoint pairs",
        empty=_EMPTY,
        mode=mode,
    )


def _from_zero(rows: list[Row]) -> tuple[float, float]:
    known = [value for value in lane_values(rows) if math.isfinite(value)]
    return 0.0, 1.06 * max(known, default=0.0) or 1.0


def _measure(seat: SeatResults, number: int, name: str, study: Mapping[str, float], mode: Mode) -> Lane:
    label, meaning = _MEASURES[name]
    value = float(getattr(seat.agreement, name))
    words = f"{100 * value:.0f} %" if name in _SHARES and math.isfinite(value) else number_words(value)
    n = seat.agreement.n_complete if name in _OF_ALL else seat.agreement.n_used
    return Lane(
        value,
        seat_colour(number, mode),
        f"{plot_text(seat.label)}: {label} {words}, n = {n:,};<br>{meaning}",
        label=label,
        words=words if math.isfinite(value) else "–",
        symbol="square" if name in _SHARES else "circle",
        key=(number, name),
        study=study.get(f"{seat.label}, {name}", math.nan),
    )


def _spread(seat: SeatResults, number: int, study: Mapping[str, float], mode: Mode) -> Row:
    spread, unit = seat.disagreement.spread, "nats per token" if is_in_nats(seat.seat) else "points"
    words = estimate_words(spread)
    hover = f"Agents of {plot_text(seat.label)} about a story:<br>standard deviation {words}, in {unit}."
    lane = Lane(
        spread.value,
        seat_colour(number, mode),
        hover,
        spread.low,
        spread.high,
        key=(number, "spread"),
        study=study.get(f"{seat.label}, spread", math.nan),
        is_bar=True,
    )
    return Row(seat.label, (lane,), words)


def _variation(seat: SeatResults, number: int, study: Mapping[str, float], mode: Mode) -> Row:
    value = seat.disagreement.variation
    words = f"{number_words(value, 3)}, n = {seat.disagreement.spread.n:,}"
    lane = Lane(
        value,
        seat_colour(number, mode),
        f"{plot_text(seat.label)}: standard deviation over mean<br>of the agents' scores of a story: {words}.",
        key=(number, "variation"),
        study=study.get(f"{seat.label}, variation", math.nan),
        is_bar=True,
    )
    return Row(seat.label, (lane,), words)
