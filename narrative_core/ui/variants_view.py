"""The same run with another divergence: same endpoint pairs, same judges, one setting changed."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, get_args

import streamlit as st

from narrative_core.records import Divergence
from narrative_core.runs import RunSettings, RunSummary
from narrative_core.ui import resources
from narrative_core.ui.run_differences import has_same_pairs
from narrative_core.ui.run_form import DIVERGENCE_WORDS, forecast_view
from narrative_core.ui.words import markdown_text

DIVERGENCES: Final[tuple[Divergence, ...]] = get_args(Divergence)
TOLD = (
    "Links are as strong as wording and topics are alike. How topics are compared is a choice; with another one the "
    "trails between the same documents are others. Each variant is a run of its own, with the same endpoint pairs and "
    "the same judges, and differs in this one setting."
)
_ADDED, _PLANNED = "compare-added", "compare-planned"


def variants_of(first: RunSummary, runs: Sequence[RunSummary]) -> tuple[RunSummary, ...]:
    """Return the runs that have a run's pairs and another divergence."""
    return tuple(
        other for other in runs if has_same_pairs(first.run, other.run) and other.run.divergence != first.run.divergence
    )


def variant_settings(first: RunSummary, divergence: Divergence) -> RunSettings:
    """Return the settings of a run that differs from another in the divergence alone."""
    return replace(first.run.settings, divergence=divergence, endpoints_of=first.run.run_id)


def take_added(key: str, usual: Sequence[str], known: Collection[str], most: int) -> None:
    """Set the chosen runs before their widget is drawn: the usual ones at first, then also one that was asked for."""
    chosen = [run_id for run_id in st.session_state.get(key, usual) if run_id in known]
    added = st.session_state.pop(_ADDED, None)
    if added in known and added not in chosen:
        chosen = [*chosen[: most - 1], added]
    st.session_state[key] = chosen


def variants_view(first: RunSummary, runs: Sequence[RunSummary], key: str) -> None:
    """Show the divergences that a run can be made with, those that are there and those that can be made."""
    with st.container(border=True, key="variants"):
        st.subheader("Divergence variants", anchor=False)
        st.html(f"<div class='tl-quiet'>{TOLD}</div>")
        hindrance = _hindrance(first)
        if hindrance:
            st.caption(hindrance)
            return
        known = {other.run.divergence: other for other in reversed(variants_of(first, runs))}
        shown = st.session_state.get(key, [])
        for divergence in DIVERGENCES:
            if divergence != first.run.divergence:
                _variant(first, divergence, known.get(divergence), shown)
        planned = st.session_state.get(_PLANNED)
        if planned is not None and planned[0] == first.run.run_id and planned[1] not in known:
            _planned(first, planned[1])


def _variant(first: RunSummary, divergence: Divergence, known: RunSummary | None, shown: Sequence[str]) -> None:
    told, act = st.columns([4, 2], vertical_alignment="center")
    told.markdown(DIVERGENCE_WORDS[divergence])
    if known is None:
        act.button(
            f"Make it with {divergence}",
            key=f"variant-{divergence}",
            icon=":material/science:",
            on_click=_plan,
            args=(first.run.run_id, divergence),
        )
    elif known.run.run_id in shown:
        act.caption("Above, beside the first.")
    else:
        act.button(
            "Put it beside",
            key=f"beside-{divergence}",
            icon=":material/compare_arrows:",
            on_click=_add,
            args=(known.run.run_id,),
        )


def _planned(first: RunSummary, divergence: Divergence) -> None:
    settings = first.run.settings
    stored = resources.summary(settings.collection)
    loaded = resources.loaded(settings.collection, stored.landscape_id if stored and stored.landscape_id else "")
    started = forecast_view(loaded, variant_settings(first, divergence), f"{first.run.name}, {divergence}", None)
    if started:
        st.session_state.pop(_PLANNED, None)
        _add(started)
        st.rerun()


def _hindrance(first: RunSummary) -> str:
    """Return why a run has no variants, empty where it can have them."""
    settings = first.run.settings
    if settings.design != "trails":
        return "Variants are for runs of trails beside random chronologies; choose one of those first."
    stored = resources.summary(settings.collection)
    if stored is None or not stored.is_built:
        return f"The collection {markdown_text(settings.collection)} is not here any more, or has no map."
    if stored.landscape_id != first.run.landscape_id:
        return "The collection has another map now than when the run began, so a variant would differ in that too."
    return ""


def _plan(run_id: str, divergence: Divergence) -> None:
    st.session_state[_PLANNED] = (run_id, divergence)


def _add(run_id: str) -> None:
    st.session_state[_ADDED] = run_id
