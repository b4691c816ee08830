"""What statistics find: every number with how many stories it rests on, and an interval where it has one.

nan is undefined: too few stories, or no variance. Intervals are 95 % and resample endpoint pairs, since the stories of
a pair are not independent of each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from narrative_core.judgements import Seat, Status
from narrative_core.runs import Made, Metric, Run

Model = Literal["linear", "ridge", "polynomial", "forest"]
Check = Literal["shuffled", "reversed", "foreign", "doubled", "criteria", "paraphrase", "shown"]
Expected = Literal["lower", "same", "alike"]
Outcome = Literal["pass", "fail", "undecided", "not asked"]

CHECK_WORDS: Mapping[Check, str] = {
    "shuffled": "order shuffled",
    "reversed": "order reversed",
    "foreign": "a foreign document",
    "doubled": "a document doubled",
    "criteria": "criteria in another order",
    "paraphrase": "instruction paraphrased",
    "shown": "titles against leads",
}
OUTCOME_WORDS: Mapping[Outcome, str] = {
    "pass": "passes",
    "fail": "fails",
    "undecided": "undecided",
    "not asked": "not asked",
}
"""How a person reads them."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval, over ``n`` stories; ``n_skipped`` had no value to use."""

    value: float
    low: float = float("nan")
    high: float = float("nan")
    n: int = 0
    n_skipped: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers in short: ``sd`` with n − 1; ``n_skipped`` were nan."""

    n: int
    mean: float
    sd: float
    minimum: float
    maximum: float
    n_skipped: int = 0


@dataclass(frozen=True, slots=True)
class Association:
    """How two numbers of a story go together. The p-values treat stories as independent, as the study does."""

    pearson: Estimate
    spearman: Estimate
    pearson_p: float
    spearman_p: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two kinds of stories, first against second.

    ``cohens_d`` with the pooled standard deviation · ``auc`` the chance that a first is above a second, ties half ·
    Welch's t with its degrees of freedom and two-sided p · Mann–Whitney U of the first with its two-sided p.
    """

    first: Summary
    second: Summary
    cohens_d: Estimate
    auc: Estimate
    welch_t: float
    welch_df: float
    welch_p: float
    mann_whitney_u: float
    mann_whitney_p: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """First less second of the same stories: the mean difference, its sd, t and two-sided p, and d_z = mean / sd."""

    difference: Estimate
    sd: float
    t: float
    p: float
    d_z: float


@dataclass(frozen=True, slots=True)
class ModelFit:
    """How well one model predicts a judge's score: R² on each held-out fold, their mean and standard deviation."""

    model: Model
    fold_r2: tuple[float, ...]
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """A judge's score from minimum, average and length; ``importances`` of the forest, by metric, sum to 1."""

    fits: tuple[ModelFit, ...]
    importances: Mapping[Metric, float]
    n: int
    n_skipped: int


