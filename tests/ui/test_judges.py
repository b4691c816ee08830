"""Names, scores, prices and counts of judges, without a page."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Judgement, JudgementCount, Price, Question, Status
from narrative_core.judging.prices import DEFAULT_PRICES
from narrative_core.judging.schemas import reply_schema
from narrative_core.ui.judges import ModelChoice
from narrative_core.ui.learnt import count_frame
from narrative_core.ui.price_table import (
    INPUT,
    MODEL,
    OUTPUT,
    OWN_SOURCE,
    SOURCE,
    PriceChanges,
    present_prices,
    price_changes,
    price_frame,
)
from narrative_core.ui.prompt_viewer import schema_text
from narrative_core.ui.trial import Trial

BUILT_IN = (Price("a", 1.0, 2.0, "list"), Price("b", 3.0, 4.0, "list"))

prices = st.builds(
    Price,
    st.sampled_from(["a", "b", "c", "d"]),
    st.floats(0, 1000),
    st.floats(0, 1000),
    st.sampled_from(["list", "mine", ""]),
)
price_lists = st.lists(prices, max_size=4, unique_by=lambda price: price.model)


def rows_of(own: Sequence[Price], defaults: Sequence[Price] = BUILT_IN) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in price_frame(own, defaults).to_dict("records")]


def row(model: object, input_usd: object, output_usd: object, source: object = "") -> dict[str, object]:
    return {MODEL: model, INPUT: input_usd, OUTPUT: output_usd, SOURCE: source}


def judgement(score: float = 7.0, status: Status = "ok") -> Judgement:
    question = Question("openai", "m", "host", "simple", 0, 0.5, 1001, "s", "titles", "h", "p")
    return Judgement(question, status, score if status == "ok" else math.nan)


def after(own: Sequence[Price], changes: PriceChanges) -> dict[str, Price]:
    """Return a person's own prices when the changes are stored, as the store does it."""
    kept = {price.model: price for price in own if price.model not in changes.forgotten}
    return kept | {price.model: price for price in changes.kept}


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("", "api.openai.com"),
        ("http://localhost:8080/v1", "localhost:8080"),
        ("nonsense", ""),
        ("http://", ""),
        ("http://[", ""),
    ],
)
def test_a_choice_knows_its_host_where_it_has_one(address: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert ModelChoice("m", address).host == host


@pytest.mark.parametrize(
    ("coherent", "scrambled", "told"),
    [(8.0, 2.0, True), (2.0, 8.0, False), (5.0, 5.0, False)],
)
def test_a_judge_tells_two_stories_apart_where_the_coherent_one_gets_more(
    coherent: float, scrambled: float, told: bool
) -> None:
    assert Trial(judgement(coherent), judgement(scrambled)).tells_apart is told


@pytest.mark.parametrize("status", ["unreadable", "refused", "timed out", "failed"])
def test_a_reply_without_a_score_tells_nothing(status: Status) -> None:
    trial = Trial(judgement(8.0), judgement(status=status))
    assert trial.tells_apart is None
    assert trial.is_complete == (status in ("unreadable", "refused"))
    assert Trial(judgement(8.0), None).tells_apart is None
    assert not Trial(None, judgement(8.0)).is_complete
    assert Trial(None, None).judgements == ()


def test_prices_in_force_are_a_persons_own_and_for_the_rest_the_programs() -> None:
    own = (Price("b", 9.0, 9.0), Price("Ab", 0.0, 0.0))
    assert present_prices(own, BUILT_IN) == (BUILT_IN[0], Price("Ab", 0.0, 0.0), Price("b", 9.0, 9.0))
    assert price_frame(own, BUILT_IN)["Set by"].tolist() == ["Throughline", "you", "you"]


def test_every_price_of_the_program_says_where_it_is_from() -> None:
    assert all(price.source for price in DEFAULT_PRICES)
    assert price_frame(())[SOURCE].tolist() == [price.source for price in present_prices(())]


@given(price_lists)
def test_a_table_that_was_not_edited_changes_nothing(own: list[Price]) -> None:
    kept = [price for price in own if price not in BUILT_IN]
    assert price_changes(rows_of(kept), kept, BUILT_IN).is_empty


@given(price_lists, price_lists)
def test_prices_in_force_after_an_edit_are_those_of_the_table(own: list[Price], edited: list[Price]) -> None:
    own = [price for price in own if price not in BUILT_IN]
    changes = price_changes([row(p.model, p.input_usd, p.output_usd, p.source) for p in edited], own, BUILT_IN)
    now = after(own, changes)
    in_force = {
        price.model: (price.input_usd, price.output_usd) for price in present_prices(tuple(now.values()), BUILT_IN)
    }
    assert {price.model: (price.input_usd, price.output_usd) for price in edited}.items() <= in_force.items()
    assert in_force.keys() == {price.model for price in (*edited, *BUILT_IN)}
    assert not set(now.values()) & set(BUILT_IN)


def test_a_changed_figure_of_the_program_does_not_stand_under_its_source() -> None:
    (kept,) = price_changes([row("a", 5.0, 2.0, "list")], (), BUILT_IN).kept
    assert kept == Price("a", 5.0, 2.0, OWN_SOURCE)
    (kept,) = price_changes([row("a", 5.0, 2.0, "invoice of May")], (), BUILT_IN).kept
    assert kept.source == "invoice of May"


def test_a_price_set_back_to_the_programs_is_nobodys_own() -> None:
    own = (Price("a", 5.0, 2.0, "mine"),)
    assert price_changes([row("a", 1.0, 2.0, "list")], own, BUILT_IN) == PriceChanges((), ("a",))
    assert price_changes([], own, BUILT_IN) == PriceChanges((), ("a",))


@pytest.mark.parametrize("nothing", [None, math.nan, ""])
def test_an_empty_row_is_passed_over(nothing: object) -> None:
    own = (Price("c", 1.0, 1.0),)
    rows = [*rows_of(own), row(nothing, None, math.nan, nothing)]
    assert price_changes(rows, own, BUILT_IN).is_empty


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row(" ", 1.0, 2.0)], "belongs to a model"),
        ([row(math.nan, 1.0, 2.0)], "belongs to a model"),
        ([row("m", 1.0, None)], "m needs both prices"),
        ([row("m", -1.0, 2.0)], "0 or more"),
        ([row("m", math.inf, 2.0)], "m needs both prices"),
        ([row("m", 1.0, 2.0), row(" m ", 1.0, 3.0)], "m is in the table twice"),
    ],
)
def test_a_row_that_is_no_price_is_refused_before_anything_is_stored(
    rows: Sequence[Mapping[str, object]], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        price_changes(rows, (), BUILT_IN)


@pytest.mark.parametrize("n_documents", [2, 12, 400])
def test_a_schema_on_the_screen_is_the_one_that_is_sent(n_documents: int) -> None:
    schema = reply_schema("complex", n_documents=n_documents, is_explained=True)
    text = schema_text(schema)
    assert json.loads(text) == schema
    assert '"enum": [ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ]' in text


def test_counts_name_every_end_that_a_judgement_has_and_no_other() -> None:
    counts = (
        JudgementCount("openai", "m", "host", "cot", {"ok": 3, "timed out": 1}),
        JudgementCount("flow", "g", "", None, {"ok": 2}),
    )
    frame = count_frame(counts)
    assert list(frame.columns) == ["Judge", "Model", "At", "Mode", "Asked", "Ok", "Timed out"]
    assert frame.to_numpy().tolist() == [
        ["Prompted judge", "m", "host", "Step by step", 4, 3, 1],
        ["Reading flow", "g", "this computer", "", 2, 2, 0],
    ]


def test_a_judge_that_has_no_ok_reply_still_shows_that_it_has_none() -> None:
    frame = count_frame((JudgementCount("openai", "m", "host", "cot", {"failed": 2}),))
    assert frame["Ok"].tolist() == [0]
    assert frame["Failed"].tolist() == [2]
