"""Worked queries: what a referee asks of the newest run, in SQL that runs as it stands on any database.

Each begins by picking the newest run of trails beside random chronologies; another run takes its place where its id is
written there. Numbers of a story that are unknown are NULL: averages leave them out, and each query tells how many.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class WorkedQuery:
    """One query: its ``title``, what its rows tell (``told``), and the ``sql``."""

    title: str
    told: str
    sql: str


_NEWEST: Final = """\
WITH run AS (
    SELECT run_id FROM runs WHERE design = 'trails' ORDER BY created_at DESC, ordinal DESC LIMIT 1
)"""

WORKED_QUERIES: Final = (
    WorkedQuery(
        "Lengths by method",
        "How many documents trails and random chronologies have: mean, standard deviation (n − 1), range.",
        f"""\
{_NEWEST}
SELECT made, count(*) AS n, avg(n_documents) AS mean, stddev_samp(n_documents) AS sd,
       min(n_documents) AS minimum, max(n_documents) AS maximum
FROM run_stories JOIN run USING (run_id)
GROUP BY made ORDER BY made""",
    ),
    WorkedQuery(
        "Minimum coherence by method",
        "The weakest link of trails and of random chronologies, and the mean link beside it.",
        f"""\
{_NEWEST}
SELECT made, count(bottleneck) AS n, count(*) - count(bottleneck) AS n_skipped,
       avg(bottleneck) AS mean_minimum, stddev_samp(bottleneck) AS sd_minimum,
       avg(mean) AS mean_average, stddev_samp(mean) AS sd_average
FROM run_stories JOIN run USING (run_id)
GROUP BY made ORDER BY made""",
    ),
    WorkedQuery(
        "Pearson's r of each judge with coherence",
        "How each judge's mean score goes together with the minimum and with the average coherence of the stories.",
        f"""\
{_NEWEST}
SELECT seat, label, corr(score_mean, bottleneck) AS r_minimum, corr(score_mean, mean_coherence) AS r_average,
       regr_count(score_mean, bottleneck) AS n, count(*) - regr_count(score_mean, bottleneck) AS n_skipped
FROM run_scores JOIN run USING (run_id)
GROUP BY seat, label ORDER BY seat""",
    ),
    WorkedQuery(
        "Cohen's d by judge",
        "Trails against random chronologies: the difference of the mean scores over their pooled standard deviation.",
        f"""\
{_NEWEST},
moments AS (
    SELECT seat, label,
           count(score_mean) FILTER (made = 'trail') AS n1, count(score_mean) FILTER (made = 'baseline') AS n2,
           avg(score_mean) FILTER (made = 'trail') AS mean1, avg(score_mean) FILTER (made = 'baseline') AS mean2,
           var_samp(score_mean) FILTER (made = 'trail') AS var1,
           var_samp(score_mean) FILTER (made = 'baseline') AS var2
    FROM run_scores JOIN run USING (run_id)
    GROUP BY seat, label
)
SELECT seat, label, n1 AS n_trails, n2 AS n_baselines,
       (mean1 - mean2) / nullif(sqrt(((n1 - 1) * var1 + (n2 - 1) * var2) / nullif(n1 + n2 - 2, 0)), 0) AS d
FROM moments ORDER BY seat""",
    ),
    WorkedQuery(
        "AUC by judge, from rank sums",
        "The chance that a trail has a higher mean score than a random chronology; equal scores count half.",
        f"""\
{_NEWEST},
ranked AS (
    SELECT seat, label, made,
           rank() OVER (PARTITION BY seat ORDER BY score_mean)
               + (count(*) OVER (PARTITION BY seat, score_mean) - 1) / 2.0 AS place
    FROM run_scores JOIN run USING (run_id)
    WHERE made IN ('trail', 'baseline') AND score_mean IS NOT NULL
),
summed AS (
    SELECT seat, label, sum(place) FILTER (made = 'trail') AS places,
           count(*) FILTER (made = 'trail') AS n1, count(*) FILTER (made = 'baseline') AS n2
    FROM ranked GROUP BY seat, label
)
SELECT seat, label, n1 AS n_trails, n2 AS n_baselines,
       (places - n1 * (n1 + 1) / 2.0) / nullif(n1 * n2, 0) AS auc
FROM summed ORDER BY seat""",
    ),
    WorkedQuery(
        "How often each judge prefers the trail",
        "Pairs in which the trail has the higher mean score, the lower one, and the same.",
        f"""\
{_NEWEST},
paired AS (
    SELECT seat, label, pair, max(score_mean) FILTER (made = 'trail') AS trail,
           max(score_mean) FILTER (made = 'baseline') AS baseline
    FROM run_scores JOIN run USING (run_id)
    GROUP BY seat, label, pair
)
SELECT seat, label, count(*) FILTER (trail > baseline) AS higher, count(*) FILTER (trail < baseline) AS lower,
       count(*) FILTER (trail = baseline) AS same, count(*) FILTER ((trail = baseline) IS NULL) AS n_skipped,
       avg(trail - baseline) AS mean_difference
