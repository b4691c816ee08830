"""The raw rows of a run as tables for a spreadsheet or a statistics program: its stories, and every judgement."""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from narrative_core.judgements import Judgement
from narrative_core.reports.csv_report import safe_cell
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
    return _sheet(STORY_COLUMNS, (_story_cells(story, titles) for story in table.stories))


def scores_csv(table: RunTable, asked: Iterable[AskedAgent]) -> str:
    """Return one row a question (RFC 4180), as `stories_csv`; ``status`` is empty where nothing came yet.

    ``judge`` is its name in the run, ``kind`` what it is. Pairs, agents and steps count from 0.
    """
    return _sheet(SCORE_COLUMNS, (_score_cells(table, one) for one in asked))


def _story_cells(story: RunStory, titles: Mapping[str, str]) -> list[str]:
    metrics, ends = story.metrics, (story.document_ids[0], story.document_ids[-1])
    return [
        *(str(story.pair), story.made, story.stratum or ""),
        *(safe_cell(end) for end in ends),
        *(safe_cell(titles.get(end, "")) for end in ends),
        *(str(len(story.document_ids)), _number(metrics["minimum"]), _number(metrics["average"])),
        *(_number(metrics["variance"]), _number(metrics["span"]), _number(metrics["efficiency"])),
        *(_number(metrics["weak share"]), json.dumps(story.document_ids, ensure_ascii=False)),
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
        *(judgement.status, _number(judgement.score), _whole(judgement.weakest_step), _number(judgement.seconds)),
        *(_whole(judgement.input_tokens), _whole(judgement.output_tokens), _number(judgement.cost_usd)),
        *(_number(asked.temperature), _whole(asked.seed), str(judgement.place), safe_cell(judgement.asked_at)),
        *(safe_cell(judgement.message), asked.story_hash, safe_cell(asked.prompt_hash)),
    ]


def _sheet(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return sheet.getvalue()


def _number(value: float | None) -> str:
    known = None if value is None else _known(value)
    return "" if known is None else repr(known)


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)
