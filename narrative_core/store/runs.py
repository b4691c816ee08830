"""Runs: many stories made by rule, each put before the same judges; what was asked, and all raw numbers of it.

A run refers to judgements by question and by its collection: they are shared with whatever else asked the same, and
stay when a run is deleted.
"""

from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Judgement, Seat
from narrative_core.runs import Design, Run, RunStory, RunSummary, RunTable
from narrative_core.store.bulk import insert_rows
from narrative_core.store.database import Database
from narrative_core.store.judgement_rows import QUESTION_FIELDS, RESULT_FIELDS, judgement_from_row
from narrative_core.store.run_checks import require_labels, require_questions, require_stories
from narrative_core.store.run_rows import (
    MADE_ORDER,
    RUN_FIELDS,
    SEAT_FIELDS,
    STORY_FIELDS,
    RunQuestion,
    question_columns,
    run_from_row,
    run_values,
    seat_columns,
    story_columns,
    story_from_row,
)
from narrative_core.store.run_scores import load_seat_scores
from narrative_core.store.tables import Cursor

__all__ = [
    "RUN_DELETIONS",
    "RunQuestion",
    "delete_run",
    "list_runs",
    "load_run",
    "load_run_questions",
    "load_run_stories",
    "load_run_table",
    "rename_run",
    "run_judgements",
    "save_run",
]

_PARTS: Final = ("run_questions", "run_stories", "run_seats")
RUN_DELETIONS: Final = (
    *(f"DELETE FROM {part} WHERE run_id IN (SELECT run_id FROM runs WHERE collection = ?)" for part in _PARTS),
    "DELETE FROM runs WHERE collection = ?",
)
_INSERT_RUN: Final = (
    f"INSERT INTO runs (ordinal, {', '.join(RUN_FIELDS)})"
    f" SELECT coalesce(max(ordinal), 0) + 1, {', '.join(f'${field}' for field in RUN_FIELDS)} FROM runs"
)
_MADE_PLACE: Final = "list_position(CAST(? AS VARCHAR[]), made)"


def save_run(
    database: Database,
    run: Run,
    labels: Sequence[str],
    stories: Sequence[RunStory],
    questions: Sequence[RunQuestion],
) -> None:
    """Save a new run with its stories and questions: all of it, or nothing.

    Parameters
    ----------
    database : Database
        Where to.
    run : Run
        Its id must be new; its collection need not be stored.
    labels : sequence of str
        A short name for each of ``run.settings.seats``, in their order, no two the same.
    stories : sequence of RunStory
        In any order; each pair and way of making once, each with at least one link.
    questions : sequence of RunQuestion
        In any order; each about one of the stories, to one of the seats' agents.

    Raises
    ------
    InvalidInput
        If the id is taken, labels do not match the seats, or a story or question is not of the run or repeats.
    """
    require_labels(run.settings.seats, labels)
    require_stories(stories)
    require_questions(questions, stories, run.settings.seats)
    with database.transaction() as cursor:
        if cursor.execute("SELECT 1 FROM runs WHERE run_id = ?", [run.run_id]).fetchall():
            msg = f"A run {run.run_id!r} is saved already. Save this one under a new id."
            raise InvalidInput(msg)
        cursor.execute(_INSERT_RUN, run_values(run))
        for table, columns in (
            ("run_seats", seat_columns(run.settings.seats, labels)),
            ("run_stories", story_columns(stories)),
            ("run_questions", question_columns(questions)),
        ):
            statement = (
                f"INSERT INTO {table} (run_id, {', '.join(columns)}) SELECT ?, {', '.join(columns)} FROM incoming"
            )
            insert_rows(cursor, statement, pa.table(columns), [run.run_id])


