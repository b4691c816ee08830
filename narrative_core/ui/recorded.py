"""Recorded replies: taking the judgements of a collection away as a file, and taking such a file in."""

import pandas as pd
import streamlit as st

from narrative_core.counting import count
from narrative_core.judging.modes import MODES
from narrative_core.recordings import MOST_BYTES, RecordingReport, install_recording, write_recording
from narrative_core.records import CollectionSummary
from narrative_core.reports.judged_pairs import SHOWN_WORDS
from narrative_core.store.judgements import judgement_counts, list_judgements, recorded_models
from narrative_core.ui import resources, state
from narrative_core.ui.words import markdown_text

FILENAME = "judgements.jsonl"
_TAKEN, _GENERATION = "recording_taken", "recording_generation"


def recorded_replies(summary: CollectionSummary | None) -> None:
    """Show what can be replayed for the open collection, the file to take away, and the way to take one in."""
    if summary is None:
        st.info("Choose a collection above: replies belong to its stories.")
        return
    st.caption(
        "A file of recorded replies gives a class or a referee the same scores and explanations with no key. It holds "
        "the raw replies, neither documents nor a key. The score of a prompted judge is read anew from its raw reply; "
        "that of reading flow is taken as recorded, if its numbers agree with each other. The lexical reader is left "
        "out: it reads every story anew."
    )
    _table(summary.collection.name)
    left, right = st.columns(2, gap="large")
    with left:
        _take_away(summary)
    with right:
        _take_in(summary)


def recording_bytes(name: str) -> bytes:
    """Return all judgements of a collection as a file."""
    return write_recording(list_judgements(resources.database(), name))


def _table(name: str) -> None:
    found = recorded_models(resources.database(), name)
    if not found:
        return
    rows = [
        (
            one.model,
            one.endpoint,
            MODES[one.mode].title,
            SHOWN_WORDS[one.shown],
            "yes" if one.is_explained else "no",
            one.n_agents,
            one.n_judgements,
        )
        for one in found
    ]
    columns = ["Model", "Asked at", "Mode", "Shown", "Explained", "Agents", "Replies"]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True)


def _take_away(summary: CollectionSummary) -> None:
    name, title = summary.collection.name, markdown_text(summary.collection.title)
    n = sum(one.n_asked for one in judgement_counts(resources.database(), name) if one.judge != "lexical")
    st.html("<b>Take away</b>")
    if not n:
        st.caption(f"No judge was asked about stories of {title} yet; there is nothing to take away.")
        return
    st.caption(f"{count(n, 'judgement')} about stories of {title}.")
    st.download_button(
        "Download the recording", lambda: recording_bytes(name), f"{name}-{FILENAME}", "application/x-ndjson",
        key="recording-download", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _take_in(summary: CollectionSummary) -> None:
    st.html("<b>Take in</b>")
    generation = int(st.session_state.get(_GENERATION, 0))
    file = st.file_uploader(
        f"Recorded replies about stories of {markdown_text(summary.collection.title)} ({FILENAME})",
        type=["jsonl", "ndjson"],
        key=f"recording-file-{generation}",
        max_upload_size=MOST_BYTES >> 20,
    )
    name = summary.collection.name
    if file is not None and st.button("Take these replies in", type="primary", key="recording-take"):
        report = install_recording(resources.database(), name, file.getvalue())
        st.session_state[_TAKEN] = (name, report)
        st.session_state[_GENERATION] = generation + 1
        state.notify("The recording is taken in.")
        st.rerun()
    taken: tuple[str, RecordingReport] | None = st.session_state.get(_TAKEN)
    if taken is not None and taken[0] == name:
        _report(taken[1])


def _report(report: RecordingReport) -> None:
    told = (
        f"{count(report.read, 'line')} read · {report.kept:,} kept · {report.known:,} known already · "
        f"{report.skipped:,} skipped"
    )
    if report.kept or report.known:
        st.success(told, icon=":material/check_circle:")
    else:
        st.warning(f"{told}. Is it a file of recorded replies?", icon=":material/warning:")
    if report.problems:
        with st.expander(f"{count(len(report.problems), 'remark')} on lines"):
            problems = [(problem.row, problem.reason) for problem in report.problems]
            st.dataframe(pd.DataFrame(problems, columns=["Line", "Remark"]), hide_index=True)