@dataclass(frozen=True, slots=True)
class Band:
    """Stories whose mean score lies in [low, high), of the last band also ``high``: their agents' mean spread."""

    low: float
    high: float
    spread: Estimate


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far the agents of a judge are apart on a story.

    ``spread`` the mean of their standard deviations (n − 1) · ``variation`` the mean of standard deviation over mean.
    """

    spread: Estimate
    variation: float
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Stability:
    """Does it hold on pairs that were left out? Pearson's r on each fold and on the rest, and d on each fold."""

    train_r: tuple[float, ...]
    test_r: tuple[float, ...]
    mean_absolute_difference: float
    fold_d: tuple[float, ...]
    d_sd: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement between agents over stories; nan is undefined.

    From the stories that every agent rated, ``n_complete`` of them: ``icc_single`` ICC(2,1) · ``icc_average``
    ICC(2,k) · ``kendall_w`` Kendall's W with ties. From the stories that at least two agents rated, ``n_used`` of
    them: ``krippendorff_alpha`` α, interval · ``mean_absolute_deviation`` from the story's mean, in points · ``exact``
    and ``within_one`` the shares, in [0, 1], of agent pairs whose scores are equal, or differ by at most 1.
    ``n_agents`` counts agents with any rating.
    """

    icc_single: float
    icc_average: float
    krippendorff_alpha: float
    kendall_w: float
    mean_absolute_deviation: float
    exact: float
    within_one: float
    n_used: int
    n_complete: int
    n_agents: int


@dataclass(frozen=True, slots=True)
class Use:
    """What a story took of a judge, all its agents together."""

    seconds: Summary
    input_tokens: Summary
    output_tokens: Summary
    cost_usd: Summary


@dataclass(frozen=True, slots=True)
class SeatResults:
    """What one judge makes of a run. ``counts`` how its judgements ended; ``n_unasked`` have none yet.

    ``associations`` of its mean score with each metric of the story · ``contrast`` its trails against its random
    chronologies · ``stability`` of its association with the minimum and with the average.
    """

    seat: Seat
    label: str
    counts: Mapping[Status, int]
    n_unasked: int
    associations: Mapping[Metric, Association]
    contrast: Contrast
    agreement: Agreement
    use: Use
    prediction: Prediction
    disagreement: Disagreement
    stability: Mapping[Metric, Stability]

    @property
    def n_asked(self) -> int:
        """Judgements that have an end."""
        return sum(self.counts.values())

    @property
    def n_ok(self) -> int:
        """Judgements that have a score."""
        return self.counts.get("ok", 0)


@dataclass(frozen=True, slots=True)
class RunResults:
    """Every table of a run of trails beside random chronologies.

    ``lengths`` in documents, by how the story was made · ``length_difference`` trail less baseline of each pair ·
    ``contrasts`` of "minimum" and "average", trails against baselines · ``spans`` association of the days that a story
    spans with its minimum and average · ``n_stories`` in the run.
    """

    run: Run
    n_stories: int
    lengths: Mapping[Made, Summary]
    length_difference: PairedDifference
    contrasts: Mapping[Metric, Contrast]
    spans: Mapping[Metric, Association]
    seats: tuple[SeatResults, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of a judge's sanity.

    ``expected`` "lower": changed stories must score lower · "same": the score must not move by more than ``margin`` ·
    "alike": both must rank the stories alike · ``difference`` changed less original, paired by story, with its
    interval; for "alike" Spearman's correlation instead · ``outcome`` "pass" or "fail" where the whole interval says
    so, "undecided" where it says both.
    """

    check: Check
    label: str
    seat: Seat
    expected: Expected
    original: Summary
    changed: Summary
    difference: Estimate
    margin: float
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SanityResults:
    """Every check of every judge of a sanity run.

    ``n_undamaged`` trails that a check could not change, by check: one of two documents has no other order.
    """

    run: Run
    checks: tuple[CheckResult, ...]
    n_undamaged: Mapping[Check, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MixtureMeasure:
    """One measure over the stories of a mixture run: "minimum", "average", or a judge's label.

    ``by_kind`` its values by how stories were made · ``alternating_mixed`` and ``trail_alternating``, ``trail_mixed``
    contrasts between the kinds, first against second.
    """

    name: str
    seat: Seat | None
    by_kind: Mapping[Made, Summary]
    alternating_mixed: Contrast
    trail_alternating: Contrast
    trail_mixed: Contrast


@dataclass(frozen=True, slots=True)
class MixtureResults:
    """A run of stories out of distribution.

    ``associations`` of each judge's score, by label, with average coherence over the alternating and mixed stories.
    """

    run: Run
    measures: tuple[MixtureMeasure, ...]
    associations: Mapping[str, Association] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same stories measured in two ways: differences by how they were made, all together under "all".

    ``first`` and ``second`` name the measures · ``n_unmatched`` stories that only one of them has.
    """

    first: str
    second: str
    differences: Mapping[str, PairedDifference]
    association: Association
    n_unmatched: int


@dataclass(frozen=True, slots=True)
class Disputed:
    """A story that two measures rank differently: its rank by each as a share in [0, 1], 1 the highest."""

    row: int
    first_rank: float
    second_rank: float

    @property
    def distance(self) -> float:
        """First rank less second."""
        return self.first_rank - self.second_rank
