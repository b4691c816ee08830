import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Mode, Shown, ShownStory
from narrative_core.judging import modes, phrasings, prompts, wordings
from narrative_core.judging.modes import MODES
from narrative_core.judging.prompts import (
    Message,
    longest_reply_tokens,
    prompt_hash,
    prompt_messages,
    repair_messages,
    reply_schema,
)
from narrative_core.judging.shown import shown_text
from narrative_core.judging.wordings import WORDINGS, mode_form
from narrative_core.runs import PARAPHRASED, REORDERED
from tests.judging.judging_samples import ALL_ASKED, ALL_MODES, good_reply, good_values, sample_story

ALL_SHOWN: tuple[Shown, ...] = ("titles", "dates", "leads")
STRICT_KEYWORDS = {"type", "properties", "required", "additionalProperties", "enum"}


def system_text(mode: Mode, story: ShownStory | None = None, *, is_explained: bool = True, wording: str = "") -> str:
    return prompt_messages(mode, story or sample_story(), is_explained=is_explained, wording=wording)[0].content


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
@pytest.mark.parametrize("shown", ALL_SHOWN)
def test_a_request_is_a_system_message_and_the_list_as_it_is_shown(mode: Mode, wording: str, shown: Shown) -> None:
    story = sample_story(5, shown)
    system, user = prompt_messages(mode, story, is_explained=True, wording=wording)
    assert (system.role, user.role) == ("system", "user")
    assert f"\n{shown_text(story)}\n</list>\n" in user.content
    assert "news articles" in system.content
    assert "5 entries" in user.content


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_a_mode_asks_for_its_criteria_and_steps_in_order_and_for_no_others(mode: Mode, wording: str) -> None:
    order = -1 if wording == REORDERED else 1
    asked = [part.name for parts in (MODES[mode].steps, MODES[mode].criteria) for part in parts[::order]]
    every = {part.name for form in MODES.values() for part in (*form.steps, *form.criteria)}
    text = system_text(mode, wording=wording)
    assert [text.index(f"- {name}: ") for name in asked] == sorted(text.index(f"- {name}: ") for name in asked)
    assert not any(f"{name}: " in text or f'"{name}"' in text for name in every - set(asked))
    assert mode_form(mode, wording).anchors in text
    properties = list(reply_schema(mode, n_documents=5, is_explained=True, wording=wording)["properties"])
    assert properties[: len(asked)] == asked


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_the_keys_in_words_are_those_of_the_schema_in_its_order(mode: Mode, wording: str) -> None:
    for is_explained in (True, False):
        form = system_text(mode, is_explained=is_explained, wording=wording).splitlines()[-1]
        schema = reply_schema(mode, n_documents=5, is_explained=is_explained, wording=wording)
        types = {"string": "text", "integer": "number"}
        said = re.findall(r'"(\w+)" \((\w+)\)', form)
        assert said == [(key, types[part["type"]]) for key, part in schema["properties"].items()]
        assert not any(sign.isdigit() for sign in form)


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_without_explanations_neither_they_nor_the_weakest_transition_are_spoken_of(mode: Mode, wording: str) -> None:
    text = system_text(mode, is_explained=False, wording=wording)
    assert "explanation" not in text
    assert "weakest" not in text


def test_the_explanation_is_asked_for_after_the_scores_and_the_steps_before_the_score() -> None:
    for mode in ALL_MODES:
        keys = list(reply_schema(mode, n_documents=5, is_explained=True)["properties"])
        assert keys[-2:] == ["explanation", "weakest_transition"]
    assert list(reply_schema("cot", n_documents=5, is_explained=False)["properties"])[-1] == "score"


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_nothing_tells_how_the_story_was_made_or_that_there_is_another(mode: Mode, wording: str) -> None:
    for shown in ALL_SHOWN:
        messages = prompt_messages(mode, sample_story(5, shown), is_explained=True, wording=wording)
        said = " ".join(message.content for message in messages)
        words = set(re.findall(r"[a-z]+", said.lower()))
        assert not words & {"trail", "baseline", "random", "extracted", "algorithm", "method", "compare", "both"}


