"""What a person has chosen: the only place that names session keys and address parameters.

The address carries ids and numbers only. It is read once, when a session begins, and written on every run, so that a
reload, a bookmark and another page all show the same choice.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from narrative_core.desk import Desk, History
from narrative_core.records import TrailRequest

_COLLECTION, _HISTORY, _READING, _PLACE, _DRAW, _PICKING = (
    "collection",
    "history",
    "reading",
    "reading_place",
    "draw",
    "picking",
)
_GENERATION, _CURVE, _NOTICE, _BEGUN = "map_generation", "curve_generation", "notice", "begun"
_RUN = "run"
_ADDRESS = (
    "collection", "from", "to", "via", "avoid", "gap", "length", "order", "nosource", "notopic", "story", "run"
)  # fmt: skip
LONGEST_RUN_ID = 64
MOST_IDS = 200
"""Pins or bans that an address may carry; a longer list is cut on entry."""

LONGEST_GAP_DAYS, LONGEST_TRAIL = 100_000, 1_000_000
"""A number in an address above these is dropped."""


def begin(default_collection: str) -> None:
    """Take the choice from the address when the session is new."""
    state = st.session_state
    if _BEGUN in state:
        return
    state[_BEGUN] = True
    parameters = {name: st.query_params.get(name, "") for name in _ADDRESS}
    state[_COLLECTION] = parameters["collection"] or default_collection
    state[_HISTORY] = History(Desk(request=request_from_address(parameters)))
    state[_RUN] = run_from_address(parameters)


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
    via = tuple(pin for pin in _split_ids(parameters.get("via", "")) if pin not in (source, target))
    is_chronological = parameters.get("order") != "any"
    gap = _whole_number(parameters.get("gap", ""), LONGEST_GAP_DAYS)
    length = _whole_number(parameters.get("length", ""), LONGEST_TRAIL)
    by_hand = _split_ids(parameters.get("story", ""))
    topics = (_whole_number(topic, MOST_IDS) for topic in _split_ids(parameters.get("notopic", "")))
    return TrailRequest(
        source,
        target,
        via=via,
        avoid=_split_ids(parameters.get("avoid", "")),
        maximum_gap_days=gap if is_chronological else None,
        maximum_length=None if via else length,
        is_chronological=is_chronological,
        avoid_sources=_split_ids(parameters.get("nosource", "")),
        avoid_topics=tuple(topic - 1 for topic in topics if topic is not None),
        by_hand=by_hand if by_hand[:1] == (source,) and by_hand[1:][-1:] == (target,) else (),
    )


def address_of(collection: str, request: TrailRequest | None) -> dict[str, str]:
    """Return the address parameters of a choice; those at their default are left out."""
    parameters = {"collection": collection}
    if request is not None:
        parameters |= {
            "from": request.source,
            "to": request.target,
            "via": _join_ids(request.via),
            "avoid": _join_ids(request.avoid),
            "gap": str(request.maximum_gap_days or ""),
            "length": str(request.maximum_length or ""),
            "order": "" if request.is_chronological else "any",
            "nosource": _join_ids(request.avoid_sources),
            "notopic": _join_ids(tuple(str(topic + 1) for topic in request.avoid_topics)),
            "story": _join_ids(request.by_hand),
        }
    return {name: value for name, value in parameters.items() if value}


def run_from_address(parameters: dict[str, str]) -> str:
    """Return the id of the run that an address carries, "" where it carries none.

    Examples
    --------
    >>> run_from_address({"run": "3f2a"}), run_from_address({"run": "'; DROP"})
    ('3f2a', '')
    """
    run_id = parameters.get("run", "")
    return run_id if run_id.isascii() and run_id.isalnum() and len(run_id) <= LONGEST_RUN_ID else ""


def write_address() -> None:
    """Write the choice to the address."""
    wanted = address_of(collection(), request()) | ({"run": run()} if run() else {})
    if {name: st.query_params.get(name, "") for name in st.query_params} != wanted:
        st.query_params.from_dict(wanted)


def collection() -> str:
    """Return the name of the chosen collection."""
    return str(st.session_state.get(_COLLECTION, ""))


def choose_collection(name: str) -> None:
    """Choose another collection; endpoints, open document and draw belong to the former one and are let go."""
    if name != collection():
        st.session_state[_COLLECTION] = name
        set_history(History())
        st.session_state[_READING] = None


def run() -> str:
    """Return the id of the run that is open, "" for none."""
    return str(st.session_state.get(_RUN, ""))


def choose_run(run_id: str) -> None:
    """Open another run; "" opens none."""
    st.session_state[_RUN] = run_id


def history() -> History:
    """Return the desk with the steps that led to it."""
    found: History | None = st.session_state.get(_HISTORY)
    return found or History()


def set_history(wanted: History) -> None:
    """Put another desk, with its steps, in place; only the workbench does, and what opens a collection."""
    if wanted.present.request != desk().request:
        st.session_state[_DRAW] = None
        st.session_state[_PLACE] = "map"
    st.session_state[_HISTORY] = wanted


def desk() -> Desk:
    """Return what is being worked on."""
    return history().present


def request() -> TrailRequest | None:
    """Return the present request, ``None`` before any."""
    return desk().request


def open_request(wanted: TrailRequest | None) -> None:
    """Put a request on the desk as no step of a person's: what a collection opens on."""
    set_history(history().with_present(request=wanted))


