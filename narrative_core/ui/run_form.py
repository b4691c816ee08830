"""The form of a new run: what, how many, by whom; beside it what it is about to take."""

from dataclasses import replace

import streamlit as st

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.experiments import EXAMPLE_PAIRS, PlannedRun
from narrative_core.extraction import LoadedCollection
from narrative_core.intake import SHIPPED
from narrative_core.judgements import Forecast, Seat
from narrative_core.records import Divergence
from narrative_core.reports.cost_sentences import forecast_sentence, replay_sentence
from narrative_core.runs import SHARES, STRATUM_WORDS, Cutoffs, Design, RunSettings, Stratum
from narrative_core.store.judgements import measured_use
from narrative_core.ui import judges, resources, run_work, state
from narrative_core.ui.judge_choice import panel_choice
from narrative_core.ui.judging_work import can_ask
from narrative_core.ui.words import html_text, markdown_text, sentence

FEWEST_PAIRS, MOST_PAIRS = 2, 2000
DIVERGENCE_WORDS: dict[Divergence | None, str] = {
    None: "as the landscape has it",
    "root": "root: √ of the Jensen–Shannon divergence in nats",
    "plain": "plain: the divergence itself, in nats",
    "base2": "base2: √ of the divergence in bits",
}
PAIRS_TOLD: dict[Design, str] = {
    "trails": "Each pair of endpoints gives two stories: its trail and one random chronology.",
    "sanity": "Each pair gives its trail, a random chronology, and the trail damaged in four ways.",
    "mixtures": "So many stories of each kind: trails, alternating ones, random mixtures.",
}
_PLANNED = "planned-run"


def run_form(loaded: LoadedCollection, design: Design, *, pairs: int) -> None:
    """Show the form of a run of one design, and after it was asked for, what the run is about to take."""
    form, cost = st.columns([9, 5], gap="large")
    with form:
        settings, name, budget_usd = _settings(loaded, design, pairs)
        hindrance = _hindrance(settings)
        is_asked = st.button("See what it takes", key=f"plan-{design}", type="primary", disabled=bool(hindrance))
        if hindrance:
            st.caption(hindrance)
    if is_asked:
        st.session_state[_PLANNED] = settings, name
    with cost:
        if st.session_state.get(_PLANNED) == (settings, name):
            started = forecast_view(loaded, settings, name, budget_usd)
            if started:
                open_results(started)
        else:
            st.caption(
                "Before anything is asked, this says how many stories there are, how many answers they need, and what "
                "that takes in tokens, time and money."
            )


def example_offer(loaded: LoadedCollection) -> None:
    """Offer a run that needs no key and no choice."""
    flow = judges.flow_seat(loaded) if judges.is_flow_ready() else None
    seats = tuple(seat for seat in (flow, judges.lexical_seat(loaded)) if seat is not None)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="run-example"):
        told = "the two judges that need no key" if flow else "the lexical reader, which needs no key"
        cost = "" if judges.flow_host() else ", and costs nothing"
        st.markdown(
            f"**An example to look at**: {EXAMPLE_PAIRS} pairs of {markdown_text(loaded.collection.title)} before "
            f"{told}. It takes {_example_time(loaded, flow)}, can be stopped and resumed{cost}."
        )
        is_wanted = st.button("Run the example", key="run-the-example", icon=":material/play_arrow:")
    if is_wanted:
        settings = RunSettings(loaded.collection.name, EXAMPLE_PAIRS, seats)
        plan = _planned(loaded, settings, "")
        if plan is not None:
            open_results(run_work.start_run(loaded, plan))


def _example_time(loaded: LoadedCollection, flow: Seat | None) -> str:
    """Return how long the example takes: reading flow is as fast as it was here before, words alone take no time."""
    if flow is None:
        return "some seconds"
    if loaded.collection.name in SHIPPED and not any(one.n_calls for one in _example_forecasts(loaded, flow)):
        return "some seconds, since what reading flow gave these stories comes with the program"
    known = measured_use(resources.database(), endpoint=flow.endpoint, model=flow.model, mode=None)
    if known is None:
        return "some minutes on an ordinary laptop"
    minutes = 2 * EXAMPLE_PAIRS * known.seconds / 60
    return f"about {count(max(1, round(minutes)), 'minute')} at the pace measured here so far"


def _example_forecasts(loaded: LoadedCollection, flow: Seat) -> tuple[Forecast, ...]:
    """Return what reading flow has still to read for the example of a small collection."""
    settings = RunSettings(loaded.collection.name, EXAMPLE_PAIRS, (flow,))
    return run_work.forecasts(run_work.planned(loaded.edition, settings, "", loaded))


def open_results(run_id: str) -> None:
    """Go to where a run can be read, whatever its design."""
    state.choose_run(run_id)
    st.switch_page("pages/research/results.py")


def _settings(loaded: LoadedCollection, design: Design, pairs: int) -> tuple[RunSettings, str, float | None]:
    """Show the choices and return them with the name of the run and the budget."""
    first, second, third = st.columns([3, 2, 2], gap="medium")
    name = first.text_input("Name", key=f"run-name-{design}", placeholder="made from the settings", max_chars=80)
    n_pairs = second.number_input(
        "Stories of each kind" if design == "mixtures" else "Pairs of endpoints",
        FEWEST_PAIRS,
        MOST_PAIRS,
        pairs,
        key=f"run-pairs-{design}",
        help=PAIRS_TOLD[design],
    )
    seed = third.number_input(
        "Seed", 0, 2**32 - 1, 42, key=f"run-seed-{design}", help="The same seed draws the same pairs and stories again."
    )
    is_lexical = st.checkbox(
        "Lexical reader",
        True,
        key=f"run-lexical-{design}",
        help="Words, names and dates alone: the floor that a language model has to beat. Instant.",
    )
    wanted = panel_choice(loaded, is_flow_asked=False)
    seats = (*wanted.seats, *([judges.lexical_seat(loaded)] if is_lexical else []))
    settings = RunSettings(loaded.collection.name, int(n_pairs), seats, int(seed), design)
    if design != "mixtures":
        with st.expander("How endpoints are drawn, and how topics are compared"):
            settings = _sampling(loaded, settings)
    return settings, name, wanted.budget_usd


