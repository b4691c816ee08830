"""Fields that show what is kept elsewhere: an entry is handed over, a value that nobody entered is not."""

import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button, TextInput

from narrative_core.ui import mirror


def _page() -> None:
    import streamlit as st

    from narrative_core.ui import mirror

    def take(value: str) -> None:
        st.session_state.kept = value.strip()
        st.session_state.taken = [*st.session_state.get("taken", []), value]

    st.button("Reset", key="reset", on_click=lambda: st.session_state.update(kept="at first"))
    st.text_input(
        "Word",
        key=mirror.show("word", st.session_state.setdefault("kept", "at first")),
        on_change=mirror.entered,
        args=("word", take),
    )


def opened() -> AppTest:
    """Open a page with one field and a button that changes what it shows."""
    return AppTest.from_function(_page).run()


def word(screen: AppTest) -> TextInput:
    """Return the field."""
    return screen.text_input[0]


def reset(screen: AppTest) -> Button:
    """Return the button."""
    return screen.button(key="reset")


def test_what_is_entered_is_taken_once_and_the_field_stays_the_same() -> None:
    screen = opened()
    key = word(screen).key
    word(screen).set_value("another").run()
    screen.run()
    assert screen.session_state.taken == ["another"]
    assert (word(screen).value, word(screen).key) == ("another", key)


def test_a_value_from_elsewhere_is_shown_in_a_new_field() -> None:
    screen = opened()
    key = word(screen).key
    word(screen).set_value("another").run()
    reset(screen).click().run()
    assert word(screen).value == "at first"
    assert word(screen).key != key
    word(screen).set_value("a third").run()
    assert screen.session_state.taken == ["another", "a third"]


def test_what_a_former_field_hands_in_is_nobodys_entry() -> None:
    screen = opened()
    former = word(screen).set_value("another").run().text_input[0]
    reset(screen).click().run()
    # The browser has not yet drawn the new field, and hands in the former one.
    former.set_value("another")
    screen._tree.children[0].children[1] = former
    screen.run()
    assert screen.session_state.kept == "at first"
    assert screen.session_state.taken == ["another"]


def test_a_value_that_is_kept_in_another_form_is_shown_in_that_form() -> None:
    screen = opened()
    word(screen).set_value("  spaced ").run()
    assert word(screen).value == "spaced"
    screen.run()
    assert screen.session_state.taken == ["  spaced "]


def test_a_field_that_was_never_drawn_shows_nothing() -> None:
    assert mirror.shown("no field of this name") is None
    assert "no field of this name" not in st.session_state
