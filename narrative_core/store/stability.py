"""How far landscapes of other seeds agree with the one that is kept: one row a seed."""

from typing import Final

from narrative_core.clock import now_text
from narrative_core.estimates import SeedAgreement
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database
from narrative_core.store.missing import nan_from_null, null_from_nan

STABILITY_DELETION: Final = "DELETE FROM stability_checks WHERE collection = ?"


def save_seed_agreement(
    database: Database, name: str, landscape_id: str, agreement: SeedAgreement, *, now: str | None = None
) -> None:
    """Save how far the landscape of one other seed agrees, in place of a former comparison with that seed.

    Comparisons with another landscape than this one are let go: it is no longer the one that is kept.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    landscape_id : str
        The landscape that is kept.
    agreement : SeedAgreement
    now : str, optional
        When; the present where not given.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        cursor.execute(
            f"{STABILITY_DELETION} AND (landscape_id <> ? OR seed = ?)", [name, landscape_id, agreement.seed]
        )
        cursor.execute(
            "INSERT INTO stability_checks (collection, landscape_id, seed, n_topics, outlier_share, topic_agreement,"
            " n_trails, trail_agreement, strength_difference, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                name,
                landscape_id,
                agreement.seed,
                agreement.n_topics,
                float(agreement.outlier_share),
                null_from_nan(agreement.topic_agreement),
                agreement.n_trails,
                null_from_nan(agreement.trail_agreement),
                null_from_nan(agreement.strength_difference),
                now or now_text(),
            ],
        )


def load_seed_agreements(database: Database, name: str, landscape_id: str) -> tuple[SeedAgreement, ...]:
    """Return the comparisons with a landscape, by seed; empty where none was made.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        rows = cursor.execute(
            "SELECT seed, n_topics, outlier_share, topic_agreement, n_trails, trail_agreement, strength_difference"
            " FROM stability_checks WHERE collection = ? AND landscape_id = ? ORDER BY seed",
            [name, landscape_id],
        ).fetchall()
    return tuple(
        SeedAgreement(
            seed, n_topics, share, nan_from_null(topics), n_trails, nan_from_null(trails), nan_from_null(apart)
        )
        for seed, n_topics, share, topics, n_trails, trails, apart in rows
    )
