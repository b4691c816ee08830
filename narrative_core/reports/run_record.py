"""A run as JSON: what was asked for, what made it, every table unrounded, and all raw numbers."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from numpy.typing import NDArray

from narrative_core.records import Document
from narrative_core.reports.table_formats import table_facts
from narrative_core.reports.tables import Table
from narrative_core.runs import Run, RunStory, RunTable, SeatScores

FORMAT_NAME: Final = "throughline-run"
FORMAT_VERSION: Final = 1


def run_json(table: RunTable, tables: Sequence[Table], documents: Mapping[str, Document]) -> str:
    """Return a run as indented JSON with its keys always in the same order; what is unknown (nan) is ``null``.

    Documents are given by title and date, without their text, which may not be the reader's to pass on. Under
    ``judges``, a row of ``scores`` is a story, in the order of ``stories``, and has one number an agent; ``seconds``,
    tokens and ``cost_usd`` are sums over the agents of a story. Pairs and agents count from 0.

    Parameters
    ----------
    table : RunTable
    tables : sequence of Table
        What was computed of it.
    documents : mapping
        By id; those of the stories that are not in it are left out.
    """
    told = dict.fromkeys(document_id for story in table.stories for document_id in story.document_ids)
    value = {
        "format": FORMAT_NAME,
        "format_version": FORMAT_VERSION,
        "run": _run(table.run),
        "tables": [table_facts(one) for one in tables],
        "documents": {one: _document(documents[one]) for one in told if one in documents},
        "stories": [_story(story) for story in table.stories],
        "judges": [_judge(scores) for scores in table.seats],
    }
    return json.dumps(_plain(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _run(run: Run) -> dict[str, Any]:
    settings = asdict(run.settings)
    seats = settings.pop("seats")
    return {
        "run_id": run.run_id,
        "name": run.name,
        "created_at": run.created_at,
        "settings": {**settings, "judges": seats},
        "strata": [asdict(count) for count in run.strata],
        "landscape_id": run.landscape_id,
        "embedding_model": run.embedding_model,
        "divergence": run.divergence,
        "critical_coherence": run.critical_coherence,
        "median_link": run.median_link,
        "versions": dict(run.versions),
    }


def _document(document: Document) -> dict[str, str]:
    return {"title": document.title, "date": document.iso_date}


def _story(story: RunStory) -> dict[str, Any]:
    return {
        "pair": story.pair,
        "made": story.made,
        "stratum": story.stratum,
        "document_ids": list(story.document_ids),
        "strengths": list(story.strengths),
        "metrics": dict(story.metrics),
        "story_hash": story.story_hash,
    }


def _judge(scores: SeatScores) -> dict[str, Any]:
    columns: Mapping[str, NDArray[Any]] = {
        "scores": scores.scores,
        "seconds": scores.seconds,
        "input_tokens": scores.input_tokens,
        "output_tokens": scores.output_tokens,
        "cost_usd": scores.cost_usd,
        "weakest_steps": scores.weakest_steps,
    }
    return {
        "label": scores.label,
        **asdict(scores.seat),
        "counts": dict(scores.counts),
        "n_unasked": scores.n_unasked,
        **{name: column.tolist() for name, column in columns.items()},
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value in which every number that is not finite is ``None``."""
    match value:
        case float():
            return float(value) if math.isfinite(value) else None
        case dict():
            return {key: _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
    return value
