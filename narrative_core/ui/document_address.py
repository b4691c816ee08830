"""What a person looks for among the documents, as an address carries it: checked on entry, left out where usual."""

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from narrative_core.document_filters import ORDERS, STATES, Filter, Order
from narrative_core.document_query import LONGEST_QUERY
from narrative_core.ui.address_parts import join_ids, split_ids, whole_number

PARAMETERS: Final = ("q", "source", "topic", "days", "column", "state", "like", "sort", "doc")
MOST_VALUES: Final = 200
_OUTSIDE: Final = "none"
"""A topic in an address: outside every one."""

_EMPTY: Final = "%"
"""A value in an address: the empty one; no other is escaped to this."""


def filter_from_address(parameters: Mapping[str, str]) -> Filter:
    """Return the filter that an address carries; what is malformed is dropped.

    Examples
    --------
    >>> found = filter_from_address({"q": "moon", "topic": "1~x", "days": "2020-01-01~", "state": "odd"})
    >>> found == Filter(query="moon", topics=frozenset({0}), first=dt.date(2020, 1, 1))
    True
    """
    first, _, last = parameters.get("days", "").partition("~")
    state = parameters.get("state", "")
    topics = split_ids(parameters.get("topic", ""), MOST_VALUES)
    numbers = (-1 if topic == _OUTSIDE else (whole_number(topic, 100_000) or 0) - 1 for topic in topics)
    return Filter(
        query=parameters.get("q", "")[:LONGEST_QUERY],
        sources=frozenset(_split(parameters.get("source", ""))),
        topics=frozenset(
            number for number, topic in zip(numbers, topics, strict=True) if number >= 0 or topic == _OUTSIDE
        ),
        first=_day(first),
        last=_day(last),
        extras=_columns(parameters.get("column", "")),
        state=next((known for known in STATES if known == state), "all"),
        similar_to=parameters.get("like", ""),
    )


def order_from_address(parameters: Mapping[str, str]) -> Order:
    """Return the order that an address carries, "best" for none that there is."""
    return next((known for known in ORDERS if known == parameters.get("sort")), "best")


def address_of_filter(wanted: Filter, reading: str = "", *, order: Order = "best") -> dict[str, str]:
    """Return the address parameters of a filter, of the order and of the document that is read.

    Those at their default are left out.
    """
    days = "~".join(day.isoformat() if day else "" for day in (wanted.first, wanted.last))
    topics = (_OUTSIDE if topic < 0 else str(topic + 1) for topic in sorted(wanted.topics))
    parameters = {
        "q": wanted.query.strip(),
        "source": _join(sorted(wanted.sources)),
        "topic": join_ids(tuple(topics)),
        "days": "" if days == "~" else days,
        "column": "~".join(_join([name, *sorted(values)], ":") for name, values in wanted.extras.items() if values),
        "state": "" if wanted.state == "all" else wanted.state,
        "like": wanted.similar_to,
        "sort": "" if order == "best" else order,
        "doc": reading,
    }
    return {name: value for name, value in parameters.items() if value}


def _join(values: Iterable[str], between: str = "~") -> str:
    return between.join(join_ids((value,)).replace(":", "%3A") or _EMPTY for value in values)


def _split(joined: str, between: str = "~") -> tuple[str, ...]:
    parts = [part.replace("%3A", ":") for part in joined.split(between) if part][:MOST_VALUES]
    return tuple("" if part == _EMPTY else split_ids(part, 1)[0] for part in parts)


def _columns(joined: str) -> dict[str, frozenset[str]]:
    columns = (_split(column, ":") for column in joined.split("~")[:MOST_VALUES] if column.strip(":"))
    return {column[0]: frozenset(column[1:]) for column in columns if column[1:]}


def _day(text: str) -> dt.date | None:
    with suppress(ValueError):
        day = dt.date.fromisoformat(text)
        return day if day.isoformat() == text else None
    return None
