import dataclasses

import pytest

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.endpoint import DEFAULT_MODEL, Endpoint, endpoint_from

KEY = "sk-proj-Very-Secret-0123456789"


def test_all_comes_from_the_environment() -> None:
    environ = {"OPENAI_BASE_URL": "http://box:8080/v1", "OPENAI_API_KEY": KEY, "THROUGHLINE_JUDGE_MODEL": "llama"}
    endpoint = endpoint_from(environ=environ)
    assert (endpoint.model, endpoint.address, endpoint.api_key) == ("llama", "http://box:8080/v1", KEY)
    assert endpoint.host == "box:8080"


def test_what_is_named_wins_over_the_environment() -> None:
    environ = {"OPENAI_BASE_URL": "http://box/v1", "OPENAI_API_KEY": "no", "THROUGHLINE_JUDGE_MODEL": "no"}
    endpoint = endpoint_from("m", "https://other/v1", KEY, environ=environ)
    assert (endpoint.model, endpoint.address, endpoint.api_key) == ("m", "https://other/v1", KEY)


def test_by_default_the_model_of_the_study_is_asked_at_openai() -> None:
    endpoint = endpoint_from(environ={"OPENAI_API_KEY": KEY})
    assert (endpoint.model, endpoint.host, endpoint.is_openai) == (DEFAULT_MODEL, "api.openai.com", True)
    assert DEFAULT_MODEL == "gpt-4.1"


def test_openai_without_a_key_is_unavailable_and_says_what_else_there_is() -> None:
    with pytest.raises(JudgeUnavailable, match="Set OPENAI_API_KEY, or choose a judge that needs none"):
        endpoint_from(environ={})


def test_another_address_needs_no_key() -> None:
    endpoint = endpoint_from(base_url="http://127.0.0.1:8080/v1", environ={})
    assert (endpoint.api_key, endpoint.host, endpoint.is_openai) == ("", "127.0.0.1:8080", False)


@pytest.mark.parametrize(
    "address", ["box:8080", "ftp://box/v1", "http://", "http://[::1", "http://box:99999/v1", "//x"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(JudgeUnavailable, match="must begin with http"):
        endpoint_from(base_url=address, api_key=KEY, environ={})


@pytest.mark.parametrize("key", ["sk-two\nlines-are-no-key", "sk-schlüssel", "sk-\x00"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(JudgeUnavailable) as caught:
        endpoint_from(base_url="http://box/v1", api_key=key, environ={})
    assert key not in str(caught.value)


def test_blanks_around_a_key_are_not_a_part_of_it() -> None:
    assert endpoint_from(base_url="http://box/v1", api_key=f" {KEY}\n", environ={}).api_key == KEY


def test_the_key_is_in_no_representation() -> None:
    endpoint = Endpoint("m", f"http://ann:{KEY}@box:8080/v1", KEY)
    assert KEY not in repr(endpoint) + str(endpoint) + endpoint.host + endpoint.bare_address
    assert endpoint.bare_address == "http://box:8080/v1"
    assert endpoint.sign_in == ("ann", KEY)
    assert KEY not in repr(dataclasses.replace(endpoint, model="n"))


def test_key_and_password_are_removed_from_what_an_endpoint_says() -> None:
    endpoint = Endpoint("m", "http://ann:pass%20word@box/v1", KEY)
    assert endpoint.cleared(f"{KEY} and pass word") == "[key] and [key]"


def test_a_key_too_short_to_be_secret_does_not_tear_holes_into_replies() -> None:
    assert Endpoint("m", "http://box/v1", "score").cleared('{"score": 7}') == '{"score": 7}'


def test_a_quotation_is_one_short_line_without_anything_like_a_key() -> None:
    quoted = Endpoint("m", "http://box/v1", "").quoted(f"no\n\x1b[31m Bearer abc.def {KEY} " + "x" * 5000)
    assert quoted.startswith('"no [31m [key] [key] xxx')
    assert quoted.endswith('…"')
    assert len(quoted) == 202


@pytest.mark.parametrize(
    ("address", "n"),
    [
        ("https://api.openai.com/v1", 16),
        ("http://10.0.0.7:8000/v1", 16),
        ("http://localhost:8080/v1", 4),
        ("http://127.0.0.1:8080/v1", 4),
        ("http://[::1]:8080/v1", 4),
    ],
)
def test_a_model_on_this_machine_is_asked_fewer_questions_at_a_time(address: str, n: int) -> None:
    assert Endpoint("m", address).usual_concurrency == n
