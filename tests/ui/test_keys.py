"""Where a key is looked for, in which order, and to whom it goes."""

from collections.abc import Iterator

import pytest
import streamlit as st

from narrative_core.errors import InvalidInput
from narrative_core.settings import endpoint_address
from narrative_core.ui.keys import KeyState, Use, api_key, check_address, endpoint_origin, keep_key

KEY = "sk-proj-Very-Secret-0123456789"


@pytest.fixture(autouse=True)
def _nothing_yet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(st, "secrets", {})
    monkeypatch.setattr(st, "session_state", {})
    yield


def type_key(use: Use, value: str, base_url: str = "") -> None:
    """Type a key into the field, as it is when it is shown for an address."""
    st.session_state[f"{use}-key"] = value
    keep_key(use, endpoint_origin(endpoint_address(base_url)))


def test_a_key_is_looked_for_in_the_session_then_in_the_environment_then_in_the_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (api_key("judge", "").value, api_key("judge", "").origin) == ("", "not found")
    monkeypatch.setattr(st, "secrets", {"OPENAI_API_KEY": "of-the-file"})
    assert api_key("judge", "") == KeyState("of-the-file", "found in .streamlit/secrets.toml")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    assert api_key("judge", "").value == "of-the-environment"
    type_key("judge", "typed")
    assert api_key("judge", "") == KeyState("typed", "typed in this session for api.openai.com, in memory only")
    assert api_key("embedding", "").value == "of-the-environment"
    type_key("judge", "")
    assert api_key("judge", "").value == "of-the-environment"


@pytest.mark.parametrize("base_url", ["", "https://api.openai.com/v1", " https://API.openai.com:443/v2/x "])
def test_a_lasting_key_goes_to_openai_where_the_environment_names_no_address(
    base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert api_key("judge", base_url).value == KEY
    withheld = api_key("judge", "https://evil.example/v1")
    assert (withheld.value, withheld.is_withheld) == ("", True)
    assert withheld.origin.endswith("but that one is for api.openai.com and is not sent to evil.example")


def test_a_lasting_key_goes_to_the_host_that_the_environment_names_and_to_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(st, "secrets", {"OPENAI_API_KEY": KEY})
    monkeypatch.setenv("OPENAI_BASE_URL", "http://ann:word@localhost:8080/v1")
    assert api_key("judge", "http://localhost:8080/v1").value == KEY
    assert api_key("judge", "").value == KEY
    assert api_key("judge", "https://api.openai.com/v1").is_withheld
    assert api_key("judge", "http://localhost:8081/v1").is_withheld
    assert api_key("judge", "https://localhost:8080/v1").is_withheld


@pytest.mark.parametrize(
    "base_url", ["http://api.openai.com/v1", "http://api.openai.com:443/v1", "https://api.openai.com:8443/v1"]
)
def test_no_key_goes_to_the_right_host_over_the_wrong_way(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert api_key("embedding", base_url).is_withheld
    type_key("judge", KEY)
    assert api_key("judge", base_url).is_withheld


def test_a_key_that_is_withheld_over_plain_http_is_told_with_the_way() -> None:
    type_key("judge", KEY)
    told = api_key("judge", "http://api.openai.com/v1").origin
    assert told == (
        "typed in this session, but that one is for https://api.openai.com and is not sent to http://api.openai.com"
    )


@pytest.mark.parametrize("use", ["embedding", "judge"])
def test_a_typed_key_goes_to_the_address_that_was_shown_when_it_was_typed_and_to_no_other(use: Use) -> None:
    type_key(use, KEY, "http://localhost:8080/v1")
    assert api_key(use, "http://localhost:8080/v1").value == KEY
    assert api_key(use, "http://localhost:8080/another/path").value == KEY
    for other in ("", "http://localhost:8081/v1", "https://localhost:8080/v1", "http://evil.example/v1"):
        assert (api_key(use, other).value, api_key(use, other).is_withheld) == ("", True)
    told = api_key(use, "http://evil.example/v1").origin
    assert told == "typed in this session, but that one is for localhost:8080 and is not sent to evil.example"


def test_a_key_that_is_typed_again_is_for_the_new_address_alone() -> None:
    type_key("judge", KEY)
    type_key("judge", KEY, "http://localhost:8080/v1")
    assert api_key("judge", "http://localhost:8080/v1").value == KEY
    assert api_key("judge", "").is_withheld


def test_a_key_typed_for_another_address_does_not_stand_before_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    type_key("judge", KEY, "http://localhost:8080/v1")
    assert api_key("judge", "").value == "of-the-environment"
    assert api_key("judge", "http://localhost:8080/v1").value == KEY
    assert api_key("judge", "http://evil.example/v1").origin.startswith("typed in this session, but")


@pytest.mark.parametrize("base_url", ["not an address", "http://[", "ftp://api.openai.com/v1", "https://"])
def test_no_key_goes_to_what_is_no_address(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_key("judge", KEY, base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for use in ("judge", "embedding"):
        assert (api_key(use, base_url).value, api_key(use, base_url).is_withheld) == ("", True)
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    assert api_key("judge", "").value == ""
    assert api_key("judge", "https://api.openai.com/v1").is_withheld


def test_no_key_at_all_is_not_withheld() -> None:
    assert not api_key("judge", "http://localhost:8080/v1").is_withheld


def test_a_key_is_in_no_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    type_key("embedding", KEY)
    assert KEY not in repr((api_key("judge", ""), api_key("embedding", ""), st.session_state["kept_embedding_key"]))


@pytest.mark.parametrize("address", ["https://me:word@h/v1", "https://word@h/v1", "http://["])
def test_an_address_that_may_not_be_stored_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput):
        check_address(address)


@pytest.mark.parametrize("address", ["", "http://localhost:8080/v1", "not an address"])
def test_an_address_without_a_secret_may_be_stored(address: str) -> None:
    check_address(address)
