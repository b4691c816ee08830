"""Is a judge sane? What it makes of stories that were damaged, and of questions that were put in another way."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import plotly.graph_objects as go

from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import estimate_words, number_words, range_words, summary_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides, fitting_window
from narrative_core.figures.run_marks import is_in_nats
from narrative_core.figures.theme import Mode, quiet, reach_colour, topic_colour
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import CHECK_WORDS, OUTCOME_WORDS, CheckResult, Outcome, SanityResults

Unit = Literal["points", "nats", "correlation"]

OUTCOME_MARKS: Mapping[Outcome, str] = {"pass": "✓", "fail": "✕", "undecided": "?", "not asked": "–"}
_SYMBOLS: Mapping[Outcome, str] = {
    "pass": "circle",
    "fail": "x",
    "undecided": "circle-open",
    "not asked": "circle-open",
}
_SENTENCES: Mapping[Outcome, str] = {
    "pass": "It passes: the whole interval does.",
    "fail": "It fails: the whole interval does.",
    "undecided": "Undecided: too few stories to tell.",
    "not asked": "Not asked in this run.",
}
_SHOWN = ", titles and leads"
_TITLES: Mapping[Unit, str] = {
    "points": "changed less original, points of 1 to 10",
    "nats": "changed less original, nats per token",
    "correlation": "Spearman's correlation of changed and original",
}


def sanity_figure(results: SanityResults, *, mode: Mode = "light") -> go.Figure:
    """Each check and judge: the difference that the change makes, with its interval, and what is made of it.

    The shaded part of a line is where the judge passes. Points, nats and correlations have a panel each. The outcome
    is a symbol and a word at the right. ``customdata`` is [seat number, check]; the number is the judge's place among
    the seats of the run, -1 for one that is not there.
    """
    panels = []
    for unit, title in _TITLES.items():
        checks = [check for check in results.checks if _unit(check) == unit]
        known = [value for check in checks for value in _drawn(check, unit)]
        holds = (0, 1) if unit == "correlation" else (0,)
        window = fitting_window(known, holds=holds)
        rows = tuple(_row(name, own, results, mode) for name, own in _grouped(checks).items())
        lines = () if unit == "correlation" else ((0.0, "as before"),)
        panels.append(Panel(title, rows, window, lines))
    return dot_rows(
        panels,
        sides=Sides(112, 86),
        foot="shaded: passes · ? undecided, too few stories to tell · whiskers: 95 % interval over endpoint pairs",
        empty="Checks stand here when a sanity run has been judged.",
        mode=mode,
    )


def _unit(check: CheckResult) -> Unit:
    if check.expected == "alike":
        return "correlation"
    return "nats" if is_in_nats(check.seat) else "points"


def _drawn(check: CheckResult, unit: Unit) -> tuple[float, ...]:
    margins = (check.margin,) if unit == "correlation" else (-check.margin, check.margin)
    difference = check.difference
    return (difference.value, difference.low, difference.high, *(margins if check.expected != "lower" else ()))


def _grouped(checks: Sequence[CheckResult]) -> dict[str, list[CheckResult]]:
    groups: dict[str, list[CheckResult]] = {}
    for check in checks:
        groups.setdefault(CHECK_WORDS[check.check].capitalize(), []).append(check)
    return groups


def _row(name: str, checks: Sequence[CheckResult], results: SanityResults, mode: Mode) -> Row:
    numbers = {seat: number for number, seat in enumerate(results.run.settings.seats)}
    names = short_names([check.label for check in results.checks])
    lanes = tuple(_lane(check, names[check.label], numbers.get(check.seat, -1), mode) for check in checks)
    asked = [check.difference.n for check in checks if check.outcome != "not asked"]
    return Row(name, lanes, range_words(asked) if asked else "")


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """The names of judges without what they are shown, which a sanity run varies itself, where they stay apart.

    >>> short_names(["Lexical reader, titles and leads", "gpt-4.1, simple"])
    {'Lexical reader, titles and leads': 'Lexical reader', 'gpt-4.1, simple': 'gpt-4.1, simple'}
    """
    kept = list(dict.fromkeys(labels))
    short = [label.removesuffix(_SHOWN) for label in kept]
    return {label: one if short.count(one) == 1 else label for label, one in zip(kept, short, strict=True)}


def _lane(check: CheckResult, label: str, number: int, mode: Mode) -> Lane:
    is_asked, difference = check.outcome != "not asked", check.difference
    return Lane(
        difference.value if is_asked else math.nan,
        _colour(check.outcome, mode),
        _sentence(check),
        difference.low,
        difference.high,
        label=label,
        words=marked_outcome(check.outcome),
        symbol=_SYMBOLS[check.outcome],
        key=(number, check.check),
        passes=_passing(check) if is_asked else None,
    )


def _colour(outcome: Outcome, mode: Mode) -> str:
    """Green passes, wine red fails: with the symbols and the words, not instead of them."""
    return {"pass": reach_colour(3, mode), "fail": topic_colour(4, mode)}.get(outcome, quiet(mode))


def _passing(check: CheckResult) -> tuple[float, float]:
    if check.expected == "lower":
        return (-math.inf, 0.0)
    return (-check.margin, check.margin) if check.expected == "same" else (check.margin, math.inf)


def _sentence(check: CheckResult) -> str:
    decimals = 2 if is_in_nats(check.seat) else 1
    what = "Spearman's correlation" if check.expected == "alike" else "changed less original"
    return (
        f"{plot_text(check.label)}, {CHECK_WORDS[check.check]}:<br>{what} {estimate_words(check.difference)};"
        f"<br>original {summary_words(check.original, decimals)}, changed {summary_words(check.changed, decimals)}."
        f"<br>{_outcome_words(check)}"
    )


def marked_outcome(outcome: Outcome) -> str:
    """An outcome as it stands on a screen, with its mark: "✓ passes"."""
    return f"{OUTCOME_MARKS[outcome]} {OUTCOME_WORDS[outcome]}"


def _outcome_words(check: CheckResult) -> str:
    if check.outcome == "fail" and check.expected == "lower":
        return f"It fails: no part of the interval is below {number_words(-check.margin)}."
    return _SENTENCES[check.outcome]
