import json
import math
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import UnreadableReply
from narrative_core.judgements import CriterionScore, Mode
from narrative_core.judging.modes import MODES
from narrative_core.judging.replies import ReadReply, read_reply
from narrative_core.judging.schemas import reply_schema
from tests.judging.judging_samples import ALL_MODES, good_reply, good_values

N = 5


def read(reply: str, mode: Mode = "simple", *, is_explained: bool = False) -> ReadReply:
    return read_reply(reply, mode, n_documents=N, is_explained=is_explained)


# Replies of the right form.


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("is_explained", [True, False])
def test_a_reply_of_the_right_form_is_read_in_every_mode(mode: Mode, is_explained: bool) -> None:
    found = read(good_reply(mode, score=8, is_explained=is_explained), mode, is_explained=is_explained)
    assert found.score == 8.0
    assert found.criteria == tuple(CriterionScore(criterion.name, 8.0) for criterion in MODES[mode].criteria)
    assert found.weakest_step == (1 if is_explained else None)
    assert found.explanation.endswith("Water first, then the bridge.") == is_explained


def test_the_written_steps_stand_before_the_explanation_under_their_titles() -> None:
    assert read(good_reply("cot"), "cot", is_explained=True).explanation.split("\n\n") == [
        "Connections: What I see of connections.",
        "Overall flow: What I see of overall flow.",
        "Jarring transitions: What I see of jarring transitions.",
        "Water first, then the bridge.",
    ]
    assert read(good_reply("cot", is_explained=False), "cot").explanation.count("\n\n") == 2
    assert read(good_reply("standard", is_explained=False), "standard").explanation == ""


def test_the_overall_score_is_the_mean_of_the_criteria_whatever_the_model_says_it_is() -> None:
    scores = dict(zip((criterion.name for criterion in MODES["standard"].criteria), (4, 7, 9, 10), strict=True))
    assert read(json.dumps(scores | {"overall": 1, "score": 2}), "standard").score == 7.5
    # A model may write its keys in another order; ours is kept.
    turned = json.dumps(dict(reversed(scores.items())))
    assert [scored.score for scored in read(turned, "standard").criteria] == [4.0, 7.0, 9.0, 10.0]
    scores = dict(zip((criterion.name for criterion in MODES["complex"].criteria), (1, 1, 1, 1, 1, 2), strict=True))
    assert read(json.dumps(scores), "complex").score == pytest.approx(7 / 6, abs=1e-15)


@pytest.mark.parametrize(("said", "score"), [("1", 1.0), ("10", 10.0), ("7.5", 7.5), ("7.0", 7.0), ("1e1", 10.0)])
def test_the_ends_of_the_scale_and_fractions_within_it_are_scores(said: str, score: float) -> None:
    assert read(f'{{"score": {said}}}').score == score


@pytest.mark.parametrize(
    ("said", "step"), [("0", None), ("null", None), ("-0.0", None), ("1", 0), ("4", 3), ("2.0", 1)]
)
def test_the_weakest_transition_is_counted_from_0_and_may_be_none(said: str, step: int | None) -> None:
    reply = f'{{"score": 7, "explanation": "", "weakest_transition": {said}}}'
    assert read(reply, is_explained=True).weakest_step == step


@pytest.mark.parametrize(
    "reply",
    [
        '\n  {"score": 7}\t\r\n',
        '```json\n{"score": 7}\n```',
        '```\n{"score": 7}\n```\n',
        '```JSON {"score": 7} ```',
        '{"score": 7, "explanation": "not asked for", "weakest_transition": 99, "note": {"deep": [1, [2]]}}',
        '{"Score of others": 1, "score": 7}',
    ],
)
def test_blanks_a_fence_around_all_and_what_was_not_asked_for_do_no_harm(reply: str) -> None:
    assert read(reply) == ReadReply(7.0, (), "", None)


def test_an_explanation_keeps_its_lines_and_loses_what_no_store_can_hold() -> None:
    reply = json.dumps({"score": 7, "explanation": " a\nb\ud800c\x00d\u202ee ", "weakest_transition": 0})
    found = read(reply, is_explained=True).explanation
    assert found == "a\nb c d e"
    assert found.encode()


# Replies that have no score. Every row is a reply and a part of the sentence that says why.


def changed(mode: Mode, **values: object) -> str:
    return json.dumps(good_values(mode) | values)


def without(mode: Mode, key: str) -> str:
    return json.dumps({name: value for name, value in good_values(mode).items() if name != key})


