"""The parts of the Explore page, in the order in which a person meets them."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from narrative_core import desk_edits, extraction
from narrative_core.annotating import annotate
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.extraction import LoadedCollection
from narrative_core.records import CollectionSummary, StoryPair, TrailRequest
from narrative_core.remedies import Refusal, lift_all, refuse
from narrative_core.ui import picker, resources, state
from narrative_core.ui.hand_over import take_away_pair
from narrative_core.ui.judge_panel import judge_panel
from narrative_core.ui.map_colours import colour_control, legend
from narrative_core.ui.map_topics import topic_list
from narrative_core.ui.map_view import landscape_map, map_controls, take_click
from narrative_core.ui.other_trails import other_trails, overlaid, overlap_line
from narrative_core.ui.plots import story_plots, take_curve_click
from narrative_core.ui.reading_panel import reading_panel
from narrative_core.ui.shelf import note_field, save_form
from narrative_core.ui.story_view import chance_column, open_place, trail_column
from narrative_core.ui.timeline_view import take_timeline_click, timeline_view
from narrative_core.ui.undo_bar import undo_bar
from narrative_core.ui.wish_list import conditions, topics_let_back
from narrative_core.ui.words import html_text, markdown_text

WHAT_IS_SHOWN = (
    "The trail links A to B so that even its weakest step is as strong as possible. "
    "Beside it stands what chance alone would tell between the same two."
)

ANOTHER_STORY: Final = "Another story, as an end is not here"
"""The step by which a story takes the place of one that cannot be told."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The collection on the page, and how it answers."""

    loaded: LoadedCollection

    def pair(self, request: TrailRequest) -> StoryPair:
        """Return the pair of a request with the random chronology that is on show; see `extraction.tell`.

        It is told without what is excluded; the request keeps it, so that it is told again once it is restored.
        """
        told = self.without_excluded(request)
        pair = resources.told(self.loaded.collection.name, self.loaded.landscape.landscape_id, told)
        number = state.draw()
        return pair if number is None else extraction.other_baseline(self.loaded, pair, number)

    def without_excluded(self, request: TrailRequest) -> TrailRequest:
        """Return a request that names no excluded document but at its ends."""
        return desk_edits.request_without(request, self.loaded.curation.excluded)


def open_view(summary: CollectionSummary | None) -> View | None:
    """Return the collection, opened on a first story; say what is missing where it cannot be."""
    if summary is None:
        name = markdown_text(state.collection())
        st.info(f"There is no collection “{name}” here. Choose another above, or add your own documents.")
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")
        return None
    if not summary.is_built:
        st.info(
            f"**{markdown_text(summary.collection.title)}** has no map yet. Building it places its "
            f"{summary.n_documents:,} documents by what they say; then any two of them can be connected."
        )
        st.page_link("pages/manage/collections.py", label="Build it on the page Collections", icon=":material/map:")
        return None
    view = View(resources.loaded(summary.collection.name, summary.landscape_id or ""))
    _begin_request(view)
    return view


def take_clicks(view: View) -> None:
    """Deal with clicks on the map and on the curve before anything is drawn."""
    take_click(view.loaded)
    take_timeline_click(view.loaded)
    take_curve_click()


def picker_row(view: View) -> None:
    """Show where the trail starts and ends, and under which conditions."""
    picker.endpoints(view.loaded)


def stories(view: View, pair: StoryPair) -> None:
    """Show the trail beside its random chronology."""
    st.html(f"<div class='tl-quiet'>{WHAT_IS_SHOWN}</div>")
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="story-actions"):
        conditions(view.loaded)
        other_trails(view.loaded, pair)
        save_form(view.loaded, pair)
        with st.popover("Take away", icon=":material/download:", key="take-away", on_change="rerun") as files:
            if files.open:
                desk = state.desk()
                take_away_pair(view.loaded, pair, annotate(view.loaded, pair, desk.curation), desk.note)
        undo_bar()
    trail, chance = st.columns(2, gap="medium")
    with trail:
        trail_column(view.loaded, pair)
    with chance:
        with st.container(key="phone-only-fold"):
            shown = st.toggle("Show the random chronology", key="show-chance")
        with st.container(key="chance-open" if shown else "chance-folded"):
            chance_column(view.loaded, pair)


