"""The values of a run: what is asked of whom about which stories, and what came of it, a row a story and judge.

A *run* is many stories made by rule from one collection, each put before the same judges. Its *design* says which
stories are made: trails beside random chronologies, mixtures of two collections, or stories damaged on purpose.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from narrative_core.judgements import Seat, Status
from narrative_core.records import Divergence

Design = Literal["trails", "mixtures", "sanity"]
Made = Literal["trail", "baseline", "alternating", "mixed", "shuffled", "reversed", "foreign", "doubled"]
"""How a story was made. The last four are made from the trail of the same pair."""

Stratum = Literal["within short", "within long", "across close", "across far", "hub to edge", "extremes"]
Metric = Literal["minimum", "average", "length", "span", "variance", "efficiency", "weak share"]
"""What is computed of a story without a judge; see `RunStory`."""

Version = tuple[str, int, int]
"""A run with how far it is; see `RunSummary.version`."""

SHARES: Mapping[Stratum, float] = {
    "within short": 0.2,
    "within long": 0.2,
    "across close": 0.2,
    "across far": 0.2,
    "hub to edge": 0.1,
    "extremes": 0.1,
}
"""The reference study's proportions of endpoint pairs."""

MADE_WORDS: Mapping[Made, str] = {
    "trail": "trail",
    "baseline": "random chronology",
    "alternating": "alternating between two collections",
    "mixed": "mixed at random from two collections",
    "shuffled": "trail shuffled",
    "reversed": "trail reversed",
    "foreign": "trail with a foreign document",
    "doubled": "trail with a document doubled",
}
METRIC_WORDS: Mapping[Metric, str] = {
    "minimum": "weakest link",
    "average": "mean link",
    "length": "documents",
    "span": "days from first to last",
    "variance": "variance of the links",
    "efficiency": "directness",
    "weak share": "share of weak links",
}
STRATUM_WORDS: Mapping[Stratum, str] = {
    "within short": "within a topic, short",
    "within long": "within a topic, long",
    "across close": "across topics, close in time",
    "across far": "across topics, far in time",
    "hub to edge": "from a hub to the edge",
    "extremes": "farthest apart in wording",
}
"""How a person reads them."""

