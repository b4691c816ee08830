"""The one place where the clock is read for what is kept."""

import datetime as dt


def now_text() -> str:
    """Return the present moment in UTC as ISO 8601 text, to the second.

    Examples
    --------
    >>> len(now_text()) == len("2024-03-01T12:00:00+00:00")
    True
    """
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
