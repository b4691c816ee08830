"""The tables of a run with a row a judge: association with coherence, agreement, use, disagreement, answers."""

from collections.abc import Callable
from typing import Final

from narrative_core.estimates import Agreement, Summary
from narrative_core.judgements import Status
from narrative_core.reports.judge_rows import (
    JUDGE,
    NAME,
    SCALES,
    judge_table,
    pearson_reading,
    score_digits,
    skipped_by_judge,
    spearman_reading,
)
from narrative_core.reports.study_readings import Printed, study_note, study_readings
from narrative_core.reports.tables import (
    Cell,
    Column,
    EstimateCell,
    Kind,
    NumberCell,
    Reading,
    Row,
    ShareCell,
    Table,
    format_number,
    summary_cell,
)
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.study import STUDY_AGENTS, DataSet

STATUSES: Final[tuple[Status, ...]] = ("ok", "unreadable", "refused", "timed out", "failed")
_STATUS_TOLD: Final[dict[Status, str]] = {
    "ok": "Answers with a score: only these enter any mean.",
    "unreadable": "Answers in which no score could be read.",
    "refused": "Answers in which the model declines.",
    "timed out": "Questions without an answer in time.",
    "failed": "Questions that the judge or the network failed.",
}
_AGREEMENT_PRINTED: Final = (
    Printed("icc_single", "ICC(2,1)", digits=3),
    Printed("icc_average", "ICC(2,k)", digits=3),
    Printed("krippendorff_alpha", "α", digits=3),
    Printed("kendall_w", "W", digits=3),
    Printed("mean_absolute_deviation", "MAD", digits=3),
    Printed("exact", "same score", "share"),
    Printed("within_one", "within one", "share"),
)


def association_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how each judge's score goes together with the weakest and the mean link."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        pearson_reading("minimum"),
        pearson_reading("average"),
        spearman_reading("minimum"),
        spearman_reading("average"),
        Reading(Column("n", "n", "Stories that have a score.", "count"), lambda seat: _minimum_n(seat)[0]),
        Reading(Column("n_skipped", "Skipped", "Stories without a score.", "count"), lambda seat: _minimum_n(seat)[1]),
        *study_readings(
            "associations",
            study,
            [Printed("minimum", "r, weakest link"), Printed("average", "r, mean link")],
        ),
    ]
    return judge_table(
        "associations",
        "Judges' scores and coherence",
        results,
        readings,
        note=study_note("associations", study),
        skipped=skipped_by_judge(results, "no score", lambda seat: _minimum_n(seat)[1] or 0),
    )


def agreement_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how far the agents of a judge agree, for judges with more than one."""
    agents = f" The study had K = {STUDY_AGENTS[study]}." if study else ""
    return judge_table(
        "agreement",
        "Agreement between the agents of a judge",
        results,
        [NAME, *_agreement_readings(), *study_readings("agreement", study, _AGREEMENT_PRINTED)],
        note=f"Judges with one agent are left out.{agents} {study_note('agreement', study)}",
        skipped=skipped_by_judge(
            results,
            "fewer than two agents gave a score",
            lambda seat: results.n_stories - seat.agreement.n_used if seat.seat.n_agents > 1 else 0,
        ),
        is_shown=lambda seat: seat.seat.n_agents > 1,
    )


def use_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return what a story took of each judge, all its agents together."""
    # The study measured this on VisPub alone, with one agent a story.
    told = (
        " The study's figures are for one agent and for VisPub, the only collection that it measured." if study else ""
    )
    readings: list[Reading[SeatResults]] = [
        NAME,
        Reading(Column("agents", "Agents", "Agents that read each story.", "count"), lambda seat: seat.seat.n_agents),
        *_use_readings(),
        Reading(Column("n", "n", "Stories with a measured time.", "count"), lambda seat: int(seat.use.seconds.n)),
        *study_readings(
            "use",
            "vispub" if study else None,
            [Printed("seconds", "seconds", "summary", 3), Printed("input_tokens", "tokens read", "summary", 1)],
        ),
    ]
    return judge_table(
        "use",
        "What a story takes of each judge",
        results,
        readings,
        note=f"Mean ± standard deviation over stories, all agents together.{told} {study_note('use', study)}",
        skipped=skipped_by_judge(results, "no time measured", lambda seat: seat.use.seconds.n_skipped),
    )


def disagreement_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how far the agents of a judge are apart on a story, for judges with more than one."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        Reading(
            Column(
                "spread", "Spread", "Mean over stories of the standard deviation (n − 1) of their agents.", "estimate"
            ),
            lambda seat: EstimateCell(seat.disagreement.spread, 3),
        ),
        Reading(
            Column("variation", "CoV", "Mean over stories of the agents' standard deviation over their mean."),
            lambda seat: NumberCell(seat.disagreement.variation, 3),
        ),
        Reading(
            Column("n", "n", "Stories that at least two agents scored.", "count"),
            lambda seat: int(seat.disagreement.spread.n),
        ),
        *study_readings(
            "disagreement", study, [Printed("spread", "spread", digits=3), Printed("variation", "CoV", digits=3)]
        ),
    ]
    return judge_table(
        "disagreement",
        "Disagreement between the agents of a judge",
        results,
        readings,
        note=f"Judges with one agent are left out. {SCALES} {study_note('disagreement', study)}",
        skipped=skipped_by_judge(
            results,
            "fewer than two agents gave a score",
            lambda seat: seat.disagreement.spread.n_skipped if seat.seat.n_agents > 1 else 0,
        ),
        is_shown=lambda seat: seat.seat.n_agents > 1,
    )


