"""The stories behind a number of a run, in a dialog: a list of them, and both stories of a pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from narrative_core.counting import count
from narrative_core.figures.run_marks import made_name
from narrative_core.records import Divergence, Document, TrailRequest
from narrative_core.reports.sentences import format_strength, format_title
from narrative_core.reports.verdict_sentences import format_score
from narrative_core.runs import STRATUM_WORDS, Made, Run, RunStory, RunSummary, RunTable
from narrative_core.ui import resources, run_work, state
from narrative_core.ui.run_documents import documents_of, pairs_of, stories_of_pair
from narrative_core.ui.run_pair import pair_judges, pair_story
from narrative_core.ui.words import clamp, html_text, markdown_text

PAGE = 15
"""Stories on one page of a list."""

_OPEN = "open-stories"


@dataclass(frozen=True, slots=True)
class Opened:
    """What the dialog shows: the pair at ``place`` of ``pairs``, or where that is ``None`` the list of ``rows``.

    ``made`` is the story that was asked for, which stands beside the trail · ``page`` of the list, from 0.
    """

    rows: tuple[int, ...]
    pairs: tuple[int, ...]
    place: int | None = None
    made: Made | None = None
    page: int = 0


def show_pair(summary: RunSummary, pair: int, made: Made | None = None) -> None:
    """Open both stories of a pair in a dialog; to be called once, on the event.

    Parameters
    ----------
    summary : RunSummary
    pair : int
        Counted from 0. One that the run does not have opens nothing.
    made : Made, optional
        The story that was asked for: it stands beside the trail.
    """
    pairs = tuple(sorted({story.pair for story in run_work.table(summary).stories}))
    if pair in pairs:
        st.session_state[_OPEN] = Opened((), pairs, pairs.index(pair), made)
        _open("The stories of a pair", summary)


def show_stories(summary: RunSummary, rows: Sequence[int], title: str) -> None:
    """Open the list of some stories of a run in a dialog, the one with the weakest link first; each opens its pair.

    Parameters
    ----------
    summary : RunSummary
    rows : sequence of int
        Of the stories in the run's table.
    title : str
        What they have in common.
    """
    stories = run_work.table(summary).stories
    ordered = tuple(sorted(rows, key=lambda row: (min(stories[row].strengths), row)))
    st.session_state[_OPEN] = Opened(ordered, pairs_of(run_work.table(summary), ordered))
    _open(clamp(title, 90), summary)


def opened_stories(summary: RunSummary) -> None:
    """Show what is open of the stories of a run: the list, or a pair of it."""
    opened: Opened = st.session_state[_OPEN]
    table = run_work.table(summary)
    if opened.place is None:
        _list(table, opened)
    else:
        _pair(summary, table, opened)


def request_of(story: RunStory, documents: Mapping[str, Document]) -> TrailRequest:
    """Return the request for a trail between the ends of a story, in order of time where both have a date."""
    source, target = story.document_ids[0], story.document_ids[-1]
    is_dated = all(one in documents and documents[one].date is not None for one in (source, target))
    return TrailRequest(source, target, is_chronological=is_dated)


def map_notice(run: Run, landscape_id: str, divergence: Divergence) -> str:
    """Return why the map that is here may show another trail than the run has; empty where it shows the same."""
    if landscape_id != run.landscape_id:
        return "The run measured on another map than the one here: the trail here may be another."
    if divergence != run.divergence:
        return f"The run compares topics by “{run.divergence}”, the map by “{divergence}”: the trail may be another."
    return ""


def _open(title: str, summary: RunSummary) -> None:
    st.dialog(markdown_text(title), width="large")(opened_stories)(summary)


def _show(opened: Opened) -> None:
    st.session_state[_OPEN] = opened


def _list(table: RunTable, opened: Opened) -> None:
    documents = documents_of(table.run.settings.collection)
    first = opened.page * PAGE
    shown, n_rows = opened.rows[first : first + PAGE], len(opened.rows)
    n = "1 story" if n_rows == 1 else f"{n_rows:,} stories, the one with the weakest link first"
    st.html(f"<div class='tl-quiet'>{n}</div>")
    means = {seat.label: seat.means for seat in table.seats}
    for row in shown:
        story = table.stories[row]
        ends = [documents.get(story.document_ids[end]) for end in (0, -1)]
        names = [clamp(format_title(end), 70) if end else story.document_ids[0] for end in ends]
        st.button(
            markdown_text(" → ".join(names)),
            key=f"story-of-list-{row}",
            type="tertiary",
            wrap=True,
            on_click=_show,
            args=(replace(opened, place=opened.pairs.index(story.pair), made=story.made),),
        )
        scores = [
            f"{seat.label} {format_score(float(means[seat.label][row]), seat.seat.judge)}" for seat in table.seats
        ]
        told = [f"pair {story.pair + 1:,}", made_name(story.made), count(len(story.document_ids), "document")]
        told += [f"weakest link {format_strength(min(story.strengths))}", *scores]
        st.html(f"<div class='tl-quiet tl-of-list'>{html_text(' · '.join(told))}</div>")
    if n_rows > PAGE:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            _turn("Earlier", "list-back", replace(opened, page=opened.page - 1), is_there=opened.page > 0)
            st.html(f"<div class='tl-quiet'>{first + 1:,} to {first + len(shown):,} of {n_rows:,}</div>")
            _turn("Later", "list-forth", replace(opened, page=opened.page + 1), is_there=first + PAGE < n_rows)


def _turn(label: str, key: str, opened: Opened, *, is_there: bool) -> None:
    st.button(label, key=key, type="tertiary", disabled=not is_there, on_click=_show, args=(opened,))


def _pair(summary: RunSummary, table: RunTable, opened: Opened) -> None:
    place = opened.place or 0
    pair = opened.pairs[place]
    stories = stories_of_pair(table, pair)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="pair-bar"):
        if opened.rows:
            _turn("Back to the list", "pair-list", replace(opened, place=None), is_there=True)
        _turn("‹ Previous", "pair-back", replace(opened, place=place - 1), is_there=place > 0)
        _turn("Next ›", "pair-forth", replace(opened, place=place + 1), is_there=place + 1 < len(opened.pairs))
        n = len(opened.pairs)
        among = f", {place + 1:,} of {count(n, 'pair')} in the list" if opened.rows else f" of {n:,}"
        st.html(f"<div class='tl-quiet'><b>Pair {pair + 1:,}</b>{among}</div>")
    strata = {story.stratum for story in stories.values()} - {None}
    if strata:
        words = ", ".join(STRATUM_WORDS[stratum] for stratum in strata if stratum)
        st.html(f"<div class='tl-quiet'>Endpoints {html_text(words)}.</div>")
    shown = _shown(stories, opened)
    for column, made in zip(st.columns(2, gap="medium"), shown, strict=False):
        with column:
            pair_story(table, stories[made])
    pair_judges(table, pair, stories, shown)
    _way_to_map(summary, stories[shown[0]])


def _shown(stories: Mapping[Made, RunStory], opened: Opened) -> tuple[Made, ...]:
    """Return which stories of the pair stand side by side: the first, and of several others the one that is chosen."""
    first, *others = stories
    if len(others) < 2:
        return (first, *others)
    asked = opened.made if opened.made in others else others[0]
    chosen = st.segmented_control(
        "Beside it", others, default=asked, format_func=made_name, key=f"beside-{opened.place}-{asked}"
    )
    return (first, chosen or asked)


def _way_to_map(summary: RunSummary, story: RunStory) -> None:
    run = summary.run
    stored = resources.summary(run.settings.collection)
    if stored is None or not stored.is_built:
        st.caption("Its collection is not here any more, or has no map: this is what the run keeps of its stories.")
        return
    if not st.button("Open on the map", key="pair-map", icon=":material/timeline:"):
        return
    state.choose_collection(run.settings.collection)
    state.choose_request(request_of(story, documents_of(run.settings.collection)))
    loaded = resources.loaded(run.settings.collection, stored.landscape_id or "")
    notice = map_notice(run, loaded.landscape.landscape_id, loaded.landscape.parameters.divergence)
    if notice:
        state.notify(notice)
    st.switch_page("pages/explore/explore.py")
