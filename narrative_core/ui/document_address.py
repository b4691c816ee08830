"""What a person looks for among the documents, as an address carries it: checked on entry, left out where usual."""

import datetime as dt
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from narrative_core.document_filters import STATES, Filter
from narrative_core.document_query import LONGEST_QUERY
from narrative_core.ui.address_parts import join_ids, split_ids, whole_number

PARAMETERS: Final = ("q", "source", "topic", "days", "state", "like", "doc")
MOST_VALUES: Final = 200
_OUTSIDE: Final = "none"
"""A topic in an address: outside every one."""


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
        sources=frozenset(split_ids(parameters.get("source", ""), MOST_VALUES)),
        topics=frozenset(
            number for number, topic in zip(numbers, topics, strict=True) if number >= 0 or topic == _OUTSIDE
        ),
        first=_day(first),
        last=_day(last),
        state=next((known for known in STATES if known == state), "all"),
        similar_to=parameters.get("like", ""),
    )


def address_of_filter(wanted: Filter, reading: str = "") -> dict[str, str]:
    """Return the address parameters of a filter and of the document that is read; those at their default are left out.

    Sources, topics and days are in it, further columns are not.
    """
    days = "~".join(day.isoformat() if day else "" for day in (wanted.first, wanted.last))
    topics = (_OUTSIDE if topic < 0 else str(topic + 1) for topic in sorted(wanted.topics))
    parameters = {
        "q": wanted.query.strip(),
        "source": join_ids(tuple(sorted(wanted.sources))),
        "topic": join_ids(tuple(topics)),
        "days": "" if days == "~" else days,
        "state": "" if wanted.state == "all" else wanted.state,
        "like": wanted.similar_to,
        "doc": reading,
    }
    return {name: value for name, value in parameters.items() if value}


def _day(text: str) -> dt.date | None:
    with suppress(ValueError):
        day = dt.date.fromisoformat(text)
        return day if day.isoformat() == text else None
    return None
