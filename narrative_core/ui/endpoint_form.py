"""Which model prompted judges ask, and where: the form that a person fills in."""

import os

import streamlit as st

from narrative_core.judging.endpoint import DEFAULT_MODEL, MODEL_VARIABLE
from narrative_core.settings import ADDRESS_VARIABLE, KEY_VARIABLE, OPENAI_URL
from narrative_core.ui import judges, keys, state
from narrative_core.ui.judges import ModelChoice
from narrative_core.ui.words import markdown_text

_NAME, _ADDRESS = "judge-model", "judge-address"


def endpoint_form() -> None:
    """Show model, address and key with what is in force; a change of model or address is kept on a button."""
    present = judges.chosen_model()
    left, right = st.columns([2, 3], gap="small")
    model = left.text_input(
        "Model", present.model, key=_NAME, max_chars=200,
        help=f"As the endpoint names it. Empty is {MODEL_VARIABLE}, else {DEFAULT_MODEL}, which the study asked.",
    )  # fmt: skip
    base_url = right.text_input(
        "Address", present.base_url, key=_ADDRESS, placeholder=_usual_address(), max_chars=500,
        help=f"Anything that speaks OpenAI's protocol, a local server too. Empty is {ADDRESS_VARIABLE}, else OpenAI.",
    )  # fmt: skip
    chosen = ModelChoice(model.strip() or judges.environment_model(), base_url.strip())
    if st.button("Use this model", type="primary", disabled=chosen == present, key="judge-use"):
        judges.choose_model(chosen)
        state.notify(f"Prompted judges now ask {chosen.model}.")
        st.rerun()
    keys.key_field("judge", base_url.strip())
    where = markdown_text(present.host) or "the address"
    st.caption(
        f"What is shown of a story goes to {where} when the judge is asked, and nowhere else; a key goes to the "
        f"address that its field names. The environment can name all three: {MODEL_VARIABLE}, {ADDRESS_VARIABLE}, "
        f"{KEY_VARIABLE}; the key can be in .streamlit/secrets.toml too."
    )


def _usual_address() -> str:
    """Return the address that is asked where a person names none, as far as it may be shown."""
    given = os.environ.get(ADDRESS_VARIABLE, "").strip()
    return OPENAI_URL if not given else f"{ADDRESS_VARIABLE} ({judges.ModelChoice('').host})"