@pytest.mark.parametrize("wording", WORDINGS)
def test_what_is_shown_is_said_as_it_is(wording: str) -> None:
    titles, dates, leads = (system_text("standard", sample_story(5, shown), wording=wording) for shown in ALL_SHOWN)
    assert "date" not in titles + leads
    assert re.search("the date,? in brackets", dates)
    assert re.search("the beginning of the text|the opening words", leads)
    assert len({titles, dates, leads}) == 3


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("speeches", "of speeches,"),
        ("", "of documents,"),
        (" \n ", "of documents,"),
        ("a\n</list>\u2028b", "of a </list> b,"),
    ],
)
def test_the_noun_stays_on_its_line(noun: str, expected: str) -> None:
    text = system_text("simple", replace(sample_story(), noun=noun))
    assert expected in text
    assert len(text.splitlines()) == len(system_text("simple").splitlines())


def test_a_story_without_documents_is_not_asked_about() -> None:
    with pytest.raises(InvalidInput, match="at least one document"):
        prompt_messages("simple", ShownStory(()), is_explained=False)


# The schema.


def objects_in(schema: object) -> list[dict[str, Any]]:
    if not isinstance(schema, dict):
        return []
    inner = [found for value in schema.get("properties", {}).values() for found in objects_in(value)]
    return [schema, *inner]


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("is_explained", [True, False])
@pytest.mark.parametrize("n_documents", [1, 2, 5, 200, 201, 5000])
def test_the_schema_keeps_to_what_strict_output_takes(mode: Mode, is_explained: bool, n_documents: int) -> None:
    schema = reply_schema(mode, n_documents=n_documents, is_explained=is_explained)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    assert all(set(part) <= STRICT_KEYWORDS for part in objects_in(schema))
    assert all(isinstance(part["type"], str) for part in objects_in(schema))
    assert sum(len(part.get("enum", [])) for part in objects_in(schema)) <= 500
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("is_explained", [True, False])
def test_the_schema_takes_a_good_reply_and_none_that_lacks_or_adds_something(mode: Mode, is_explained: bool) -> None:
    validator = jsonschema.Draft202012Validator(reply_schema(mode, n_documents=5, is_explained=is_explained))
    values = good_values(mode, is_explained=is_explained)
    assert validator.is_valid(values)
    assert not validator.is_valid(values | {"overall": 7})
    for key in values:
        assert not validator.is_valid({other: value for other, value in values.items() if other != key})
    for score in range(1, 11):
        assert validator.is_valid(good_values(mode, score=score, is_explained=is_explained))
    for score in (0, 11, 7.5, "7", True, None):
        assert not validator.is_valid(good_values(mode, is_explained=is_explained) | {_score_key(mode): score})


def _score_key(mode: Mode) -> str:
    return MODES[mode].criteria[0].name if MODES[mode].criteria else "score"


def test_the_weakest_transition_is_one_of_the_story_or_none() -> None:
    validator = jsonschema.Draft202012Validator(reply_schema("simple", n_documents=3, is_explained=True))
    taken = [k for k in range(-1, 5) if validator.is_valid(good_values("simple", weakest_transition=k))]
    assert taken == [0, 1, 2]


# The hash.


def test_every_mode_wording_noun_and_explanation_has_a_hash_of_its_own() -> None:
    hashes = [
        prompt_hash(mode, is_explained=is_explained, noun=noun, wording=wording)
        for mode, wording in ALL_ASKED
        for is_explained in (True, False)
        for noun in ("news articles", "speeches")
    ]
    assert len(set(hashes)) == 4 * len(ALL_ASKED) == 44
    assert all(re.fullmatch("[0-9a-f]{64}", text) for text in hashes)
    assert prompt_hash("simple", is_explained=True, noun="") == prompt_hash("simple", is_explained=True)


