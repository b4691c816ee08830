"""What a person has chosen: the only place that names session keys and address parameters.

The address carries ids and numbers only. It is read once, when a session begins, and written on every run, so that a
reload, a bookmark and another page all show the same choice.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from narrative_core import desk_edits
from narrative_core.desk import Desk, History
from narrative_core.document_filters import Filter, Order
from narrative_core.records import TrailRequest
from narrative_core.ui.document_address import PARAMETERS, address_of_filter, filter_from_address, order_from_address
from narrative_core.ui.request_address import REQUEST_PARAMETERS, address_of, request_from_address

_COLLECTION, _HISTORY, _READING, _PLACE, _DRAW, _PICKING = (
    "collection",
    "history",
    "reading",
    "reading_place",
    "draw",
    "picking",
)
_GENERATION, _CURVE, _NOTICE, _BEGUN = "map_generation", "curve_generation", "notice", "begun"
_STOP, _MAP_TOPIC = "stop_generation", "map_topic"
_RUN, _FILTER, _ORDER, _WORKED_ON, _KEPT = "run", "document_filter", "document_order", "worked_on", "kept_history"
_ADDRESS = (*REQUEST_PARAMETERS, "run")
_CHOICES = ("edit-by-hand", "map-or-time", "overlay-story", "show-chance", "colour-by")
_CHOICES_OF_DATES = ("dates-", "time-")
LONGEST_RUN_ID = 64
LIST_PLACE = "documents"
"""Where the reading panel is beside a list of documents."""


def begin(default_collection: str) -> None:
    """Take the choice from the address when the session is new."""
    state = st.session_state
    if _BEGUN in state:
        return
    state[_BEGUN] = True
    parameters = {name: st.query_params.get(name, "") for name in (*_ADDRESS, *PARAMETERS)}
    state[_COLLECTION] = parameters["collection"] or default_collection
    state[_HISTORY] = History(Desk(request=request_from_address(parameters)))
    state[_RUN] = run_from_address(parameters)
    state[_FILTER] = filter_from_address(parameters)
    state[_ORDER] = order_from_address(parameters)
    if parameters["doc"]:
        read(parameters["doc"], LIST_PLACE)


def keep_choices() -> None:
    """Keep how Explore is looked at while its switches are not drawn: on another page, or in a closed popover."""
    # Streamlit forgets the state of a widget that a run does not draw, unless the run has set it.
    for key in list(st.session_state):
        if key in _CHOICES or str(key).startswith(_CHOICES_OF_DATES):
            st.session_state[key] = st.session_state[key]


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
    # A document that was opened on a map or in a story is not in the address: only a list shows it again.
    opened = (reading() or "") if reading_place() == LIST_PLACE else ""
    wanted |= address_of_filter(document_filter(), opened, order=document_order())
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
        choose_documents(Filter())


def document_filter() -> Filter:
    """Return which documents are looked for."""
    found: Filter | None = st.session_state.get(_FILTER)
    return found or Filter()


def choose_documents(wanted: Filter) -> None:
    """Look for other documents."""
    st.session_state[_FILTER] = wanted


def document_order() -> Order:
    """Return the order that lists of documents are in."""
    found: Order | None = st.session_state.get(_ORDER)
    return found or "best"


def order_documents(order: Order) -> None:
    """List documents in another order."""
    st.session_state[_ORDER] = order


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


def worked_on() -> str:
    """Return the name of the collection whose work was taken up in this session, "" before any."""
    return str(st.session_state.get(_WORKED_ON, ""))


def set_worked_on(name: str) -> None:
    """Say whose work was taken up."""
    st.session_state[_WORKED_ON] = name


def kept() -> History | None:
    """Return the work as it was kept last, ``None`` before any."""
    found: History | None = st.session_state.get(_KEPT)
    return found


def set_kept(history: History) -> None:
    """Say what was kept."""
    st.session_state[_KEPT] = history


def desk() -> Desk:
    """Return what is being worked on."""
    return history().present


def request() -> TrailRequest | None:
    """Return the present request, ``None`` before any."""
    return desk().request


def open_request(wanted: TrailRequest | None) -> None:
    """Put a request on the desk as no step of a person's: what a collection opens on."""
    asked = desk_edits.ask(desk(), wanted)
    set_history(history().with_present(request=asked.request, note=asked.note, story_id=asked.story_id))


def open_map(fitted_at: str) -> None:
    """Take up the present desk on the map that was fitted at a moment, as no step; see `desk_edits.on_map`."""
    opened = desk_edits.on_map(desk(), fitted_at)
    set_history(history().with_present(request=opened.request, map_fitted_at=opened.map_fitted_at))


def choose_request(wanted: TrailRequest | None, words: str = "Another trail") -> None:
    """Ask for another trail; the random chronology on show goes back to the median draw."""
    set_history(history().changed(desk_edits.ask(desk(), wanted), words))


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


def map_topic(landscape_id: str) -> int | None:
    """Return the topic of a landscape that alone is at full strength on the map, ``None`` where all are."""
    landscape, topic = st.session_state.get(_MAP_TOPIC) or ("", None)
    return topic if landscape == landscape_id else None


def show_topic(topic: int | None, landscape_id: str = "") -> None:
    """Fade all topics of a landscape but one on the map, or none."""
    st.session_state[_MAP_TOPIC] = (landscape_id, topic)


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


def stop_generation() -> int:
    """Return the number of clicks on the time axis that were dealt with."""
    return int(st.session_state.get(_STOP, 0))


def forget_stop_click() -> None:
    """Count a click on the time axis as dealt with: its next marks carry another number."""
    st.session_state[_STOP] = stop_generation() + 1


def notify(sentence: str) -> None:
    """Keep a sentence to be said at the end of this run or of the next."""
    st.session_state[_NOTICE] = sentence


def take_notice() -> str:
    """Return the sentence that is due, once."""
    return str(st.session_state.pop(_NOTICE, ""))
