"""What the map is coloured by: the control, the colours it means, and the legend beneath."""

from typing import Final

import streamlit as st

from narrative_core.colourings import colour_by_column, colour_by_date, colour_by_reach
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.map_colouring import NO_STEP, Colouring, step_colour
from narrative_core.figures.theme import Mode
from narrative_core.records import TrailRequest
from narrative_core.reports.sentences import request_wishes
from narrative_core.ui import frame, map_work, state
from narrative_core.ui.words import clamp, html_text

TOPIC, DATE, COLUMN, REACH_OF_A, REACH_OF_OPEN = "topic", "date", "column ", "reach of A", "reach of the open document"
KEY: Final = "colour-by"
_LONGEST_VALUE: Final = 40
_OF: Final = {REACH_OF_A: "A", REACH_OF_OPEN: "the open document"}
_MISSING: Final = {
    REACH_OF_A: "Choose where the trail starts to see the reach of A. Until then the colours are those of the topics.",
    REACH_OF_OPEN: "Open a document, by a click on the map or in a story, to see its reach. Until then the colours are "
    "those of the topics.",
}


def is_by_topic(loaded: LoadedCollection) -> bool:
    """Return whether the colours of the map are those of the topics."""
    chosen = _chosen(loaded)
    return chosen == TOPIC or (chosen in _MISSING and not _start(loaded, chosen))


def colouring(loaded: LoadedCollection) -> Colouring | None:
    """Return what the map is coloured by, ``None`` for topics."""
    chosen = _chosen(loaded)
    if chosen == DATE:
        return colour_by_date(loaded.documents)
    if chosen.startswith(COLUMN):
        return colour_by_column(map_work.columns(loaded)[chosen.removeprefix(COLUMN)])
    start = _start(loaded, chosen)
    return colour_by_reach(map_work.reach(loaded, start, state.request())) if start else None


def colour_choices(loaded: LoadedCollection) -> dict[str, str]:
    """Return what the map can be coloured by, in words."""
    choices = {TOPIC: "Colour by topic"}
    if len({document.date for document in loaded.documents} - {None}) > 1:
        choices[DATE] = "Colour by date"
    for name in map_work.columns(loaded):
        choices[COLUMN + name] = f"Colour by {name}" if name else "Colour by source"
    return choices | {REACH_OF_A: "Colour by reach of A", REACH_OF_OPEN: "Colour by reach of the open document"}


def colour_control(loaded: LoadedCollection) -> None:
    """Show what the map can be coloured by."""
    choices = colour_choices(loaded)
    st.session_state[KEY] = _chosen(loaded)
    st.selectbox(
        "Colour by",
        list(choices),
        format_func=choices.__getitem__,
        key=KEY,
        label_visibility="collapsed",
    )


def legend(loaded: LoadedCollection) -> None:
    """Show what the colours mean; nothing where they are those of the topics, which are listed by themselves."""
    chosen, found = _chosen(loaded), colouring(loaded)
    if found is None:
        if chosen in _MISSING:
            st.html(f"<div class='tl-quiet'>{_MISSING[chosen]}</div>")
        return
    told = ""
    if found.kind == "date":
        told = f"The later, the {'brighter' if frame.mode() == 'dark' else 'darker'}."
    if found.kind == "reach":
        start = loaded.documents[loaded.row_of[_start(loaded, chosen)]]
        told = reach_sentence(
            _OF[chosen],
            state.request(),
            is_dated=start.date is not None,
            is_reaching=any(swatch.step != NO_STEP for swatch in found.legend),
        )
    sentence = f"<div class='tl-quiet'>{html_text(told)}</div>" if told else ""
    st.html(sentence + legend_html(found, frame.mode()))


def legend_html(found: Colouring, mode: Mode) -> str:
    """Return the legend: each colour with what it stands for and how many documents have it."""
    entries = (
        f"<span><i style='background:{step_colour(found.kind, swatch.step, mode)}'></i>"
        f"<bdi>{html_text(clamp(swatch.words, _LONGEST_VALUE))}</bdi> <small>{swatch.count:,}</small></span>"
        for swatch in found.legend
    )
    return f"<div class='tl-legend'>{''.join(entries)}</div>"


def reach_sentence(of: str, request: TrailRequest | None, *, is_dated: bool, is_reaching: bool) -> str:
    """Return what the colours of a reach mean, and under which conditions.

    Parameters
    ----------
    of : str
        The document whose reach it is, in words.
    request : TrailRequest, optional
        Whose conditions count.
    is_dated : bool
        Whether the document has a date.
    is_reaching : bool
        Whether a trail leads from it to any other document.

    Examples
    --------
    >>> reach_sentence("A", TrailRequest("a", "b", avoid=("c",)), is_dated=True, is_reaching=True)
    'The weakest link of the best trail from A to each document, in date order, avoiding 1 document.'
    """
    asked = request or TrailRequest("", "")
    conditions = map_work.reach_conditions(asked)
    if not is_dated and conditions.is_chronological:
        return f"No trail in date order starts from {of}: it has no date."
    order = "in date order" if conditions.is_chronological else "in any order"
    under = ", ".join([order, *request_wishes(conditions)])
    if not is_reaching:
        return f"No trail leads anywhere from {of}: {under}. Lift a condition to see more."
    left_out = " Chosen stops and length do not count." if asked.via or asked.maximum_length else ""
    return f"The weakest link of the best trail from {of} to each document, {under}.{left_out}"


def _chosen(loaded: LoadedCollection) -> str:
    """Return the choice; what another collection could be coloured by, and this one cannot, is none."""
    chosen = str(st.session_state.get(KEY, TOPIC))
    return chosen if chosen in colour_choices(loaded) else TOPIC


def _start(loaded: LoadedCollection, chosen: str) -> str:
    """Return the id of the document whose reach was chosen, empty where none was or where it is not here."""
    request = state.request()
    starts = {REACH_OF_A: request.source if request is not None else "", REACH_OF_OPEN: state.reading() or ""}
    start = starts.get(chosen, "")
    return start if start in loaded.row_of else ""
