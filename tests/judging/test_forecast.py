import math
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from narrative_core.judgements import MeasuredUse, Price, Seat
from narrative_core.judging.forecast import forecast
from narrative_core.judging.prices import DEFAULT_PRICES, cost_usd, price_of
from narrative_core.judging.prompts import longest_reply_tokens, prompt_messages, reply_schema
from narrative_core.judging.tokens import expected_request_tokens, expected_tokens, most_request_tokens, most_tokens
from narrative_core.judging.wordings import WORDINGS
from tests.judging.asking_samples import MODEL, PRICE, asks_of
from tests.judging.judging_samples import sample_story

SEAT = Seat("openai", MODEL, "127.0.0.1", "standard", 5)
USE = MeasuredUse(n=8, n_tokens=8, input_tokens=400.0, output_tokens=90.5, seconds=1.5)


def test_before_anything_is_measured_the_longest_reply_is_expected() -> None:
    asks = asks_of(5, "standard")
    told = forecast(SEAT, asks, price=PRICE, n_reused=3)
    longest = 5 * longest_reply_tokens("standard", n_documents=5, is_explained=True)
    assert (told.seat, told.n_calls, told.n_reused, told.output_tokens) == (SEAT, 5, 3, longest)
    assert math.isnan(told.seconds)
    assert told.cost_usd == pytest.approx((told.input_tokens * 2.0 + longest * 8.0) / 1e6)


@pytest.mark.parametrize("wording", WORDINGS)
def test_the_input_is_that_of_the_text_itself(wording: str) -> None:
    messages = prompt_messages("standard", sample_story(), is_explained=True, wording=wording)
    schema = reply_schema("standard", n_documents=5, is_explained=True, wording=wording)
    expected = 4 * expected_request_tokens([message.content for message in messages], schema)
    assert forecast(SEAT, asks_of(4, "standard", wording=wording)).input_tokens == expected
    longer = forecast(SEAT, asks_of(4, "standard", n_documents=12))
    assert longer.input_tokens > forecast(SEAT, asks_of(4, "standard")).input_tokens


def test_what_was_measured_decides_output_and_time() -> None:
    told = forecast(SEAT, asks_of(33, "standard"), price=PRICE, use=USE, concurrency=16)
    assert told.output_tokens == math.ceil(33 * 90.5)
    assert told.seconds == pytest.approx(3 * 1.5)


def test_time_is_known_although_the_endpoint_counts_no_tokens() -> None:
    told = forecast(SEAT, asks_of(2, "standard"), use=MeasuredUse(3, 0, math.nan, math.nan, 2.0), concurrency=1)
    assert told.seconds == pytest.approx(4.0)
    assert told.output_tokens == 2 * longest_reply_tokens("standard", n_documents=5, is_explained=True)


def test_an_unknown_price_is_an_unknown_cost() -> None:
    assert math.isnan(forecast(SEAT, asks_of(2, "standard"), use=USE).cost_usd)


def test_nothing_to_ask_takes_nothing() -> None:
    told = forecast(SEAT, [], n_reused=5)
    assert (told.n_calls, told.n_reused, told.input_tokens, told.output_tokens) == (0, 5, 0, 0)
    assert (told.seconds, told.cost_usd) == (0.0, 0.0)


def test_a_judge_without_a_prompt_has_no_tokens_and_costs_nothing() -> None:
    told = forecast(Seat("flow", "gemma"), asks_of(4), use=USE)
    assert (told.input_tokens, told.output_tokens, told.cost_usd) == (0, 0, 0.0)
    assert told.seconds == pytest.approx(4 * 1.5)


# Prices


@pytest.mark.parametrize(
    ("model", "input_usd", "output_usd"),
    [
        ("gpt-4.1", 2.0, 8.0),
        ("gpt-4.1-mini", 0.4, 1.6),
        ("gpt-4o-mini-2024-07-18", 0.15, 0.6),
        ("gpt-4o-2024-05-13", 5, 15),
    ],
)
def test_known_models_have_their_list_price(model: str, input_usd: float, output_usd: float) -> None:
    price = price_of(DEFAULT_PRICES, model)
    assert price is not None
    assert (price.input_usd, price.output_usd) == (input_usd, output_usd)


@pytest.mark.parametrize("model", ["gpt-4.1-maxi", "llama", "", "openai/gpt-4.1", "gpt-4.1-2025"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert price_of(DEFAULT_PRICES, model) is None


def test_the_first_price_that_names_a_model_counts() -> None:
    mine = Price("gpt-4.1", 1.0, 2.0)
    assert price_of((mine, *DEFAULT_PRICES), "gpt-4.1") is mine
    dated = Price("gpt-4.1-2025-04-14", 3.0, 4.0)
    assert price_of((*DEFAULT_PRICES, dated), "gpt-4.1-2025-04-14") is dated


def test_every_price_says_where_and_when_it_was_read() -> None:
    assert all(price.source[-4:] in ("2025", "2026") for price in DEFAULT_PRICES)
    assert len({price.model for price in DEFAULT_PRICES}) == len(DEFAULT_PRICES)


def test_a_cost_with_something_unknown_is_unknown() -> None:
    assert cost_usd(Price("m", 2.0, 8.0), 1000, 500) == pytest.approx(0.006)
    assert math.isnan(cost_usd(None, 1, 1))
    assert math.isnan(cost_usd(PRICE, None, 1))
    assert math.isnan(cost_usd(PRICE, 1, None))


# Tokens


@given(st.text(max_size=200))
def test_no_text_is_expected_to_have_more_tokens_than_bytes(text: str) -> None:
    assert expected_tokens(text) <= most_tokens(text)


@given(st.lists(st.text(max_size=50), min_size=1, max_size=3))
def test_a_request_is_expected_to_be_within_its_worst_case(contents: list[str]) -> None:
    assert expected_request_tokens(contents, {}) <= most_request_tokens(contents, {})


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """The tokenizer of Llama 2, an old one that cuts texts finer than current models do."""
    return Tokenizer.from_file(str(files("wordllama") / "tokenizers" / "l2_supercat_tokenizer_config.json"))


@pytest.mark.parametrize(
    "text",
    [
        "The river rose after a week of rain, and the lower town was told to leave.",
        "Überschwemmung erreicht die Altstadt, die Brücke bleibt gesperrt",
        "La inundación llega al casco antiguo de la ciudad",
        "Вода спала, мост закрыт",
    ],
)
def test_prose_is_expected_to_have_at_least_as_many_tokens_as_a_real_tokenizer_counts(
    tokenizer: Tokenizer, text: str
) -> None:
    assert len(tokenizer.encode(text).ids) <= expected_tokens(text) <= 3 * len(tokenizer.encode(text).ids)


@pytest.mark.parametrize(
    "text", ["洪水到达老城，居民撤离", "20210301 1234567890", '{"enum": [1, 2, 3, 4, 5]}', "🌊🌉", "ሰላም"]
)
def test_no_text_has_more_tokens_than_its_worst_case(tokenizer: Tokenizer, text: str) -> None:
    assert len(tokenizer.encode(text, add_special_tokens=False).ids) <= most_tokens(text) + 1
