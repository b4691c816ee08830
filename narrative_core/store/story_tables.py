"""Migrations 10 to 14: saved stories, long work, preferences. Released steps are never edited."""

from narrative_core.store.collection_tables import DOCUMENT_FIELDS, OWNER
from narrative_core.store.tables import Column, Cursor, create_table


def _measures(kind: str) -> tuple[Column, ...]:
    return (
        Column(f"{kind}_bottleneck", "DOUBLE", f"Weakest link of the {kind}, in [0, 1]; NULL is unknown."),
        Column(f"{kind}_mean", "DOUBLE", f"Mean link of the {kind}, in [0, 1]; NULL is unknown."),
        Column(f"{kind}_reliability", "DOUBLE", f"Geometric mean link of the {kind}, in [0, 1]; NULL is unknown."),
    )


REQUEST = (
    Column("source", "VARCHAR NOT NULL", "Document the trail was to begin with."),
    Column("target", "VARCHAR NOT NULL", "Document the trail was to end with."),
    Column("via", "VARCHAR[] NOT NULL", "Documents it had to pass, in order."),
    Column("avoid", "VARCHAR[] NOT NULL", "Documents it had to leave out."),
    Column("maximum_gap_days", "INTEGER", "Longest time between two documents, in days; NULL is no limit."),
    Column("maximum_length", "INTEGER", "Most documents allowed; NULL is no limit."),
    Column("is_chronological", "BOOLEAN NOT NULL", "Whether dates had to be in order."),
)
RESULT = (
    *_measures("trail"),
    *_measures("baseline"),
    Column("draw", "INTEGER NOT NULL", "Which of the random chronologies is the baseline, from 0."),
    Column("draw_bottlenecks", "DOUBLE[] NOT NULL", "Weakest link of every random chronology, in [0, 1]."),
    Column("beaten", "INTEGER NOT NULL", "How many of them are strictly weaker than the trail."),
    Column("seed", "UHUGEINT NOT NULL", "Seed that they were drawn with."),
    Column("median_link", "DOUBLE", "Below it a link is weak, in [0, 1]; NULL is unknown."),
    Column(
        "curve",
        "STRUCT(length INTEGER, bottleneck DOUBLE)[]",
        "Best bottleneck of a trail of at most so many documents; NULL where documents were pinned.",
    ),
    Column("unconstrained_bottleneck", "DOUBLE", "Of the trail without conditions, in [0, 1]; NULL is none."),
)
STORY = (
    Column("story_id", "VARCHAR NOT NULL", "The saved story."),
    Column("kind", "VARCHAR NOT NULL", "trail or baseline."),
    Column("step", "INTEGER NOT NULL", "Place in the story, from 0; a link has the place of its source."),
)


def m010_stories(cursor: Cursor) -> None:
    """Create the saved stories."""
    create_table(
        cursor,
        "stories",
        "A trail beside its baseline, kept under a name.",
        (
            Column("story_id", "VARCHAR NOT NULL", "Name of the story in addresses."),
            Column("ordinal", "BIGINT NOT NULL", "Order of saving."),
            Column("name", "VARCHAR NOT NULL", "Name that a person gave."),
            Column("note", "VARCHAR NOT NULL", "Note that a person wrote; may be empty."),
            OWNER,
            Column("landscape_id", "VARCHAR NOT NULL", "Landscape that it was found on, which may be gone."),
            Column("created_at", "VARCHAR NOT NULL", "When it was saved: UTC, ISO 8601."),
            *REQUEST,
            *RESULT,
        ),
        key=("story_id",),
    )


def m011_story_documents(cursor: Cursor) -> None:
    """Create the documents of saved stories."""
    create_table(
        cursor,
        "story_documents",
        "The documents of saved stories, copied: a story can outlive its collection.",
        (*STORY, *DOCUMENT_FIELDS),
        key=("story_id", "kind", "step"),
    )


def m012_story_links(cursor: Cursor) -> None:
    """Create the links of saved stories."""
    create_table(
        cursor,
        "story_links",
        "Two consecutive documents of a saved story.",
        (
            *STORY,
            Column("source", "VARCHAR NOT NULL", "The earlier document."),
            Column("target", "VARCHAR NOT NULL", "The later document."),
            Column("coherence", "DOUBLE", "Strength of the link, in [0, 1]; NULL is unknown."),
            Column("wording_similarity", "DOUBLE", "Angular similarity of the vectors, in [0, 1]; NULL is unknown."),
            Column("topic_similarity", "DOUBLE", "Similarity of the memberships, in [0, 1]; NULL is unknown."),
            Column("days_between", "INTEGER", "Days from source to target; NULL where a date is missing."),
            Column("shared_terms", "VARCHAR[] NOT NULL", "Terms that occur in both, the most telling first."),
            Column("is_weakest", "BOOLEAN NOT NULL", "Whether its strength is the bottleneck."),
            Column("is_weak", "BOOLEAN NOT NULL", "Whether it is weakest or below the collection's median link."),
        ),
        key=("story_id", "kind", "step"),
    )


def m013_jobs(cursor: Cursor) -> None:
    """Create the long work."""
    create_table(
        cursor,
        "jobs",
        "Long work, under way or ended.",
        (
            Column("job_id", "VARCHAR NOT NULL", "Name of the job."),
            Column("ordinal", "BIGINT NOT NULL", "Order of starting."),
            Column("kind", "VARCHAR NOT NULL", "What is done."),
            Column("subject", "VARCHAR NOT NULL", "What it is done to."),
            Column("state", "VARCHAR NOT NULL", "running, done, failed, cancelled or interrupted."),
            Column("stage", "VARCHAR NOT NULL", "Part of the work; empty before the first."),
            Column("done", "BIGINT NOT NULL", "Units of the stage that are finished."),
            Column("total", "BIGINT NOT NULL", "Units of the stage; 0 is not known."),
            Column("message", "VARCHAR NOT NULL", "Sentence for a person; may be empty."),
            Column("holder", "BIGINT NOT NULL", "Number of the process at work."),
            Column("is_cancel_requested", "BOOLEAN NOT NULL", "Whether a person has asked it to stop."),
            Column("started_at", "VARCHAR NOT NULL", "When it began: UTC, ISO 8601."),
            Column("updated_at", "VARCHAR NOT NULL", "When it last reported: UTC, ISO 8601."),
        ),
        key=("job_id",),
    )


def m014_preferences(cursor: Cursor) -> None:
    """Create the preferences."""
    create_table(
        cursor,
        "preferences",
        "Choices of the person who owns the file. Never a key or a password.",
        (
            Column("key", "VARCHAR NOT NULL", "The choice."),
            Column("value", "VARCHAR NOT NULL", "What was chosen."),
        ),
        key=("key",),
    )