def landscape(view: View, pair: StoryPair | None) -> None:
    """Show the map or the time axis, and under it the open document and the note on the story."""
    overlay = overlaid(view.loaded)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        is_time = pair is not None and _is_time_wanted()
        if not is_time:
            colour_control(view.loaded)
    if pair is not None and is_time:
        timeline_view(view.loaded, pair, overlay)
    else:
        landscape_map(view.loaded, pair, overlay)
        legend(view.loaded)
    if pair is not None and overlay is not None:
        st.html(f"<div class='tl-quiet'>{html_text(overlap_line(pair, overlay))}</div>")
    reading = state.reading()
    if reading is not None and reading in view.loaded.row_of and not open_place(pair):
        reading_panel(view.loaded, reading)
    if not is_time:
        map_controls(view.loaded)
    topic_list(view.loaded)
    if pair is not None:
        note_field()


def _is_time_wanted() -> bool:
    """Ask whether the stories are shown on the map or on a time axis, and return the answer."""
    views = {"map": ":material/map: Map", "time": ":material/timeline: Time"}
    st.session_state.setdefault("map-or-time", "map")
    chosen = st.segmented_control(
        "View",
        list(views),
        format_func=views.__getitem__,
        key="map-or-time",
        label_visibility="collapsed",
        required=True,
    )
    return chosen == "time"


def plots(view: View, pair: StoryPair) -> None:
    """Show the plots of the pair."""
    canonical = pair if pair.request.maximum_length is None else view.pair(replace(pair.request, maximum_length=None))
    story_plots(pair, canonical)


def judges(view: View, pair: StoryPair) -> None:
    """Show what the judges say of the pair."""
    judge_panel(view.loaded, pair)


def show_refusal(view: View, request: TrailRequest, problem: NoTrail | InvalidInput) -> None:
    """Say why there is no trail, and offer what would lead to one; the conditions stay within reach."""
    if isinstance(problem, NoTrail):
        refusal = refuse(view.loaded, view.without_excluded(request), problem)
    else:
        # No condition is to blame for an end that is not here.
        has_ends = {request.source, request.target} <= view.loaded.row_of.keys()
        refusal = Refusal(str(problem), lift_all(request) if has_ends else ())
    st.warning(markdown_text(refusal.sentence), icon=":material/link_off:")
    with st.container(horizontal=True, gap="small"):
        for number, remedy in enumerate(refusal.remedies):
            st.button(
                markdown_text(remedy.label),
                key=f"remedy-{number}",
                type="primary" if number == 0 else "secondary",
                on_click=state.choose_request,
                args=(remedy.request,),
            )
        conditions(view.loaded)
        undo_bar()


def _begin_request(view: View) -> None:
    """Make sure that the request names documents of this collection; open on a good story where there is none."""
    _take_up_map(view)
    loaded, request = view.loaded, state.request()
    if request is not None and _is_told_here(view, request):
        return
    try:
        opening = resources.opening_request(loaded.collection.name, loaded.landscape.landscape_id)
    except NoTrail as problem:
        opening = None
        st.info(markdown_text(str(problem)))
    if request is None:
        state.open_request(opening)
    else:
        state.choose_request(opening, ANOTHER_STORY)


def _take_up_map(view: View) -> None:
    """Take up the desk on the map that is there, and say so where topics are not left out any more by that."""
    before = state.request()
    state.open_map(view.loaded.landscape.created_at)
    if before is not None and state.request() != before:
        st.warning(topics_let_back(len(before.avoid_topics)))


def _is_told_here(view: View, request: TrailRequest) -> bool:
    """Return whether a request can be told without the documents that do not take part, and say which one is left out.

    One that the collection does not have is let go; one that is excluded waits in the request. ``False`` where an end
    is one of them, unless the story that stood in for it was taken back: the page then says why there is none.
    """
    row_of, excluded = view.loaded.row_of, view.loaded.curation.excluded
    named = [request.source, request.target, *request.via, *request.by_hand, *request.avoid]
    try:
        view.loaded.rows(named)
        return True
    except InvalidInput as error:
        reason = markdown_text(str(error))
    if request.source not in row_of or request.target not in row_of:
        if any(step.words == ANOTHER_STORY for step in state.history().future):
            return True
        st.warning(f"The story that was asked for cannot be told, so this is another one. {reason}")
        return False
    told = desk_edits.request_without(request, {one for one in named if one not in row_of})
    if (told.via, told.by_hand) != (request.via, request.by_hand):
        st.warning(f"The story is told without a document that was in it. {reason}")
    state.open_request(desk_edits.request_without(request, {*named} - {*row_of} - excluded))
    return True
