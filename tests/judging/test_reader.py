"""What reads for reading flow."""

import pytest

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging import reader
from narrative_core.judging.endpoint_scorer import EndpointScorer
from narrative_core.judging.flow import flow_version
from narrative_core.judging.llama_cpp_scorer import LlamaCppPythonScorer
from narrative_core.judging.local_model import local_model_state
from narrative_core.judging.reader import best_scorer, reader_host, reader_state
from narrative_core.judging.scorers import LlamaServerScorer

ENDPOINT = {
    "THROUGHLINE_READER_URL": "http://127.0.0.1:8000/v1",
    "THROUGHLINE_READER_MODEL": "gemma",
    "THROUGHLINE_READER_KEY": "sk-a-secret-of-ours",
}


def test_the_fastest_way_that_is_installed_is_taken_and_the_ways_have_different_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "find_spec", lambda package: object())
    fast = best_scorer({})
    monkeypatch.setattr(reader, "find_spec", lambda package: None)
    plain, named = best_scorer({}), best_scorer(ENDPOINT)

    assert isinstance(fast, LlamaCppPythonScorer)
    assert isinstance(plain, LlamaServerScorer)
    assert isinstance(named, EndpointScorer)
    assert len({fast.path, plain.path, named.path}) == 3


def test_the_same_model_at_two_hosts_is_two_judges() -> None:
    other = best_scorer(ENDPOINT | {"THROUGHLINE_READER_URL": "http://127.0.0.1:9000/v1"})
    assert flow_version(best_scorer(ENDPOINT)) != flow_version(other)


def test_an_endpoint_that_is_named_is_ready_without_a_local_model() -> None:
    state = reader_state(ENDPOINT)
    assert (state.is_ready, state.remedy) == (True, "")
    assert "gemma at 127.0.0.1:8000" in state.what
    assert reader_state({}) == local_model_state()


def test_an_endpoint_without_a_model_says_which_variable_names_it() -> None:
    nameless = {"THROUGHLINE_READER_URL": "http://127.0.0.1:8000/v1"}
    assert not reader_state(nameless).is_ready
    assert "THROUGHLINE_READER_MODEL" in reader_state(nameless).remedy
    with pytest.raises(JudgeUnavailable, match="THROUGHLINE_READER_MODEL"):
        best_scorer(nameless)


@pytest.mark.parametrize(
    "address", ["localhost:8000/v1", "http://", "http://[", "http://h:99999/v1", "ftp://h", "http://h\x01/v1"]
)
def test_an_address_that_is_none_says_which_variable_holds_it(address: str) -> None:
    environ = ENDPOINT | {"THROUGHLINE_READER_URL": address}
    state = reader_state(environ)
    assert not state.is_ready
    assert "THROUGHLINE_READER_URL" in state.remedy
    assert reader_host(environ) == ""
    with pytest.raises(JudgeUnavailable, match="THROUGHLINE_READER_URL"):
        best_scorer(environ)


def test_a_host_that_reads_is_told_to_get_the_text() -> None:
    assert reader_host(ENDPOINT) == "127.0.0.1:8000"
    assert "The text shown goes to that host." in reader_state(ENDPOINT).what
    assert reader_host({}) == ""
    assert reader_host({"THROUGHLINE_READER_URL": ""}) == ""


def test_the_key_of_the_endpoint_is_in_no_word_of_it() -> None:
    scorer = best_scorer(ENDPOINT)
    words = [repr(scorer), scorer.path, scorer.version, scorer.model, reader_state(ENDPOINT).what]
    assert not any("secret" in word for word in words)
