"""What was learnt of models by asking them, and how what they were asked ended."""

from collections.abc import Sequence
from typing import get_args

import pandas as pd
import streamlit as st

from narrative_core.judgements import Capabilities, JudgementCount, ReplyForm, Status
from narrative_core.judging.modes import MODES
from narrative_core.records import CollectionSummary
from narrative_core.reports.judged_pairs import JUDGE_WORDS
from narrative_core.store.capabilities import forget_capabilities, list_capabilities
from narrative_core.store.judgements import judgement_counts
from narrative_core.ui import resources
from narrative_core.ui.words import html_text, markdown_text

_FORMS: dict[ReplyForm, str] = {
    "schema": "replies in strict structured output",
    "function": "replies by a function call",
    "text": "replies with JSON in plain text, without a schema that holds it",
}
_STATUSES: tuple[Status, ...] = get_args(Status)


def capability_notes() -> None:
    """Show what each model was found to accept, with the way to find it out anew."""
    st.html("<b>What models accept</b>")
    notes = list_capabilities(resources.database())
    if not notes:
        st.caption(
            "Nothing yet. The first question finds out whether a model takes a temperature and a seed, how it gives a "
            "structured reply, and how much it can read; what it refuses is left out from then on and said here."
        )
        return
    for place, note in enumerate(notes):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f"<div><b>{html_text(note.model)}</b> at {html_text(note.endpoint)}"
                f"<div class='tl-quiet'>{html_text(capability_words(note))}</div></div>"
            )
            st.button(
                "Forget", key=f"forget-{place}", icon=":material/undo:", on_click=_forget, args=(note,),
                help="The next question finds it out anew, at the price of a request or two that are refused.",
            )  # fmt: skip


def capability_words(note: Capabilities) -> str:
    """Return what is known of a model, in words.

    Examples
    --------
    >>> capability_words(Capabilities("localhost", "m", takes_seed=True, form="function", noted_at="2026-11-30"))
    'takes a seed · replies by a function call · noted 2026-11-30'
    """
    parts = []
    if note.takes_temperature is not None:
        refusal = "does not take a temperature: agents differ by chance alone"
        parts.append("takes a temperature" if note.takes_temperature else refusal)
    if note.takes_seed is not None:
        parts.append("takes a seed" if note.takes_seed else "does not take a seed: the same question can differ")
    if note.form is not None:
        parts.append(_FORMS[note.form])
    if note.context_tokens is not None:
        parts.append(f"reads and writes {note.context_tokens:,} tokens at most")
    parts.append(f"noted {note.noted_at[:10]}")
    return " · ".join(parts)


def count_table(summary: CollectionSummary | None) -> None:
    """Show how the judgements of the open collection ended, a row a judge and mode."""
    st.html("<b>How questions ended</b>")
    counts = judgement_counts(resources.database(), summary.collection.name) if summary is not None else ()
    if summary is None or not counts:
        st.caption("No judge was asked about stories of this collection yet.")
        return
    title = markdown_text(summary.collection.title)
    n_asked, n_ok = sum(one.n_asked for one in counts), sum(one.n_ok for one in counts)
    st.markdown(f"{title}: {n_asked:,} asked, {n_ok:,} of them have a score. Only those enter a mean.")
    st.dataframe(count_frame(counts), hide_index=True)


def count_frame(counts: Sequence[JudgementCount]) -> pd.DataFrame:
    """Return the counts as a table; a status that no judgement has has no column."""
    ended = [status for status in _STATUSES if status == "ok" or any(one.counts.get(status) for one in counts)]
    rows = [
        {
            "Judge": JUDGE_WORDS[one.judge],
            "Model": one.model,
            "At": one.endpoint or "this computer",
            "Mode": MODES[one.mode].title if one.mode is not None else "",
            "Asked": one.n_asked,
            **{status.capitalize(): one.counts.get(status, 0) for status in ended},
        }
        for one in counts
    ]
    return pd.DataFrame(rows)


def _forget(note: Capabilities) -> None:
    forget_capabilities(resources.database(), note.endpoint, note.model)
