import contextlib
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core import recordings
from narrative_core.errors import InvalidInput
from narrative_core.judgements import MOST_AGENTS, CriterionScore, Judgement, Mode, Question
from narrative_core.recordings import FORMAT, MOST_PROBLEMS, install_recording, read_recording, write_recording
from narrative_core.records import Problem
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import list_judgements, save_judgement, save_judgements
from tests.judgement_samples import (
    HOSTILE,
    answered,
    flow_judgement,
    judgements,
    lexical_judgement,
    question,
)
from tests.judging.judging_samples import ALL_MODES, good_reply

UNREADABLE = replace(
    answered(3), status="unreadable", score=math.nan, explanation="", weakest_step=None, reply="7!", message="No JSON."
)
SAID = ("score", "criteria", "link_scores", "weakest_step", "explanation")
SILENT = replace(flow_judgement("other"), status="failed", score=math.nan, link_scores=(), weakest_step=None)
EVERYTHING = (
    answered(0),
    replace(answered(1, 3.5), is_repaired=True, first_reply="Seven, " + HOSTILE),
    UNREADABLE,
    Judgement(question(4), "refused", reply="I would rather not." + HOSTILE, message="It refused.", n_documents=4),
    Judgement(question(5), "timed out", message="No answer in 60 s.", seconds=60.0),
    Judgement(question(6), "failed", message="500"),
    flow_judgement(),
    SILENT,
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path_factory.mktemp("recordings") / "one.duckdb")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _emptied(database: Database) -> None:
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM judgements")


def line_of(judgement: Judgement) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(write_recording([judgement]))
    return told


def bytes_of(told: object) -> bytes:
    return json.dumps(told).encode() + b"\n"


def by_question(judgements: tuple[Judgement, ...]) -> str:
    """Return judgements as text: exact for floats, equal for nan."""
    return repr(sorted(judgements, key=lambda one: one.question.question_id))


def test_what_is_written_is_read_and_written_again_byte_for_byte() -> None:
    data = write_recording(EVERYTHING)
    recording = read_recording(data)
    assert by_question(recording.judgements) == by_question(EVERYTHING)
    assert (recording.read, recording.skipped, recording.problems) == (len(EVERYTHING), 0, ())
    assert write_recording(recording.judgements) == data


def test_the_order_of_judgements_and_of_lines_does_not_matter() -> None:
    data = write_recording(EVERYTHING)
    rng = random.Random(3)
    for _ in range(5):
        assert write_recording(rng.sample(EVERYTHING, len(EVERYTHING))) == data
        lines = data.removesuffix(b"\n").split(b"\n")
        shuffled = b"\n".join(rng.sample(lines, len(lines)))
        assert repr(read_recording(shuffled)) == repr(read_recording(data))


@settings(max_examples=150, deadline=None)
@given(st.lists(judgements, max_size=4, unique_by=lambda one: one.question.question_id))
def test_whatever_is_written_can_be_read_and_what_is_read_stays_the_same(drawn: list[Judgement]) -> None:
    recording = read_recording(write_recording(drawn))
    written = [one for one in drawn if one.question.judge != "lexical"]
    assert recording.read == len(written) == len(recording.judgements) + recording.skipped
    again = write_recording(recording.judgements)
    assert write_recording(read_recording(again).judgements) == again
    assert by_question(read_recording(again).judgements) == by_question(recording.judgements)


@settings(max_examples=60, deadline=None)
@given(judgements.filter(lambda one: one.status not in ("ok", "unreadable")), st.sampled_from(ALL_MODES))
def test_a_prompted_judgement_without_a_score_comes_back_as_it_was(drawn: Judgement, mode: Mode) -> None:
    agent, temperature = drawn.question.agent % MOST_AGENTS, (drawn.question.temperature or 0.0) % 2
    asked = replace(drawn.question, judge="openai", mode=mode, agent=agent, temperature=temperature)
    unsaid = Judgement(asked, drawn.status)
    one = replace(
        drawn,
        **{name: getattr(unsaid, name) for name in SAID},
        question=asked,
        seconds=abs(drawn.seconds) % 1e7 if math.isfinite(drawn.seconds) else 0.0,
        cost_usd=math.nan,
        input_tokens=min(drawn.input_tokens or 0, 10**9),
        output_tokens=None if drawn.output_tokens is None else min(drawn.output_tokens, 10**9),
    )
    assert repr(read_recording(write_recording([one])).judgements) == repr((one,))


