"""Unknown numbers: ``nan`` in the program, NULL in the database, so that SQL averages skip them."""

import math


def null_from_nan(value: float) -> float | None:
    """Return the value, or ``None`` for ``nan``.

    Examples
    --------
    >>> null_from_nan(0.5), null_from_nan(float("nan"))
    (0.5, None)
    """
    return None if math.isnan(value) else float(value)


def nan_from_null(value: float | None) -> float:
    """Return the value, or ``nan`` for ``None``.

    Examples
    --------
    >>> nan_from_null(0.5), nan_from_null(None)
    (0.5, nan)
    """
    return math.nan if value is None else value
