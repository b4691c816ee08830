"""Keys of endpoints: where one was found, and the field for typing one. A key is kept in memory only."""

import os
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from narrative_core.errors import InvalidInput
from narrative_core.settings import KEY_VARIABLE, endpoint_address, endpoint_host

Use = Literal["embedding", "judge"]
"""What a key is for. One that is typed for one endpoint is never sent to the other."""


@dataclass(frozen=True, slots=True)
class KeyState:
    """Whether there is a key (``value`` is empty if not), and in words where it was found.

    ``is_withheld``: there is one, but it is for another host.
    """

    value: str = field(repr=False)
    origin: str
    is_withheld: bool = False


def api_key(use: Use, *, host: str = "") -> KeyState:
    """Return the key: typed in this session, in the environment, or in the secrets file; never stored.

    Parameters
    ----------
    use : {"embedding", "judge"}
        What it is for.
    host : str, optional
        Where it would be sent. A key that was not typed belongs to the host that the environment names, else to OpenAI,
        and is withheld from others: the address is stored in the database, and a database may come from someone else.
    """
    typed = str(st.session_state.get(_kept(use), ""))
    if typed:
        return KeyState(typed, "typed in this session, in memory only")
    found = _lasting_key()
    home = endpoint_host(endpoint_address())
    if found.value and host and host != home:
        return KeyState("", f"{found.origin}, but that one is for {home} and is not sent to {host}", is_withheld=True)
    return found


def key_field(use: Use) -> None:
    """Show the field for a key of this session."""
    st.text_input(
        "Key for this session",
        type="password",
        key=f"{use}-key",
        on_change=_keep,
        args=(use,),
        help="Kept in memory only, never stored.",
    )


def check_address(address: str) -> None:
    """Refuse an address that may not be stored.

    Raises
    ------
    InvalidInput
        If the address carries a name or password, or cannot be taken apart.
    """
    try:
        parts = urlsplit(address)
    except ValueError as problem:
        raise InvalidInput("That is no address. Write it like https://api.openai.com/v1.") from problem
    if parts.username or parts.password:
        raise InvalidInput("The address carries a name or a password. Type the key into its own field.")


def _lasting_key() -> KeyState:
    """Return the key that is there in every session."""
    if os.environ.get(KEY_VARIABLE):
        return KeyState(os.environ[KEY_VARIABLE], f"found in the environment ({KEY_VARIABLE})")
    try:
        secret = str(st.secrets.get(KEY_VARIABLE, ""))
    except StreamlitSecretNotFoundError:
        secret = ""
    return KeyState(secret, "found in .streamlit/secrets.toml" if secret else "not found")


def _keep(use: Use) -> None:
    # The state of a widget ends with its page; a build or a judge is started on another one.
    st.session_state[_kept(use)] = st.session_state[f"{use}-key"]


def _kept(use: Use) -> str:
    return f"kept_{use}_key"
