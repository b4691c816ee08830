"""Testing a judge: it reads a story that holds together and one that does not, and a person sees what it makes of them.

Both are six headlines of the shipped collection, fixed. What a judge says of them is stored like every judgement, so
the same judge is asked once.
"""

from dataclasses import dataclass

import numpy as np

from narrative_core.assessment import judge
from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report, Work
from narrative_core.judgements import Judgement, Seat
from narrative_core.panel import plan
from narrative_core.records import Document, Job
from narrative_core.store.judgements import load_judgements
from narrative_core.ui import judges, resources

KIND = "judge test"
COLLECTION = "spaceflight"
COHERENT = (
    "1972-01-05-nixon-approves",
    "1977-08-12-shuttle-enterprise",
    "1981-04-12-columbia-lifts",
    "1986-01-28-shuttle-challenger",
    "1986-06-09-rogers-report",
    "1988-09-29-discovery-puts",
)
SCRAMBLED = (
    "1977-06-10-apple-ii",
    "1966-02-03-luna-9",
    "2005-01-14-huygens-lands",
    "1988-11-02-worm-program",
    "1960-04-01-tiros-1",
    "2009-01-03-block-digital",
)
COHERENT_TOLD = "how the space shuttle is approved, tried, flown, lost with its crew, explained and flown again"
SCRAMBLED_TOLD = "six headlines of the same collection that have little to do with each other, out of order in time"
"""What the two stories are, in words."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a judge said of the two stories; ``None`` where it was not asked."""

    coherent: Judgement | None
    scrambled: Judgement | None

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Those that are there."""
        return tuple(found for found in (self.coherent, self.scrambled) if found is not None)

    @property
    def is_complete(self) -> bool:
        """Whether both stories have a reply, so that there is nothing to ask."""
        return len(self.judgements) == 2 and all(found.is_final for found in self.judgements)

    @property
    def tells_apart(self) -> bool | None:
        """Whether the coherent story got more; ``None`` unless both have a score."""
        if self.coherent is None or self.scrambled is None:
            return None
        if (self.coherent.status, self.scrambled.status) != ("ok", "ok"):
            return None
        return self.coherent.score > self.scrambled.score


def example() -> LoadedCollection:
    """Return the collection that the two stories are from.

    Raises
    ------
    InvalidInput
        If it is not stored or not built.
    """
    summary = resources.summary(COLLECTION)
    if summary is None or not summary.is_built:
        raise InvalidInput(
            "The collection Spaceflight, which the test is from, is not here. Build it on the page Collections."
        )
    return resources.loaded(COLLECTION, summary.landscape_id or "")


def known_stories() -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the story that holds together and the one that does not."""
    return _stories(example())


def trial_of(seat: Seat) -> Trial:
    """Return what is known of a judge's test."""
    collection = example()
    asked = [
        ask.question.question_id
        for story in _stories(collection)
        for ask in plan(collection, [story], [seat], rng=np.random.default_rng())
    ]
    known = load_judgements(resources.database(), asked)
    return Trial(known.get(asked[0]), known.get(asked[1]))


def run_trial(seat: Seat) -> None:
    """Ask a judge at once; for one that takes no time.

    Raises
    ------
    JudgeUnavailable
        If it cannot be asked.
    """
    _work(seat)(lambda _stage, _done, _total: None)


def start_trial(seat: Seat) -> None:
    """Ask a judge in the background; a second click while it is asked changes nothing."""
    resources.runner().start(KIND, _subject(seat), _work(seat))


def latest_trial(seat: Seat) -> Job | None:
    """Return the newest test of a judge."""
    return resources.runner().latest(KIND, _subject(seat))


def _stories(collection: LoadedCollection) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    coherent, scrambled = (
        tuple(collection.documents[row] for row in collection.rows(story)) for story in (COHERENT, SCRAMBLED)
    )
    return coherent, scrambled


def _work(seat: Seat) -> Work:
    # What belongs to the session, the key above all, is taken here: the work runs on another thread.
    database, bench, collection = resources.database(), judges.bench(), example()
    asks = plan(collection, _stories(collection), [seat], rng=np.random.default_rng())

    def work(report: Report) -> None:
        outcome = judge(database, collection, asks, bench, report=report)
        if outcome.unasked:
            raise JudgeUnavailable(" ".join(outcome.unasked))

    return work


def _subject(seat: Seat) -> str:
    return " · ".join(part for part in (seat.judge, seat.model, seat.endpoint) if part)
