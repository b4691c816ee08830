"""The lesson on twelve documents: what it opens with, its list of headlines, and the choice of its endpoints.

Documents carry numbers from 1 in date order, the same on every figure of the lesson.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from narrative_core.errors import NoTrail, NoTrailReason
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.theme import topic_colour
from narrative_core.intake import install_builtin
from narrative_core.records import Document, Topic
from narrative_core.reports.sentences import format_date, format_list, format_title
from narrative_core.trails.capacity import check_endpoints
from narrative_core.ui import frame, resources
from narrative_core.ui.words import clamp, html_text

TOY = "toy"
CHART = {"displayModeBar": False, "scrollZoom": False}
_A, _B = "lesson-a", "lesson-b"
_TITLE_LENGTH = 90
_REFUSALS = {
    NoTrailReason.SAME_DOCUMENT: "A and B are the same document, and a trail leads from one document to another: "
    "choose two different ones.",
    NoTrailReason.REVERSED: "A is later than B, and a trail leads only forward in time: swap them.",
}
_STYLE = """<style>
.lesson-prose { max-width: 44rem; font-size: 1rem; line-height: 1.55; }
.lesson-prose p { margin: 0 0 .6rem; }
.lesson-now { max-width: 62rem; min-height: 6.4rem; }
[data-testid="stMainBlockContainer"] h2 { margin-top: 1.6rem; }
[data-testid="stHtml"] ol.lesson-docs, [data-testid="stHtml"] ol.lesson-story { margin: .5rem 0 0; padding: 0; }
.lesson-docs { max-width: 62rem; }
.lesson-docs li { display: grid; grid-template-columns: 1.4rem 8.4rem 1fr 9rem; gap: 0 .6rem; align-items: baseline;
  padding: .28rem 0; border-bottom: 1px solid var(--line); list-style: none; margin: 0; }
.lesson-n { color: var(--soft); font-variant-numeric: tabular-nums; text-align: right; font-size: .84rem; }
.lesson-docs .title { font-weight: 600; line-height: 1.3; }
.lesson-topic { white-space: nowrap; font-size: .84rem; color: var(--soft); }
.lesson-topic i { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; margin-right: .3rem; }
.lesson-topic i + i { margin-left: -.5rem; }
.lesson-sum { font-size: 1.05rem; margin: .15rem 0 .7rem; font-variant-numeric: tabular-nums; }
.lesson-sum b { color: var(--trail); }
.lesson-shares { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums;
  margin: .2rem 0 .6rem; }
.lesson-shares th { font-weight: 400; color: var(--soft); text-align: right; padding: .15rem .7rem; }
.lesson-shares td { text-align: right; padding: .15rem .7rem; border-top: 1px solid var(--line); }
.lesson-shares th:first-child, .lesson-shares td:first-child { text-align: left; padding-left: 0; }
.lesson-story li { list-style: none; margin: 0; }
.lesson-story .title { font-weight: 600; line-height: 1.3; }
.lesson-story .link { margin: .15rem 0 .15rem .4rem; padding: .2rem 0 .2rem .8rem; font-size: .84rem;
  color: var(--soft); }
.lesson-story.tl-trail .link { border-left: 3px solid var(--trail); }
.lesson-story.tl-chance .link { border-left: 2px dashed var(--chance); }
@media (max-width: 640px) {
  .lesson-now { min-height: 14rem; }
  .lesson-docs li { grid-template-columns: 1.9rem 1fr; padding: .4rem 0; }
  .lesson-docs .title, .lesson-docs .lesson-topic { grid-column: 2; }
  .st-key-lesson-matrix { overflow-x: auto; }
  .st-key-lesson-matrix > * { min-width: 38rem; }
  .lesson-shares th, .lesson-shares td { padding: .15rem .35rem; }
}
</style>"""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Positions of A and B in the collection."""

    source: int
    target: int


def opening() -> None:
    """Say what the page is about."""
    st.html(_STYLE)
    st.html(
        "<div class='lesson-prose'>Throughline looks for the chain of documents from A to B whose weakest link is as "
        "strong as it can be. Here is the whole method on twelve documents. Every number below is computed while you "
        "look, from data so simple that you can check them with a pencil and a calculator.</div>"
    )


def open_collection() -> LoadedCollection | None:
    """Return the collection of the lesson; where it was deleted, offer to bring it back and return ``None``."""
    summary = resources.summary(TOY)
    if summary is None or summary.landscape_id is None:
        st.info("The twelve documents of this lesson are not here at the moment.")
        st.button("Bring them back", key="lesson-restore", type="primary", on_click=_restore)
        return None
    return resources.loaded(TOY, summary.landscape_id)


