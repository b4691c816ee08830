"""The list of topics: what each is about, and what can be done to it in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from narrative_core.counting import count
from narrative_core.document_filters import Filter
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.theme import N_TOPIC_COLOURS, grey, topic_colour
from narrative_core.records import CollectionSummary
from narrative_core.reports.sentences import format_date
from narrative_core.topic_outline import topic_outline
from narrative_core.ui import frame, mirror, resources, state, topics_edits
from narrative_core.ui.topics_work import TopicRow, found_topics, topic_rows
from narrative_core.ui.words import clamp, html_text, markdown_text

SHOWN: Final = 16
"""Topics that are listed before a person asks for all."""

OUTSIDE: Final = -1
"""What the page Documents calls the documents outside every topic."""

LONGEST_NAME: Final = 80
NOTHING_MOVES = (
    "Names, merges and what is hidden are for people: no link changes its strength by them, and no trail its "
    "documents, but where a story leaves out a topic: it leaves out all that is merged with it. All of it can be "
    "undone."
)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The collection on the page, and its topics."""

    loaded: LoadedCollection
    rows: tuple[TopicRow, ...]

    @property
    def n_outliers(self) -> int:
        """Documents outside every topic."""
        return int(self.loaded.landscape.is_outlier.sum())


def open_view(summary: CollectionSummary | None) -> View | None:
    """Return the collection with its topics; say what is missing where it cannot be."""
    if summary is None:
        name = markdown_text(state.collection())
        st.info(f"There is no collection “{name}” here. Choose another above, or add your own documents.")
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")
        return None
    name = summary.collection.name
    if not summary.is_built:
        st.info(
            f"**{markdown_text(summary.collection.title)}** has no map yet. Topics are found when its "
            f"{summary.n_documents:,} documents are placed on one."
        )
        st.page_link("pages/manage/collections.py", label="Build it on the page Collections", icon=":material/map:")
        return None
    loaded = resources.loaded(name, summary.landscape_id or "")
    return View(loaded, topic_rows(loaded, found_topics(name)))


def introduction(view: View) -> None:
    """Say what is on the page."""
    n, noun = len(view.loaded.documents), html_text(view.loaded.collection.noun)
    found = count(len(view.rows), "topic") if view.rows else "No topics stand out"
    st.html(
        f"<div class='tl-quiet tl-method'>{found} in {n:,} {noun}, numbered by size when they were found. Open one "
        "to see what it is about, to rename it, to merge it into another or to leave it off the map. Documents that "
        f"are only near a topic lie outside all of them. {NOTHING_MOVES}</div>"
    )


def topic_list(view: View) -> None:
    """Show the topics, the largest first."""
    if not view.rows:
        st.info("No topics stand out in this collection, so every link counts as on topic. More documents may help.")
        return
    st.html(f"<style>{_dots(view.rows)}</style>")
    if len(view.rows) > SHOWN and _is_outline_wanted():
        _outline(view)
        return
    key = f"all-topics-{view.loaded.collection.name}"
    is_all = len(view.rows) <= SHOWN or bool(st.session_state.get(key))
    with st.container(key="topic-list", gap="xxsmall"):
        for row in view.rows if is_all else view.rows[:SHOWN]:
            _topic(view, row)
    if len(view.rows) > SHOWN:
        st.toggle(f"Show all {len(view.rows)} topics", key=key)


def _is_outline_wanted() -> bool:
    orders = {"size": "By size", "kin": "In groups of kin"}
    chosen = st.segmented_control(
        "Topics", list(orders), format_func=orders.__getitem__, default="size", key="topics-order",
        label_visibility="collapsed", required=True,
    )  # fmt: skip
    return chosen == "kin"


def _outline(view: View) -> None:
    """Show all topics under the headings of their groups, which open one by one."""
    rows = {row.topic: row for row in view.rows}
    st.html(
        "<div class='tl-quiet'>Topics whose texts are worded alike, under the words that most of their documents "
        "share. The groups are for reading only: nothing is merged.</div>"
    )
    for place, group in enumerate(topic_outline(view.loaded, list(rows))):
        n = sum(rows[topic].size for topic in group.topics)
        label = f"**{markdown_text(group.label) or 'Other topics'}** :gray[{count(len(group.topics), 'topic')}, "
        opened = st.expander(f"{label}{count(n, 'document')}]", key=f"topic-group-{place}", on_change="rerun")
        if opened.open:
            with opened, st.container(key=f"topic-list-{place}", gap="xxsmall"):
                for topic in group.topics:
                    _topic(view, rows[topic])


def see_documents(topic: int) -> None:
    """Open the documents of a topic on the page Documents."""
    state.choose_documents(Filter(topics=frozenset({topic})))
    st.switch_page("pages/explore/documents.py")


