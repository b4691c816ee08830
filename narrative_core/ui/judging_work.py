"""Judging a pair of stories from the page: who was asked, what is missing, start in the background, how it ended."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from narrative_core import assessment, findings
from narrative_core.counting import count
from narrative_core.errors import JudgeUnavailable
from narrative_core.estimates import Agreement
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.judgements import Forecast, Seat, Status, Verdict
from narrative_core.judging.shown import story_hash
from narrative_core.panel import random_chronologies
from narrative_core.records import Collection, Job, StoryPair
from narrative_core.store.judgements import judgement_counts
from narrative_core.ui import judges, resources, state
from narrative_core.ui.words import markdown_text, sentence

KIND = "judge"
KEPT_READINGS = 64
_HASH_CHARACTERS = 16


def subject_of(loaded: LoadedCollection, pair: StoryPair) -> str:
    """Return what a job of judging is about: the collection and the two stories."""
    hashes = [story_hash(story.documents)[:_HASH_CHARACTERS] for story in (pair.trail, pair.baseline)]
    return " ".join([loaded.collection.name, *hashes])


def latest_judging(loaded: LoadedCollection, pair: StoryPair) -> Job | None:
    """Return the newest job of judging a pair."""
    return resources.runner().latest(KIND, subject_of(loaded, pair))


def start_judging(
    loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat], *, budget_usd: float | None = None
) -> None:
    """Ask seats about a pair in the background; while it runs, asking again changes nothing, and that is said."""
    # What belongs to the session, the key above all, is taken here: the work runs on another thread.
    database, bench = resources.database(), judges.bench(budget_usd)

    def work(report: Report) -> None:
        rng = np.random.default_rng()
        outcome = assessment.judge_pair(database, loaded, pair, seats, bench, report=report, rng=rng)
        # Of a judge that cannot be asked from here the person knew so, and wanted what is stored.
        unasked = {reason: n for reason, n in outcome.unasked.items() if reason != assessment.NOT_HERE}
        if unasked:
            told = [f"{count(n, 'answer')} not asked for: {reason}" for reason, n in unasked.items()]
            raise JudgeUnavailable(" ".join(told))

    if resources.runner().start(KIND, subject_of(loaded, pair), work) is None:
        tell_that_they_are_asked()


def tell_that_they_are_asked() -> None:
    """Say that nothing was started: another tab may have asked other judges."""
    state.notify("Judges are being asked about these two stories already. Ask again when they have answered.")


def forecasts(loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat]) -> tuple[Forecast, ...]:
    """Return what seats are about to take; what another host takes for reading is not known."""
    return without_known_cost_elsewhere(assessment.forecasts(resources.database(), loaded, pair, seats))


def without_known_cost_elsewhere(told: tuple[Forecast, ...]) -> tuple[Forecast, ...]:
    """Return forecasts with the cost of reading flow unknown where another host reads."""
    if not judges.flow_host():
        return told
    return tuple(replace(one, cost_usd=math.nan) if one.seat.judge == "flow" and one.n_calls else one for one in told)


def asked_seats(loaded: LoadedCollection, pair: StoryPair) -> tuple[Seat, ...]:
    """Return the seats that have something to say of the trail, without the lexical reader."""
    asked = findings.asked_seats(resources.database(), loaded, pair)
    return tuple(seat for seat in asked if seat.judge != "lexical")


def verdicts(loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat]) -> tuple[tuple[Verdict, Verdict], ...]:
    """Return what each seat says of the trail and of its random chronology, as far as it is stored."""
    stored = tuple(seat for seat in seats if seat.judge != "lexical")
    said = findings.verdicts(resources.database(), loaded, pair, stored)
    found = dict(zip(stored, zip(said[::2], said[1::2], strict=True), strict=True))
    return tuple(found[seat] if seat in found else _read_at_once(loaded, pair, seat) for seat in seats)


def _read_at_once(loaded: LoadedCollection, pair: StoryPair, seat: Seat) -> tuple[Verdict, Verdict]:
    about = subject_of(loaded, pair), loaded.edition
    return _lexical_verdicts(about, seat, loaded, pair)


@st.cache_data(max_entries=KEPT_READINGS, show_spinner=False)
def _lexical_verdicts(
    about: tuple[str, str], seat: Seat, _loaded: LoadedCollection, _pair: StoryPair
) -> tuple[Verdict, Verdict]:
    """Return what the lexical reader says; every click on the page asks for it again."""
    del about
    trail, baseline = findings.verdicts(resources.database(), _loaded, _pair, (seat,))
    return trail, baseline


def is_one_story(pair: StoryPair) -> bool:
    """Return whether a trail is its own random chronology, as one of two documents is: both have the same answers."""
    return pair.trail.documents == pair.baseline.documents


def n_possible_random(loaded: LoadedCollection, seat: Seat) -> int:
    """Return how many different random chronologies of a collection a seat can be compared with; 0 if it needs none."""
    if seat.judge != "flow":
        return 0
    return len({story_hash(documents) for documents in random_chronologies(loaded)})


def seat_agreement(loaded: LoadedCollection, seat: Seat) -> Agreement:
    """Return how far the agents of a seat agree; computed again only when judgements of its model have come."""
    collection, asked = loaded.collection, (seat.judge, seat.model, seat.endpoint, seat.mode)
    counts = [
        sorted(one.counts.items())
        for one in judgement_counts(resources.database(), collection.name)
        if (one.judge, one.model, one.endpoint, one.mode) == asked
    ]
    return _agreement((collection.name, collection.noun, counts), seat, collection)


@st.cache_data(max_entries=KEPT_READINGS, show_spinner=False)
def _agreement(
    about: tuple[str, str, list[list[tuple[Status, int]]]], seat: Seat, _collection: Collection
) -> Agreement:
    del about
    return findings.seat_agreement(resources.database(), _collection, seat)


def can_ask(loaded: LoadedCollection, seat: Seat) -> bool:
    """Return whether a seat can be asked from here now; one that cannot may still have replies in the store."""
    if seat.judge == "openai":
        return is_endpoint_here(seat)
    return seat.judge == "lexical" or (judges.is_flow_ready() and seat == judges.flow_seat(loaded, seat.shown))


def is_endpoint_here(seat: Seat) -> bool:
    """Return whether the endpoint of a prompted seat is the one that is asked now."""
    endpoint = judges.endpoint()
    return endpoint is not None and (endpoint.host, endpoint.model) == (seat.endpoint, seat.model)


def is_flow_asked(loaded: LoadedCollection, seats: Sequence[Seat]) -> bool:
    """Return whether reading flow, as it would be asked from here, is among seats; another version of it is another."""
    return any(seat.judge == "flow" and (can_ask(loaded, seat) or not judges.is_flow_ready()) for seat in seats)


def seat_key(seat: Seat) -> str:
    """Return a short name of a seat for keys of widgets: a model may be called anything."""
    return hashlib.sha256(repr(seat).encode()).hexdigest()[:12]


def judging_outcome(job: Job | None) -> None:
    """Say how the last round of questions ended where it did not end well."""
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
        st.page_link("pages/manage/judges.py", label="Look at the judge on the page Judges", icon=":material/gavel:")
    elif job.state == "cancelled":
        st.caption("The questions were stopped. The answers that came are kept.")
    else:
        st.caption("The questions were interrupted when the program ended. The answers that came are kept.")