PINNED: Mapping[tuple[Mode, bool], str] = {
    ("simple", True): "99d00d13f7f7e2ba256cf7057cacd32aa162fc97d6311d5dd8f7705e0af29be7",
    ("simple", False): "5c9b596d6b8a681a08c18188816a52f3784e26e6b87c535c3899e5b543e628da",
    ("cot", True): "59df6bc8331da9aad205a01d0e4fb34f73dbad7f0c2ff8a2766dac4c083ed822",
    ("cot", False): "24d08568ef9172d7c661ac81cf28eca3dcc435464a72c5fd7564d5c44ad292a7",
    ("standard", True): "5dbdd1ecf3f41b52a0ebf4da480edf2f967ebb1d9ce31e3d851893d8385e2db1",
    ("standard", False): "6fb9acb061fccd5f9e85ff0afbb0790d4a83aa58de53daa99fb70f236133c4eb",
    ("complex", True): "c585670cce3ad4e4ce94068e5d63a33396c5717d99e08352f430f020ceb2ecd1",
    ("complex", False): "8e1b638afafbe591feab5ab73154bdfad8680d0237bbe3f4f9290f4a1090342b",
}
"""Of the usual wording and the noun "documents". Recorded replies count as long as these stay."""


@pytest.mark.parametrize(("mode", "is_explained"), PINNED)
def test_recorded_replies_still_answer_what_is_asked_today(mode: Mode, is_explained: bool) -> None:
    assert prompt_hash(mode, is_explained=is_explained) == PINNED[mode, is_explained], (
        "the usual wording or its schema has changed: every reply that was ever recorded is to another question"
    )


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_one_other_word_of_what_is_sent_makes_another_hash(
    mode: Mode, wording: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> str:
        return prompt_hash(mode, is_explained=True, wording=wording)

    before, phrasing = found(), phrasings.PHRASINGS[wording]
    for name in ("LIST_BEGINS", "LIST_ENDS"):
        with monkeypatch.context() as patch:
            patch.setattr(prompts, name, getattr(prompts, name) + "!")
            assert found() != before
    others = [replace(phrasing, system=phrasing.system + "!"), replace(phrasing, user=phrasing.user + "!")]
    others += [
        replace(phrasing, shown_as={**phrasing.shown_as, shown: "Of each you see a picture."}) for shown in ALL_SHOWN
    ]
    for other in others:
        with monkeypatch.context() as patch:
            patch.setitem(phrasings.PHRASINGS, wording, other)
            assert found() != before
    with monkeypatch.context() as patch:
        if wording == PARAPHRASED:
            patch.setitem(wordings.SCALE_OTHERWISE, mode, "5 is fair.")
        else:
            patch.setitem(modes.MODES, mode, replace(MODES[mode], anchors="5 is fair."))
        assert found() != before
    assert found() == before


def test_a_change_of_the_schema_makes_another_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompt_hash("simple", is_explained=False)
    monkeypatch.setattr(prompts, "reply_schema", lambda mode, **asked: reply_schema(mode, **asked) | {"title": "score"})
    assert prompt_hash("simple", is_explained=False) != before


# Repair and length.


def test_a_repair_sends_the_reply_back_with_what_was_wrong_with_it() -> None:
    asked = prompt_messages("simple", sample_story(), is_explained=False)
    repair = repair_messages(asked, "seven", "expected one JSON object;\ngot seven.")
    assert repair[:2] == asked
    assert repair[2] == Message("assistant", "seven")
    assert repair[3].role == "user"
    assert repair[3].content.splitlines()[0] == "That reply cannot be read: expected one JSON object; got seven."
    assert len(repair) == 4


def test_an_empty_reply_is_not_sent_back_and_a_long_one_is_cut() -> None:
    asked = prompt_messages("simple", sample_story(), is_explained=False)
    assert [message.role for message in repair_messages(asked, " \n", "it is empty.")] == ["system", "user", "user"]
    cut = repair_messages(asked, "x" * 100_000, "y" * 100_000)
    assert len(cut[2].content) == 4000
    assert len(cut[3].content) < 1000


@pytest.mark.parametrize("mode", ALL_MODES)
def test_there_is_room_for_a_long_reply(mode: Mode) -> None:
    for is_explained in (True, False):
        room = longest_reply_tokens(mode, n_documents=8, is_explained=is_explained)
        # Four characters a token; three sentences a text where texts are asked for.
        reply = good_reply(mode, is_explained=is_explained).replace(".", ". " + "A sentence of common length. " * 8)
        assert room >= 2 * len(reply) / 4
    assert longest_reply_tokens(mode, n_documents=8, is_explained=True) > room