def _topic(view: View, row: TopicRow) -> None:
    is_edited = st.session_state.get(topics_edits.OPEN) == row.topic
    opened = st.expander(_line(row), expanded=is_edited, key=f"topic-row-{row.topic}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if row.words:
            words = html_text(" · ".join(row.words))
            st.html(f"<div class='tl-quiet' dir='auto'>Words that tell it from the others: {words}</div>")
        _typical(row)
        _name(view, row)
        _merging(view, row)
        with st.container(horizontal=True, gap="small"):
            if st.button("See its documents", key=f"see-{row.topic}", icon=":material/article:"):
                see_documents(row.topic)
            _hiding(view.loaded.landscape.landscape_id, row)


def _line(row: TopicRow) -> str:
    """Return a topic as one line: number, name, words, size, and how many documents are only near it."""
    parts = [f"**{row.topic + 1}**", f"**{markdown_text(clamp(row.label, LONGEST_NAME))}**"]
    others = [word for word in row.words if word not in row.label.split(" · ")]
    parts.append(f":gray[{markdown_text(clamp(', '.join(others), 48)) or '–'}]")
    told = [count(row.size, "document")]
    if row.size and row.n_outliers:
        told.append(f"{row.n_outliers / row.size:.0%} only near it")
    if row.parts:
        told.append(f"with {count(len(row.parts), 'other')}")
    if row.is_hidden:
        told.append("not on the map")
    parts.append(f":gray[{', '.join(told)}]")
    return " ".join(parts)


def _typical(row: TopicRow) -> None:
    lines = [
        f"<div class='tl-of-topic' dir='auto'><span class='tl-date'>{html_text(format_date(document))}</span> "
        f"{html_text(clamp(document.title, 140)) or 'Untitled'}</div>"
        for document in row.typical
    ]
    if lines:
        st.html(f"<div class='tl-quiet'>Typical of it</div>{''.join(lines)}")


def _name(view: View, row: TopicRow) -> None:
    landscape_id = view.loaded.landscape.landscape_id
    name = f"name-{row.topic}"
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Name",
            max_chars=LONGEST_NAME,
            key=mirror.show(name, row.label),
            on_change=mirror.entered,
            args=(name, partial(topics_edits.rename, landscape_id, row)),
            width=360,
        )
        if row.label != row.found:
            st.button(
                f"Use “{markdown_text(clamp(row.found, 40))}” again",
                key=f"found-{row.topic}",
                help="The name that was made of the telling words",
                on_click=topics_edits.use_found_name,
                args=(landscape_id, row),
            )


def _merging(view: View, row: TopicRow) -> None:
    landscape_id = view.loaded.landscape.landscape_id
    others: Mapping[int, str] = {other.topic: other.label for other in view.rows if other.topic != row.topic}
    if others:
        key = f"into-{row.topic}"
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            st.selectbox(
                "Show as part of",
                list(others),
                index=None,
                format_func=lambda topic: f"{topic + 1} {others[topic]}",
                placeholder="another topic",
                key=key,
                width=360,
            )
            st.button(
                "Merge",
                key=f"merge-{row.topic}",
                on_click=topics_edits.merge,
                args=(landscape_id, row, key),
                disabled=st.session_state.get(key) is None,
            )
    for part, label in row.parts:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.html(
                f"<div class='tl-quiet' dir='auto'>Holds topic {part + 1}, {html_text(label)}</div>", width="content"
            )
            st.button(
                "Part again",
                key=f"part-{part}",
                type="tertiary",
                on_click=topics_edits.part,
                args=(landscape_id, row.topic, part),
            )


def _hiding(landscape_id: str, row: TopicRow) -> None:
    if row.is_hidden:
        st.button(
            "Show on the map",
            key=f"show-{row.topic}",
            icon=":material/visibility:",
            on_click=topics_edits.show,
            args=(landscape_id, row),
        )
    else:
        st.button(
            "Leave off the map",
            key=f"hide-{row.topic}",
            icon=":material/visibility_off:",
            on_click=topics_edits.hide,
            args=(landscape_id, row),
        )


def _dots(rows: Sequence[TopicRow]) -> str:
    """Return the style of the dots before the topics: the colours that they have on the map."""
    mode = frame.mode()
    rules = [f"[class*='st-key-topic-row-'] summary p::before {{ color: {grey(mode)}; }}"]
    rules += [
        f".st-key-topic-row-{row.topic} summary p::before {{ color: {topic_colour(row.topic, mode)}; }}"
        for row in rows
        if row.topic < N_TOPIC_COLOURS
    ]
    return " ".join(rules)
