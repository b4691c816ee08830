"""What came of a run: every estimate of it, by judge, by check, by kind of story; and what two of them differ in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from narrative_core.estimates import (
    Agreement,
    Association,
    Contrast,
    Disagreement,
    Estimate,
    PairedDifference,
    Prediction,
    Stability,
    Summary,
)
from narrative_core.judgements import Seat, Status
from narrative_core.runs import Made, Metric, Run

Check = Literal["shuffled", "reversed", "foreign", "doubled", "criteria", "paraphrase", "shown"]
Expected = Literal["lower", "same", "alike"]
Outcome = Literal["pass", "fail", "undecided", "not asked"]

ALL: Final = "all"
"""The kind of every story together, in `Comparison.differences`."""

DAMAGES: Final[Mapping[Check, Made]] = {
    "shuffled": "shuffled",
    "reversed": "reversed",
    "foreign": "foreign",
    "doubled": "doubled",
}
"""The checks that damage a trail, with how the damaged stories were made."""

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


Results = RunResults | SanityResults | MixtureResults
"""What came of a run, whatever its design."""


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