def band_table(results: RunResults) -> Table:
    """Return the agents' spread by the score that a story has, a row a judge and band."""
    columns = (
        JUDGE,
        Column(
            "scores",
            "Mean score",
            "Stories whose mean score lies in this band; its end belongs to the next band.",
            "text",
        ),
        Column(
            "spread", "Spread", "Mean over these stories of the standard deviation (n − 1) of their agents.", "estimate"
        ),
        Column("n", "n", "Stories of the band that at least two agents scored.", "count"),
    )
    rows = tuple(
        Row(
            (
                seat.label,
                f"{format_number(band.low, digits)} to {format_number(band.high, digits)}",
                EstimateCell(band.spread, 3),
                int(band.spread.n),
            ),
            (position, None),
            (band.low, band.high),
        )
        for position, seat in enumerate(results.seats)
        if seat.seat.n_agents > 1
        for digits in [score_digits(seat.seat.judge)]
        for band in seat.disagreement.bands
    )
    note = f"Judges with one agent are left out. {SCALES}"
    return Table("disagreement-bands", "Disagreement by score", columns, rows, note, results.n_stories)


def asked_table(results: RunResults) -> Table:
    """Return how many questions each judge was asked, how they ended, and how many are open."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        Reading(Column("agents", "Agents", "Agents that read each story.", "count"), lambda seat: seat.seat.n_agents),
        Reading(
            Column("asked", "Asked", "Questions that have an end; one is a story and an agent.", "count"),
            lambda seat: seat.n_asked,
        ),
        *(_status(status) for status in STATUSES),
        Reading(
            Column("unasked", "Not asked yet", "Questions of the run that have no end yet.", "count"),
            lambda seat: seat.n_unasked,
        ),
    ]
    return judge_table("asked", "What was asked, and what came back", results, readings)


def _agreement_readings() -> list[Reading[SeatResults]]:
    return [
        _agreement(
            "icc_single", "ICC(2,1)", "Intraclass correlation of one agent, two-way random, absolute agreement."
        ),
        _agreement("icc_average", "ICC(2,k)", "The same for the mean of all agents."),
        _agreement("krippendorff_alpha", "α", "Krippendorff's α for intervals; missing scores are allowed."),
        _agreement("kendall_w", "W", "Kendall's W: how alike the agents rank the stories, with ties."),
        _agreement("mean_absolute_deviation", "MAD", "Mean absolute deviation from the story's mean, in points."),
        _agreement("exact", "Same score", "Share of pairs of agents that give a story equal scores.", "share"),
        _agreement("within_one", "Within one", "Share of pairs of agents at most one point apart.", "share"),
        Reading(
            Column("agents", "Agents", "Agents with any score.", "count"), lambda seat: int(seat.agreement.n_agents)
        ),
        Reading(
            Column("n", "n", "Stories that at least two agents scored: α, MAD and the shares rest on them.", "count"),
            lambda seat: int(seat.agreement.n_used),
        ),
        Reading(
            Column("n_complete", "n, complete", "Stories that every agent scored: ICC and W rest on them.", "count"),
            lambda seat: int(seat.agreement.n_complete),
        ),
    ]


def _agreement(name: str, title: str, told: str, kind: Kind = "number") -> Reading[SeatResults]:
    def cell(seat: SeatResults) -> Cell:
        value = _agreement_value(seat.agreement, name)
        return ShareCell(value) if kind == "share" else NumberCell(value)

    return Reading(Column(name, title, told, kind), cell)


def _agreement_value(agreement: Agreement, name: str) -> float:
    value: float = getattr(agreement, name)
    return value


def _use_readings() -> list[Reading[SeatResults]]:
    return [
        _use("seconds", "Seconds", "Seconds of answering for a story.", 2, lambda seat: seat.use.seconds),
        _use(
            "input_tokens",
            "Tokens read",
            "Tokens of the questions about a story.",
            1,
            lambda seat: seat.use.input_tokens,
        ),
        _use(
            "output_tokens",
            "Tokens written",
            "Tokens of the answers about a story.",
            1,
            lambda seat: seat.use.output_tokens,
        ),
        _use(
            "cost_usd",
            "US dollars",
            "Price of a story, where the model's price is known.",
            4,
            lambda seat: seat.use.cost_usd,
        ),
    ]


def _use(key: str, title: str, told: str, digits: int, of: Callable[[SeatResults], Summary]) -> Reading[SeatResults]:
    return Reading(Column(key, title, told, "summary"), lambda seat: summary_cell(of(seat), digits=digits))


def _status(status: Status) -> Reading[SeatResults]:
    title = "Scored" if status == "ok" else status.capitalize()
    column = Column(status.replace(" ", "_"), title, _STATUS_TOLD[status], "count")
    return Reading(column, lambda seat: seat.counts.get(status, 0))


def _minimum_n(seat: SeatResults) -> tuple[int | None, int | None]:
    found = seat.associations.get("minimum")
    return (None, None) if found is None else (int(found.pearson.n), int(found.pearson.n_skipped))
