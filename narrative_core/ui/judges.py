"""The judges that can be asked from here: which they are, whether they are ready, and what they are called."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from narrative_core import panel
from narrative_core.assessment import Bench
from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import JudgeName, Mode, RecordedModel, Seat, Shown
from narrative_core.judging.endpoint import DEFAULT_MODEL, MODEL_VARIABLE, Endpoint, endpoint_from
from narrative_core.judging.modes import MODES
from narrative_core.judging.reader import best_scorer, reader_state
from narrative_core.judging.scorers import Scorer
from narrative_core.settings import endpoint_address, endpoint_host, is_endpoint_address
from narrative_core.store.judgements import recorded_models
from narrative_core.store.preferences import load_preference, save_preference
from narrative_core.ui import keys, resources

_MODEL, _BASE_URL = "judge_model", "judge_base_url"

SHOWN_TITLES: Mapping[Shown, str] = {"titles": "titles", "dates": "titles and dates", "leads": "titles and leads"}
"""What a judge is shown of each document, in words."""

_JUDGE_TITLES: Mapping[JudgeName, str] = {
    "lexical": "Lexical reader",
    "flow": "Reading flow",
    "openai": "Prompted judge",
}


@dataclass(frozen=True, slots=True)
class ProviderState:
    """Whether a kind of judge can be asked: ``told`` in a sentence, ``remedy`` what to do, empty where it is ready.

    ``key`` is "lexical", "flow", "openai" or "recorded". No text is escaped.
    """

    key: str
    title: str
    is_ready: bool
    told: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model that prompted judges ask, and the address; ``base_url`` is empty where the environment says it."""

    model: str
    base_url: str = ""

    @property
    def host(self) -> str:
        """Host of the address; "" where the address is none."""
        address = endpoint_address(self.base_url)
        return endpoint_host(address) if is_endpoint_address(address) else ""


def chosen_model() -> ModelChoice:
    """Return the model that a person chose, else that of the environment, else the study's."""
    database = resources.database()
    model = load_preference(database, _MODEL) or environment_model()
    return ModelChoice(model, load_preference(database, _BASE_URL))


def environment_model() -> str:
    """Return the model that is asked where a person chose none."""
    return os.environ.get(MODEL_VARIABLE, "").strip() or DEFAULT_MODEL


def choose_model(choice: ModelChoice) -> None:
    """Keep the choice; an empty model or address is that of the environment.

    Raises
    ------
    InvalidInput
        If the address is none, or carries a name or password, which would be stored.
    """
    keys.check_address(choice.base_url)
    if choice.base_url and not is_endpoint_address(choice.base_url):
        raise InvalidInput(
            "The address must begin with http:// or https:// and a host, as in http://localhost:8080/v1."
        )
    save_preference(resources.database(), _MODEL, choice.model)
    save_preference(resources.database(), _BASE_URL, choice.base_url)


def endpoint() -> Endpoint | None:
    """Return the endpoint that prompted judges ask, with the key of this session; ``None`` where none can be asked."""
    try:
        return _endpoint()
    except JudgeUnavailable:
        return None


def bench(budget_usd: float | None = None) -> Bench:
    """Return the judges that can be asked from here."""
    return Bench(endpoint(), scorer() if reader_state().is_ready else None, budget_usd=budget_usd)


@st.cache_resource(show_spinner=False)
def scorer() -> Scorer:
    """Return the one reader of this process for reading flow; nothing is loaded before it is asked."""
    return best_scorer()


def lexical_seat(shown: Shown = "leads") -> Seat:
    """Return the lexical reader's seat. It reads the dates whatever is shown."""
    return panel.lexical_seat(shown)


def flow_seat(loaded: LoadedCollection, shown: Shown = "leads") -> Seat:
    """Return the seat of reading flow on a collection."""
    return panel.flow_seat(scorer(), loaded, shown)