REORDERED, PARAPHRASED = "criteria in another order", "instruction paraphrased"
"""``Seat.version`` of a prompted judge that is asked in another wording than the usual one."""


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """Where the strata begin.

    ``short`` and ``long`` are quantiles of the days between two documents, below and above which a pair is short and
    long · ``hub`` the share of documents with the most links that are hubs, and with the fewest that are the edge ·
    ``extreme`` the share of pairs that are farthest apart by the angle of their vectors.
    """

    short: float = 1 / 3
    long: float = 2 / 3
    hub: float = 0.1
    extreme: float = 0.1


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a person asks for.

    ``n_pairs`` endpoint pairs; for mixtures, stories of each kind · ``shares`` of the strata, whose sum is 1 ·
    ``divergence`` of the topic similarity, ``None`` for the landscape's own · ``endpoints_of`` a run whose pairs are
    taken instead of drawing, "" for none: two runs that differ in one setting then compare pair by pair.
    """

    collection: str
    n_pairs: int = 100
    seats: tuple[Seat, ...] = ()
    seed: int = 42
    design: Design = "trails"
    shares: Mapping[Stratum, float] = field(default_factory=lambda: dict(SHARES))
    cutoffs: Cutoffs = field(default_factory=Cutoffs)
    divergence: Divergence | None = None
    endpoints_of: str = ""


@dataclass(frozen=True, slots=True)
class StratumCount:
    """How many pairs a stratum was to have, has, and how many drawn ones had no trail and were rejected."""

    stratum: Stratum
    wanted: int
    found: int
    rejected: int


@dataclass(frozen=True, slots=True)
class RunStory:
    """One story of a run, by position; ``pair`` counts from 0.

    ``strengths`` one coherence a link, in [0, 1] · ``span_days`` from the first date to the last, nan where one is
    missing · ``efficiency`` the angle between the vectors of its ends over the sum of the angles of its links, in
    (0, 1], nan where that sum is 0 · ``weak_share`` the share of links below the collection's median link, nan where
    that is unknown.
    """

    pair: int
    made: Made
    document_ids: tuple[str, ...]
    strengths: tuple[float, ...]
    stratum: Stratum | None = None
    span_days: float = float("nan")
    efficiency: float = float("nan")
    weak_share: float = float("nan")
    story_hash: str = ""

    @property
    def metrics(self) -> Mapping[Metric, float]:
        """Every metric by its name."""
        return {name: self.metric(name) for name in _METRICS}

    def metric(self, name: Metric) -> float:
        """Return one metric; "variance" is that of the strengths (n − 1), nan for a single link."""
        return _METRICS[name](self)


def _variance(strengths: Sequence[float]) -> float:
    return float(np.var(strengths, ddof=1)) if len(strengths) > 1 else float("nan")


_METRICS: Mapping[Metric, Callable[[RunStory], float]] = {
    "minimum": lambda story: min(story.strengths),
    "average": lambda story: fmean(story.strengths),
    "length": lambda story: float(len(story.document_ids)),
    "span": lambda story: story.span_days,
    "variance": lambda story: _variance(story.strengths),
    "efficiency": lambda story: story.efficiency,
    "weak share": lambda story: story.weak_share,
}


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored, without its stories.

    ``divergence`` is the one that was used · ``median_link`` and ``critical_coherence`` go with it ·
    ``embedding_model`` made the vectors · ``versions`` of the libraries that made the landscape and of this program.
    """

    run_id: str
    name: str
    settings: RunSettings
    landscape_id: str
    divergence: Divergence
    critical_coherence: float
    median_link: float
    embedding_model: str
    created_at: str
    strata: tuple[StratumCount, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_rejected(self) -> int:
        """Drawn pairs that had no trail."""
        return sum(count.rejected for count in self.strata)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list.

    ``n_answered`` of its ``n_questions`` have a reply · ``n_asked`` have an end, a timeout or a failure among them.
    """

    run: Run
    n_stories: int
    n_questions: int
    n_answered: int
    n_asked: int

    @property
    def version(self) -> Version:
        """What changes as soon as another judgement of the run is there, or one has ended otherwise than before."""
        return self.run.run_id, self.n_answered, self.n_asked


@dataclass(frozen=True, slots=True, eq=False)
class SeatScores:
    """What one judge gave the stories of a run; rows as in `RunTable.stories`.

    ``label`` is a short name that no other judge of the run has · ``scores`` (n_stories, n_agents) nan = no score ·
    ``counts`` how the judgements ended, by status · ``n_unasked`` questions without any judgement yet ·
    ``seconds``, ``input_tokens``, ``output_tokens``, ``cost_usd`` (n_stories,) sums over the agents that replied,
    nan where unknown · ``weakest_steps`` (n_stories,) the link most agents name as weakest, nan = none.
    """

    seat: Seat
    label: str
    scores: NDArray[np.float64]
    counts: Mapping[Status, int]
    n_unasked: int
    seconds: NDArray[np.float64]
    input_tokens: NDArray[np.float64]
    output_tokens: NDArray[np.float64]
    cost_usd: NDArray[np.float64]
    weakest_steps: NDArray[np.float64]

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean over the agents that gave a score, (n_stories,), nan where none did."""
        n = np.count_nonzero(~np.isnan(self.scores), axis=1)
        means: NDArray[np.float64] = np.divide(
            np.nansum(self.scores, axis=1), n, out=np.full(len(n), np.nan), where=n > 0
        )
        return means

    @property
    def sds(self) -> NDArray[np.float64]:
        """Standard deviation (n − 1) over the agents, (n_stories,), nan where fewer than two gave a score."""
        is_given = ~np.isnan(self.scores)
        n = np.count_nonzero(is_given, axis=1)
        squares = np.where(is_given, self.scores - self.means[:, None], 0.0) ** 2
        variances: NDArray[np.float64] = np.divide(squares.sum(axis=1), n - 1, out=np.full(len(n), np.nan), where=n > 1)
        return np.sqrt(variances)


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """All raw numbers of a run: its stories by pair and then by how they were made, and what each judge gave them."""

    run: Run
    stories: tuple[RunStory, ...]
    seats: tuple[SeatScores, ...]

    @property
    def pairs(self) -> NDArray[np.int64]:
        """The pair of each story, (n_stories,)."""
        return np.array([story.pair for story in self.stories], dtype=np.int64)

    def rows(self, made: Made) -> NDArray[np.intp]:
        """Return the rows of the stories that were made in one way."""
        return np.flatnonzero([story.made == made for story in self.stories])

    def metric(self, name: Metric) -> NDArray[np.float64]:
        """Return one metric of every story, (n_stories,)."""
        return np.array([story.metric(name) for story in self.stories], dtype=np.float64)
