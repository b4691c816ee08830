"""Choosing judges: which, how often, what is shown to them, for how much at most."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from narrative_core.assessment import known_prices
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Mode, RecordedModel, Seat, Shown
from narrative_core.judging.modes import MODES
from narrative_core.judging.prices import price_of
from narrative_core.reports.judged_pairs import SHOWN_WORDS, seat_title, short_name
from narrative_core.store.judgements import recorded_models
from narrative_core.ui import judges, resources
from narrative_core.ui.words import html_text, markdown_text

MOST_AGENTS = 9
FIRST_AGENTS = 3
AGENTS_TOLD = (
    "How often each mode is asked. The agents of a judge differ in temperature and seed; their spread says how steady "
    "the judge is."
)
SHOWN_TOLD = "What a prompted judge sees of each document. The reference study showed titles. More costs more."
EXPLAINED_TOLD = "Asks for a few sentences and for the weakest link. They are written after the score."
BUDGET_TOLD = "No question is put whose worst case could exceed what is left of it. What came before that is kept."
RECORDED_TOLD = "Answers that are stored here are shown again with no key and no network; nothing new is asked."


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who is to be asked, and for how much at most; ``None`` is no limit."""

    seats: tuple[Seat, ...]
    budget_usd: float | None


@dataclass(frozen=True, slots=True)
class PromptedChoice:
    """How prompted judges are asked."""

    n_agents: int
    shown: Shown
    is_explained: bool
    budget_usd: float | None


def panel_choice(loaded: LoadedCollection, *, is_flow_asked: bool) -> Wanted:
    """Show the ways to choose judges that are asked or read, in two columns; return what is chosen."""
    who, how = st.columns([5, 4], gap="medium")
    with who:
        is_flow = _flow_choice(is_flow_asked)
        modes = _mode_choice()
        recorded = _recorded_choice(loaded)
    with how:
        how_asked = _prompted_choice(is_needed=bool(modes))
    prompted = [
        judges.prompted_seat(mode, how_asked.n_agents, how_asked.shown, how_asked.is_explained) for mode in modes
    ]
    flow = judges.flow_seat(loaded) if is_flow else None
    seats = [*([flow] if flow else []), *prompted, *map(judges.recorded_seat, recorded)]
    return Wanted(tuple(dict.fromkeys(seats)), how_asked.budget_usd)


def to_judges_page() -> None:
    """Show the way to the page where a judge is made ready."""
    st.page_link("pages/manage/judges.py", label="Make it ready on the page Judges", icon=":material/gavel:")


def _flow_choice(is_asked: bool) -> bool:
    state = judges.provider_state("flow")
    chosen = st.checkbox(
        "Reading flow",
        value=state.is_ready and not is_asked,
        key="ask-for-flow",
        disabled=not state.is_ready,
        help="A language model reads: how much better each title is foretold by the document before it than by "
        "other documents of the collection. No prompt, always the same.",
    )
    _told(state)
    if chosen and judges.flow_host():
        st.html(f"<div class='tl-quiet'>{html_text(state.told)}</div>")
    return chosen and state.is_ready


def _mode_choice() -> Sequence[Mode]:
    state = judges.provider_state("openai")
    # The title names model and host, which are another's words.
    chosen = st.pills(
        markdown_text(state.title),
        tuple(MODES),
        selection_mode="multi",
        format_func=lambda mode: MODES[mode].title,
        key="ask-modes",
        disabled=not state.is_ready,
        help="\n".join(f"- **{form.title}**: {form.told}" for form in MODES.values()),
    )
    _told(state)
    return [mode for mode in MODES if mode in chosen] if state.is_ready else []


def _recorded_choice(loaded: LoadedCollection) -> Sequence[RecordedModel]:
    found = recorded_models(resources.database(), loaded.collection.name)
    if not found:
        return []
    return st.multiselect(
        "Recorded replies",
        found,
        format_func=lambda model: f"{seat_title(judges.recorded_seat(model))}, at {short_name(model.endpoint)}",
        key="ask-recorded",
        placeholder="Choose a judge that replied before",
        help=RECORDED_TOLD,
    )


def _prompted_choice(*, is_needed: bool) -> PromptedChoice:
    agents = st.slider(
        "Agents", 1, MOST_AGENTS, FIRST_AGENTS, key="ask-agents", help=AGENTS_TOLD, disabled=not is_needed
    )
    shown = st.segmented_control(
        "What is shown of each document",
        tuple(SHOWN_WORDS),
        default="titles",
        required=True,
        format_func=SHOWN_WORDS.__getitem__,
        key="ask-shown",
        help=SHOWN_TOLD,
        disabled=not is_needed,
    )
    is_explained = st.toggle(
        "With explanations", True, key="ask-explained", help=EXPLAINED_TOLD, disabled=not is_needed
    )
    budget = None
    if is_needed and has_price(judges.chosen_model().model):
        budget = st.number_input(
            "Budget in US dollars",
            min_value=0.01,
            value=None,
            step=0.1,
            placeholder="no limit",
            key="ask-budget",
            help=BUDGET_TOLD,
        )
    return PromptedChoice(agents, shown, is_explained, budget)


def _told(state: judges.ProviderState) -> None:
    if not state.is_ready:
        # An endpoint's remedy is a form on the other page.
        told = state.told if state.key == "openai" else f"{state.told} {state.remedy}"
        st.html(f"<div class='tl-quiet'>{html_text(told)}</div>")
        to_judges_page()


def has_price(model: str) -> bool:
    """Return whether it is known what a model costs, so that a budget can be kept."""
    return price_of(known_prices(resources.database()), model) is not None
