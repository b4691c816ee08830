"""What statistics find: every number with how many stories it rests on, and an interval where it has one.

nan is undefined: too few stories, or no variance. Intervals are 95 % and resample endpoint pairs, since the stories of
a pair are not independent of each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from narrative_core.runs import Metric

Model = Literal["linear", "ridge", "polynomial", "forest"]


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
class SeedAgreement:
    """How far a landscape that was fitted again with another seed agrees with the one that is kept.

    ``n_topics`` and ``outlier_share`` are of the other fit · ``topic_agreement`` is the adjusted Rand index of the
    documents' nearest topics: 1 the same groups, about 0 by chance · ``n_trails`` endpoint pairs have a trail on both
    landscapes; over these, ``trail_agreement`` is the mean share of inner documents in common (Jaccard; 1 where
    neither trail has any) and ``strength_difference`` the mean absolute difference of the weakest links. nan where
    nothing could be compared.
    """

    seed: int
    n_topics: int
    outlier_share: float
    topic_agreement: float
    n_trails: int
    trail_agreement: float
    strength_difference: float
