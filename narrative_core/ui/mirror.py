"""Fields that show a value which is kept elsewhere, and hand in what was entered in them and nothing else.

With every click the browser hands in all the fields of its page. Where a value was changed a moment before by anything
but the field itself, by undo for example, or while the popover of the field was closed, the browser hands in what it
shows: the former value, which nobody entered. Taken for an entry, it would bring back what was undone.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st


def show(name: str, value: object) -> str:
    """Let a field show a value, and return the key of the field.

    The key is another one after each change that was not made in the field, so that the browser draws it anew.

    Parameters
    ----------
    name : str
        Of the field, one in the window, that begins with a letter; also its key until the value is changed from
        elsewhere.
    value : object
        What is to be shown; two values are the same where they are equal.
    """
    number, shown = st.session_state.get(_slot(name), (0, value))
    if shown != value:
        number += 1
    st.session_state[_slot(name)] = (number, value)
    key = _key(name, number)
    st.session_state[key] = value
    return key


def entered(name: str, take: Callable[[Any], None]) -> None:
    """Hand over what was entered in a field; the callback of every field that `show` gave its key.

    Parameters
    ----------
    name : str
        Of the field.
    take : callable
        Gets the value. It is not called where the field still shows what it was given.
    """
    number, shown = st.session_state[_slot(name)]
    value = st.session_state.get(_key(name, number), shown)
    if value != shown:
        st.session_state[_slot(name)] = (number, value)
        take(value)


def shown(name: str) -> object:
    """Return what a field shows, or what was entered in it last; ``None`` where it was not drawn yet."""
    return st.session_state.get(_slot(name), (0, None))[1]


def _key(name: str, number: int) -> str:
    # The number stands in front: behind, it could be the end of another name.
    return f"{number}-{name}" if number else name


def _slot(name: str) -> str:
    return f"shown in {name}"