@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("is_explained", [True, False])
def test_a_score_comes_from_the_reply_in_every_mode(mode: Mode, is_explained: bool) -> None:
    reply = good_reply(mode, score=6, is_explained=is_explained)
    one = replace(
        answered(), question=question(mode=mode), reply=reply, is_explained=is_explained, n_documents=5, score=9.9
    )
    (read,) = read_recording(write_recording([one])).judgements
    assert (read.status, read.score, read.weakest_step) == ("ok", 6.0, 1 if is_explained else None)
    assert b"9.9" not in write_recording([one])


def test_a_line_cannot_claim_a_score_that_its_reply_does_not_give() -> None:
    told = line_of(answered())
    told |= {"reply": "ten out of ten", "score": 10, "said": {"score": 10, "criteria": [], "explanation": "Great."}}
    recording = read_recording(bytes_of(told))
    (read,) = recording.judgements
    assert (read.status, read.explanation, read.criteria) == ("unreadable", "", ())
    assert math.isnan(read.score)
    assert (recording.read, recording.skipped) == (1, 0)
    why = 'expected one JSON object and nothing else; got "ten out of ten".'
    assert read.message == f"The reply cannot be read: {why}"
    assert recording.problems == (Problem(1, f"is kept as unreadable: {why}"),)


def test_a_line_cannot_hide_a_score_that_its_reply_gives() -> None:
    told = line_of(answered()) | {"status": "unreadable", "message": "Nonsense."}
    recording = read_recording(bytes_of(told))
    assert recording.judgements == (answered(),)
    assert [problem.row for problem in recording.problems] == [1]


def test_a_weakest_link_outside_of_the_story_makes_a_reply_unreadable() -> None:
    told = line_of(answered())
    told["n_documents"] = 1
    assert [one.status for one in read_recording(bytes_of(told)).judgements] == ["unreadable"]


def test_the_file_is_plain_json_a_line_and_says_its_format() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    lines = write_recording(EVERYTHING).decode().removesuffix("\n").split("\n")
    told = [json.loads(line, parse_constant=refuse) for line in lines]
    assert {one["format"] for one in told} == {FORMAT}
    assert {one["question"]["judge"] for one in told if "said" in one} == {"flow"}
    assert len(told) == len(EVERYTHING)
    assert write_recording([]) == b""
    assert read_recording(b"").judgements == ()


def test_lines_may_end_as_on_windows_and_the_file_may_begin_with_a_mark() -> None:
    data = b"\xef\xbb\xbf" + write_recording(EVERYTHING[:3]).replace(b"\n", b"\r\n") + b"\r\n \r\n"
    recording = read_recording(data)
    assert (by_question(recording.judgements), recording.problems) == (by_question(EVERYTHING[:3]), ())
    assert recording.read == 3


def without(told: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != name}


def changed(one: Judgement, part: str, **values: object) -> bytes:
    """Return the line of a judgement with some values changed, in a part of it or at the top."""
    told = line_of(one)
    if part:
        told[part] |= values
    else:
        told |= values
    return bytes_of(told)


