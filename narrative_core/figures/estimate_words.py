"""Words for numbers with intervals, on figures of a run."""

import math

from narrative_core.estimates import Estimate, Summary

_MINUS = "\u2212"


def number_words(value: float, decimals: int = 2) -> str:
    """A number with a true minus sign and without a negative zero; "undefined" for nan.

    >>> number_words(-0.4), number_words(-0.001), number_words(float("nan"))
    ('−0.40', '0.00', 'undefined')
    """
    if not math.isfinite(value):
        return "undefined"
    words = f"{value:,.{decimals}f}"
    if float(words.replace(",", "")) == 0.0:
        return words.lstrip("-")
    return words.replace("-", _MINUS)


def interval_words(estimate: Estimate, decimals: int = 2) -> str:
    """A value with its interval, which is left out where there is none.

    >>> interval_words(Estimate(0.48, 0.39, 0.57)), interval_words(Estimate(-0.4, -0.6, -0.2))
    ('0.48 (0.39–0.57)', '−0.40 (−0.60 to −0.20)')
    """
    words = number_words(estimate.value, decimals)
    if not (math.isfinite(estimate.value) and math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return words
    low, high = number_words(estimate.low, decimals), number_words(estimate.high, decimals)
    return f"{words} ({low} to {high})" if _MINUS in low + high else f"{words} ({low}–{high})"


def estimate_words(estimate: Estimate, decimals: int = 2) -> str:
    """A value with its interval and how many stories it rests on.

    >>> estimate_words(Estimate(0.48, 0.39, 0.57, n=200))
    '0.48 (0.39–0.57), n = 200'
    """
    return f"{interval_words(estimate, decimals)}, n = {estimate.n:,}"


def summary_words(summary: Summary, decimals: int = 2) -> str:
    """A mean with its standard deviation, which is left out where it is undefined.

    >>> summary_words(Summary(3, 6.8, 0.9, 6, 8), 1)
    '6.8 ± 0.9'
    """
    mean = number_words(summary.mean, decimals)
    if not (math.isfinite(summary.mean) and math.isfinite(summary.sd)):
        return mean
    return f"{mean} ± {number_words(summary.sd, decimals)}"


def range_words(numbers: list[int]) -> str:
    """How many stories several numbers rest on, where it may differ.

    >>> range_words([200, 200]), range_words([188, 200]), range_words([])
    ('n = 200', 'n = 188 to 200', 'n = 0')
    """
    low, high = min(numbers, default=0), max(numbers, default=0)
    return f"n = {low:,}" if low == high else f"n = {low:,} to {high:,}"
