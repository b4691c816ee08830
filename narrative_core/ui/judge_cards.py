"""The judges as cards: what state each is in, what is missing, what it is, and the test that shows whether it works."""

from collections.abc import Callable, Mapping

import streamlit as st

from narrative_core.judgements import Mode
from narrative_core.judging.lexical import LEXICAL_CAVEAT
from narrative_core.judging.local_model import MODELS_VARIABLE, models_folder
from narrative_core.judging.weights import WEIGHTS_NAME
from narrative_core.store.judgements import recorded_models
from narrative_core.ui import judges, resources
from narrative_core.ui.endpoint_form import endpoint_form
from narrative_core.ui.judges import ProviderState
from narrative_core.ui.trial import example, latest_trial, trial_of
from narrative_core.ui.trial_view import trial_view
from narrative_core.ui.words import html_text, markdown_text

TRIED_MODE: Mode = "simple"
"""The mode that the test of a prompted judge asks in: the cheapest."""


def provider_cards() -> None:
    """Show every kind of judge: state first, then the remedy, then what it is. The one that is set up here is last."""
    cards = {card.key: card for card in judges.provider_states()}
    prompted = cards.pop("openai")
    for column, card in zip(st.columns(len(cards), gap="medium"), cards.values(), strict=True):
        with column, st.container(border=True, height="stretch", key=f"judge-{card.key}"):
            _state(card)
            _DETAILS[card.key](card)
    with st.container(border=True, key="judge-openai"):
        _prompted(prompted)


def _state(card: ProviderState, *, is_tested: bool = True, has_failed: bool = False) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.subheader(markdown_text(card.title), anchor=False)
        if card.is_ready and has_failed:
            st.badge("test failed", icon=":material/error:", color="orange")
        elif card.is_ready and not is_tested:
            st.badge("set up, not tested", icon=":material/help:", color="gray")
        elif card.is_ready:
            st.badge("ready", icon=":material/check_circle:", color="green")
        elif card.key == "recorded":
            st.badge("nothing yet", icon=":material/hourglass_empty:", color="gray")
        else:
            st.badge("not ready", icon=":material/do_not_disturb_on:", color="orange")
    st.markdown(markdown_text(card.told))
    if card.is_ready and not is_tested and not has_failed:
        st.markdown("Whether the address can be reached and knows the model is found out by the test.")
    if card.remedy:
        st.markdown(f":material/build: {markdown_text(card.remedy)}")


def _lexical(card: ProviderState) -> None:
    del card
    _quiet(
        LEXICAL_CAVEAT,
        "It gives 1 to 10 on logical flow, thematic consistency, temporal coherence and narrative completeness, and "
        "says why.",
    )
    seat = judges.lexical_seat(example())
    trial_view(seat, trial_of(seat), is_ready=True)


def _flow(card: ProviderState) -> None:
    _quiet(
        "It asks nothing: a language model reads, and a link's score is how much likelier the document before "
        "makes the next title than other documents of the collection do. The unit is nats per token: 0 is no likelier, "
        "0.69 twice as likely. The same story always gets the same score."
    )
    seat = judges.flow_seat(example())
    if judges.flow_host():
        _quiet("Whether that host takes money for it is not known here.")
    elif seat is not None:
        _local_model(card)
    if seat is not None:
        trial_view(seat, trial_of(seat), is_ready=card.is_ready)


def _local_model(card: ProviderState) -> None:
    with st.expander("The model, its licence, where it is kept", key="flow-model"):
        _quiet(
            "Gemma 3 with 270 million parameters, 4-bit weights of about 240 MB, under the Gemma terms of use "
            "(ai.google.dev/gemma/terms). It knows English best.",
            f"The weights come as packages and are put together at the first question, as "
            f"{models_folder() / WEIGHTS_NAME}. {MODELS_VARIABLE} names another folder.",
            *([f"Read with {judges.scorer().version}, {judges.scorer().path}."] if card.is_ready else []),
        )


def _prompted(card: ProviderState) -> None:
    left, right = st.columns([5, 7], gap="large")
    with left:
        seat = judges.prompted_seat(TRIED_MODE)
        found = trial_of(seat)
        is_tested = any(judgement.is_final for judgement in found.judgements)
        job = latest_trial(seat)
        _state(card, is_tested=is_tested, has_failed=not is_tested and job is not None and job.state == "failed")
        trial_view(seat, found, is_ready=card.is_ready)
    with right:
        endpoint_form()


def _recorded(card: ProviderState) -> None:
    del card
    _quiet("Whoever opens this database, or a file of recorded replies, sees the same scores and explanations.")
    lines = []
    for summary in resources.summaries():
        found = recorded_models(resources.database(), summary.collection.name)
        by_model: dict[str, int] = {}
        for recorded in found:
            name = f"{recorded.model} at {recorded.endpoint}"
            by_model[name] = by_model.get(name, 0) + recorded.n_judgements
        lines += [f"- {markdown_text(f'{summary.collection.title}: {n:,} of {name}')}" for name, n in by_model.items()]
    if lines:
        st.markdown("\n".join(lines))


def _quiet(*sentences: str) -> None:
    st.html("".join(f"<div class='tl-quiet'>{html_text(sentence)}</div>" for sentence in sentences))


_DETAILS: Mapping[str, Callable[[ProviderState], None]] = {
    "lexical": _lexical,
    "flow": _flow,
    "recorded": _recorded,
}
