import hashlib
import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from judged_samples import hostile_panel, panel
from report_samples import (
    HOSTILE_TITLES,
    annotated_story,
    by_hand,
    document,
    hostile_story,
    pair,
    saved,
    space_story,
    story,
)

from narrative_core.records import CurvePoint, TrailRequest
from narrative_core.reports.json_report import story_json
from narrative_core.reports.wish_lines import Names

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def strict(text: str) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    value: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return value


def test_a_story_comes_back_with_all_that_made_it() -> None:
    kept = space_story()
    request = TrailRequest("d0", "d7", ("d3",), ("x",), 900, 8)
    kept = replace(kept, pair=replace(kept.pair, request=request, curve=(CurvePoint(2, 0.5), CurvePoint(3, 0.6))))
    value = strict(story_json(kept, settings={"model": "m1"}))
    rebuilt = {name: tuple(asked) if isinstance(asked, list) else asked for name, asked in value["request"].items()}
    assert TrailRequest(**rebuilt) == request
    assert tuple(value["comparison"]["draw_bottlenecks"]) == kept.pair.draw_bottlenecks
    assert value["comparison"]["curve"] == [{"length": 2, "bottleneck": 0.5}, {"length": 3, "bottleneck": 0.6}]
    assert (value["comparison"]["seed"], value["comparison"]["beaten"], value["comparison"]["drawn"]) == (7, 200, 200)
    assert (value["landscape_id"], value["collection"], value["settings"]) == (
        "ls-9c2e",
        "spaceflight",
        {"model": "m1"},
    )
    for kind, told in (("trail", kept.pair.trail), ("baseline", kept.pair.baseline)):
        assert [d["document_id"] for d in value[kind]["documents"]] == [d.document_id for d in told.documents]
        assert [link["coherence"] for link in value[kind]["links"]] == [link.coherence for link in told.links]
        assert value[kind]["bottleneck"] == told.bottleneck


def test_version_notes_copies_wishes_and_warnings_come_back() -> None:
    kept = annotated_story()
    value = strict(story_json(kept, warnings=["One."], names=Names({"x9": "Banned"})))
    assert (value["format_version"], value["family_id"], value["version"], value["is_edited"]) == (
        2,
        "s-0001",
        3,
        False,
    )
    assert value["document_notes"] == dict(kept.annotations.document_notes)
    assert value["link_notes"] == [{"source": "d4", "target": "d5", "note": "Nineteen months: look for 1964."}]
    assert (value["copies"], value["warnings"]) == ({"d1": 3, "d5": 1}, ["One."])
    assert "Avoids “Banned”" in value["sentences"]["wishes"]
    assert (value["request"]["avoid_sources"], value["request"]["avoid_topics"]) == (["TASS"], [4])
    edited = strict(story_json(by_hand(kept)))
    assert edited["is_edited"]
    assert edited["request"]["by_hand"] == [f"d{number}" for number in range(8)]


@given(texts, texts, texts, st.dictionaries(texts, texts, max_size=3))
def test_text_comes_back_exactly(title: str, name: str, note: str, extras: dict[str, str]) -> None:
    first = replace(document(0, title), extras=extras)
    value = strict(story_json(saved(pair(story([first, document(1)], [0.7])), name=name, note=note)))
    assert (value["name"], value["note"]) == (name, note)
    assert value["trail"]["documents"][0]["title"] == title
    assert value["trail"]["documents"][0]["extras"] == extras


def test_the_text_is_not_passed_on_but_can_be_recognised() -> None:
    first = replace(document(0), text="Secret body")
    written = story_json(saved(pair(story([first, document(1)], [0.7]))))
    assert "Secret body" not in written
    assert hashlib.sha256(b"Secret body").hexdigest() in written


def test_unknown_numbers_are_null() -> None:
    kept = space_story(3)
    nan = float("nan")
    links = tuple(replace(link, topic_similarity=nan, days_between=None) for link in kept.pair.trail.links)
    told = replace(
        kept.pair, trail=replace(kept.pair.trail, links=links), median_link=nan, unconstrained_bottleneck=nan
    )
    value = strict(story_json(replace(kept, pair=told)))
    assert value["comparison"]["median_link"] is None
    assert value["comparison"]["unconstrained_bottleneck"] is None
    assert value["comparison"]["curve"] is None
    assert {link["topic_similarity"] for link in value["trail"]["links"]} == {None}
    assert {link["days_between"] for link in value["trail"]["links"]} == {None}


def test_keys_stand_in_one_order_and_the_text_is_the_same_every_time() -> None:
    first, second = story_json(space_story()), story_json(space_story())
    assert first == second
    assert list(strict(first)) == list(strict(story_json(hostile_story())))
    assert first.startswith('{\n  "format": "throughline-story",\n')


def test_the_order_in_which_extras_were_read_does_not_show() -> None:
    told = [replace(document(0), extras=extras) for extras in ({"a": "1", "b": "2"}, {"b": "2", "a": "1"})]
    written = [story_json(saved(pair(story([first, document(1)], [0.7])))) for first in told]
    assert written[0] == written[1]


def test_hostile_titles_come_back_exactly() -> None:
    documents = strict(story_json(hostile_story()))["trail"]["documents"]
    assert tuple(d["title"] for d in documents) == HOSTILE_TITLES


def test_without_judges_there_is_no_key_for_them() -> None:
    assert story_json(space_story(), verdicts=()) == story_json(space_story())
    assert not {"judges", "judgements"} & set(strict(story_json(space_story())))


def test_what_judges_say_comes_with_every_agent() -> None:
    kept = space_story()
    verdicts = panel(kept)
    value = strict(story_json(kept, verdicts=verdicts))
    assert list(value)[-2:] == ["judges", "judgements"]
    assert [(told["story"], told["asked"], told["ok"]) for told in value["judges"][:2]] == [
        ("trail", 3, 3),
        ("baseline", 3, 2),
    ]
    assert [(told["endpoint"], told["agents"], told["shown"]) for told in value["judges"][::4]] == [
        ("api.openai.com", 3, "titles"),
        ("", 1, "leads"),
    ]
    asked = [one for verdict in verdicts for one in verdict.judgements]
    assert [one["question_id"] for one in value["judgements"]] == [one.question.question_id for one in asked]
    assert [one["score"] for one in value["judgements"]].count(None) == 2
    assert value["judgements"][-1]["reasons"]["logical_flow"] == "No step takes up telling words."


def test_a_raw_reply_is_not_passed_on_but_can_be_recognised() -> None:
    written = story_json(space_story(), verdicts=panel(space_story()))
    assert '{\\"score' not in written
    replies = [one["reply_sha256"] for one in strict(written)["judgements"]]
    assert replies[0] == hashlib.sha256(b'{"score": 7}').hexdigest()
    assert replies.count(None) == 4


def test_a_score_that_is_not_finite_is_null() -> None:
    odd = [
        replace(verdict, mean=float("inf"), criteria={"x": float("nan")}, percentile=float("nan"))
        for verdict in panel(space_story())
    ]
    value = strict(story_json(space_story(), verdicts=odd))
    assert {told["mean"] for told in value["judges"]} == {None}
    assert {told["criteria"]["x"] for told in value["judges"]} == {None}


def test_what_hostile_judges_write_comes_back_exactly() -> None:
    value = strict(story_json(hostile_story(), verdicts=hostile_panel()))
    said = [one["explanation"] for one in value["judgements"] if one["status"] == "ok"]
    assert said == [f"{text}\n{text}\n\n- {text}\n# {text}" for text in HOSTILE_TITLES]
