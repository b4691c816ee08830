"""A request as parameters of an address, and what of an address is taken for one."""

import ipaddress
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from narrative_core.records import TrailRequest
from narrative_core.ui.address_parts import join_ids, split_ids, whole_number

REQUEST_PARAMETERS = (
    "collection", "from", "to", "via", "avoid", "gap", "length", "order", "nosource", "notopic", "story"
)  # fmt: skip
MOST_IDS = 200
"""Pins or bans that an address may carry; a longer list is cut on entry, and a longer story made by hand left out."""

LONGEST_GAP_DAYS, LONGEST_TRAIL, LARGEST_TOPIC = 100_000, 1_000_000, 100_000
"""A number in an address above these is dropped."""


def request_from_address(parameters: dict[str, str]) -> TrailRequest | None:
    """Return the request that an address carries, ``None`` where it names no endpoints.

    What is malformed or contradicts the rest is dropped: a pin that is an end, a length beside pins, a gap without
    order in time.

    Examples
    --------
    >>> request_from_address({"from": "a", "to": "b", "via": "c~d", "gap": "x"}) == TrailRequest("a", "b", ("c", "d"))
    True
    """
    source, target = parameters.get("from", ""), parameters.get("to", "")
    if not source or not target:
        return None
    via = tuple(pin for pin in split_ids(parameters.get("via", ""), MOST_IDS) if pin not in (source, target))
    is_chronological = parameters.get("order") != "any"
    gap = whole_number(parameters.get("gap", ""), LONGEST_GAP_DAYS)
    length = whole_number(parameters.get("length", ""), LONGEST_TRAIL)
    by_hand = split_ids(parameters.get("story", ""), MOST_IDS)
    return TrailRequest(
        source,
        target,
        via=via,
        avoid=split_ids(parameters.get("avoid", ""), MOST_IDS),
        maximum_gap_days=gap if is_chronological else None,
        maximum_length=None if via else length,
        is_chronological=is_chronological,
        avoid_sources=split_ids(parameters.get("nosource", ""), MOST_IDS),
        avoid_topics=_topics(parameters.get("notopic", "")),
        by_hand=by_hand if by_hand[:1] == (source,) and by_hand[1:][-1:] == (target,) else (),
    )


def address_of(collection: str, request: TrailRequest | None) -> dict[str, str]:
    """Return the address parameters of a choice; those at their default are left out."""
    parameters = {"collection": collection}
    if request is not None:
        parameters |= {
            "from": request.source,
            "to": request.target,
            "via": join_ids(request.via),
            "avoid": join_ids(request.avoid),
            "gap": str(request.maximum_gap_days or ""),
            "length": str(request.maximum_length or ""),
            "order": "" if request.is_chronological else "any",
            "nosource": join_ids(request.avoid_sources),
            "notopic": join_ids(tuple(str(topic + 1) for topic in request.avoid_topics)),
            "story": join_ids(request.by_hand) if len(request.by_hand) <= MOST_IDS else "",
        }
    return {name: value for name, value in parameters.items() if value}


def story_link(page: str, collection: str, request: TrailRequest) -> str:
    """Return the whole address at which a request opens; empty where an address cannot carry all of it.

    Parameters
    ----------
    page : str
        Address of the page that the link is taken from, Explore or Stories, without parameters.
    collection : str
    request : TrailRequest

    Examples
    --------
    >>> story_link("http://localhost:8501/stories", "toy", TrailRequest("a", "b"))
    'http://localhost:8501/?collection=toy&from=a&to=b'
    """
    parameters = address_of(collection, request)
    if request_from_address(parameters) != request:
        return ""
    return f"{page.rstrip('/').removesuffix('/stories')}/?{urlencode(parameters)}"


def is_local(page: str) -> bool:
    """Return whether an address is one that only this computer understands.

    Examples
    --------
    >>> is_local("http://127.0.0.1:8501"), is_local("https://news.example.org/trails")
    (True, False)
    """
    host = urlsplit(page).hostname or "localhost"
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _topics(joined: str) -> tuple[int, ...]:
    """Return the topics of an address, each once, which counts from 1; its 0 is "no topic", which is −1."""
    numbers = (0 if told == "0" else whole_number(told, LARGEST_TOPIC) for told in split_ids(joined, MOST_IDS))
    return tuple(dict.fromkeys(number - 1 for number in numbers if number is not None))