BAD_SIMPLE = [
    ("", "the reply is empty"),
    (" \n\t", "the reply is empty"),
    ("7", "expected a JSON object"),
    ("[7]", "expected a JSON object"),
    ("null", "expected a JSON object"),
    ('"7"', "expected a JSON object"),
    ("The score is 7.", "expected one JSON object and nothing else"),
    ("7/10", "expected one JSON object and nothing else"),
    ('Here you are: {"score": 7}', "nothing else"),
    ('{"score": 7} I hope this helps.', "nothing else"),
    ('{"score": 7}{"score": 9}', "nothing else"),
    ('```json\n{"score": 7}\n```\nBecause it flows.', "nothing else"),
    ('<think>maybe 3</think>{"score": 7}', "nothing else"),
    ('{"score": 7', "nothing else"),
    ("{'score': 7}", "nothing else"),
    ('{"score": 7,}', "nothing else"),
    ('{"score": 07}', "nothing else"),
    ('{"score": +7}', "nothing else"),
    ('\ufeff{"score": 7}', "nothing else"),
    ('\u00a0{"score": 7}', "nothing else"),
    ("```", "nothing else"),
    ("``````", "nothing else"),
    ("{}", 'expected a value for "score"; the reply has none'),
    ('{"Score": 7}', 'expected a value for "score"'),
    ('{"answer": {"score": 7}}', 'expected a value for "score"'),
    ('{"score": "7"}', 'expected a number from 1 to 10 for "score"; got "7"'),
    ('{"score": "seven"}', "expected a number"),
    ('{"score": null}', 'got "null"'),
    ('{"score": true}', 'got "true"'),
    ('{"score": [7]}', "got a list"),
    ('{"score": {"value": 7}}', "got an object"),
    ('{"score": 0}', "from 1 to 10"),
    ('{"score": 0.999}', "from 1 to 10"),
    ('{"score": 10.001}', "from 1 to 10"),
    ('{"score": 70}', 'from 1 to 10 for "score"; got "70"'),
    ('{"score": -7}', "from 1 to 10"),
    ('{"score": 1e999}', "from 1 to 10"),
    ('{"score": NaN}', "JSON, which has no NaN"),
    ('{"score": Infinity}', "JSON, which has no Infinity"),
    ('{"score": -Infinity}', "JSON, which has no -Infinity"),
    ('{"score": ' + "9" * 400 + "}", "from 1 to 10"),
    ('{"score": ' + "9" * 9000 + "}", "nothing else"),
    ('{"score": 7, "score": 7}', "expected every key once"),
    ('{"score": 7, "Score": 3}', 'expected "score" once; "Score" says it again'),
    ("[" * 50_000, "nothing else"),
    ('{"score": ' + '{"a": ' * 10_000 + "7" + "}" * 10_001, "nothing else"),
    ('{"score": 7, "note": "' + "x" * 100_000 + '"}', "at most 100000 characters"),
]


