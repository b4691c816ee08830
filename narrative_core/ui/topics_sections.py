"""What stands beside the list of topics: the map, the documents outside every topic, words to leave out of names."""

from typing import Final

import streamlit as st

from narrative_core.counting import count
from narrative_core.figures.landscape_map import landscape_deck
from narrative_core.records import Collection
from narrative_core.ui import frame, resources
from narrative_core.ui.topics_list import OUTSIDE, View, see_documents
from narrative_core.ui.topics_work import NAMING, languages, latest, start_naming
from narrative_core.ui.words import html_text, markdown_text

HEIGHT: Final = 480
POLL_S = 1.0
LANGUAGE_NAMES: Final = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian",
    "ja": "Japanese", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "tr": "Turkish",
    "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


def topics_map(view: View) -> None:
    """Show the map with the topics as they are named, merged and hidden now."""
    loaded = view.loaded
    hidden = [row for row in view.rows if row.is_hidden]
    deck = landscape_deck(
        loaded.landscape, loaded.documents, hidden_topics=loaded.curation.hidden_topics, mode=frame.mode()
    )
    st.pydeck_chart(
        deck,
        height=HEIGHT,
        key=f"topics-map-{loaded.collection.name}-{loaded.landscape.landscape_id}",
        alt=f"Map of the topics of {loaded.collection.title}. The list says the same in words.",
    )
    if hidden:
        n = sum(row.size for row in hidden)
        st.html(
            f"<div class='tl-quiet'>{count(len(hidden), 'topic')} with {count(n, 'document')} not on the map; trails "
            "use them all the same.</div>"
        )


def outside(view: View) -> None:
    """Say how many documents are outside every topic, why, and what changes it."""
    n, n_all = view.n_outliers, len(view.loaded.documents)
    if not view.rows or not n:
        return
    st.header("Outside every topic", anchor=False)
    st.html(
        f"<div class='tl-method'><b>{n:,} of {n_all:,} documents ({n / n_all:.0%})</b> lie outside every topic: too "
        "little around them is like them, so no group holds them. They are drawn hollow in the colour of the nearest "
        "topic, are found by search, and can be in any trail.</div>"
        "<div class='tl-quiet tl-method'>A share of a fifth to a half is usual. Few and broad topics take in more of "
        "them, many and fine ones fewer; a map is built again with the other choice on the page Collections.</div>"
    )
    with st.container(horizontal=True, gap="small"):
        if st.button("See these documents", key="see-outside", icon=":material/article:"):
            see_documents(OUTSIDE)
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")


def naming(view: View) -> None:
    """Show which words no topic is named by, and let a person change them."""
    collection = view.loaded.collection
    st.header("Words to leave out of names", anchor=False)
    st.html(f"<div class='tl-quiet tl-method'>{html_text(_languages_told(view))}</div>")
    words = st.text_area(
        "Words to leave out, one a line",
        "\n".join(collection.stop_words),
        key=f"stop-list-{collection.name}-{hash(collection.stop_words)}",
        placeholder="such as the name of a city that is in every document",
        height=110,
    )
    job = latest(NAMING, collection.name)
    if job is not None and job.state == "running":
        _progress(collection.name)
        return
    st.button(
        "Name the topics again",
        key=f"relabel-{collection.name}",
        on_click=start_naming,
        args=(collection.name, tuple(words.split())),
        disabled=_is_same(words, collection),
    )
    if job is not None and job.state == "failed":
        st.error(markdown_text(job.message), icon=":material/error:")
    if view.loaded.curation.topic_labels:
        st.caption("Names that you gave stay; the others are made again.")


def _is_same(words: str, collection: Collection) -> bool:
    return tuple(words.split()) == collection.stop_words


def _languages_told(view: View) -> str:
    found = [LANGUAGE_NAMES.get(code, code) for code in languages(view.loaded.edition, view.loaded)]
    if not found:
        return "No language was recognised, so no common words are left out but those that you write here."
    names = found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
    return (
        f"The common words of {names} are left out already, because the documents are written in it. Words of this "
        "list are left out as well, here and where links name shared terms."
        if len(found) == 1
        else f"The common words of {names} are left out already, because documents are written in them. Words of this "
        "list are left out as well, here and where links name shared terms."
    )


@st.fragment(run_every=POLL_S)
def _progress(name: str) -> None:
    """Show how far naming is; the page is drawn anew when it ends."""
    job = latest(NAMING, name)
    if job is None or job.state != "running":
        st.rerun()
    st.progress(job.done / job.total if job.total else 0.0, text="Naming topics")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-naming-{name}", on_click=resources.runner().cancel, args=(job.job_id,))
