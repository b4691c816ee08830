"""Asking for what a run has no answer to yet: what that takes, for how much at most, and who cannot be asked."""

import streamlit as st

from narrative_core import experiments
from narrative_core.errors import NarrativeError
from narrative_core.experiments import PlannedRun
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Forecast
from narrative_core.reports.cost_sentences import forecast_sentence, replay_sentence
from narrative_core.runs import RunSummary
from narrative_core.ui import judges, resources, run_work
from narrative_core.ui.judge_choice import BUDGET_TOLD, has_price, to_judges_page
from narrative_core.ui.judging_work import can_ask
from narrative_core.ui.words import html_text, markdown_text, sentence

OTHER_MAP = "The collection has another map now than when the run began. Start a new run."
NOBODY_HERE = (
    "None of the judges that have not answered can be asked from here. Make one ready; it must be the same model."
)
_BUDGET = "rest-budget"


def ask_for_rest(summary: RunSummary) -> None:
    """Ask at once where that costs nothing; else say first what it takes, and for how much at most it may be."""
    try:
        loaded = _loaded(summary)
        if loaded is None:
            st.error(OTHER_MAP)
            return
        plan = experiments.planned_again(resources.database(), loaded, summary.run.run_id)
    except NarrativeError as problem:
        st.error(markdown_text(sentence(str(problem))), icon=":material/error:")
        return
    missing = [(label, one) for label, one in zip(plan.labels, run_work.forecasts(plan), strict=True) if one.n_calls]
    askable = [one for _, one in missing if can_ask(loaded, one.seat)]
    if any(one.seat.judge == "openai" for one in askable):
        _open(loaded, plan, missing, askable)
    elif askable:
        run_work.go_on(loaded, summary.run.run_id)
        st.rerun()
    else:
        st.warning(NOBODY_HERE)
        to_judges_page()


def _loaded(summary: RunSummary) -> LoadedCollection | None:
    """Return the collection of a run, ``None`` where it has another map by now."""
    name, landscape_id = summary.run.settings.collection, summary.run.landscape_id
    stored = resources.summary(name)
    return resources.loaded(name, landscape_id) if stored and stored.landscape_id == landscape_id else None


@st.dialog("Ask for the rest")
def _open(
    loaded: LoadedCollection, plan: PlannedRun, missing: list[tuple[str, Forecast]], askable: list[Forecast]
) -> None:
    for label, one in missing:
        words = forecast_sentence([one]) if one in askable else replay_sentence(one)
        st.html(f"<div class='tl-quiet'><b>{html_text(label)}</b><br>{html_text(words)}</div>")
    if has_price(judges.chosen_model().model):
        st.number_input(
            "Budget in US dollars",
            min_value=0.01,
            value=None,
            step=0.1,
            placeholder="no limit",
            key=_BUDGET,
            help=f"For this time; what the run has cost before does not count. {BUDGET_TOLD}",
        )
    run_id = plan.run.run_id
    if st.button("Ask", key="ask-rest", type="primary", icon=":material/gavel:", on_click=_ask, args=(loaded, run_id)):
        st.rerun()


def _ask(loaded: LoadedCollection, run_id: str) -> None:
    run_work.go_on(loaded, run_id, budget_usd=st.session_state.get(_BUDGET))
