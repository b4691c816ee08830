"""What judges gave the story, and what they give it with each repair: shown where known, asked for on a click."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from narrative_core import assessment
from narrative_core.extraction import LoadedCollection, describe
from narrative_core.jobs import Report
from narrative_core.judgements import Seat, Verdict
from narrative_core.panel import plan
from narrative_core.records import Document, StoryPair
from narrative_core.repairs import Repair, repaired
from narrative_core.reports.cost_sentences import forecast_sentence
from narrative_core.reports.judged_pairs import seat_title
from narrative_core.reports.verdict_sentences import format_score
from narrative_core.ui import judges, judging_work, resources

KIND = "judge repairs"


@dataclass(frozen=True, slots=True)
class Scored:
    """A judge that was asked about the story, with what it gives the trail as it stands."""

    seat: Seat
    before: Verdict


def scored_seats(loaded: LoadedCollection, pair: StoryPair) -> tuple[Scored, ...]:
    """Return the judges that gave the trail a score, without the lexical reader, whose scores stand anyway."""
    seats = judging_work.asked_seats(loaded, pair)
    said = judging_work.verdicts(loaded, pair, seats)
    return tuple(Scored(seat, trail) for seat, (trail, _) in zip(seats, said, strict=True) if trail.n_ok)


def score_lines(loaded: LoadedCollection, pair: StoryPair, repair: Repair, scored: Sequence[Scored]) -> tuple[str, ...]:
    """Return for each judge its score before and after a repair, in words where there is none yet."""
    told = _repaired_pair(loaded, pair, repair)
    said = judging_work.verdicts(loaded, told, [one.seat for one in scored])
    return tuple(
        f"{seat_title(one.seat)}: {format_score(one.before.mean, one.seat.judge)} → "
        f"{format_score(after.mean, one.seat.judge) if after.n_ok else 'not asked yet'}"
        f"{' (nats per token)' if one.seat.judge == 'flow' else ''}"
        for one, (after, _) in zip(scored, said, strict=True)
    )


def ask_about(loaded: LoadedCollection, pair: StoryPair, repairs: Sequence[Repair], scored: Sequence[Scored]) -> None:
    """Offer to ask the judges of the story about the proposals, with what that takes; show how far it is."""
    job = resources.runner().latest(KIND, judging_work.subject_of(loaded, pair))
    if job is not None and job.state == "running":
        st.caption(f"Judges are being asked: {job.done:,} of {job.total:,} answers are there.")
        st.button("Show the answers so far", key="repair-scores-again")
        return
    judging_work.judging_outcome(job)
    stories = [_repaired_pair(loaded, pair, repair).trail.documents for repair in repairs]
    seats = [one.seat for one in scored if judging_work.can_ask(loaded, one.seat)]
    asks = {seat: plan(loaded, stories, [seat], rng=np.random.default_rng(0)) for seat in seats}
    told = [assessment.forecast_asks(resources.database(), seat, asks[seat]) for seat in seats]
    told = list(judging_work.without_known_cost_elsewhere(tuple(told)))
    if not sum(one.n_calls for one in told):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Ask these judges about the proposals",
            key="repair-scores-ask",
            on_click=_start,
            args=(loaded, pair, stories, seats),
        )
        st.caption(forecast_sentence(told))


def _start(
    loaded: LoadedCollection, pair: StoryPair, stories: Sequence[tuple[Document, ...]], seats: list[Seat]
) -> None:
    database, bench = resources.database(), judges.bench(None)

    def work(report: Report) -> None:
        asks = plan(loaded, stories, seats, rng=np.random.default_rng())
        assessment.judge(database, loaded, asks, bench, report=report)

    resources.runner().start(KIND, judging_work.subject_of(loaded, pair), work)


def _repaired_pair(loaded: LoadedCollection, pair: StoryPair, repair: Repair) -> StoryPair:
    """Return the pair with the repaired trail; the random chronology stays, since only the trail is asked about."""
    rows = loaded.rows(repaired(pair, repair))
    return replace(pair, trail=describe(loaded, rows, kind="trail"))
