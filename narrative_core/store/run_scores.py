"""What each judge gave the stories of a run, as arrays: the view ``run_scores``, and each agent's score beside it."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from narrative_core.judgements import Seat
from narrative_core.runs import Run, SeatScores
from narrative_core.store.bulk import fetch_table
from narrative_core.store.run_rows import MADE_ORDER
from narrative_core.store.tables import Cursor

_PLACED: Final = (
    "WITH placed AS (SELECT pair, made,"
    " row_number() OVER (ORDER BY pair, list_position(CAST(? AS VARCHAR[]), made)) - 1 AS story"
    " FROM run_stories WHERE run_id = ?)"
)
_REPLIES: Final = (
    f"{_PLACED} SELECT story, seat, agent, status, CASE WHEN status = 'ok' THEN score END AS score"
    " FROM run_judgements JOIN placed USING (pair, made) WHERE run_id = ?"
)
_SUMS: Final = (
    f"{_PLACED} SELECT story, seat, seconds, CAST(input_tokens AS DOUBLE) AS input_tokens,"
    " CAST(output_tokens AS DOUBLE) AS output_tokens, cost_usd, CAST(weakest_step AS DOUBLE) AS weakest_step"
    " FROM run_scores JOIN placed USING (pair, made) WHERE run_id = ?"
)


def load_seat_scores(cursor: Cursor, run: Run, labels: Sequence[str], n_stories: int) -> tuple[SeatScores, ...]:
    """Return what each judge of a run gave its stories, in the order of seats.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        In a transaction.
    run : Run
        A stored one.
    labels : sequence of str
        Of its seats, in order.
    n_stories : int
        How many stories it has.
    """
    parameters = [MADE_ORDER, run.run_id, run.run_id]
    replies = fetch_table(cursor, _REPLIES, parameters)
    sums = fetch_table(cursor, _SUMS, parameters)
    return tuple(
        _seat_scores(seat, label, n_stories, _of_seat(replies, place), _of_seat(sums, place))
        for place, (seat, label) in enumerate(zip(run.settings.seats, labels, strict=True))
    )


def _seat_scores(seat: Seat, label: str, n_stories: int, replies: pa.Table, sums: pa.Table) -> SeatScores:
    """Return the scores of one seat from its rows of replies and of sums."""
    scores = np.full((n_stories, seat.n_agents), np.nan)
    scores[replies["story"].to_numpy(), replies["agent"].to_numpy()] = _numbers(replies["score"])
    ended = Counter(replies["status"].to_pylist())
    n_unasked = ended.pop(None, 0)

    def placed(name: str) -> NDArray[np.float64]:
        values = np.full(n_stories, np.nan)
        values[sums["story"].to_numpy()] = _numbers(sums[name])
        return values

    return SeatScores(
        seat=seat,
        label=label,
        scores=scores,
        counts=dict(ended),
        n_unasked=n_unasked,
        seconds=placed("seconds"),
        input_tokens=placed("input_tokens"),
        output_tokens=placed("output_tokens"),
        cost_usd=placed("cost_usd"),
        weakest_steps=placed("weakest_step"),
    )


def _of_seat(rows: pa.Table, place: int) -> pa.Table:
    return rows.filter(pc.equal(rows["seat"], place))


def _numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Return a column of DOUBLE, nan for NULL."""
    numbers: NDArray[np.float64] = column.cast(pa.float64()).to_numpy()
    return numbers
