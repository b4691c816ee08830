"""Migrations 15 to 17: judgements, prices, what models accept. Released steps are never edited."""

from narrative_core.store.collection_tables import OWNER
from narrative_core.store.tables import Column, Cursor, create_table

QUESTION = (
    Column("judge", "VARCHAR NOT NULL", "Who was asked: openai, flow or lexical."),
    Column("model", "VARCHAR NOT NULL", "Model that was asked; empty for a judge without one."),
    Column("endpoint", "VARCHAR NOT NULL", "Host that was asked; empty on this computer."),
    Column("mode", "VARCHAR", "How: simple, cot, standard or complex; NULL for a judge without a prompt."),
    Column("agent", "INTEGER NOT NULL", "Which of the repetitions, from 0."),
    Column("temperature", "DOUBLE", "Temperature that was asked for; NULL for a judge that has none."),
    Column("seed", "HUGEINT", "Seed that was asked for; NULL for a judge that has none."),
    Column("story_hash", "VARCHAR NOT NULL", "Hash of the ids of the story's documents in order."),
    Column("shown", "VARCHAR NOT NULL", "What the judge saw of each document: titles, dates or leads."),
    Column("shown_hash", "VARCHAR NOT NULL", "Hash of the text that the judge read."),
    Column("prompt_hash", "VARCHAR NOT NULL", "Hash of the instruction, or the version of a judge without a prompt."),
)
RESULT = (
    Column("status", "VARCHAR NOT NULL", "ok, unreadable, refused, timed out or failed. Only ok has a score."),
    Column("score", "DOUBLE", "From 1 to 10, for reading flow in nats per token; NULL where there is none."),
    Column(
        "criteria",
        "STRUCT(name VARCHAR, score DOUBLE, reason VARCHAR)[] NOT NULL",
        "Each criterion of the mode with its score and its reason, which may be empty.",
    ),
    Column("link_scores", "DOUBLE[] NOT NULL", "One number a link, in order; empty for a judge that gives none."),
    Column("weakest_step", "INTEGER", "Link that the judge names as weakest, from 0; NULL where it names none."),
    Column("explanation", "VARCHAR NOT NULL", "What the judge says in words; may be empty."),
    Column("reply", "VARCHAR NOT NULL", "The raw text of the reply that counts; empty where none came."),
    Column("message", "VARCHAR NOT NULL", "What went wrong; empty where nothing did."),
    Column("input_tokens", "BIGINT", "Tokens of what was sent; NULL is unknown."),
    Column("output_tokens", "BIGINT", "Tokens of what came back; NULL is unknown."),
    Column("seconds", "DOUBLE", "How long the judge took; NULL is unknown."),
    Column("cost_usd", "DOUBLE", "What it cost in US dollars; NULL where price or tokens are unknown."),
    Column("dropped", "VARCHAR[] NOT NULL", "Parameters that the model refused."),
    Column("form", "VARCHAR", "How the reply came: schema, function or text; NULL without a prompt."),
    Column("is_repaired", "BOOLEAN NOT NULL", "Whether it took a second request."),
    Column("place", "INTEGER NOT NULL", "Place of the question in the order of asking, from 0."),
    Column("asked_at", "VARCHAR NOT NULL", "When: UTC, ISO 8601; may be empty."),
    Column("first_reply", "VARCHAR NOT NULL", "The raw text that was repaired; empty where nothing was."),
    Column("n_documents", "INTEGER NOT NULL", "Documents of the story; 0 is not known."),
    Column("is_explained", "BOOLEAN NOT NULL", "Whether reasons were asked for."),
)


def m015_judgements(cursor: Cursor) -> None:
    """Create the judgements."""
    create_table(
        cursor,
        "judgements",
        "What judges answered about stories, kept raw: one row a question, however it ended.",
        (
            Column("question_id", "VARCHAR NOT NULL", "Hash of all that identifies the question."),
            OWNER,
            *QUESTION,
            *RESULT,
        ),
        key=("question_id", "collection"),
    )


def m016_prices(cursor: Cursor) -> None:
    """Create the prices."""
    create_table(
        cursor,
        "prices",
        "Prices that a person has set; they take the place of those that the program knows.",
        (
            Column("model", "VARCHAR NOT NULL", "The model."),
            Column("input_usd", "DOUBLE NOT NULL", "US dollars per million tokens sent."),
            Column("output_usd", "DOUBLE NOT NULL", "US dollars per million tokens that come back."),
            Column("source", "VARCHAR NOT NULL", "Where the figure is from; may be empty."),
        ),
        key=("model",),
    )


def m017_capabilities(cursor: Cursor) -> None:
    """Create what models accept."""
    create_table(
        cursor,
        "capabilities",
        "What a model at an endpoint was found to accept.",
        (
            Column("endpoint", "VARCHAR NOT NULL", "Host of the model; empty on this computer."),
            Column("model", "VARCHAR NOT NULL", "The model."),
            Column("takes_temperature", "BOOLEAN", "Whether a temperature may be asked for; NULL is not known yet."),
            Column("takes_seed", "BOOLEAN", "Whether a seed may be asked for; NULL is not known yet."),
            Column("form", "VARCHAR", "How it replies: schema, function or text; NULL is not known yet."),
            Column("context_tokens", "BIGINT", "Longest request and reply together; NULL is not known yet."),
            Column("noted_at", "VARCHAR NOT NULL", "When this was last found out: UTC, ISO 8601."),
        ),
        key=("endpoint", "model"),
    )
