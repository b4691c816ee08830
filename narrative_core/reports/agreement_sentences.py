"""How far the agents of a judge agree, in words first, with every number named and defined."""

import math
from dataclasses import dataclass
from typing import Final, Protocol

from narrative_core.counting import count

FEW_STORIES: Final = 10
"""Below so many stories an agreement is called rough."""


class AgentAgreement(Protocol):
    """The numbers of `stats.agreement.Agreement` that are put into words here; nan is undefined."""

    @property
    def icc_single(self) -> float:
        """ICC(2,1)."""

    @property
    def icc_average(self) -> float:
        """ICC(2,k)."""

    @property
    def krippendorff_alpha(self) -> float:
        """Krippendorff's α, interval."""

    @property
    def exact(self) -> float:
        """Share of pairs of agents with equal scores."""

    @property
    def within_one(self) -> float:
        """Share of pairs of agents at most one point apart."""

    @property
    def n_used(self) -> int:
        """Stories with at least two scores."""

    @property
    def n_agents(self) -> int:
        """Agents with any score."""


@dataclass(frozen=True, slots=True)
class AgreementNumber:
    """One number of agreement: its name, its value as text, and what it is."""

    name: str
    value: str
    told: str


def agreement_sentence(found: AgentAgreement) -> str:
    """Return in words how far agents agree, with how many stories that rests on; empty where no story has two scores.

    The words follow ICC(2,1): below 0.5 the agents hardly agree, below 0.75 moderately, below 0.9 well, from there on
    closely.

    References
    ----------
    Koo and Li (2016), "A guideline of selecting and reporting intraclass correlation coefficients".
    """
    if not found.n_used:
        return ""
    stories = "story of this collection" if found.n_used == 1 else "stories of this collection"
    over = f"Over {found.n_used:,} {stories} the {count(found.n_agents, 'agent')}"
    rough = f" With so few {'stories' if found.n_used > 1 else 'of them'} this is rough." if _is_rough(found) else ""
    if not math.isfinite(found.icc_single):
        equal = "give the same score every time" if found.exact == 1.0 else "cannot be compared from story to story"
        return f"{over} {equal}.{rough}"
    return f"{over} {_degree(found.icc_single)} on which stories hold together.{rough}"


def agreement_numbers(found: AgentAgreement) -> tuple[AgreementNumber, ...]:
    """Return the numbers of agreement in reading order."""
    k = found.n_agents
    return (
        AgreementNumber(
            "ICC(2,1)",
            _number(found.icc_single),
            "Intraclass correlation of one agent: which share of the differences between scores comes from the "
            "stories and not from the agents. 1 is perfect; two-way random, absolute agreement.",
        ),
        AgreementNumber(
            "ICC(2,k)",
            # Without agreement of single agents the formula for their mean leaves [0, 1] and says nothing.
            _number(found.icc_average if found.icc_single > 0 else math.nan),
            f"The same for the mean of all {k:,} agents, which is steadier than one of them.",
        ),
        AgreementNumber(
            "α",
            _number(found.krippendorff_alpha),
            "Krippendorff's α for intervals: 1 less the disagreement seen over that expected by chance. 0 is chance; "
            "missing answers are allowed.",
        ),
        AgreementNumber("same score", _share(found.exact), "Share of pairs of agents that give a story equal scores."),
        AgreementNumber(
            "within one", _share(found.within_one), "Share of pairs of agents whose scores differ by at most one point."
        ),
    )


def _is_rough(found: AgentAgreement) -> bool:
    return found.n_used < FEW_STORIES


def _degree(icc: float) -> str:
    if icc < 0.5:
        return "hardly agree"
    return "agree moderately" if icc < 0.75 else "agree well" if icc < 0.9 else "agree closely"


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−") if math.isfinite(value) else "undefined"


def _share(value: float) -> str:
    return f"{value:.0%}" if math.isfinite(value) else "undefined"