FROM paired GROUP BY seat, label ORDER BY seat""",
    ),
    WorkedQuery(
        "Agents' spread by judge and score",
        "The mean standard deviation of the agents of a judge, over stories whose mean score begins with this number.",
        f"""\
{_NEWEST}
SELECT seat, label, floor(score_mean) AS score_from, count(*) AS n, avg(score_sd) AS mean_sd
FROM run_scores JOIN run USING (run_id)
WHERE score_sd IS NOT NULL
GROUP BY seat, label, score_from ORDER BY seat, score_from""",
    ),
    WorkedQuery(
        "Judgements without a score, and why",
        "Every way in which a question did not end in a score, with how many did; those not asked yet have no status.",
        f"""\
{_NEWEST}
SELECT seat, label, status, message, count(*) AS n
FROM run_judgements JOIN run USING (run_id)
WHERE status IS DISTINCT FROM 'ok'
GROUP BY seat, label, status, message ORDER BY seat, n DESC, status, message""",
    ),
    WorkedQuery(
        "Time, tokens and cost per story, by judge and mode",
        "Means over the stories whose number is known, how many those are, and the sum of the costs. A judgement that"
        " two equal stories share counts for both.",
        f"""\
{_NEWEST}
SELECT seat, label, mode, count(*) AS n_stories, avg(seconds) AS seconds, count(input_tokens) AS n_tokens,
       avg(input_tokens) AS input_tokens, avg(output_tokens) AS output_tokens,
       count(cost_usd) AS n_costs, avg(cost_usd) AS cost_usd, sum(cost_usd) AS cost_usd_in_all
FROM run_scores JOIN run USING (run_id)
GROUP BY seat, label, mode ORDER BY seat""",
    ),
    WorkedQuery(
        "Weakest links: judges against the mathematics",
        "How often the link that a judge names is the one of least coherence, and how often chance would name it.",
        f"""\
{_NEWEST},
weakest AS (
    SELECT run_id, pair, made, list_position(strengths, list_min(strengths)) - 1 AS step
    FROM run_stories JOIN run USING (run_id)
)
SELECT seat, label, count(weakest_step) AS n, count(*) - count(weakest_step) AS n_skipped,
       avg(CAST(weakest_step = step AS INTEGER)) AS same_link,
       avg(1.0 / (n_documents - 1)) FILTER (weakest_step IS NOT NULL) AS by_chance
FROM run_scores JOIN weakest USING (run_id, pair, made)
GROUP BY seat, label ORDER BY seat""",
    ),
    WorkedQuery(
        "Where a judge and the mathematics differ most",
        "Stories by how far their rank by mean score is from their rank by minimum coherence; 1 is the highest rank,"
        " and equal ones share the middle of their places.",
        f"""\
{_NEWEST},
ranked AS (
    SELECT seat, label, pair, made, score_mean, bottleneck, count(*) OVER (PARTITION BY seat) AS n,
           rank() OVER (PARTITION BY seat ORDER BY score_mean)
               + (count(*) OVER (PARTITION BY seat, score_mean) - 1) / 2.0 AS score_place,
           rank() OVER (PARTITION BY seat ORDER BY bottleneck)
               + (count(*) OVER (PARTITION BY seat, bottleneck) - 1) / 2.0 AS coherence_place
    FROM run_scores JOIN run USING (run_id)
    WHERE score_mean IS NOT NULL AND bottleneck IS NOT NULL
)
SELECT seat, label, pair, made, score_mean, bottleneck, (score_place - 1) / nullif(n - 1, 0) AS rank_by_score,
       (coherence_place - 1) / nullif(n - 1, 0) AS rank_by_coherence,
       (score_place - coherence_place) / nullif(n - 1, 0) AS distance
FROM ranked ORDER BY abs(distance) DESC, seat, pair, made LIMIT 20""",
    ),
    WorkedQuery(
        "Raw replies with the hash of their prompt",
        "What the judges said about the first pair, as it came.",
        f"""\
{_NEWEST}
SELECT pair, made, label, agent, prompt_hash, shown_hash, status, score, reply, message, asked_at
FROM run_judgements JOIN run USING (run_id)
WHERE pair = 0 AND status IS NOT NULL
ORDER BY made, seat, agent""",
    ),
    WorkedQuery(
        "Endpoint pairs by kind, with those rejected",
        "How many pairs of each kind were wanted and found, and how many drawn ones had no trail.",
        f"""\
{_NEWEST},
counted AS (
    SELECT unnest(strata) AS one FROM runs JOIN run USING (run_id)
)
SELECT one.stratum AS stratum, one.wanted AS wanted, one.found AS found, one.rejected AS rejected
FROM counted ORDER BY stratum""",
    ),
    WorkedQuery(
        "The documents of a story in order",
        "The trail of the first pair: each document with its date and title, and the coherence of the next link.",
        f"""\
{_NEWEST},
told AS (
    SELECT collection, unnest(document_ids) AS document_id, generate_subscripts(document_ids, 1) AS place, strengths
    FROM run_stories JOIN run USING (run_id) JOIN runs USING (run_id)
    WHERE pair = 0 AND made = 'trail'
)
SELECT place, document_id, date, title, strengths[place] AS coherence_to_next
FROM told LEFT JOIN documents USING (collection, document_id) ORDER BY place""",
    ),
    WorkedQuery(
        "Judging over time",
        "How many judgements of the run ended in each minute, with their mean score and how long they took.",
        f"""\
{_NEWEST}
SELECT seat, label, left(asked_at, 16) AS minute, count(*) AS n, count(*) FILTER (status = 'ok') AS n_ok,
       avg(score) FILTER (status = 'ok') AS mean_score, avg(seconds) AS seconds
FROM run_judgements JOIN run USING (run_id)
WHERE status IS NOT NULL
GROUP BY seat, label, minute ORDER BY minute, seat""",
    ),
)