def load_run(database: Database, run_id: str) -> Run:
    """Return a run, without its stories.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.reading() as cursor:
        return _load_run(cursor, run_id)


def list_runs(
    database: Database, collection: str | None = None, design: Design | None = None
) -> tuple[RunSummary, ...]:
    """Return the runs, the newest first, each with how many of its questions have a reply.

    A judgement that timed out or failed is none: asking again can still bring one.

    Parameters
    ----------
    database : Database
        Where from.
    collection, design : str, optional
        Only those of this collection or design; all where not given.
    """
    with database.reading() as cursor:
        rows = cursor.execute(
            "WITH chosen AS (SELECT * FROM runs WHERE ($collection IS NULL OR collection = $collection)"
            " AND ($design IS NULL OR design = $design)),"
            " told AS (SELECT run_id, count(*) AS n_stories FROM run_stories GROUP BY run_id),"
            " asked AS (SELECT run_id, count(*) AS n_questions, count(*) FILTER (is_final) AS n_answered,"
            " count(status) AS n_asked FROM run_judgements WHERE run_id IN (SELECT run_id FROM chosen) GROUP BY run_id)"
            f" SELECT {', '.join(RUN_FIELDS)},"
            " coalesce(n_stories, 0), coalesce(n_questions, 0), coalesce(n_answered, 0), coalesce(n_asked, 0)"
            " FROM chosen LEFT JOIN told USING (run_id) LEFT JOIN asked USING (run_id)"
            " ORDER BY created_at DESC, ordinal DESC",
            {"collection": collection, "design": design},
        ).fetchall()
        return tuple(RunSummary(run_from_row(row[:-4], _load_seats(cursor, row[0])[0]), *row[-4:]) for row in rows)


def load_run_stories(database: Database, run_id: str) -> tuple[RunStory, ...]:
    """Return the stories of a run by pair, then in the order of `narrative_core.runs.Made`.

    Raises
    ------
    InvalidInput
        If there is no run of that id.
    """
    with database.reading() as cursor:
        _require_run(cursor, run_id)
        return _load_stories(cursor, run_id)


def load_run_table(database: Database, run_id: str) -> RunTable:
    """Return all raw numbers of a run: its stories, and what each judge gave them.

    Raises
    ------
    InvalidInput
        If there is no run of that id.
    """
    with database.reading() as cursor:
        run = _load_run(cursor, run_id)
        labels = _load_seats(cursor, run_id)[1]
        stories = _load_stories(cursor, run_id)
        return RunTable(run, stories, load_seat_scores(cursor, run, labels, len(stories)))


def load_run_questions(database: Database, run_id: str) -> tuple[RunQuestion, ...]:
    """Return the questions of a run by pair, way of making, seat and agent.

    Raises
    ------
    InvalidInput
        If there is no run of that id.
    """
    with database.reading() as cursor:
        _require_run(cursor, run_id)
        rows = cursor.execute(
            "SELECT pair, made, seat, agent, question_id FROM run_questions WHERE run_id = ?"
            f" ORDER BY pair, {_MADE_PLACE}, seat, agent",
            [run_id, MADE_ORDER],
        ).fetchall()
    return tuple(RunQuestion(*row) for row in rows)


def run_judgements(database: Database, run_id: str, pair: int) -> tuple[tuple[RunQuestion, Judgement], ...]:
    """Return the judgements about the stories of one pair by way of making, seat and agent.

    A question that was not asked yet is left out.

    Raises
    ------
    InvalidInput
        If there is no run of that id.
    """
    fields = ", ".join(f"judgements.{name}" for name in (*QUESTION_FIELDS, *RESULT_FIELDS))
    with database.reading() as cursor:
        collection = _require_run(cursor, run_id)
        rows = cursor.execute(
            f"SELECT pair, made, seat, asked.agent, question_id, {fields}"
            " FROM run_questions AS asked JOIN judgements USING (question_id)"
            " WHERE run_id = ? AND pair = ? AND collection = ?"
            f" ORDER BY {_MADE_PLACE}, seat, asked.agent",
            [run_id, pair, collection, MADE_ORDER],
        ).fetchall()
    return tuple((RunQuestion(*row[:5]), judgement_from_row(row[5:])) for row in rows)


def rename_run(database: Database, run_id: str, name: str) -> None:
    """Give a run another name.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_run(cursor, run_id)
        cursor.execute("UPDATE runs SET name = ? WHERE run_id = ?", [name, run_id])


def delete_run(database: Database, run_id: str) -> None:
    """Delete a run with its stories and questions; the judgements stay.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_run(cursor, run_id)
        for table in (*_PARTS, "runs"):
            cursor.execute(f"DELETE FROM {table} WHERE run_id = ?", [run_id])


def _load_run(cursor: Cursor, run_id: str) -> Run:
    _require_run(cursor, run_id)
    query = f"SELECT {', '.join(RUN_FIELDS)} FROM runs WHERE run_id = ?"
    row = cursor.execute(query, [run_id]).fetchall()[0]
    return run_from_row(row, _load_seats(cursor, run_id)[0])


def _load_seats(cursor: Cursor, run_id: str) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """Return the seats of a run in order, and their labels."""
    query = f"SELECT {', '.join(SEAT_FIELDS)}, label FROM run_seats WHERE run_id = ? ORDER BY seat"
    rows = cursor.execute(query, [run_id]).fetchall()
    return tuple(Seat(*row[:-1]) for row in rows), tuple(row[-1] for row in rows)


def _load_stories(cursor: Cursor, run_id: str) -> tuple[RunStory, ...]:
    rows = cursor.execute(
        f"SELECT {', '.join(STORY_FIELDS)} FROM run_stories WHERE run_id = ? ORDER BY pair, {_MADE_PLACE}",
        [run_id, MADE_ORDER],
    ).fetchall()
    return tuple(story_from_row(row) for row in rows)


def _require_run(cursor: Cursor, run_id: str) -> str:
    """Return the collection of a run; raises `InvalidInput` where there is none of that id."""
    found = cursor.execute("SELECT collection FROM runs WHERE run_id = ?", [run_id]).fetchall()
    if not found:
        msg = f"There is no run {run_id!r}. Choose one from the list of runs."
        raise InvalidInput(msg)
    return str(found[0][0])
