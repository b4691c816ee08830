"""The endpoint pairs of a run by stratum: which pairs, in which words and colour."""

from collections.abc import Mapping
from dataclasses import dataclass

from narrative_core.errors import InvalidInput
from narrative_core.figures.theme import Mode, quiet, topic_colour
from narrative_core.runs import STRATUM_WORDS, RunTable, Stratum

_RANKS: Mapping[Mode, tuple[int, ...]] = {"light": (0, 5, 6, 4, 7, 8), "dark": (3, 0, 6, 4, 2, 7)}


@dataclass(frozen=True, slots=True)
class PairGroup:
    """The pairs of one stratum, by their number in the run; a run without strata has one group, of ``None``."""

    stratum: Stratum | None
    pairs: tuple[int, ...]

    @property
    def words(self) -> str:
        """The stratum as a person reads it."""
        return "endpoint pairs" if self.stratum is None else STRATUM_WORDS[self.stratum]

    def colour(self, mode: Mode) -> str:
        """The colour of the stratum, the same in every figure."""
        if self.stratum is None:
            return quiet(mode)
        return topic_colour(_RANKS[mode][list(STRATUM_WORDS).index(self.stratum)], mode)

    def label(self, mode: Mode) -> str:
        """The stratum in its colour with its number of pairs, as a direct label."""
        return f'<span style="color:{self.colour(mode)}"><b>{self.words}</b></span>  n = {len(self.pairs):,}'


def pair_groups(table: RunTable, n_pairs: int) -> list[PairGroup]:
    """The pairs that have a story, by stratum in the order of `STRATUM_WORDS`; an empty stratum is left out.

    Raises
    ------
    InvalidInput
        If a pair is not below ``n_pairs``: its endpoints were not given.
    """
    strata = {story.pair: story.stratum for story in table.stories}
    if strata and max(strata) >= n_pairs:
        raise InvalidInput(
            f"expected the endpoints of every pair; got {n_pairs:,}, and the run has a pair {max(strata) + 1:,}."
        )
    found: dict[Stratum | None, list[int]] = {stratum: [] for stratum in (*STRATUM_WORDS, None)}
    for pair in sorted(strata):
        found[strata[pair]].append(pair)
    return [PairGroup(stratum, tuple(pairs)) for stratum, pairs in found.items() if pairs]
