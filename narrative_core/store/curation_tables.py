"""Migrations 24 to 29: work on documents, topics and stories. Released steps are never edited."""

from narrative_core.store.collection_tables import OWNER, POSITION
from narrative_core.store.tables import Column, Cursor, add_columns, create_table

_DOCUMENT = Column("document_id", "VARCHAR NOT NULL", "The document.")


def m024_story_work(cursor: Cursor) -> None:
    """Let stories carry more wishes, versions, and what was written beside them."""
    add_columns(
        cursor,
        "stories",
        (
            Column("avoid_sources", "VARCHAR[] DEFAULT []", "Sources that it had to leave out."),
            Column("avoid_topics", "INTEGER[] DEFAULT []", "Topics that it had to leave out."),
            Column("by_hand", "VARCHAR[] DEFAULT []", "All documents as a person put them together; else empty."),
            Column("family_id", "VARCHAR DEFAULT ''", "First version of the story; empty where there is no other."),
            Column("version", "INTEGER DEFAULT 1", "Number of the version, from 1."),
            Column("annotations", "JSON DEFAULT '{}'", "Notes and numbers of copies when it was saved: an object."),
        ),
    )


def m025_curation(cursor: Cursor) -> None:
    """Create what a person has decided about documents, links and topics."""
    create_table(
        cursor,
        "document_edits",
        "Decisions about single documents, laid over the files they came from.",
        (
            OWNER,
            _DOCUMENT,
            Column("is_excluded", "BOOLEAN NOT NULL", "Whether it is left out until it is restored."),
            Column("is_standalone", "BOOLEAN NOT NULL", "Whether it was taken out of its group of copies."),
            Column("date_text", "VARCHAR", "A date in place of the one in the file; NULL is none."),
            Column("date", "DATE", "First day of that date; NULL where there is none."),
            Column("note", "VARCHAR NOT NULL", "Note on the document; may be empty."),
        ),
        key=("collection", "document_id"),
    )
    create_table(
        cursor,
        "link_notes",
        "Notes on links.",
        (
            OWNER,
            Column("source", "VARCHAR NOT NULL", "First document of the link."),
            Column("target", "VARCHAR NOT NULL", "Second document of the link."),
            Column("note", "VARCHAR NOT NULL", "What was written."),
        ),
        key=("collection", "source", "target"),
    )
    create_table(
        cursor,
        "topic_edits",
        "Decisions about the topics of one landscape.",
        (
            OWNER,
            Column("landscape_id", "VARCHAR NOT NULL", "Landscape that the topic is of."),
            Column("topic", "INTEGER NOT NULL", "The topic."),
            Column("label", "VARCHAR", "Name in place of the one that was found; NULL is none."),
            Column("merged_into", "INTEGER", "Topic that it is shown as part of; NULL is none."),
            Column("is_hidden", "BOOLEAN NOT NULL", "Whether it is left off the map."),
        ),
        key=("collection", "topic"),
    )


def m026_copies(cursor: Cursor) -> None:
    """Create the groups of documents with nearly the same text."""
    create_table(
        cursor,
        "copies",
        "Documents with nearly the same text, in groups; a document without copies has no row.",
        (
            OWNER,
            _DOCUMENT,
            Column("original", "VARCHAR NOT NULL", "First document of its group, by date."),
        ),
        key=("collection", "document_id"),
    )
    add_columns(
        cursor,
        "collections",
        (Column("are_copies_known", "BOOLEAN DEFAULT false", "Whether copies were looked for."),),
    )


def m027_placed_documents(cursor: Cursor) -> None:
    """Keep what new documents are placed by."""
    create_table(
        cursor,
        "projections",
        "Each document in the space that topics were found in.",
        (OWNER, POSITION, Column("projection", "FLOAT[] NOT NULL", "Coordinates, without unit.")),
        key=("collection", "position"),
    )
    add_columns(
        cursor,
        "points",
        (Column("is_placed", "BOOLEAN DEFAULT false", "Whether it was placed on the landscape after the fit."),),
    )


def m028_desks(cursor: Cursor) -> None:
    """Create the work under way."""
    create_table(
        cursor,
        "desks",
        "The story that is being worked on in each collection, with the steps that can be taken back.",
        (
            OWNER,
            Column("state", "JSON NOT NULL", "The present desk and its history: an object."),
            Column("saved_at", "VARCHAR NOT NULL", "When it was kept: UTC, ISO 8601."),
        ),
        key=("collection",),
    )


def m029_stability_checks(cursor: Cursor) -> None:
    """Create the comparisons of a landscape with fits of other seeds."""
    create_table(
        cursor,
        "stability_checks",
        "How far a fit with another seed agrees with the landscape that is kept.",
        (
            OWNER,
            Column("landscape_id", "VARCHAR NOT NULL", "Landscape that is kept."),
            Column("seed", "BIGINT NOT NULL", "Seed of the other fit."),
            Column("n_topics", "INTEGER NOT NULL", "Topics of the other fit."),
            Column("outlier_share", "DOUBLE NOT NULL", "Share of documents outside every topic, in [0, 1]."),
            Column("topic_agreement", "DOUBLE", "Adjusted Rand index of the topics, 1 the same; NULL is undefined."),
            Column("n_trails", "INTEGER NOT NULL", "Endpoint pairs that have a trail in both."),
            Column("trail_agreement", "DOUBLE", "Mean share of inner documents in common, in [0, 1]; NULL is none."),
            Column("strength_difference", "DOUBLE", "Mean absolute difference of weakest links; NULL is none."),
            Column("created_at", "VARCHAR NOT NULL", "When it was compared: UTC, ISO 8601."),
        ),
        key=("collection", "landscape_id", "seed"),
    )


def m030_load_notices(cursor: Cursor) -> None:
    """Let a report say what concerns the file as a whole."""
    add_columns(
        cursor,
        "load_reports",
        (Column("notices", "VARCHAR[] DEFAULT []", "Sentences about the file as a whole."),),
    )
