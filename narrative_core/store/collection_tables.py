"""Migrations 1 to 9: what belongs to a collection. Released steps are never edited."""

from narrative_core.store.tables import Column, Cursor, create_table

OWNER = Column("collection", "VARCHAR NOT NULL", "Name of the collection that the row belongs to.")
POSITION = Column(
    "position", "INTEGER NOT NULL", "Place of the document in its collection, from 0: by date, undated last."
)
DOCUMENT_FIELDS = (
    Column("document_id", "VARCHAR NOT NULL", "Name of the document outside the program."),
    Column("title", "VARCHAR NOT NULL", "Title; empty where there is none."),
    Column("text", "VARCHAR NOT NULL", "Full text; empty where there is none."),
    Column("date", "DATE", "First day of what date_text says; NULL is undated."),
    Column("date_text", "VARCHAR NOT NULL", "The date as it was given; empty where there was none."),
    Column("date_precision", "VARCHAR", "What date_text names: day, month or year; NULL is unknown."),
    Column("source", "VARCHAR NOT NULL", "Who published it; empty is unknown."),
    Column("url", "VARCHAR NOT NULL", "Where it was published; empty is unknown."),
    Column("extras", "JSON NOT NULL", "Further fields of the file: an object of texts."),
)


def m001_collections(cursor: Cursor) -> None:
    """Create the collections."""
    create_table(
        cursor,
        "collections",
        "Named sets of documents.",
        (
            Column("name", "VARCHAR NOT NULL", "What commands and addresses call the collection."),
            Column("title", "VARCHAR NOT NULL", "What the screen calls the collection."),
            Column("noun", "VARCHAR NOT NULL", "What one calls its documents, in the plural."),
            Column("description", "VARCHAR NOT NULL", "What it holds, in a sentence or two; may be empty."),
            Column("origin", "VARCHAR NOT NULL", "Where the documents come from; may be empty."),
            Column("licence", "VARCHAR NOT NULL", "On which terms they may be used; may be empty."),
            Column("stop_words", "VARCHAR[] NOT NULL", "Words that never make a topic or a shared term."),
            Column("origin_hash", "VARCHAR NOT NULL", "Hash of the imported bytes and settings; empty is unknown."),
            Column("created_at", "VARCHAR NOT NULL", "When it was saved: UTC, ISO 8601."),
        ),
        key=("name",),
    )


def m002_documents(cursor: Cursor) -> None:
    """Create the documents of collections."""
    create_table(
        cursor,
        "documents",
        "One dated text a row.",
        (OWNER, POSITION, *DOCUMENT_FIELDS),
        key=("collection", "position"),
        unique=("collection", "document_id"),
    )


def m003_load_reports(cursor: Cursor) -> None:
    """Create the reports on the files that collections were loaded from."""
    create_table(
        cursor,
        "load_reports",
        "What became of every row of a file: n_read = n_kept + n_duplicates + n_dropped.",
        (
            OWNER,
            Column("n_read", "INTEGER NOT NULL", "Data rows of the file."),
            Column("n_kept", "INTEGER NOT NULL", "Rows that became documents."),
            Column("n_undated", "INTEGER NOT NULL", "Of those kept, the ones without a date."),
            Column("n_duplicates", "INTEGER NOT NULL", "Rows left out because they repeat another."),
            Column("n_dropped", "INTEGER NOT NULL", "Rows left out for another reason."),
            Column("encoding", "VARCHAR NOT NULL", "Encoding the file was read with; empty where none applies."),
            Column("delimiter", "VARCHAR NOT NULL", "Separator of the file's columns; empty where none applies."),
            Column("date_format", "VARCHAR NOT NULL", "How dates were read; empty where none applies."),
            Column("column_names", "JSON NOT NULL", "Which column of the file became which field: an object of texts."),
        ),
        key=("collection",),
    )
    create_table(
        cursor,
        "load_problems",
        "What to know about single rows of a file.",
        (
            OWNER,
            Column("ordinal", "INTEGER NOT NULL", "Place in the report, from 0."),
            Column("row_number", "INTEGER NOT NULL", "Data row of the file, from 1."),
            Column("reason", "VARCHAR NOT NULL", "Why the row was dropped, or the remark it was kept with."),
        ),
        key=("collection", "ordinal"),
    )