def choose_request(wanted: TrailRequest | None, words: str = "Another trail") -> None:
    """Ask for another trail; the random chronology on show goes back to the median draw."""
    set_history(history().changed(replace(desk(), request=wanted), words))


def choose_ends(source: str, target: str) -> None:
    """Ask for a trail between two documents under the present conditions; a pin or ban on either is let go."""
    present, ends = request() or TrailRequest(source, target), (source, target)
    choose_request(
        replace(
            present,
            source=source,
            target=target,
            via=tuple(other for other in present.via if other not in ends),
            avoid=tuple(other for other in present.avoid if other not in ends),
            maximum_length=None,
            by_hand=(),
        ),
        "Other ends",
    )


def change_request(words: str, **changes: Any) -> None:  # noqa: ANN401  the fields of TrailRequest
    """Change parts of the present request: the trail is found anew, and the limit on its length is lifted."""
    present = request()
    if present is not None:
        choose_request(replace(present, **{"maximum_length": None, "by_hand": (), **changes}), words)


def reading() -> str | None:
    """Return the id of the document that is open in the reading panel."""
    found: str | None = st.session_state.get(_READING)
    return found


def read(document_id: str | None, place: str = "map") -> None:
    """Open a document in the reading panel, or close it; the panel opens at the place that was clicked."""
    st.session_state[_READING] = document_id
    st.session_state[_PLACE] = place


def reading_place() -> str:
    """Return where the reading panel is: "map", or the step of a story."""
    return str(st.session_state.get(_PLACE, "map"))


def draw() -> int | None:
    """Return which random chronology is on show, ``None`` for the median draw."""
    found: int | None = st.session_state.get(_DRAW)
    return found


def show_draw(number: int) -> None:
    """Show another random chronology; a document that is open in the former one stays open under the map."""
    st.session_state[_DRAW] = number
    if reading_place().startswith("step-baseline-"):
        st.session_state[_PLACE] = "map"


def picking() -> str:
    """Return what the next click on the map means: "read", "source" or "target"."""
    return str(st.session_state.get(_PICKING, "read"))


def set_picking(what: str) -> None:
    """Say what the next click on the map means."""
    st.session_state[_PICKING] = what


def map_generation() -> int:
    """Return the number of clicks on the map that were dealt with."""
    return int(st.session_state.get(_GENERATION, 0))


def forget_click() -> None:
    """Count a click as dealt with: the map's next layer carries another number, so its selection is let go."""
    st.session_state[_GENERATION] = map_generation() + 1


def curve_generation() -> int:
    """Return the number of clicks on the length-against-strength curve that were dealt with."""
    return int(st.session_state.get(_CURVE, 0))


def forget_curve_click() -> None:
    """Count a click on the curve as dealt with."""
    st.session_state[_CURVE] = curve_generation() + 1


def notify(sentence: str) -> None:
    """Keep a sentence to be said at the end of this run or of the next."""
    st.session_state[_NOTICE] = sentence


def take_notice() -> str:
    """Return the sentence that is due, once."""
    return str(st.session_state.pop(_NOTICE, ""))


def _join_ids(ids: tuple[str, ...]) -> str:
    """Return ids as one text; the sign between them is escaped where an id has it."""
    return "~".join(document_id.replace("%", "%25").replace("~", "%7E") for document_id in ids)


def _split_ids(joined: str) -> tuple[str, ...]:
    parts = (part.replace("%7E", "~").replace("%25", "%") for part in joined.split("~") if part)
    return tuple(dict.fromkeys(parts))[:MOST_IDS]


def _whole_number(text: str, most: int) -> int | None:
    """Return a number from 1 to ``most``; ``None`` for anything else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return int(text) if is_number and 0 < int(text) <= most else None
