import csv
import io
import json

import pytest

from narrative_core.judgements import Judgement, Question
from narrative_core.reports.run_sheets import SCORE_COLUMNS, STORY_COLUMNS, AskedAgent, scores_csv, stories_csv
from narrative_core.runs import RunStory
from tests.run_samples import FLOW, SIMPLE, seat_scores, table_of

QUESTION = Question("openai", "gpt-4.1", "api.example.org", "simple", 1, 0.5, 7, "s0", "titles", "text", "prompt")
STORY = RunStory(0, "trail", ("-a", "b", "c"), (0.5, 0.25), "extremes", 10.0, 0.75, 0.5, "s0")
SHORT = RunStory(1, "baseline", ("c", "d"), (1 / 3,))
TABLE = table_of([STORY, SHORT], [seat_scores(SIMPLE, [[4, 5, 6], [1, 2, 3]]), seat_scores(FLOW, [0.1, 0.2])])


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_story_is_a_row_of_what_is_known_of_it() -> None:
    first, second = read(stories_csv(TABLE, {"-a": "=1+1", "c": "The end"}))
    assert list(first) == list(STORY_COLUMNS)
    assert first == {
        "pair": "0", "made": "trail", "stratum": "extremes", "source": "'-a", "target": "c", "source_title": "'=1+1",
        "target_title": "The end", "n_documents": "3", "weakest_link": "0.25", "mean_link": "0.375",
        "variance": "0.03125", "span_days": "10.0", "efficiency": "0.75", "weak_share": "0.5",
        "document_ids": '["-a", "b", "c"]', "strengths": "[0.5, 0.25]", "story_hash": "s0",
    }  # fmt: skip
    unknown = ("stratum", "target_title", "variance", "span_days", "efficiency", "weak_share", "story_hash")
    assert {second[name] for name in unknown} == {""}
    assert json.loads(second["strengths"]) == [1 / 3]


def test_an_answer_is_a_row_with_all_that_identifies_it() -> None:
    judgement = Judgement(
        QUESTION, "ok", 6.5, weakest_step=1, reply="raw", input_tokens=120, output_tokens=30, seconds=1.25,
        cost_usd=0.002, place=4, asked_at="2026-03-01T12:00:00+00:00",
    )  # fmt: skip
    (row,) = read(scores_csv(TABLE, [AskedAgent(0, "trail", 0, 1, "q1", judgement)]))
    assert list(row) == list(SCORE_COLUMNS)
    assert row == {
        "pair": "0", "made": "trail", "judge": "gpt-4.1 · simple · titles", "kind": "openai", "model": "gpt-4.1",
        "endpoint": "api.example.org", "mode": "simple", "shown": "titles", "version": "", "agent": "1",
        "status": "ok", "score": "6.5", "weakest_step": "1", "seconds": "1.25", "input_tokens": "120",
        "output_tokens": "30", "cost_usd": "0.002", "temperature": "0.5", "seed": "7", "place": "4",
        "asked_at": "2026-03-01T12:00:00+00:00", "message": "", "story_hash": "s0", "prompt_hash": "prompt",
        "question_id": "q1",
    }  # fmt: skip


def test_an_answer_that_failed_has_a_message_and_no_score() -> None:
    judgement = Judgement(QUESTION, "failed", message="=the endpoint\nfailed")
    (row,) = read(scores_csv(TABLE, [AskedAgent(0, "trail", 0, 1, "q1", judgement)]))
    assert (row["status"], row["score"], row["cost_usd"], row["input_tokens"]) == ("failed", "", "", "")
    assert row["message"] == "'=the endpoint\nfailed"


def test_a_question_that_nothing_came_of_yet_keeps_its_row() -> None:
    (row,) = read(scores_csv(TABLE, [AskedAgent(1, "baseline", 1, 0, "q2", None)]))
    told = {name: value for name, value in row.items() if value}
    assert told == {
        "pair": "1", "made": "baseline", "judge": "gemma-3-270m · leads", "kind": "flow", "model": "gemma-3-270m",
        "shown": "leads", "version": "flow 1", "agent": "0", "question_id": "q2",
    }  # fmt: skip


@pytest.mark.parametrize("text", [stories_csv(TABLE, {}), scores_csv(TABLE, [])])
def test_lines_end_as_spreadsheets_want_it(text: str) -> None:
    assert text.endswith("\r\n")
    assert text.count("\n") == text.count("\r\n")
