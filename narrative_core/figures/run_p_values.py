"""Could the difference between trails and random chronologies be chance? Two tests of each metric and judge."""

import math

import plotly.graph_objects as go

from narrative_core.estimates import Contrast
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.lanes import Lane, Panel, Row, Sides
from narrative_core.figures.run_effects import contrast_rows
from narrative_core.figures.theme import Mode
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import RunResults

LEAST_P = 1e-16
"""What is smaller is drawn here: below it, a p-value is a statement about floating-point numbers."""

_ALPHAS = (0.05, 0.01)
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_TESTS = {"t test": "Welch's t test", "U test": "the Mann–Whitney U test"}


def p_value_bars(results: RunResults, *, mode: Mode = "light") -> go.Figure:
    """Two-sided p of Welch's t and of Mann–Whitney's U for each metric and judge, on a logarithmic axis.

    The longer a bar, the smaller p: a bar is −log₁₀ p long. What is below `LEAST_P` ends there and says so.
    ``customdata`` is [-1, metric] or [seat number, "score"].
    """

    def row(name: str, contrast: Contrast, key: tuple[int | str, ...], colour: str, _: str) -> Row:
        p_values = zip(_TESTS, (contrast.welch_p, contrast.mann_whitney_p), strict=True)
        lanes = tuple(_lane(name, test, p, key, colour) for test, p in p_values)
        return Row(name, lanes, f"n = {contrast.first.n:,} + {contrast.second.n:,}")

    rows = contrast_rows(results, row, mode)
    longest = max((lane.value for one in rows for lane in one.lanes if math.isfinite(lane.value)), default=0.0)
    exponents = range(4) if longest <= 3 else range(0, math.ceil(longest) + 1, 2 if longest <= 8 else 4)
    window = (0.0, 1.04 * max(longest, exponents[-1]))
    ticks = {"tickvals": list(exponents), "ticktext": [_power(-one) if one else "1" for one in exponents]}
    lines = tuple((-math.log10(alpha), f"α = {alpha:g}") for alpha in _ALPHAS)
    is_cut = any(lane.words.startswith("<") for one in rows for lane in one.lanes)
    cut = f" · bars that end at {_power(-16)} stand for smaller p" if is_cut else ""
    return dot_rows(
        [Panel("p, two-sided, smaller to the right", rows, window, lines, ticks)],
        sides=Sides(50, 62),
        foot="t test: Welch · U test: Mann–Whitney · both take stories as independent of each other" + cut,
        empty="p-values stand here when the run has trails and random chronologies.",
        mode=mode,
    )


def p_words(p: float) -> str:
    """A p-value as a person writes it; "–" for nan.

    >>> p_words(0.0312), p_words(4.2e-9), p_words(0.0), p_words(float("nan"))
    ('0.031', '4 × 10⁻⁹', '< 10⁻¹⁶', '–')
    """
    if not math.isfinite(p):
        return "–"
    if p < LEAST_P:
        return f"< {_power(-16)}"
    if p >= 0.001:
        return f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"
    digit, exponent = f"{p:.0e}".split("e")
    return f"{digit} × {_power(int(exponent))}"


def _power(exponent: int) -> str:
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def _lane(name: str, test: str, p: float, key: tuple[int | str, ...], colour: str) -> Lane:
    words = p_words(p)
    return Lane(
        -math.log10(max(p, LEAST_P)) if math.isfinite(p) else math.nan,
        colour,
        f"{plot_text(name)}: p {plot_text(words) if words.startswith('<') else '= ' + words}"
        f"<br>by {_TESTS[test]}, two-sided.",
        label=test,
        words=words,
        key=key,
        is_bar=True,
    )
