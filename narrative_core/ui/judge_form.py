"""The form that asks judges about a pair of stories, and what that is about to take."""

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Forecast
from narrative_core.records import StoryPair
from narrative_core.reports.cost_sentences import forecast_sentence, replay_sentence
from narrative_core.reports.judged_pairs import seat_title
from narrative_core.ui.judge_choice import Wanted, panel_choice
from narrative_core.ui.judging_work import can_ask, forecasts, n_possible_random
from narrative_core.ui.words import html_text


def ask_form(loaded: LoadedCollection, pair: StoryPair, *, is_flow_asked: bool) -> Wanted | None:
    """Show the form; return what is wanted in the run in which a person asks for it, else ``None``."""
    with st.container(border=True, key="ask-form"):
        choice, cost = st.columns([9, 5], gap="medium")
        with choice:
            wanted = panel_choice(loaded, is_flow_asked=is_flow_asked)
        with cost:
            is_wanted = _forecast(loaded, pair, wanted)
    return wanted if is_wanted else None


def remark_on(loaded: LoadedCollection, forecast: Forecast) -> str:
    """Return what is to be said of a forecast on a collection; empty for most."""
    return flow_remark(forecast, n_possible_random(loaded, forecast.seat))


def flow_remark(forecast: Forecast, n_random: int) -> str:
    """Return what reading flow reads beside the two stories the first time; empty where that was read before.

    ``n_random`` is how many random chronologies the collection has for it.
    """
    if forecast.seat.judge != "flow" or forecast.n_calls <= 2:
        return ""
    return (
        f"The first time it also reads {n_random:,} random chronologies of this collection, once, for the percentile. "
        "It can be stopped; what was read is kept."
    )


def _forecast(loaded: LoadedCollection, pair: StoryPair, wanted: Wanted) -> bool:
    """Say what is about to be taken, and return whether a person asks for it."""
    st.html("<div class='tl-head'><span class='kind'>What it takes</span></div>")
    if not wanted.seats:
        st.caption("Choose a judge; then this says how many answers, tokens, seconds and dollars it takes.")
    told = forecasts(loaded, pair, wanted.seats)
    askable = [forecast for forecast in told if can_ask(loaded, forecast.seat)]
    for forecast in told:
        words = forecast_sentence([forecast]) if forecast in askable else replay_sentence(forecast)
        label = html_text(seat_title(forecast.seat))
        remark = html_text(" ".join(filter(None, [words, remark_on(loaded, forecast)])))
        st.html(f"<div class='tl-quiet'><b>{label}</b><br>{remark}</div>")
    if len(askable) > 1:
        st.html(f"<div class='tl-quiet'><b>Together</b><br>{html_text(forecast_sentence(askable))}</div>")
    n_known, n_calls = sum(f.n_reused for f in told), sum(f.n_calls for f in askable)
    return st.button(
        "Ask" if n_calls or not told else "Show",
        key="ask-go",
        type="primary",
        icon=":material/gavel:",
        disabled=not (n_known or n_calls),
    )