CRITERION = {"name": "a", "score": 5, "reason": ""}
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
)
BROKEN: dict[str, bytes] = {
    "not JSON": b"{",
    "not an object": b"[1, 2]",
    "a bare number": b"7",
    "another object": b'{"score": 10}',
    "not UTF-8": b'{"format": 1, "x": "\xff"}',
    "NaN": write_recording([flow_judgement()]).replace(b'"score": 0.4', b'"score": NaN', 1),
    "infinity": write_recording([flow_judgement()]).replace(b'"score": 0.4', b'"score": 1e999', 1),
    "NaN where nobody looks": write_recording([answered()]).replace(b'{"format"', b'{"note": NaN, "format"', 1),
    "deep nesting": b'{"format": 1, "question": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "a number of many digits": b'{"format": ' + b"9" * 10_000 + b"}",
    "another format": changed(answered(), "", format=2),
    "a true format": changed(answered(), "", format=True),
    "a format in words": changed(answered(), "", format="1"),
    "a question in words": changed(answered(), "", question="who?"),
    "no question": bytes_of(without(line_of(answered()), "question")),
    "no reply": bytes_of(without(line_of(answered()), "reply")),
    "no place": bytes_of(without(line_of(answered()), "place")),
    "nothing said": bytes_of(without(line_of(flow_judgement()), "said")),
    "an unknown judge": changed(answered(), "question", judge="oracle"),
    "a judge that is a list": changed(answered(), "question", judge=["openai"]),
    "an unknown mode": changed(answered(), "question", mode="poetic"),
    "a prompted judge without a mode": changed(answered(), "question", mode=None),
    "a reader with a mode": changed(flow_judgement(), "question", mode="simple"),
    "a negative agent": changed(answered(), "question", agent=-1),
    "a true agent": changed(answered(), "question", agent=True),
    "half an agent": changed(answered(), "question", agent=0.5),
    "an agent beyond the column": changed(answered(), "question", agent=2**31),
    "an agent that no panel has": changed(answered(), "question", agent=MOST_AGENTS),
    "a temperature in words": changed(answered(), "question", temperature="warm"),
    "a negative temperature": changed(answered(), "question", temperature=-0.1),
    "a temperature beyond measure": changed(answered(), "question", temperature=1.7e308),
    "a seed beyond the column": changed(answered(), "question", seed=2**127),
    "a model that is a number": changed(answered(), "question", model=4.1),
    "a model of many signs": changed(answered(), "question", model="m" * 1_001),
    "a message of many signs": changed(answered(), "", message="m" * 100_001),
    "many dropped": changed(answered(), "", dropped=["seed"] * 10_001),
    "many links": changed(flow_judgement(), "said", link_scores=[0.5] * 10_001),
    "many criteria": changed(flow_judgement(), "said", criteria=[CRITERION] * 10_001),
    "half a character": changed(answered(), "", reply="\ud83d"),
    "half a character in a list": changed(answered(), "", dropped=["\udc00"]),
    "an unknown status": changed(answered(), "", status="excellent"),
    "no status": changed(answered(), "", status=None),
    "a reply that is an object": changed(answered(), "", reply={"score": 10}),
    "a form that does not exist": changed(answered(), "", form="telepathy"),
    "negative tokens": changed(answered(), "", input_tokens=-1),
    "tokens beyond the column": changed(answered(), "", output_tokens=2**63),
    "tokens beyond measure": changed(answered(), "", input_tokens=10**9 + 1),
    "negative seconds": changed(answered(), "", seconds=-1),
    "seconds beyond measure": changed(answered(), "", seconds=1.7e308),
    "a cost beyond measure": changed(answered(), "", cost_usd=1_000_001),
    "a cost in words": changed(answered(), "", cost_usd="free"),
    "a cost of many digits": changed(answered(), "", cost_usd=10**400),
    "dropped in words": changed(answered(), "", dropped="seed"),
    "repaired as a number": changed(answered(), "", is_repaired=1),
    "a negative length": changed(answered(), "", n_documents=-4),
    "ok without a score": changed(flow_judgement(), "said", score=None),
    "a score in words": changed(flow_judgement(), "said", score="0.4"),
    "a true score": changed(flow_judgement(), "said", score=True),
    "a score that is not the mean of its links": changed(flow_judgement(), "said", score=0.41),
    "a score beyond measure": changed(flow_judgement(), "said", score=1.7e308, link_scores=[1.7e308] * 3),
    "links beyond measure": changed(flow_judgement(), "said", score=0, link_scores=[200, 0, -200], weakest_step=2),
    "a link without a number": changed(flow_judgement(), "said", link_scores=[0.5, None, 0.4]),
    "ok without links": changed(flow_judgement(), "said", link_scores=[]),
    "ok without links of a story of no length": changed(
        replace(flow_judgement(), n_documents=0), "said", link_scores=[], weakest_step=None
    ),
    "a link too few": changed(flow_judgement(), "", n_documents=5),
    "another weakest link": changed(flow_judgement(), "said", weakest_step=2),
    "the second of two weakest links": changed(
        flow_judgement(), "said", score=0.3, link_scores=[0.3, 0.3, 0.3], weakest_step=1
    ),
    "no weakest link": changed(flow_judgement(), "said", weakest_step=None),
    "a criterion beyond measure": changed(flow_judgement(), "said", criteria=[CRITERION | {"score": 101}]),
    "a mean that is another": changed(flow_judgement(), "said", criteria=[CRITERION | {"name": "mean"}]),
    "a minimum that is another": changed(flow_judgement(), "said", criteria=[CRITERION | {"name": "minimum"}]),
    "a criterion without a reason": changed(flow_judgement(), "said", criteria=[{"name": "a", "score": 5}]),
    "criteria in words": changed(flow_judgement(), "said", criteria="good"),
    "a failed one with a score": changed(flow_judgement(), "", status="failed"),
    "a failed one with links": changed(SILENT, "said", link_scores=[0.5, 0.3, 0.4]),
    "a failed one with a criterion": changed(SILENT, "said", criteria=[CRITERION]),
    "a failed one with a weakest link": changed(SILENT, "said", weakest_step=1),
    "link scores in words": changed(flow_judgement(), "said", link_scores=["0.5"]),
    "a weakest link outside of the story": changed(flow_judgement(), "said", weakest_step=3),
    "a weakest link outside of the links": changed(replace(flow_judgement(), n_documents=0), "said", weakest_step=3),
    "a negative weakest link": changed(flow_judgement(), "said", weakest_step=-1),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_line_is_named_and_the_others_are_read(kind: str) -> None:
    good = write_recording([answered(7)])
    recording = read_recording(good + BROKEN[kind].removesuffix(b"\n") + b"\n" + write_recording([answered(8)]))
    assert set(recording.judgements) == {answered(7), answered(8)}
    assert (recording.read, recording.skipped) == (3, 1)
    (problem,) = recording.problems
    assert problem.row == 2
    assert problem.reason


def test_a_problem_says_what_was_expected() -> None:
    def reason(kind: str) -> str:
        return read_recording(BROKEN[kind]).problems[0].reason

    assert reason("no reply") == "lacks 'reply'"
    assert reason("a negative agent") == "has a 'agent' that is not a whole number from 0 to 999"
    assert reason("an unknown judge") == "has a 'judge' that is not one of openai, flow, lexical"
    assert reason("another format") == "has another format than 1; update the program"
    assert reason("another weakest link") == "has a score or a link that its judge 'flow' cannot give"
    assert reason("seconds beyond measure") == "has a 'seconds' that is not a number from 0 to 10,000,000, or null"
    assert reason("a reader with a mode") == "has a judge 'flow' in mode 'simple'"


def test_the_largest_measures_are_read_and_can_be_added_up() -> None:
    largest = {"seconds": 1e7, "cost_usd": 1e6, "input_tokens": 10**9, "output_tokens": 10**9}
    asked = [question(MOST_AGENTS - 1), question(0)]
    kept = [replace(answered(), question=one, **largest) for one in asked]
    recording = read_recording(write_recording(kept))
    assert (len(recording.judgements), recording.problems) == (2, ())
    assert math.fsum(one.seconds for one in recording.judgements) == 2e7


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=9), st.booleans())
def test_what_reading_flow_gives_comes_back(gains: list[float], is_length_known: bool) -> None:
    n, weakest = (len(gains) + 1 if is_length_known else 0), int(np.argmin(gains))
    mean = float(np.mean(gains))
    criteria = (CriterionScore("mean", mean), CriterionScore("minimum", gains[weakest]))
    one = replace(
        flow_judgement(), score=mean, criteria=criteria, link_scores=tuple(gains), weakest_step=weakest, n_documents=n
    )
    assert repr(read_recording(write_recording([one])).judgements) == repr((one,))


