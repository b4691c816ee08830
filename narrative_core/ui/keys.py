"""Keys of endpoints: where one was found, and the field for typing one. A key is kept in memory only.

A key belongs to one origin, scheme, host and port, and goes nowhere else: the address is stored in the database, which
others write to as well and which may come from someone else.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlsplit

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from narrative_core.errors import InvalidInput
from narrative_core.settings import KEY_VARIABLE, endpoint_address, endpoint_host, is_endpoint_address
from narrative_core.ui.words import markdown_text

Use = Literal["embedding", "judge"]
"""What a key is for. One that is typed for one endpoint is never sent to the other."""

_USUAL_PORTS: Final = {"http": 80, "https": 443}
_NO_ADDRESS: Final = "what is no address"


@dataclass(frozen=True, slots=True)
class KeyState:
    """Whether there is a key (``value`` is empty if not), and in words where it was found.

    ``is_withheld``: there is one, but it is for another address.
    """

    value: str = field(repr=False)
    origin: str
    is_withheld: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A key, "" for none; where it was found; the origin that it belongs to, "" for none; how it is told of there."""

    value: str = field(repr=False)
    where: str
    home: str
    told: str


def api_key(use: Use, base_url: str) -> KeyState:
    """Return the key: typed in this session, in the environment, or in the secrets file; never stored.

    A typed key belongs to the address that its field named when it was typed, any other to that of the environment,
    else to OpenAI's. From every other address it is withheld, and from the same host by another scheme or port.

    Parameters
    ----------
    use : {"embedding", "judge"}
        What it is for.
    base_url : str
        Where it would be sent; "" is the environment's address, else OpenAI's.
    """
    target = endpoint_origin(endpoint_address(base_url))
    keys = [key for key in (_typed_key(use), _lasting_key()) if key.value]
    for key in keys:
        if target and key.home == target:
            return KeyState(key.value, key.told)
    if not keys:
        return KeyState("", "not found")
    home, there = _told_apart(keys[0].home, target)
    return KeyState("", f"{keys[0].where}, but that one is for {home} and is not sent to {there}", is_withheld=True)


def endpoint_origin(address: str) -> str:
    """Return scheme, host and port of an address, "" if it is none.

    Examples
    --------
    >>> endpoint_origin("https://ann:secret@API.openai.com:443/v1"), endpoint_origin("http://localhost:8080/v1")
    ('https://api.openai.com', 'http://localhost:8080')
    """
    if not is_endpoint_address(address):
        return ""
    parts = urlsplit(address)
    port = "" if parts.port in (None, _USUAL_PORTS[parts.scheme]) else f":{parts.port}"
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def key_field(use: Use, base_url: str) -> None:
    """Show the field for a key of this session, which names whom the key is for.

    Parameters
    ----------
    use : {"embedding", "judge"}
        What it is for.
    base_url : str
        The address beside it, as it stands there.
    """
    origin = endpoint_origin(endpoint_address(base_url))
    widget, shown = f"{use}-key", f"{use}_key_shown_for"
    if st.session_state.get(shown, origin) != origin and st.session_state.get(widget):
        # Left in its field, a key would seem to be for the new address, and the same one could not be typed again.
        st.session_state[widget] = ""
    st.session_state[shown] = origin
    st.text_input(
        f"Key for {markdown_text(_named(origin))}, this session only" if origin else "Key for this session",
        type="password",
        key=widget,
        on_change=keep_key,
        args=(use, origin),
        disabled=not origin,
        help="Kept in memory only, never stored, and sent to this address alone. Another address needs it typed again.",
    )
    typed = _typed_key(use)
    if typed.value and origin and typed.home != origin:
        home, there = map(markdown_text, _told_apart(typed.home, origin))
        st.caption(f"The key that was typed before is for {home}. If {there} may have it, type it again.")


def keep_key(use: Use, origin: str) -> None:
    """Keep what is in the field in this session, as the key for an origin and no other."""
    # The state of a widget ends with its page; a build or a judge is started on another one.
    where = "typed in this session"
    told = f"{where} for {_named(origin)}, in memory only"
    st.session_state[_kept(use)] = _Found(str(st.session_state[f"{use}-key"]), where, origin, told)


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


def _typed_key(use: Use) -> _Found:
    found: _Found = st.session_state.get(_kept(use)) or _Found("", "", "", "")
    return found


def _lasting_key() -> _Found:
    """Return the key that is there in every session."""
    home = endpoint_origin(endpoint_address())
    secret, where = os.environ.get(KEY_VARIABLE, ""), f"found in the environment ({KEY_VARIABLE})"
    if not secret:
        where = "found in .streamlit/secrets.toml"
        with suppress(StreamlitSecretNotFoundError):
            secret = str(st.secrets.get(KEY_VARIABLE, ""))
    return _Found(secret, where, home, where)


def _named(origin: str) -> str:
    """Return host and port of an origin."""
    return endpoint_host(origin) if origin else _NO_ADDRESS


def _told_apart(one: str, other: str) -> tuple[str, str]:
    """Return two origins in words: their hosts, with the scheme where the hosts are the same."""
    if one and _named(one) == _named(other):
        return one, other
    return _named(one), _named(other)


def _kept(use: Use) -> str:
    return f"kept_{use}_key"
