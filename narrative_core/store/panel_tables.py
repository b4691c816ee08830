"""Migration 18: panels. Released steps are never edited."""

from narrative_core.store.collection_tables import OWNER
from narrative_core.store.tables import Column, Cursor, create_table


def m018_panels(cursor: Cursor) -> None:
    """Create the panels."""
    create_table(
        cursor,
        "panels",
        "Who was asked about the two stories of a pair, and in which order the questions were put.",
        (
            Column("panel_id", "VARCHAR NOT NULL", "Name of the panel."),
            Column("ordinal", "BIGINT NOT NULL", "Order of asking."),
            OWNER,
            Column("trail_hash", "VARCHAR NOT NULL", "Hash of the ids of the trail's documents in order."),
            Column(
                "baseline_hash", "VARCHAR NOT NULL", "Hash of the ids of the random chronology's documents in order."
            ),
            Column(
                "seats",
                "STRUCT(judge VARCHAR, model VARCHAR, endpoint VARCHAR, mode VARCHAR, n_agents INTEGER, shown VARCHAR,"
                " is_explained BOOLEAN, version VARCHAR)[] NOT NULL",
                "Each judge with its mode, its number of agents and what it was shown.",
            ),
            Column(
                "question_ids",
                "VARCHAR[] NOT NULL",
                "The questions in the random order in which they were put; no question says which story is the trail.",
            ),
            Column("asked_at", "VARCHAR NOT NULL", "When: UTC, ISO 8601."),
        ),
        key=("panel_id",),
    )