def _hindrance(settings: RunSettings) -> str:
    """Return why a run cannot be planned yet, empty where it can."""
    if not settings.seats:
        return "Choose at least one judge."
    total = round(100 * sum(settings.shares.values()))
    return "" if total == 100 else f"The shares of the groups of pairs add up to {total} percent: {_far_off(total)}."


def _far_off(percent: int) -> str:
    return f"take {percent - 100} away" if percent > 100 else f"{100 - percent} are missing"


def _sampling(loaded: LoadedCollection, settings: RunSettings) -> RunSettings:
    st.caption("Share of the pairs in each group, in percent. They must add up to 100; these are the study's.")
    columns = st.columns(3, gap="medium")
    percents = {
        stratum: columns[number % 3].number_input(
            words[:1].upper() + words[1:], 0, 100, round(100 * SHARES[stratum]), key=f"share-{stratum}"
        )
        for number, (stratum, words) in enumerate(STRATUM_WORDS.items())
    }
    total = sum(percents.values())
    if total != 100:
        st.warning(f"The shares add up to {total} percent: {_far_off(total)}.", icon=":material/percent:")
    usual = Cutoffs()
    short, long, hub, extreme = st.columns(4, gap="medium")
    cutoffs = Cutoffs(
        short.number_input(
            "Short: below quantile", 0.0, 1.0, usual.short, 0.05, help="Of the days between two documents."
        ),
        long.number_input(
            "Long: above quantile", 0.0, 1.0, usual.long, 0.05, help="Of the days between two documents."
        ),
        hub.number_input("Hubs and edge: share", 0.0, 0.5, usual.hub, 0.05, help="Of the documents, by their links."),
        extreme.number_input("Farthest apart: share", 0.0, 1.0, usual.extreme, 0.05, help="Of all pairs, by wording."),
    )
    # An option that is None would count as none chosen.
    divergences = {str(divergence or ""): divergence for divergence in DIVERGENCE_WORDS}
    chosen = st.selectbox(
        "Comparison of topics",
        list(divergences),
        format_func=lambda name: DIVERGENCE_WORDS[divergences[name]],
        key="run-divergence",
        help="Topic similarity is 1 less this divergence of two documents' topic shares.",
    )
    others = [summary.run for summary in run_work.runs(loaded.collection.name, "trails")]
    taken = st.selectbox(
        "Endpoint pairs",
        ["", *(run.run_id for run in others)],
        format_func=lambda run_id: next(
            (f"those of “{run.name}”" for run in others if run.run_id == run_id), "drawn anew"
        ),
        key="run-endpoints-of",
        help="With the pairs of another run, two runs that differ in one setting can be compared pair by pair.",
    )
    shares: dict[Stratum, float] = {stratum: percent / 100 for stratum, percent in percents.items()}
    return replace(settings, shares=shares, cutoffs=cutoffs, divergence=divergences[chosen], endpoints_of=taken)


def forecast_view(loaded: LoadedCollection, settings: RunSettings, name: str, budget_usd: float | None) -> str | None:
    """Say what a run is about to take, with the button that starts it; return its id once it was started."""
    plan = _planned(loaded, settings, name)
    if plan is None:
        return None
    st.html("<div class='tl-head'><span class='kind'>What it takes</span></div>")
    st.html("".join(f"<div class='tl-quiet'>{line}</div>" for line in _stories_told(plan)))
    forecasts = run_work.forecasts(plan)
    askable = [forecast for forecast in forecasts if can_ask(loaded, forecast.seat)]
    for label, forecast in zip(plan.labels, forecasts, strict=True):
        words = forecast_sentence([forecast]) if forecast in askable else replay_sentence(forecast)
        st.html(f"<div class='tl-quiet'><b>{html_text(label)}</b><br>{html_text(words)}</div>")
    if len(askable) > 1:
        together = html_text(forecast_sentence(askable))
        st.html(f"<div class='tl-quiet'><b>Together</b><br>{together}</div>")
    if st.button("Start the run", key=f"start-{settings.design}", type="primary", icon=":material/play_arrow:"):
        return run_work.start_run(loaded, plan, budget_usd=budget_usd)
    return None


def _planned(loaded: LoadedCollection, settings: RunSettings, name: str) -> PlannedRun | None:
    """Return a planned run; where there can be none, say why, and return ``None``."""
    try:
        return run_work.planned(loaded.edition, settings, name, loaded)
    except InvalidInput as problem:
        st.error(markdown_text(sentence(str(problem))), icon=":material/error:")
        return None


def _stories_told(plan: PlannedRun) -> list[str]:
    """Return how many stories a planned run has, and where it has fewer than were asked for."""
    n_stories, n_pairs = len(plan.stories), len({story.pair for story in plan.stories})
    rejected = f"; {count(plan.run.n_rejected, 'drawn pair')} without a trail left out" if plan.run.n_rejected else ""
    told = count(n_stories, "story")
    of = "" if plan.run.settings.design == "mixtures" else f" of {count(n_pairs, 'pair')}"
    return [
        f"<b>{told}</b>{of}{rejected}.",
        *(
            f"Only {one.found} of {one.wanted} pairs {html_text(STRATUM_WORDS[one.stratum])}."
            for one in plan.run.strata
            if one.found < one.wanted
        ),
    ]