@pytest.mark.parametrize(("reply", "reason"), BAD_SIMPLE, ids=[reply[:30] for reply, _ in BAD_SIMPLE])
def test_a_reply_of_another_form_has_no_score_and_says_why(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read(reply)
    message = str(caught.value)
    assert reason in message
    assert message.endswith(".")
    assert len(message) < 250
    assert message.isprintable()


BAD_FORMS: list[tuple[Mode, str, str]] = [
    ("simple", without("simple", "explanation"), 'a value for "explanation"'),
    ("simple", without("simple", "weakest_transition"), 'a value for "weakest_transition"'),
    ("simple", changed("simple", explanation=None), 'a text for "explanation"; got "null"'),
    ("simple", changed("simple", explanation=["a", "b"]), 'a text for "explanation"; got a list'),
    ("simple", changed("simple", weakest_transition=5), "a whole number from 0 to 4"),
    ("simple", changed("simple", weakest_transition=-1), "a whole number from 0 to 4"),
    ("simple", changed("simple", weakest_transition=1.5), 'got "1.5"'),
    ("simple", changed("simple", weakest_transition="2"), 'got "2"'),
    ("simple", changed("simple", weakest_transition=True), 'got "true"'),
    ("simple", changed("simple", weakest_transition=10**400), "a whole number from 0 to 4"),
    ("cot", without("cot", "connections"), 'a value for "connections"'),
    ("cot", changed("cot", overall_flow=" \n "), 'a text for "overall_flow"; got "", without a word'),
    ("cot", changed("cot", connections="…"), 'a text for "connections"; got "…", without a word'),
    ("cot", changed("cot", jarring_transitions=[2]), 'a text for "jarring_transitions"; got a list'),
    ("cot", good_reply("simple"), 'a value for "connections"'),
    ("standard", without("standard", "temporal_coherence"), 'a value for "temporal_coherence"'),
    ("standard", changed("standard", logical_flow=11), '1 to 10 for "logical_flow"; got "11"'),
    ("standard", changed("standard", **{"Logical flow": 3}), 'expected "logical_flow" once'),
    ("standard", good_reply("simple"), 'a value for "logical_flow"'),
    ("complex", good_reply("standard"), 'a value for "semantic_coherence"'),
    ("complex", changed("complex", narrative_arc="high"), '1 to 10 for "narrative_arc"; got "high"'),
    ("complex", changed("complex", narrative_arc=None, score=9), '1 to 10 for "narrative_arc"'),
]


@pytest.mark.parametrize(("mode", "reply", "reason"), BAD_FORMS)
def test_what_a_mode_asks_for_must_be_there_in_its_type_and_range(mode: Mode, reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read(reply, mode, is_explained=True)
    assert reason in str(caught.value)


# Properties.


def schema_values(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of replies that the schema takes."""
    texts = st.text(alphabet=st.characters(exclude_categories=()), min_size=1).filter(
        lambda text: any(sign.isprintable() and sign.isalnum() for sign in text)
    )
    return st.fixed_dictionaries(
        {key: st.sampled_from(part["enum"]) if "enum" in part else texts for key, part in schema["properties"].items()}
    )


@given(data=st.data(), mode=st.sampled_from(ALL_MODES), n=st.integers(1, 30), is_explained=st.booleans())
def test_every_reply_that_the_schema_takes_is_read(data: st.DataObject, mode: Mode, n: int, is_explained: bool) -> None:
    schema = reply_schema(mode, n_documents=n, is_explained=is_explained)
    values = data.draw(schema_values(schema))
    jsonschema.validate(values, schema)
    found = read_reply(json.dumps(values), mode, n_documents=n, is_explained=is_explained)
    keys = [criterion.name for criterion in MODES[mode].criteria] or ["score"]
    assert found.score == pytest.approx(sum(values[key] for key in keys) / len(keys), abs=1e-12)
    assert found.weakest_step is None or found.weakest_step + 1 == values["weakest_transition"]


def scored(reply: str, mode: Mode, is_explained: bool) -> ReadReply | None:
    try:
        return read(reply, mode, is_explained=is_explained)
    except UnreadableReply:
        return None


def check_honest(found: ReadReply | None) -> None:
    if found is None:
        return
    for score in (found.score, *(scored.score for scored in found.criteria)):
        assert type(score) is float
        assert math.isfinite(score)
        assert 1 <= score <= 10
    assert found.weakest_step is None or 0 <= found.weakest_step < N - 1


@given(reply=st.text(), mode=st.sampled_from(ALL_MODES), is_explained=st.booleans())
def test_no_text_makes_a_score_outside_the_scale(reply: str, mode: Mode, is_explained: bool) -> None:
    check_honest(scored(reply, mode, is_explained))
    check_honest(scored("{" + reply + "}", mode, is_explained))


SPLICES = st.one_of(
    st.sampled_from(
        ["", "-", "1", "0", "99", "e9", ".5", "NaN", "null", "true", '"', "{", "}", "[", "]", ",", ":", "```"]
    ),
    st.text(max_size=3),
)


@given(
    mode=st.sampled_from(ALL_MODES),
    is_explained=st.booleans(),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), SPLICES), min_size=1, max_size=4),
)
def test_a_damaged_reply_has_an_honest_score_or_none(
    mode: Mode, is_explained: bool, edits: list[tuple[float, int, str]]
) -> None:
    reply = good_reply(mode, is_explained=is_explained)
    for where, n_cut, splice in edits:
        place = int(where * len(reply))
        reply = reply[:place] + splice + reply[place + n_cut :]
    check_honest(scored(reply, mode, is_explained))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data(), mode=st.sampled_from(ALL_MODES), value=JSON_VALUES)
def test_one_other_value_is_read_as_it_is_or_not_at_all(data: st.DataObject, mode: Mode, value: object) -> None:
    values = good_values(mode)
    key = data.draw(st.sampled_from(list(values)))
    found = scored(json.dumps(values | {key: value}), mode, True)
    check_honest(found)
    if key in ("score", *(criterion.name for criterion in MODES[mode].criteria)):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        assert (found is not None) == (is_number and 1 <= value <= 10)  # type: ignore[operator]


@pytest.mark.parametrize("cut", [lambda n: range(1, n), lambda n: range(n - 1)], ids=["from the end", "from the start"])
def test_a_reply_that_was_cut_off_anywhere_has_no_score(cut: Callable[[int], range]) -> None:
    reply = good_reply("complex")
    is_end = cut(2) == range(1, 2)
    for place in cut(len(reply)):
        part = reply[:place] if is_end else reply[place + 1 :]
        assert scored(part, "complex", True) is None