def prompted_seat(mode: Mode, n_agents: int = 1, shown: Shown = "titles", is_explained: bool = True) -> Seat:
    """Return the seat of the chosen model, whether it can be asked or only has replies in the store."""
    choice = chosen_model()
    return Seat("openai", choice.model, choice.host, mode, n_agents, shown, is_explained)


def recorded_seat(recorded: RecordedModel) -> Seat:
    """Return the seat that a model with replies in the store had."""
    return Seat(
        "openai",
        recorded.model,
        recorded.endpoint,
        recorded.mode,
        recorded.n_agents,
        recorded.shown,
        recorded.is_explained,
    )


def judge_title(judge: JudgeName) -> str:
    """Return what a kind of judge is called."""
    return _JUDGE_TITLES[judge]


def seat_label(seat: Seat) -> str:
    """Return what a seat is called, not escaped; what is shown is in it where it is not what is shown by default.

    Examples
    --------
    >>> seat_label(Seat("openai", "gpt-4.1", "api.openai.com", "standard", 5))
    'gpt-4.1, standard, 5 agents'
    >>> seat_label(Seat("lexical", "", shown="leads"))
    'Lexical reader'
    """
    if seat.mode is None:
        return judge_title(seat.judge)
    parts = [seat.model, MODES[seat.mode].title.lower(), f"{seat.n_agents} agent{'s' if seat.n_agents > 1 else ''}"]
    if seat.shown != "titles":
        parts.append(SHOWN_TITLES[seat.shown])
    if not seat.is_explained:
        parts.append("no explanation")
    return ", ".join(parts)


def score_text(judge: JudgeName, score: float) -> str:
    """Return a score as it is written: one decimal of 1 to 10, two decimals of nats per token; "–" for none.

    Examples
    --------
    >>> score_text("openai", 7.25), score_text("flow", 0.333), score_text("lexical", float("nan"))
    ('7.2', '0.33', '–')
    """
    if math.isnan(score):
        return "–"
    return f"{score:.2f}" if judge == "flow" else f"{score:.1f}"


def provider_states() -> tuple[ProviderState, ...]:
    """Return every kind of judge with its state: those that need nothing first."""
    return _lexical_state(), _flow_state(), _prompted_state(), _recorded_state()


def _endpoint() -> Endpoint:
    choice = chosen_model()
    # With an empty environment: everything is given, and a key that is withheld is not to be found again.
    key = keys.api_key("judge", host=choice.host)
    return endpoint_from(choice.model, endpoint_address(choice.base_url), key.value, environ={})


def _lexical_state() -> ProviderState:
    told = "Always ready: it runs on this computer with no model, no key and no network."
    return ProviderState("lexical", judge_title("lexical"), True, told)


def _flow_state() -> ProviderState:
    found = reader_state()
    return ProviderState("flow", judge_title("flow"), found.is_ready, found.what, found.remedy)


def _prompted_state() -> ProviderState:
    choice = chosen_model()
    key = keys.api_key("judge", host=choice.host)
    title = f"{judge_title('openai')} ({choice.model}{f' at {choice.host}' if choice.host else ''})"
    try:
        _endpoint()
    except JudgeUnavailable as problem:
        remedy = "Type a key or another address here. Until then replies that are stored can still be shown."
        return ProviderState("openai", title, False, str(problem), remedy)
    told = f"Key {key.origin}." if key.value else "Asked without a key."
    if key.is_withheld:
        told = f"Asked without a key. One was {key.origin}. Type one here if it needs one."
    return ProviderState("openai", title, True, told)


def _recorded_state() -> ProviderState:
    found = recorded_models(resources.database())
    title = "Recorded replies"
    if not found:
        told = "No prompted judge has replied here yet."
        return ProviderState("recorded", title, False, told, "Ask one, or upload a file of recorded replies below.")
    n, n_models = sum(model.n_judgements for model in found), len({(model.endpoint, model.model) for model in found})
    models = f"{n_models} model{'s' if n_models > 1 else ''}"
    told = f"{n:,} {'replies' if n > 1 else 'reply'} of {models} can be shown again with no key and no network."
    return ProviderState("recorded", title, True, told)
