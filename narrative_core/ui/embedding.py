"""Which model turns text into vectors: what a person chose, and whether it can be used."""

import streamlit as st

from narrative_core.build_stages import Model
from narrative_core.settings import KEY_VARIABLE
from narrative_core.space.embedders import DEFAULT_ENDPOINT_MODEL, LOCAL_MODEL, make_embedder
from narrative_core.store.preferences import load_preference, save_preference
from narrative_core.ui import keys, resources
from narrative_core.ui.words import markdown_text

NO_KEY = "none"
_MODEL, _BASE_URL = "embedding_model", "embedding_base_url"


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
    keys.check_address(model.base_url)
    save_preference(resources.database(), _MODEL, model.name)
    save_preference(resources.database(), _BASE_URL, model.base_url)


def api_key(model: Model) -> str:
    """Return the key to send with a model's requests, empty where it is found later or there is none.

    One that belongs to another address is not sent: a word that is no key stands in its place.
    """
    found = keys.api_key("embedding", model.base_url)
    return NO_KEY if found.is_withheld else found.value


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
            "A small, fast model of English words, 256 dimensions. We told 40 events twice: asked with the second "
            "telling, it put the right event first for 29 in English, 24 in Chinese, 21 in Russian, 15 in Spanish and "
            "12 in Arabic. Across languages it is weaker: 19 Spanish, 15 Chinese, 11 Russian and 1 Arabic report found "
            "the same event in English. For other languages than English, and where a collection mixes "
            "languages, choose a multilingual model at an endpoint."
        )
        chosen = Model()
    else:
        name = st.text_input(
            "Model", DEFAULT_ENDPOINT_MODEL if is_local else present.name, key="model-name",
            placeholder="bge-m3, multilingual-e5-large, text-embedding-3-large",
            help="For texts in many languages: text-embedding-3-large at OpenAI; bge-m3 or multilingual-e5-large at a "
            "local server.",
        )  # fmt: skip
        base_url = st.text_input(
            "Address", present.base_url, placeholder="https://api.openai.com/v1", key="model-address",
            help="Anything that speaks OpenAI's protocol, a local server too. Empty is OPENAI_BASE_URL, else OpenAI.",
        )  # fmt: skip
        keys.key_field("embedding", base_url.strip())
        key = keys.api_key("embedding", base_url.strip())
        origin = markdown_text(key.origin)
        if key.is_withheld:
            st.info(f"No key is sent: one was {origin}. Type one above if it needs one.", icon=":material/key_off:")
        elif key.value:
            st.success(f"Key {origin}.", icon=":material/check_circle:")
        else:
            st.warning(
                f"No key found. Set {KEY_VARIABLE} in the environment or in .streamlit/secrets.toml, or type one "
                "above. A local server may need none: type any word.",
                icon=":material/key_off:",
            )
        st.caption("The text of every document is sent to this address when a collection is built.")
        chosen = Model(name.strip() or DEFAULT_ENDPOINT_MODEL, base_url.strip())
    _keep_and_test(chosen, present)


def _keep_and_test(chosen: Model, present: Model) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button("Use this model", type="primary", disabled=chosen == present, key="model-use"):
            choose_model(chosen)
            st.rerun()
        is_tested = st.button("Test it on one sentence", key="model-test")
    if is_tested:
        with st.spinner("Asking the model …"):
            embedder = make_embedder(chosen.name, base_url=chosen.base_url or None, api_key=api_key(chosen) or None)
            vectors = embedder.embed(["A rocket lifts off from the coast."])
        st.success(
            f"It answered with a vector of {vectors.shape[1]:,} dimensions ({embedder.version}).",
            icon=":material/check_circle:",
        )
