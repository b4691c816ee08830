"""Migrations 19 to 23: runs, and the views that a table on screen is one query away from.

Released steps are never edited.
"""

from narrative_core.store.collection_tables import OWNER
from narrative_core.store.judgement_tables import QUESTION, RESULT
from narrative_core.store.tables import Column, Cursor, create_table, create_view

RUN = Column("run_id", "VARCHAR NOT NULL", "The run.")
PAIR = Column("pair", "INTEGER NOT NULL", "Number of the endpoint pair, from 0.")
MADE = Column(
    "made",
    "VARCHAR NOT NULL",
    "How the story was made: trail, baseline, alternating, mixed, shuffled, reversed, foreign or doubled.",
)
SEAT = Column("seat", "INTEGER NOT NULL", "Place of the judge in the run, from 0.")
STORY_NUMBERS = (
    Column("bottleneck", "DOUBLE", "Weakest link, in [0, 1]; NULL is unknown."),
    Column("mean", "DOUBLE", "Mean link, in [0, 1]; NULL is unknown."),
    Column("n_documents", "INTEGER NOT NULL", "How many documents it has."),
    Column("span_days", "DOUBLE", "Days from the first date to the last; NULL where one is missing."),
    Column("variance", "DOUBLE", "Variance of its links (n - 1); NULL for a single link."),
    Column(
        "efficiency",
        "DOUBLE",
        "Angle between the vectors of its ends over the sum of the angles of its links, in (0, 1]; NULL is undefined.",
    ),
    Column("weak_share", "DOUBLE", "Share of links below the median link of the run, in [0, 1]; NULL is unknown."),
)
STRATUM = Column("stratum", "VARCHAR", "Kind of endpoint pair; NULL where pairs were not drawn by kind.")
RUN_COLUMNS = (
    Column("run_id", "VARCHAR NOT NULL", "Name of the run in addresses."),
    Column("ordinal", "BIGINT NOT NULL", "Order of saving."),
    Column("name", "VARCHAR NOT NULL", "Name that a person gave; may be empty."),
    Column("design", "VARCHAR NOT NULL", "Which stories are made: trails, mixtures or sanity."),
    OWNER,
    Column("landscape_id", "VARCHAR NOT NULL", "Landscape that stories were found on, which may be gone."),
    Column("n_pairs", "INTEGER NOT NULL", "Endpoint pairs asked for; for mixtures, stories of each kind."),
    Column("seed", "UHUGEINT NOT NULL", "Seed of all that was drawn."),
    Column("divergence", "VARCHAR NOT NULL", "Divergence of the topic similarity: root, plain or base2."),
    Column("divergence_asked", "VARCHAR", "The one that was asked for; NULL is the landscape's own."),
    Column("endpoints_of", "VARCHAR NOT NULL", "Run whose pairs were taken; empty where they were drawn."),
    Column("short_quantile", "DOUBLE NOT NULL", "Quantile of days between two documents: below it, short."),
    Column("long_quantile", "DOUBLE NOT NULL", "Quantile of days between two documents: above it, long."),
    Column("hub_share", "DOUBLE NOT NULL", "Share of documents that are hubs, and that are the edge."),
    Column("extreme_share", "DOUBLE NOT NULL", "Share of pairs that count as farthest apart in wording."),
    Column(
        "shares",
        "STRUCT(stratum VARCHAR, share DOUBLE)[] NOT NULL",
        "Share of the pairs that each stratum was to have, in [0, 1].",
    ),
    Column(
        "strata",
        "STRUCT(stratum VARCHAR, wanted INTEGER, found INTEGER, rejected INTEGER)[] NOT NULL",
        "Pairs that each stratum was to have, has, and that had no trail and were rejected.",
    ),
    Column("critical_coherence", "DOUBLE", "Floor of every trail, in [0, 1]; NULL where it is not defined."),
    Column("median_link", "DOUBLE", "Below it a link is weak, in [0, 1]; NULL is unknown."),
    Column("embedding_model", "VARCHAR NOT NULL", "Model that made the vectors."),
    Column(
        "versions",
        "STRUCT(part VARCHAR, version VARCHAR)[] NOT NULL",
        "Versions of the libraries that made the landscape and of this program.",
    ),
    Column("created_at", "VARCHAR NOT NULL", "When it was saved: UTC, ISO 8601."),
)