def m004_vectors(cursor: Cursor) -> None:
    """Create the embeddings."""
    create_table(
        cursor,
        "vector_sets",
        "The embedding of a whole collection.",
        (
            OWNER,
            Column("model", "VARCHAR NOT NULL", "Embedding model."),
            Column("version", "VARCHAR NOT NULL", "Version of the model."),
            Column("n_dimensions", "INTEGER NOT NULL", "Length of each vector."),
        ),
        key=("collection",),
    )
    create_table(
        cursor,
        "vectors",
        "One embedded document a row.",
        (OWNER, POSITION, Column("embedding", "FLOAT[] NOT NULL", "The vector, of unit length.")),
        key=("collection", "position"),
    )


def m005_landscapes(cursor: Cursor) -> None:
    """Create the landscapes."""
    create_table(
        cursor,
        "landscapes",
        "The fitted map of a collection; a new one replaces it.",
        (
            OWNER,
            Column("landscape_id", "VARCHAR NOT NULL", "Name of this fit; saved stories refer to it."),
            Column("critical_coherence", "DOUBLE", "Floor of every trail, in [0, 1]; NULL where it is not defined."),
            Column("median_link", "DOUBLE", "Below it a link is weak, in [0, 1]; NULL where no trail was sampled."),
            Column(
                "n_memberships", "INTEGER NOT NULL", "Length of each row of memberships; 0 where no topic was found."
            ),
            Column("parameters", "JSON NOT NULL", "Settings of the fit: an object."),
            Column("versions", "JSON NOT NULL", "Versions of the libraries that made it: an object of texts."),
            Column("notices", "JSON NOT NULL", "Sentences on what had to be adapted: an array of texts."),
            Column("created_at", "VARCHAR NOT NULL", "When it was fitted: UTC, ISO 8601."),
        ),
        key=("collection",),
    )


def m006_points(cursor: Cursor) -> None:
    """Create the map coordinates of documents."""
    create_table(
        cursor,
        "points",
        "Where each document lies on the map.",
        (
            OWNER,
            POSITION,
            Column("x", "DOUBLE NOT NULL", "Horizontal map coordinate, without unit."),
            Column("y", "DOUBLE NOT NULL", "Vertical map coordinate, without unit."),
            Column("nearest_topic", "BIGINT NOT NULL", "Topic that the document is coloured by; -1 is none."),
            Column("is_outlier", "BOOLEAN NOT NULL", "Whether the document is in no topic proper."),
        ),
        key=("collection", "position"),
    )


def m007_topics(cursor: Cursor) -> None:
    """Create the topics and what belongs to them."""
    create_table(
        cursor,
        "topics",
        "The clusters of a landscape.",
        (
            OWNER,
            Column("topic", "INTEGER NOT NULL", "Number by size, 0 the largest."),
            Column("label", "VARCHAR NOT NULL", "What the screen calls it."),
            Column("words", "VARCHAR[] NOT NULL", "Its most telling words, first the best."),
            Column("size", "INTEGER NOT NULL", "How many documents it is the nearest topic of, outliers included."),
        ),
        key=("collection", "topic"),
    )
    create_table(
        cursor,
        "memberships",
        "How much each document belongs to each topic.",
        (
            OWNER,
            POSITION,
            Column(
                "membership", "DOUBLE[] NOT NULL", "Topic order, as clustering gave it: not normalised, may hold nan."
            ),
        ),
        key=("collection", "position"),
    )


def m008_term_counts(cursor: Cursor) -> None:
    """Create the document frequencies of terms."""
    create_table(
        cursor,
        "term_counts",
        "How common each term is in a collection.",
        (
            OWNER,
            Column("term", "VARCHAR NOT NULL", "The term."),
            Column("n_documents", "INTEGER NOT NULL", "In how many documents it occurs."),
        ),
        key=("collection", "term"),
    )


def m009_stage_arrays(cursor: Cursor) -> None:
    """Create the intermediate results of builds."""
    create_table(
        cursor,
        "stage_arrays",
        "Intermediate results of a build, so that an interrupted one resumes. Long arrays take several rows.",
        (
            Column("key", "VARCHAR NOT NULL", "The build."),
            Column("name", "VARCHAR NOT NULL", "The result."),
            Column("part", "INTEGER NOT NULL", "Number of the piece, from 0."),
            OWNER,
            Column("dtype", "VARCHAR NOT NULL", "NumPy's name of the number format, byte order included."),
            Column("shape", "BIGINT[] NOT NULL", "Length of each axis of the whole array."),
            Column(
                "data", "BLOB NOT NULL", "Bytes of the piece; all pieces together are the array, last axis fastest."
            ),
        ),
        key=("key", "name", "part"),
    )
