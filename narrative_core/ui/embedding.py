"""Which model turns text into vectors: what a person chose, and whether it can be used."""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from narrative_core.build_stages import Model
from narrative_core.errors import InvalidInput
from narrative_core.space.embedders import DEFAULT_ENDPOINT_MODEL, LOCAL_MODEL, make_embedder
from narrative_core.store.preferences import load_preference, save_preference
from narrative_core.ui import resources

_MODEL, _BASE_URL = "embedding_model", "embedding_base_url"
_KEY, _KEPT_KEY = "embedding-key", "kept_embedding_key"
KEY_NAME = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class KeyState:
    """Whether there is a key, and in words where it was found."""

    value: str
    origin: str


def chosen_model() -> Model:
    """Return the model for new builds; the local one until a person chooses another."""
    database = resources.database()
    return Model(load_preference(database, _MODEL, LOCAL_MODEL), load_preference(database, _BASE_URL))


def choose_model(model: Model) -> None:
    """Keep the choice for new builds.

    Raises
    ------
    InvalidInput
        If the address carries a name or password, which would be stored.
    """
    if urlsplit(model.base_url).username or urlsplit(model.base_url).password:
        raise InvalidInput("The address carries a name or a password. Type the key into its own field.")
    save_preference(resources.database(), _MODEL, model.name)
    save_preference(resources.database(), _BASE_URL, model.base_url)


def api_key() -> KeyState:
    """Return the endpoint's key: typed in this session, in the environment, or in the secrets file; never stored."""
    typed = str(st.session_state.get(_KEPT_KEY, ""))
    if typed:
        return KeyState(typed, "typed in this session, in memory only")
    if os.environ.get(KEY_NAME):
        return KeyState(os.environ[KEY_NAME], f"found in the environment ({KEY_NAME})")
    try:
        secret = str(st.secrets.get(KEY_NAME, ""))
    except StreamlitSecretNotFoundError:
        secret = ""
    return KeyState(secret, "found in .streamlit/secrets.toml" if secret else "not found")


def model_form() -> None:
    """Show the choice of the model with its state and its remedy."""
    present = chosen_model()
    is_local = present.name == LOCAL_MODEL
    options = ["On this computer", "From an endpoint"]
    where = st.radio("Vectors for new builds", options, index=0 if is_local else 1, horizontal=True, key="model-where")
    if where == options[0]:
        st.success(
            "WordLlama is ready: it came with the installation and needs no key and no network.",
            icon=":material/check_circle:",
        )
        st.caption(
            "A small model of English words, 256 dimensions. It is fast and knows other languages only a little: for a "
            "collection in Arabic or Chinese choose a multilingual model at an endpoint."
        )
        chosen = Model()
    else:
        name = st.text_input("Model", DEFAULT_ENDPOINT_MODEL if is_local else present.name, key="model-name")
        base_url = st.text_input(
            "Address", present.base_url, placeholder="https://api.openai.com/v1", key="model-address",
            help="Anything that speaks OpenAI's protocol, a local server too. Empty is OPENAI_BASE_URL, else OpenAI.",
        )  # fmt: skip
        st.text_input(
            "Key for this session",
            type="password",
            key=_KEY,
            on_change=_keep_key,
            help="Kept in memory only, never stored.",
        )
        key = api_key()
        if key.value:
            st.success(f"Key {key.origin}.", icon=":material/check_circle:")
        else:
            st.warning(
                f"No key found. Set {KEY_NAME} in the environment or in .streamlit/secrets.toml, or type one above. "
                "A local server may need none: type any word.",
                icon=":material/key_off:",
            )
        st.caption("The text of every document is sent to this address when a collection is built.")
        chosen = Model(name.strip() or DEFAULT_ENDPOINT_MODEL, base_url.strip())
    _keep_and_test(chosen, present)


def _keep_key() -> None:
    # The state of a widget ends with its page; a build is started on another one.
    st.session_state[_KEPT_KEY] = st.session_state[_KEY]


def _keep_and_test(chosen: Model, present: Model) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button("Use this model", type="primary", disabled=chosen == present, key="model-use"):
            choose_model(chosen)
            st.rerun()
        is_tested = st.button("Test it on one sentence", key="model-test")
    if is_tested:
        with st.spinner("Asking the model …"):
            embedder = make_embedder(chosen.name, base_url=chosen.base_url or None, api_key=api_key().value or None)
            vectors = embedder.embed(["A rocket lifts off from the coast."])
        st.success(
            f"It answered with a vector of {vectors.shape[1]:,} dimensions ({embedder.version}).",
            icon=":material/check_circle:",
        )
