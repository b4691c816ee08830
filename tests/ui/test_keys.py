"""Where a key is looked for, in which order, and to whom it goes."""

from collections.abc import Iterator

import pytest
import streamlit as st

from narrative_core.errors import InvalidInput
from narrative_core.ui.keys import api_key, check_address

KEY = "sk-proj-Very-Secret-0123456789"


@pytest.fixture(autouse=True)
def _nothing_yet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(st, "secrets", {})
    monkeypatch.setattr(st, "session_state", {})
    yield


def test_a_key_is_looked_for_in_the_session_then_in_the_environment_then_in_the_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (api_key("judge").value, api_key("judge").origin) == ("", "not found")
    monkeypatch.setattr(st, "secrets", {"OPENAI_API_KEY": "of-the-file"})
    assert (api_key("judge").value, api_key("judge").origin) == ("of-the-file", "found in .streamlit/secrets.toml")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    assert api_key("judge").value == "of-the-environment"
    st.session_state["kept_judge_key"] = "typed"
    assert api_key("judge").value == "typed"
    assert api_key("embedding").value == "of-the-environment"


@pytest.mark.parametrize("host", ["", "api.openai.com"])
def test_a_lasting_key_goes_to_openai_where_the_environment_names_no_address(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert api_key("judge", host=host).value == KEY
    withheld = api_key("judge", host="evil.example")
    assert (withheld.value, withheld.is_withheld) == ("", True)


def test_a_lasting_key_goes_to_the_host_that_the_environment_names_and_to_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(st, "secrets", {"OPENAI_API_KEY": KEY})
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8080/v1")
    assert api_key("judge", host="localhost:8080").value == KEY
    assert api_key("judge", host="api.openai.com").is_withheld
    assert api_key("judge", host="localhost:8081").is_withheld


def test_a_typed_key_goes_where_its_person_sends_it() -> None:
    st.session_state["kept_judge_key"] = KEY
    assert api_key("judge", host="localhost:8080").value == KEY


def test_no_key_at_all_is_not_withheld() -> None:
    assert not api_key("judge", host="localhost:8080").is_withheld


def test_a_key_is_in_no_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert KEY not in repr(api_key("judge"))


@pytest.mark.parametrize("address", ["https://me:word@h/v1", "https://word@h/v1", "http://["])
def test_an_address_that_may_not_be_stored_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput):
        check_address(address)


@pytest.mark.parametrize("address", ["", "http://localhost:8080/v1", "not an address"])
def test_an_address_without_a_secret_may_be_stored(address: str) -> None:
    check_address(address)
