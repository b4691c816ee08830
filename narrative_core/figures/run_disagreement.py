"""Where on the scale the agents of a judge are farthest apart."""

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.estimates import Band
from narrative_core.figures.estimate_words import estimate_words, number_words
from narrative_core.figures.run_marks import empty_figure, is_in_nats, seat_colour
from narrative_core.figures.strips import Strip, axis_names, lay_strips
from narrative_core.figures.theme import Mode, css, note, quiet
from narrative_core.figures.wording import plot_text
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE
from narrative_core.run_outcomes import RunResults, SeatResults

PLOT_PX = 84


def disagreement_bands(results: RunResults, *, mode: Mode = "light") -> go.Figure:
    """Mean standard deviation of a judge's agents by the mean score that they give, a small plot a judge.

    The number over a bar is how many stories lie in its band. One trace a judge, named by its label; ``customdata``
    is [seat number, low, high].
    """
    seats = [(number, seat) for number, seat in enumerate(results.seats) if _is_known(seat)]
    if not seats:
        return empty_figure("Bands of scores stand here when a judge is asked more than once about a story.", mode)
    strips, traces, notes = [], [], []
    tops = {is_nats: _top([seat for _, seat in seats if is_in_nats(seat.seat) == is_nats]) for is_nats in (True, False)}
    for place, (number, seat) in enumerate(seats):
        x, y = axis_names(place)
        traces.append(_bars(seat, number, mode).update(xaxis=x, yaxis=y))
        notes += [_count(band, mode) | {"xref": x, "yref": y} for band in seat.disagreement.bands]
        is_last = place == len(seats) - 1 or is_in_nats(seats[place + 1][1].seat) != is_in_nats(seat.seat)
        strips.append(_strip(seat, tops[is_in_nats(seat.seat)], is_last=is_last))
    foot = "number over a bar: stories in its band · whiskers: 95 % interval over endpoint pairs"
    parts = lay_strips(strips, plot_px=PLOT_PX, foot=foot, mode=mode)
    parts.traces += traces
    parts.notes += notes
    return parts.figure()


def _is_known(seat: SeatResults) -> bool:
    return any(math.isfinite(band.spread.value) for band in seat.disagreement.bands)


def _top(seats: Sequence[SeatResults]) -> float:
    """Highest whisker of judges with one unit, and room for the number over it."""
    bands = [band.spread for seat in seats for band in seat.disagreement.bands]
    return 1.3 * max((_end(band.high, band.value) for band in bands if math.isfinite(band.value)), default=1.0) or 1.0


def _end(high: float, value: float) -> float:
    return high if math.isfinite(high) else value


def _strip(seat: SeatResults, top: float, *, is_last: bool) -> Strip:
    disagreement, is_nats = seat.disagreement, is_in_nats(seat.seat)
    ends = (disagreement.bands[0].low, disagreement.bands[-1].high) if is_nats else (LOWEST_SCORE, HIGHEST_SCORE)
    air = 0.02 * (ends[1] - ends[0])
    title = (
        ("mean gain of the story, nats per token" if is_nats else "mean score of the story, 1 to 10") if is_last else ""
    )
    ticks: Mapping[str, object] = {} if is_nats else {"tickvals": list(range(1, 11))}
    words = f"{seat.agreement.n_agents} agents, n = {disagreement.spread.n:,}"
    unit = "nats" if is_nats else "points"
    return Strip(seat.label, words, title, unit, (ends[0] - air, ends[1] + air), (0.0, top), ticks)


def _bars(seat: SeatResults, number: int, mode: Mode) -> go.Bar:
    bands = [band for band in seat.disagreement.bands if math.isfinite(band.spread.value)]
    unit = "nats" if is_in_nats(seat.seat) else "points"
    return go.Bar(
        name=plot_text(seat.label),
        x=[(band.low + band.high) / 2 for band in bands],
        y=[band.spread.value for band in bands],
        width=[(band.high - band.low) * 0.9 for band in bands],
        customdata=[[number, band.low, band.high] for band in bands],
        hovertext=[
            f"{count(band.spread.n, 'mean score')} of {plot_text(seat.label)}"
            f"<br>from {number_words(band.low, 1)} to {number_words(band.high, 1)}: standard deviation"
            f"<br>across agents {estimate_words(band.spread)}, in {unit}."
            for band in bands
        ],
        hoverinfo="text",
        error_y={
            "type": "data",
            "array": [_end(band.spread.high, band.spread.value) - band.spread.value for band in bands],
            "arrayminus": [
                band.spread.value - band.spread.low if math.isfinite(band.spread.low) else 0.0 for band in bands
            ],
            "color": seat_colour(number, mode),
            "thickness": 1.5,
            "width": 4,
        },
        marker={"color": css(seat_colour(number, mode), 0.3), "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
    )


def _count(band: Band, mode: Mode) -> dict[str, object]:
    is_known = math.isfinite(band.spread.value)
    top = _end(band.spread.high, band.spread.value) if is_known else 0.0
    font = {"size": 11, "color": quiet(mode)}
    middle = (band.low + band.high) / 2
    return note(f"{band.spread.n:,}", mode, x=middle, y=top, xanchor="center", yanchor="bottom", font=font)
