"""Judgements: every reply as it came. What a screen or a report shows of them is a query over these rows.

A judgement with a reply (ok, unreadable or refused) is final: it stays as it is, whatever is saved later.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from narrative_core.judgements import (
    HIGHEST_TEMPERATURE,
    LOWEST_TEMPERATURE,
    MOST_AGENTS,
    Judgement,
    JudgementCount,
    JudgeName,
    MeasuredUse,
    Mode,
    RecordedModel,
    Status,
)
from narrative_core.store.bulk import insert_rows
from narrative_core.store.database import Database
from narrative_core.store.judgement_rows import QUESTION_FIELDS, RESULT_FIELDS, judgement_columns, judgement_from_row
from narrative_core.store.missing import nan_from_null
from narrative_core.store.tables import Cursor

JUDGEMENT_DELETION: Final = "DELETE FROM judgements WHERE collection = ?"

_ROUNDING: Final = 0.000125
"""A temperature has four decimals: so far from the lowest it must be, for each agent there is, to tell how many."""

_FINAL: Final = "('ok', 'unreadable', 'refused')"
_FIELDS: Final = ", ".join((*QUESTION_FIELDS, *RESULT_FIELDS))
_DELETE: Final = "DELETE FROM judgements WHERE collection = ? AND question_id IN (SELECT unnest(CAST(? AS VARCHAR[])))"
_INSERT: Final = (
    f"INSERT INTO judgements (question_id, collection, {_FIELDS})"
    " SELECT question_id, ?, * EXCLUDE (question_id) REPLACE (CAST(seed AS HUGEINT) AS seed) FROM incoming"
)


def save_judgement(database: Database, collection: str, judgement: Judgement) -> None:
    """Save what became of one question, in a transaction of its own.

    A final judgement that is stored stays; one that timed out or failed is replaced.

    Parameters
    ----------
    database : Database
        Where to.
    collection : str
        Name of the collection that the story is from.
    judgement : Judgement
        As it came.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode. Whoever reads a reply from the network replaces what is not.
    """
    save_judgements(database, collection, [judgement])


def save_judgements(
    database: Database, collection: str, judgements: Sequence[Judgement], *, keep_failures: bool = False
) -> int:
    """Save what became of several questions, all or none, and return how many rows that wrote.

    A hundred at once take hardly longer than one: most of the time goes into the disk's word that they are kept.

    Parameters
    ----------
    database : Database
        Where to.
    collection : str
        Name of the collection that the stories are from.
    judgements : sequence of Judgement
        In the order in which they came. Each takes the place of a stored one that timed out or failed, never that of
        a final one.
    keep_failures : bool
        Whether a stored one that timed out or failed gives way to a final one alone.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.
    """
    with database.transaction() as cursor:
        stored = _finality(cursor, collection, [judgement.question.question_id for judgement in judgements])
        is_final, new = dict(stored), dict[str, Judgement]()
        for judgement in judgements:
            question_id = judgement.question.question_id
            is_blocked = is_final.get(question_id, False)
            if is_blocked or (keep_failures and question_id in is_final and not judgement.is_final):
                continue
            new[question_id], is_final[question_id] = judgement, judgement.is_final
        if replaced := [question_id for question_id in new if question_id in stored]:
            cursor.execute(_DELETE, [collection, replaced])
        if new:
            insert_rows(cursor, _INSERT, pa.table(judgement_columns(list(new.values()))), [collection])
    return len(new)


def load_judgements(database: Database, question_ids: Sequence[str]) -> Mapping[str, Judgement]:
    """Return the judgements of questions by question id; a question that was never asked is left out.

    Where several collections have one, the latest with a reply comes back, or else the latest.
    """
    with database.reading() as cursor:
        rows = cursor.execute(
            f"SELECT question_id, {_FIELDS} FROM judgements"
            " WHERE question_id IN (SELECT unnest(CAST(? AS VARCHAR[])))"
            f" ORDER BY status IN {_FINAL}, asked_at, collection DESC",
            [list(question_ids)],
        ).fetchall()
    return {row[0]: judgement_from_row(row[1:]) for row in rows}


def list_judgements(
    database: Database,
    collection: str,
    *,
    judge: JudgeName | None = None,
    model: str | None = None,
    mode: Mode | None = None,
    story_hashes: Sequence[str] | None = None,
) -> tuple[Judgement, ...]:
    """Return the judgements of a collection in the order of asking.

    Parameters
    ----------
    database : Database
        Where from.
    collection : str
        Its name.
    judge, model, mode : str, optional
        Only those of this judge, model or mode; all where not given.
    story_hashes : sequence of str, optional
        Only those of these stories; all where not given.
    """
    with database.reading() as cursor:
        rows = cursor.execute(
            f"SELECT {_FIELDS} FROM judgements WHERE collection = $collection AND ($judge IS NULL OR judge = $judge)"
            " AND ($model IS NULL OR model = $model) AND ($mode IS NULL OR mode = $mode)"
            " AND ($stories IS NULL OR story_hash IN (SELECT unnest(CAST($stories AS VARCHAR[]))))"
            " ORDER BY asked_at, place, question_id",
            {
                "collection": collection,
                "judge": judge,
                "model": model,
                "mode": mode,
                "stories": None if story_hashes is None else list(story_hashes),
            },
        ).fetchall()
    return tuple(judgement_from_row(row) for row in rows)


def recorded_models(database: Database, collection: str | None = None) -> tuple[RecordedModel, ...]:
    """Return the prompted judges that have replies here and so can be replayed, the one with most replies first.

    Stories that were asked about with another K were asked at other temperatures, so each K is an entry of its own.

    Parameters
    ----------
    database : Database
        Where from.
    collection : str, optional
        Only replies about stories of this one; all where not given.

    Notes
    -----
    Agent a of K has the temperature lowest + a · (highest − lowest) / (K − 1), from which K follows for all but the
    first; a single one has the middle. The first of several, and the low ones of a hundred, whose temperature is
    rounded too much to tell, have the K of the others about the same story; two where there is none.
    """
    with database.reading() as cursor:
        rows = cursor.execute(
            "WITH told AS (SELECT *, CASE"
            " WHEN agent > 0 AND temperature > $lowest"
            " THEN CAST(round(1 + agent * ($highest - $lowest) / (temperature - $lowest)) AS BIGINT)"
            " WHEN abs(temperature - ($lowest + $highest) / 2) < 1e-6 THEN 1 END AS k FROM judgements"
            f" WHERE mode IS NOT NULL AND status IN {_FINAL} AND agent < $most"
            " AND ($collection IS NULL OR collection = $collection)),"
            " exact AS (SELECT * REPLACE (CASE WHEN k = 1 OR temperature - $lowest > k * $rounding THEN k END AS k)"
            " FROM told),"
            " known AS (SELECT * REPLACE (coalesce(k, max(k) OVER (PARTITION BY endpoint, model, mode, shown,"
            " is_explained, story_hash, k IS NOT DISTINCT FROM 1), 2) AS k) FROM exact)"
            " SELECT endpoint, model, mode, shown, is_explained, k, count(DISTINCT question_id) AS n FROM known"
            " WHERE k BETWEEN 1 AND $most"
            " GROUP BY ALL ORDER BY n DESC, endpoint, model, mode, shown, is_explained, k",
            {
                "collection": collection,
                "lowest": LOWEST_TEMPERATURE,
                "highest": HIGHEST_TEMPERATURE,
                "most": MOST_AGENTS,
                "rounding": _ROUNDING,
            },
        ).fetchall()
    return tuple(RecordedModel(*row) for row in rows)


def measured_use(database: Database, *, endpoint: str, model: str, mode: Mode | None) -> MeasuredUse | None:
    """Return what one judgement of a model in a mode took here on average, ``None`` where none is ok yet."""
    with database.reading() as cursor:
        row = cursor.execute(
            "SELECT count(*), count(*) FILTER (told), avg(input_tokens) FILTER (told),"
            " avg(output_tokens) FILTER (told), avg(seconds)"
            " FROM (SELECT *, input_tokens IS NOT NULL AND output_tokens IS NOT NULL AS told FROM judgements)"
            " WHERE endpoint = ? AND model = ? AND mode IS NOT DISTINCT FROM ? AND status = 'ok'",
            [endpoint, model, mode],
        ).fetchall()[0]
    n, n_tokens, *means = row
    return MeasuredUse(n, n_tokens, *map(nan_from_null, means)) if n else None


def judgement_counts(database: Database, collection: str) -> tuple[JudgementCount, ...]:
    """Return how the judgements of a collection ended, one entry a judge, model, endpoint and mode."""
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT judge, model, endpoint, mode, status, count(*) FROM judgements WHERE collection = ?"
            " GROUP BY ALL ORDER BY judge, model, endpoint, mode NULLS FIRST, status",
            [collection],
        ).fetchall()
    counts: defaultdict[tuple[Any, ...], dict[Status, int]] = defaultdict(dict)
    for *asked, status, n in rows:
        counts[tuple(asked)][status] = n
    return tuple(
        JudgementCount(judge, model, endpoint, mode, ended) for (judge, model, endpoint, mode), ended in counts.items()
    )


def _finality(cursor: Cursor, collection: str, question_ids: Sequence[str]) -> dict[str, bool]:
    """Return whether the judgement that is stored is final, for each question that has one."""
    rows = cursor.execute(
        f"SELECT question_id, status IN {_FINAL} FROM judgements"
        " WHERE collection = ? AND question_id IN (SELECT unnest(CAST(? AS VARCHAR[])))",
        [collection, list(question_ids)],
    ).fetchall()
    return dict(rows)