def lexical_line(**values: object) -> bytes:
    """Return a line of the lexical reader, as a recording once had it."""
    told = line_of(flow_judgement())
    told["question"] |= {"judge": "lexical", "model": "", "prompt_hash": "lexical 1"}
    return bytes_of(told | values)


def test_the_lexical_reader_is_left_out_of_a_recording() -> None:
    data = write_recording([*EVERYTHING, lexical_judgement()])
    assert data == write_recording(EVERYTHING)
    assert write_recording([lexical_judgement()]) == b""


def test_lines_of_the_lexical_reader_are_not_taken_in_and_told_of_once(database: Database) -> None:
    data = lexical_line() + write_recording([answered()]) + lexical_line(status="failed", said={"score": 10})
    report = install_recording(database, "news", data + lexical_line())
    assert (report.read, report.kept, report.known, report.skipped) == (4, 1, 0, 3)
    told = "is of the lexical reader, which reads every story anew; its lines are left out"
    assert report.problems == (Problem(1, told),)
    assert list_judgements(database, "news") == (answered(),)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_change_of_a_file_gives_an_error_or_a_score_that_no_reply_gives(data: st.DataObject) -> None:
    original = bytearray(write_recording([answered(0), flow_judgement()]))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(original) - 1))
        original[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    recording = read_recording(bytes(original))
    assert recording.read == len(recording.judgements) + recording.skipped
    for one in recording.judgements:
        lowest, highest = (-100, 100) if one.question.judge == "flow" else (1, 10)
        assert math.isnan(one.score) or lowest <= one.score <= highest
        assert math.isnan(one.score) == (one.status != "ok")


@settings(max_examples=100, deadline=None)
@given(ANY_JSON, st.sampled_from(sorted({*line_of(answered()), *line_of(flow_judgement())})))
def test_any_value_in_any_field_is_read_or_named(value: object, name: str) -> None:
    for one in (answered(), flow_judgement()):
        recording = read_recording(bytes_of(line_of(one) | {name: value}))
        assert len(recording.judgements) + recording.skipped == 1
        assert [read.score for read in recording.judgements if read.status == "ok"] in ([one.score], [])


def test_of_lines_about_one_question_the_same_one_counts_wherever_it_stands() -> None:
    lines = [
        write_recording([one])
        for one in (Judgement(question(), "failed"), answered(score=7), answered(score=2), answered(score=2))
    ]
    found = set()
    for seed in range(8):
        recording = read_recording(b"".join(random.Random(seed).sample(lines, 4)))
        assert (recording.read, recording.skipped) == (4, 3)
        found.add(recording.judgements)
    assert found in ({(answered(score=2),)}, {(answered(score=7),)})
    repeated = read_recording(lines[1] + lines[1])
    assert repeated.problems == (Problem(2, "asks the same as line 1; one of the two is kept"),)


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_recording(EVERYTHING)
    monkeypatch.setattr(recordings, "MOST_LINES", len(EVERYTHING) - 1)
    with pytest.raises(InvalidInput, match=r"at most 7 lines; got 8\. Divide the file"):
        read_recording(data)
    monkeypatch.setattr(recordings, "MOST_BYTES", 2 * 2**20)
    with pytest.raises(InvalidInput, match=r"at most 2 MiB; got 3 MiB\. Divide the file"):
        read_recording(b" " * (3 * 2**20))


def test_a_reply_of_a_megabyte_is_read_as_it_was_written() -> None:
    long = replace(UNREADABLE, reply="\0ü" * 500_000, first_reply='"' * 1_000_000)
    assert repr(read_recording(write_recording([long])).judgements) == repr((long,))


def test_a_line_that_is_too_long_is_named() -> None:
    data = write_recording([answered(7)])
    huge = b'{"format": 1, "x": "' + b"y" * recordings.LONGEST_LINE + b'"}\n'
    recording = read_recording(huge + data)
    assert recording.judgements == (answered(7),)
    assert recording.problems == (Problem(1, "is longer than 16 MiB"),)


def test_of_many_broken_lines_the_first_are_named_and_all_are_counted() -> None:
    n = 20_000
    recording = read_recording(b"x\n" * n + write_recording([answered()]))
    assert (recording.read, recording.skipped) == (n + 1, n)
    assert [problem.row for problem in recording.problems] == list(range(1, MOST_PROBLEMS + 1))
    assert recording.judgements == (answered(),)


@pytest.mark.slow
def test_many_broken_lines_are_read_in_proportion_to_their_number() -> None:
    def seconds(n: int) -> float:
        data = b'{"format": 1}\n' * n
        start = time.perf_counter()
        assert read_recording(data).skipped == n
        return time.perf_counter() - start

    seconds(10_000)
    assert seconds(200_000) < 60 * seconds(10_000)


def test_text_that_is_not_unicode_cannot_be_written() -> None:
    with pytest.raises(InvalidInput, match="half of a surrogate pair"):
        write_recording([replace(answered(), reply="\ud800")])


def test_an_export_that_is_imported_gives_the_same_judgements(database: Database) -> None:
    save_judgements(database, "news", EVERYTHING)
    data = write_recording(list_judgements(database, "news"))
    report = install_recording(database, "elsewhere", data)
    assert (report.read, report.kept, report.known, report.skipped, report.problems) == (8, 8, 0, 0, ())
    assert repr(list_judgements(database, "elsewhere")) == repr(list_judgements(database, "news"))
    assert write_recording(list_judgements(database, "elsewhere")) == data


def test_what_is_here_already_stays_and_is_counted(database: Database) -> None:
    mine = answered(0, score=2)
    save_judgement(database, "news", mine)
    save_judgement(database, "news", Judgement(question(1), "timed out"))
    failed = Judgement(question(2), "failed", message="mine")
    save_judgement(database, "news", failed)
    theirs = [answered(0), answered(1), Judgement(question(2), "failed", message="theirs"), answered(3)]
    report = install_recording(database, "news", b"?\n" + write_recording(theirs))
    assert (report.read, report.kept, report.known, report.skipped) == (5, 2, 2, 1)
    assert [problem.row for problem in report.problems] == [1]
    found = by_question(list_judgements(database, "news"))
    assert found == by_question((mine, answered(1), failed, answered(3)))
    again = install_recording(database, "news", write_recording(theirs))
    assert (again.read, again.kept, again.known) == (4, 0, 4)
    assert by_question(list_judgements(database, "news")) == found


def test_a_recording_that_is_refused_stores_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "MOST_LINES", 1)
    with pytest.raises(InvalidInput):
        install_recording(database, "news", write_recording(EVERYTHING))
    assert list_judgements(database, "news") == ()


def test_no_field_of_a_judgement_is_forgotten() -> None:
    told = line_of(flow_judgement())
    named = {*told, *told["said"]} - {"format", "said"}
    assert named == set(Judgement.__dataclass_fields__)
    assert set(told["question"]) == set(Question.__dataclass_fields__)


def test_a_large_recording_is_installed_at_once(database: Database, tmp_path: Path) -> None:
    many = [answered(n % 500, 1 + n % 10, story=f"story {n // 500}") for n in range(2_000)]
    path = tmp_path / "judgements.jsonl"
    path.write_bytes(write_recording(many))
    report = install_recording(database, "news", path.read_bytes())
    assert (report.kept, report.skipped) == (2_000, 0)
    assert len(list_judgements(database, "news")) == 2_000