def headlines(loaded: LoadedCollection) -> None:
    """Show the documents as a dated list, with what Throughline knows of each."""
    topics = loaded.landscape.topics
    names = format_list([topic.label for topic in topics])
    rows = [
        f"<li><span class='lesson-n'>{row + 1}</span><span class='tl-date'>{html_text(format_date(document))}</span>"
        f"<span class='title'>{html_text(clamp(format_title(document), _TITLE_LENGTH))}</span>"
        f"{_topic_html(loaded.landscape.memberships[row].tolist(), topics)}</li>"
        for row, document in enumerate(loaded.documents)
    ]
    told, listed = st.columns([5, 8], gap="large")
    with told:
        st.html(
            "<div class='lesson-prose'><p>These news items are invented. They stand in the order of their dates. "
            "For each document Throughline needs two things:</p>"
            "<p><b>A vector</b>, a list of numbers that stands for the wording. Here it has two numbers, so it is an "
            "arrow on a sheet of paper: the more alike two texts are worded, the more their arrows point the same way."
            "</p><p><b>Topic shares</b>, how much of the document belongs to each topic. The topics here are "
            f"{html_text(names)}; some documents are half one, half another.</p>"
            "<p>In a real collection a model that has read many texts makes the vectors, and the topics are groups of "
            "documents with similar vectors. Here a person set both by hand.</p></div>"
        )
    with listed:
        st.html(f"<ol class='lesson-docs'>{''.join(rows)}</ol>")
    with st.expander("Read the texts"):
        for row, document in enumerate(loaded.documents):
            st.html(
                f"<div class='tl-date'>{row + 1} · {html_text(format_date(document))}</div>"
                f"<b>{html_text(format_title(document))}</b><div class='tl-text lesson-prose'>"
                f"{html_text(document.text)}</div>"
            )


def endpoints(loaded: LoadedCollection) -> Endpoints | None:
    """Let A and B be chosen and return them; where they allow no trail, say so and return ``None``."""
    ids = [document.document_id for document in loaded.documents]
    st.session_state.setdefault(_A, ids[0])
    st.session_state.setdefault(_B, ids[-1])
    start, swap, end = st.columns([10, 1.3, 10], vertical_alignment="bottom", gap="small")
    with start:
        source = choose(loaded, "From  A", _A)
    with swap:
        st.button("⇄", key="lesson-swap", help="Swap A and B", on_click=_swap, width="stretch")
    with end:
        target = choose(loaded, "To  B", _B)
    try:
        check_endpoints(replace(loaded.graph, floor=0.0), source, target)
    except NoTrail as problem:
        st.info(_REFUSALS.get(problem.reason, str(problem)))
        return None
    return Endpoints(source, target)


def choose(loaded: LoadedCollection, label: str, key: str) -> int:
    """Show a box to choose a document from and return its position; the session holds its id under ``key``."""
    ids = list(loaded.row_of)
    chosen = st.selectbox(label, ids, key=key, format_func=lambda document_id: _option(loaded, document_id))
    return loaded.row_of[chosen]


def name(document: Document, row: int) -> str:
    """Return a document as a sentence of the lesson names it: its number and its headline."""
    return f"{row + 1} “{clamp(format_title(document), _TITLE_LENGTH)}”"


def share_words(shares: Sequence[float], topics: Sequence[Topic]) -> str:
    """Return topic shares in words: "plans", "½ plans, ½ river", "20 % plans, 80 % river"."""
    present = [(share, topic.label) for share, topic in zip(shares, topics, strict=True) if round(share, 2) > 0]
    if len(present) == 1:
        return present[0][1]
    return ", ".join(f"{'½' if share == 0.5 else f'{100 * share:.0f} %'} {label}" for share, label in present)


def _topic_html(shares: Sequence[float], topics: Sequence[Topic]) -> str:
    dots = "".join(
        f"<i style='background:{topic_colour(topic.topic, frame.mode())}'></i>"
        for share, topic in zip(shares, topics, strict=True)
        if share > 0
    )
    return f"<span class='lesson-topic'>{dots}{html_text(share_words(shares, topics))}</span>"


def _option(loaded: LoadedCollection, document_id: str) -> str:
    row = loaded.row_of[document_id]
    document = loaded.documents[row]
    return f"{row + 1}  {clamp(format_title(document), _TITLE_LENGTH)}  ({format_date(document)})"


def _swap() -> None:
    st.session_state[_A], st.session_state[_B] = st.session_state[_B], st.session_state[_A]


def _restore() -> None:
    install_builtin(resources.database(), TOY)
