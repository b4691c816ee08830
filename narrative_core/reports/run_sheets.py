"""The raw rows of a run as tables for a spreadsheet or a statistics program: its stories, and every judgement."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from narrative_core.judgements import Judgement
from narrative_core.reports.csv_report import number_cell, safe_cell, sheet_csv, whole_cell
from narrative_core.runs import RunStory, RunTable

STORY_COLUMNS: Final = (
    *("pair", "made", "stratum", "source", "target", "source_title", "target_title", "n_documents", "weakest_link"),
    *("mean_link", "variance", "span_days", "efficiency", "weak_share", "document_ids", "strengths", "story_hash"),
)
SCORE_COLUMNS: Final = (
    *("pair", "made", "judge", "kind", "model", "endpoint", "mode", "shown", "version", "agent", "status", "score"),
    *("weakest_step", "seconds", "input_tokens", "output_tokens", "cost_usd", "temperature", "seed", "place"),
    *("asked_at", "message", "story_hash", "prompt_hash", "question_id"),
)


@dataclass(frozen=True, slots=True)
class AskedAgent:
    """One question of a run: the story by ``pair`` and how it was made, the judge by its place, and what came back."""

    pair: int
    made: str
    seat: int
    agent: int
    question_id: str
    judgement: Judgement | None


def stories_csv(table: RunTable, titles: Mapping[str, str]) -> str:
    """Return one row a story (RFC 4180), in the order of ``table.stories``.

    ``document_ids`` and ``strengths`` are JSON lists, one strength a link. Numbers are unrounded, unknown ones empty;
    text that a spreadsheet would run as a formula is preceded by an apostrophe.

    Parameters
    ----------
    table : RunTable
    titles : mapping
        Titles of documents by id; a document that is not in it has none.
    """
    return sheet_csv(STORY_COLUMNS, (_story_cells(story, titles) for story in table.stories))


def scores_csv(table: RunTable, asked: Iterable[AskedAgent]) -> str:
    """Return one row a question (RFC 4180), as `stories_csv`; ``status`` is empty where nothing came yet.

    ``judge`` is its name in the run, ``kind`` what it is. Pairs, agents and steps count from 0.
    """
    return sheet_csv(SCORE_COLUMNS, (_score_cells(table, one) for one in asked))


def _story_cells(story: RunStory, titles: Mapping[str, str]) -> list[str]:
    metrics, ends = story.metrics, (story.document_ids[0], story.document_ids[-1])
    return [
        *(str(story.pair), story.made, story.stratum or ""),
        *(safe_cell(end) for end in ends),
        *(safe_cell(titles.get(end, "")) for end in ends),
        *(str(len(story.document_ids)), number_cell(metrics["minimum"]), number_cell(metrics["average"])),
        *(number_cell(metrics["variance"]), number_cell(metrics["span"]), number_cell(metrics["efficiency"])),
        *(number_cell(metrics["weak share"]), json.dumps(story.document_ids, ensure_ascii=False)),
        *(json.dumps([_known(strength) for strength in story.strengths]), story.story_hash),
    ]


def _score_cells(table: RunTable, one: AskedAgent) -> list[str]:
    scores = table.seats[one.seat]
    seat = scores.seat
    return [
        *(str(one.pair), one.made, safe_cell(scores.label), seat.judge, safe_cell(seat.model)),
        *(safe_cell(seat.endpoint), seat.mode or "", seat.shown, safe_cell(seat.version), str(one.agent)),
        *_judgement_cells(one.judgement),
        one.question_id,
    ]


def _judgement_cells(judgement: Judgement | None) -> list[str]:
    if judgement is None:
        return [""] * (len(SCORE_COLUMNS) - 11)
    asked = judgement.question
    return [
        *(
            judgement.status,
            number_cell(judgement.score),
            whole_cell(judgement.weakest_step),
            number_cell(judgement.seconds),
        ),
        *(whole_cell(judgement.input_tokens), whole_cell(judgement.output_tokens), number_cell(judgement.cost_usd)),
        *(number_cell(asked.temperature), whole_cell(asked.seed), str(judgement.place), safe_cell(judgement.asked_at)),
        *(safe_cell(judgement.message), asked.story_hash, safe_cell(asked.prompt_hash)),
    ]


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