def _from(table: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return columns of a view that are those of a table."""
    return tuple(Column(column.name, f"{table}.{column.name}", column.comment) for column in columns)


def _of(columns: tuple[Column, ...], *names: str) -> tuple[Column, ...]:
    return tuple(column for column in columns if column.name in names)


def _sum(name: str) -> str:
    """Return the sum over replies, NULL where one of them does not say."""
    return (
        f"CASE WHEN count({name}) FILTER (is_final) = count(*) FILTER (is_final) THEN sum({name}) FILTER (is_final) END"
    )


_ASKED = f"""
    WITH asked AS (
        SELECT run_id, pair, made, seat, count(*) AS n_questions, count(status) AS n_asked,
               count(*) FILTER (is_final) AS n_replied, count(score) FILTER (status = 'ok') AS n_ok,
               avg(score) FILTER (status = 'ok') AS score_mean, stddev_samp(score) FILTER (status = 'ok') AS score_sd,
               {_sum("seconds")} AS seconds, {_sum("input_tokens")} AS input_tokens,
               {_sum("output_tokens")} AS output_tokens, {_sum("cost_usd")} AS cost_usd
        FROM run_judgements GROUP BY run_id, pair, made, seat
    ), named AS (
        SELECT run_id, pair, made, seat, arg_max(weakest_step, (n, -weakest_step)) AS weakest_step
        FROM (
            SELECT run_id, pair, made, seat, weakest_step, count(*) AS n FROM run_judgements
            WHERE status = 'ok' AND weakest_step IS NOT NULL GROUP BY ALL
        ) GROUP BY run_id, pair, made, seat
    )
"""
SCORES = (
    *_from("run_stories", (RUN,)),
    *_from("runs", (OWNER,)),
    *_from("run_stories", (PAIR, MADE, STRATUM, *STORY_NUMBERS[:1])),
    Column("mean_coherence", "run_stories.mean", "Mean link of the story, in [0, 1]; NULL is unknown."),
    *_from("run_stories", STORY_NUMBERS[2:]),
    *_from("run_seats", (SEAT, Column("label", "", "Short name of the judge in the run."))),
    *_from("run_seats", _of(QUESTION, "judge", "model", "endpoint", "mode")),
    Column("n_questions", "coalesce(asked.n_questions, 0)", "Questions about the story to the judge."),
    Column("n_asked", "coalesce(asked.n_asked, 0)", "Of those, how many have an end, whichever."),
    Column("n_replied", "coalesce(asked.n_replied, 0)", "Of those, how many have a reply."),
    Column("n_ok", "coalesce(asked.n_ok, 0)", "Of those, how many have a score."),
    Column("score_mean", "asked.score_mean", "Mean score; NULL where there is none."),
    Column("score_sd", "asked.score_sd", "Standard deviation of the scores (n - 1); NULL below two."),
    Column(
        "weakest_step",
        "named.weakest_step",
        "Link that most agents with a score name as weakest, from 0, the earlier of equals; NULL is none.",
    ),
    Column("seconds", "asked.seconds", "What the replies took; NULL where none came or one is unknown."),
    Column("input_tokens", "asked.input_tokens", "Tokens sent for them; NULL where none came or one is unknown."),
    Column("output_tokens", "asked.output_tokens", "Tokens of the replies; NULL where none came or one is unknown."),
    Column("cost_usd", "asked.cost_usd", "What they cost; NULL where none came or one is unknown."),
)
JUDGED = (
    *_from("run_questions", (RUN,)),
    *_from("runs", (OWNER,)),
    *_from("run_questions", (PAIR, MADE)),
    *_from("run_stories", (STRATUM,)),
    *_from("run_questions", (SEAT,)),
    Column("label", "run_seats.label", "Short name of the judge in the run."),
    *_from("run_seats", _of(QUESTION, "judge", "model", "endpoint", "mode")),
    *_from("run_questions", _of(QUESTION, "agent")),
    Column("question_id", "run_questions.question_id", "Hash of all that identifies the question."),
    *_from("judgements", _of(QUESTION, "temperature", "seed", "story_hash", "shown_hash", "prompt_hash")),
    *_from("run_seats", _of(QUESTION, "shown")),
    *_from("judgements", RESULT),
    Column(
        "is_final",
        "judgements.status IN ('ok', 'unreadable', 'refused')",
        "Whether a reply came; NULL where nothing came yet.",
    ),
)


def m019_runs(cursor: Cursor) -> None:
    """Create the runs."""
    create_table(
        cursor,
        "runs",
        "Many stories made by rule from one collection, each put before the same judges: what was asked for.",
        RUN_COLUMNS,
        key=("run_id",),
    )


def m020_run_seats(cursor: Cursor) -> None:
    """Create the judges of runs."""
    create_table(
        cursor,
        "run_seats",
        "The judges of a run.",
        (
            RUN,
            SEAT,
            Column("label", "VARCHAR NOT NULL", "Short name that no other judge of the run has."),
            Column("judge", "VARCHAR NOT NULL", "Who is asked: openai, flow or lexical."),
            Column("model", "VARCHAR NOT NULL", "Model that is asked; empty for a judge without one."),
            Column("endpoint", "VARCHAR NOT NULL", "Host that is asked; empty on this computer."),
            Column("mode", "VARCHAR", "How: simple, cot, standard or complex; NULL for a judge without a prompt."),
            Column("n_agents", "INTEGER NOT NULL", "How often each story is put to it."),
            Column("shown", "VARCHAR NOT NULL", "What it sees of each document: titles, dates or leads."),
            Column("is_explained", "BOOLEAN NOT NULL", "Whether reasons are asked for."),
            Column("version", "VARCHAR NOT NULL", "Edition of the judge or of the wording; empty is the usual one."),
        ),
        key=("run_id", "seat"),
    )


def m021_run_stories(cursor: Cursor) -> None:
    """Create the stories of runs."""
    create_table(
        cursor,
        "run_stories",
        "The stories of a run and what is computed of them.",
        (
            RUN,
            PAIR,
            MADE,
            STRATUM,
            Column("document_ids", "VARCHAR[] NOT NULL", "Its documents in order."),
            Column("strengths", "DOUBLE[] NOT NULL", "One coherence a link, in order, in [0, 1]; NULL is unknown."),
            *STORY_NUMBERS,
            Column("story_hash", "VARCHAR NOT NULL", "Hash of the ids of its documents in order; may be empty."),
        ),
        key=("run_id", "pair", "made"),
    )


def m022_run_questions(cursor: Cursor) -> None:
    """Create the questions of runs."""
    create_table(
        cursor,
        "run_questions",
        "What a run asks: one row a story, judge and agent. Its judgement, once there is one, is in judgements.",
        (
            RUN,
            PAIR,
            MADE,
            SEAT,
            Column("agent", "INTEGER NOT NULL", "Which of the repetitions, from 0."),
            Column("question_id", "VARCHAR NOT NULL", "Its judgement has this id and the collection of the run."),
        ),
        key=("run_id", "pair", "made", "seat", "agent"),
    )


def m023_run_views(cursor: Cursor) -> None:
    """Create the views of runs."""
    create_view(
        cursor,
        "run_judgements",
        "Every question of a run with its judgement: one row a story, judge and agent. Where nothing came yet, what"
        " is told of the judgement is NULL. Stories that are equal share a judgement.",
        JUDGED,
        source="run_questions JOIN runs USING (run_id) JOIN run_seats USING (run_id, seat)"
        " JOIN run_stories USING (run_id, pair, made) LEFT JOIN judgements"
        " ON judgements.question_id = run_questions.question_id AND judgements.collection = runs.collection",
    )
    create_view(
        cursor,
        "run_scores",
        "What each judge of a run makes of each story: one row a story and judge, over its agents.",
        SCORES,
        given=_ASKED,
        source="run_stories JOIN runs USING (run_id) JOIN run_seats USING (run_id)"
        " LEFT JOIN asked USING (run_id, pair, made, seat) LEFT JOIN named USING (run_id, pair, made, seat)",
    )
