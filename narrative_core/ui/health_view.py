"""The page Health: state first, with the step that puts it right beside it; details below."""

from collections.abc import Sequence
from typing import Final, Literal

import pandas as pd
import streamlit as st

from narrative_core.document_filters import Filter
from narrative_core.health import (
    ENDPOINT,
    CollectionHealth,
    Finding,
    HealthReport,
    State,
    Step,
    ask_endpoint,
    endpoint_finding,
    report,
)
from narrative_core.ui import judges, keys, resources, state
from narrative_core.ui.words import markdown_text

_Colour = Literal["green", "gray", "orange"]
_ANSWER: Final = "health_endpoint"
_BADGES: Final[dict[State, tuple[str, str, _Colour]]] = {
    "ready": ("ready", ":material/check_circle:", "green"),
    "attention": ("could be better", ":material/info:", "gray"),
    "missing": ("missing", ":material/error:", "orange"),
}
_PAGES: Final[dict[Step, tuple[str, str]]] = {
    "undated": ("pages/explore/documents.py", "Show them"),
    "documents": ("pages/explore/documents.py", "Documents"),
    "build": ("pages/manage/collections.py", "Collections"),
    "collections": ("pages/manage/collections.py", "Collections"),
    "judge": ("pages/explore/stories.py", "Stories"),
    "judges": ("pages/manage/judges.py", "Judges"),
    "settings": ("pages/manage/settings.py", "Settings"),
}


def health() -> None:
    """Show how the program stands. The network is used on a button alone."""
    found = report(resources.database(), _endpoint())
    st.markdown(_summary(found))
    st.header("This computer", anchor=False)
    _grid([(finding.title, finding, "") for finding in found.checks])
    st.header("Collections", anchor=False)
    if not found.collections:
        st.markdown("No collection is stored yet. Add your documents on the page Collections.")
    told = [
        (f"{one.census.name}-{number}", finding, one.census.name)
        for one in found.collections
        for number, finding in enumerate(one.findings)
    ]
    _grid([each for each in told if each[1].state != "ready"])
    for _, finding, _ in (each for each in told if each[1].state == "ready"):
        st.markdown(
            f":green[:material/check_circle:] **{markdown_text(finding.title)}** {markdown_text(finding.sentence)}"
        )
    _counts(found.collections)
    with st.expander("Versions"):
        versions = pd.DataFrame({"Part": list(found.versions), "Version": list(found.versions.values())})
        st.dataframe(versions, hide_index=True, width="content")


def _summary(found: HealthReport) -> str:
    missing = sum(finding.state == "missing" for finding in found.findings)
    better = sum(finding.state == "attention" for finding in found.findings)
    first = "Everything that is needed is here." if not missing else f"**{missing} to put right**, marked below."
    return f"{first} {better} could be better." if better else first


def _grid(told: Sequence[tuple[str, Finding, str]]) -> None:
    """Show findings in two columns: each with a key, and the collection that it is of, empty for none."""
    for start in range(0, len(told), 2):
        for column, (key, finding, collection) in zip(
            st.columns(2, gap="small"), told[start : start + 2], strict=False
        ):
            with column, st.container(border=True, height="stretch", key=f"health-{key}"):
                _finding(finding, key, collection)


def _finding(finding: Finding, key: str, collection: str) -> None:
    word, icon, colour = _BADGES[finding.state]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"**{markdown_text(finding.title)}**", width="content")
        st.badge(word, icon=icon, color=colour)
    st.markdown(markdown_text(finding.sentence))
    if finding.remedy:
        st.markdown(f":material/build: {markdown_text(finding.remedy)}")
    with st.container(horizontal=True, gap="small"):
        if finding.step is not None:
            page, label = _PAGES[finding.step]
            if st.button(label, key=f"health-go-{key}"):
                if collection:
                    state.choose_collection(collection)
                if finding.step == "undated":
                    state.choose_documents(Filter(state="undated"))
                st.switch_page(page)
        if finding.title == ENDPOINT and judges.endpoint() is not None:
            st.button(
                "Ask now", key="health-ask", on_click=_ask, icon=":material/network_check:",
                help="Asks for the endpoint's list of models, which costs nothing; waits 4 seconds at most.",
            )  # fmt: skip


def _counts(collections: tuple[CollectionHealth, ...]) -> None:
    with st.expander("Counts of every collection"):
        rows = [
            {
                "Collection": one.census.title,
                "Documents": one.census.n_documents,
                "Undated": one.census.n_undated,
                "Without a vector": one.census.n_documents - one.census.n_embedded,
                "Map": "built" if one.census.is_built else "not built",
                "Placed later": one.census.n_placed,
                "Excluded": one.census.n_excluded,
                "In groups of copies": one.census.n_copies,
                "Saved stories": len(one.census.trails),
                "Unjudged": one.n_unjudged,
            }
            for one in collections
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True)


def _endpoint() -> Finding:
    """Return what is known of the endpoint: what it answered in this session, if it is still the one that was asked."""
    choice, endpoint = judges.chosen_model(), judges.endpoint()
    answer: Finding | None
    asked, answer = st.session_state.get(_ANSWER, (None, None))
    if answer is not None and asked == choice:
        return answer
    if endpoint is None:
        return endpoint_finding(None, problem=judges.provider_state("openai").told)
    return endpoint_finding(endpoint, key_origin=keys.api_key("judge", choice.base_url).origin)


def _ask() -> None:
    endpoint = judges.endpoint()
    if endpoint is not None:
        st.session_state[_ANSWER] = judges.chosen_model(), ask_endpoint(endpoint)
