"""The judges that can be asked from here: which they are, where they read, and whether they are ready."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from narrative_core import panel
from narrative_core.assessment import Bench
from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Mode, RecordedModel, Seat, Shown
from narrative_core.judging.endpoint import Endpoint, endpoint_from, judge_model
from narrative_core.judging.reader import best_scorer, reader_host, reader_state
from narrative_core.judging.scorers import Scorer
from narrative_core.reports.judged_pairs import JUDGE_WORDS
from narrative_core.settings import endpoint_address, endpoint_host, is_endpoint_address
from narrative_core.store.judgements import recorded_models
from narrative_core.store.preferences import load_preference, save_preference
from narrative_core.ui import keys, resources

_MODEL, _BASE_URL = "judge_model", "judge_base_url"


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
    return judge_model()


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
    return Bench(endpoint(), scorer() if is_flow_ready() else None, budget_usd=budget_usd)


@st.cache_resource(show_spinner=False)
def scorer() -> Scorer:
    """Return the one reader of this process for reading flow; nothing is loaded before it is asked."""
    return best_scorer()


def lexical_seat(loaded: LoadedCollection, shown: Shown = "leads") -> Seat:
    """Return the lexical reader's seat. It reads the dates whatever is shown."""
    return panel.lexical_seat(loaded, shown)


def flow_seat(loaded: LoadedCollection, shown: Shown = "leads") -> Seat | None:
    """Return the seat of reading flow on a collection; ``None`` where what is to read is set wrong.

    Where only the local model is absent the seat is there: what it said elsewhere may be in the store.
    """
    try:
        return panel.flow_seat(scorer(), loaded, shown)
    except JudgeUnavailable:
        return None


def is_flow_ready() -> bool:
    """Return whether there is something to read with for reading flow. Nothing is loaded or looked up in the store."""
    return reader_state().is_ready


def flow_host() -> str:
    """Return the host that reading flow sends what is shown to; "" where a model on this computer reads."""
    return reader_host()


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


def provider_states() -> tuple[ProviderState, ...]:
    """Return every kind of judge with its state: those that need nothing first."""
    return tuple(state() for state in _STATES.values())


def provider_state(key: str) -> ProviderState:
    """Return one kind of judge with its state, without looking at the others."""
    return _STATES[key]()


def _endpoint() -> Endpoint:
    choice = chosen_model()
    # With an empty environment: everything is given, and a key that is withheld is not to be found again.
    key = keys.api_key("judge", choice.base_url)
    return endpoint_from(choice.model, endpoint_address(choice.base_url), key.value, environ={})


def _lexical_state() -> ProviderState:
    told = "Always ready: it runs on this computer with no model, no key and no network."
    return ProviderState("lexical", JUDGE_WORDS["lexical"], True, told)


def _flow_state() -> ProviderState:
    found = reader_state()
    return ProviderState("flow", JUDGE_WORDS["flow"], found.is_ready, found.what, found.remedy)


def _prompted_state() -> ProviderState:
    choice = chosen_model()
    key = keys.api_key("judge", choice.base_url)
    title = f"{JUDGE_WORDS['openai']} ({choice.model}{f' at {choice.host}' if choice.host else ''})"
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


_STATES: Mapping[str, Callable[[], ProviderState]] = {
    "lexical": _lexical_state,
    "flow": _flow_state,
    "openai": _prompted_state,
    "recorded": _recorded_state,
}
