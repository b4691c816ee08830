"""The section of the page Topics that says whether another seed would have told the same."""

from typing import Final

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.stability_rows import stability_rows
from narrative_core.records import Job
from narrative_core.reports.stability_sentences import (
    meaning,
    seeds_words,
    strength_sentence,
    topics_remedy,
    topics_sentence,
    trails_sentence,
)
from narrative_core.stability import LAID_OUT_BY_HAND, N_SEEDS, is_fitted
from narrative_core.ui import frame, resources
from narrative_core.ui.topics_work import CHECK, agreements, latest, start_check
from narrative_core.ui.words import html_text, markdown_text

POLL_S = 1.0
MOST_SEEDS: Final = 12
WHAT_IS_DONE = (
    "A map is fitted from a random start, its seed. The check fits it again with other seeds, from the same vectors, "
    "and compares: are documents grouped the same, and do trails between the same ends pass the same documents? No "
    "document is read again and no model is asked. The map that is kept stays as it is."
)


def stability(loaded: LoadedCollection) -> None:
    """Show how far other seeds agree, or how to find out."""
    st.header("Would another seed tell the same?", anchor=False)
    if not is_fitted(loaded.landscape):
        st.caption(LAID_OUT_BY_HAND)
        return
    found, job = agreements(loaded), latest(CHECK, loaded.collection.name)
    if job is not None and job.state == "running":
        _progress(loaded.collection.name)
    if found:
        _told(loaded)
    st.html(f"<div class='tl-quiet tl-method'>{WHAT_IS_DONE}</div>")
    if job is None or job.state != "running":
        _outcome(job)
        _begin(loaded, len(found))


def _told(loaded: LoadedCollection) -> None:
    found = agreements(loaded)
    trails = trails_sentence(found)
    if trails:
        st.html(f"<div class='tl-verdict tl-method'>{html_text(trails)}</div>")
    paragraphs = [
        strength_sentence(found),
        topics_sentence(found, len(loaded.landscape.topics)),
        meaning(found),
        topics_remedy(found),
    ]
    st.html("".join(f"<div class='tl-method'>{html_text(told)}</div>" for told in paragraphs if told))
    st.html(f"<div class='tl-figure-title'>Agreement with this map, {html_text(seeds_words(found))}</div>")
    figure = stability_rows(found, mode=frame.mode())
    st.plotly_chart(figure, theme=None, config={"displayModeBar": False}, key="plot-stability")


def _begin(loaded: LoadedCollection, n_known: int) -> None:
    if n_known >= MOST_SEEDS:
        return
    label = "Compare with three more seeds" if n_known else "Compare with three other seeds"
    n_seeds = N_SEEDS * (n_known // N_SEEDS + 1)
    st.button(label, key="check-stability", on_click=start_check, args=(loaded, n_seeds), icon=":material/refresh:")
    n = len(loaded.documents)
    if not n_known:
        told = "Takes a minute or two." if n < 1_000 else "Takes several minutes; you can go on with other pages."
        st.caption(told)


@st.fragment(run_every=POLL_S)
def _progress(name: str) -> None:
    """Show how far the check is; the page is drawn anew when a seed is done, and when all are."""
    job = latest(CHECK, name)
    if job is None or job.state != "running":
        st.rerun()
    n_seeds = max(job.total // 100, 1)
    number = min(job.done // 100, n_seeds - 1)
    if st.session_state.get("stability-seed") not in (None, number):
        st.session_state["stability-seed"] = number
        st.rerun()
    st.session_state["stability-seed"] = number
    st.progress(job.done / max(job.total, 1), text=f"Seed {number + 1} of {n_seeds}: fitting and comparing")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key="stop-stability", on_click=resources.runner().cancel, args=(job.job_id,))


def _outcome(job: Job | None) -> None:
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(job.message), icon=":material/error:")
    elif job.state == "cancelled":
        st.caption("The check was stopped. The seeds that were finished are kept.")
    else:
        st.caption("The check was interrupted when the program ended. The seeds that were finished are kept.")
