"""Probabilities of the t and the normal distribution, as tests need them."""

from scipy.special import ndtr, ndtri, stdtr, stdtrit


def t_two_sided(t: float, df: float) -> float:
    """Return the chance of a Student's t at least as far from 0, on ``df`` degrees of freedom.

    nan where ``t`` is nan or ``df`` is not positive.

    Examples
    --------
    >>> round(t_two_sided(2.228, 10), 3)
    0.05
    """
    return float(2 * stdtr(df, -abs(t))) if df > 0 else float("nan")


def t_quantile(share: float, df: float) -> float:
    """Return the t that the given share of Student's distribution lies below.

    Examples
    --------
    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    return float(stdtrit(df, share))


def normal_below(z: float) -> float:
    """Return the share of the normal distribution below ``z``.

    Examples
    --------
    >>> round(normal_below(1.96), 3)
    0.975
    """
    return float(ndtr(z))


def normal_quantile(share: float) -> float:
    """Return the z that the given share of the normal distribution lies below.

    Examples
    --------
    >>> round(normal_quantile(0.975), 2)
    1.96
    """
    return float(ndtri(share))
