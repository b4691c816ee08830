"""What a comparison with fits of other seeds says, in words: topics, trails, and what follows."""

import math
from collections.abc import Sequence
from typing import Final

from narrative_core.counting import count
from narrative_core.estimates import SeedAgreement

ALIKE, AKIN = 0.8, 0.5
"""Agreement from which two maps tell much the same, and from which they have most in common."""

_NEAR: Final = 0.05
"""Difference of weakest links up to which trails count as about equally strong."""


def trails_sentence(agreements: Sequence[SeedAgreement]) -> str:
    """Return how far trails agree over all seeds, "" where none could be compared.

    Examples
    --------
    >>> one, other = (SeedAgreement(43 + i, 11, 0.3, 0.8, 70, share, 0.03) for i, share in enumerate((0.38, 0.42)))
    >>> trails_sentence([one, other])
    'With 2 other seeds, trails between the same two documents share 40 % of their inner documents (38–42 %).'
    """
    shares = [one.trail_agreement for one in agreements if math.isfinite(one.trail_agreement)]
    if not shares:
        return ""
    seeds = "another seed" if len(shares) == 1 else f"{len(shares)} other seeds"
    return (
        f"With {seeds}, trails between the same two documents share {_percent(shares)} of their inner documents"
        f"{_span([round(100 * share) for share in shares], ' %')}."
    )


def strength_sentence(agreements: Sequence[SeedAgreement]) -> str:
    """Return how far the strength of trails agrees, and over how many pairs; "" where none could be compared."""
    known = [one for one in agreements if math.isfinite(one.strength_difference)]
    if not known:
        return "No pair of documents that was drawn has a trail on both maps, so trails could not be compared."
    mean = math.fsum(one.strength_difference for one in known) / len(known)
    pairs = sorted(one.n_trails for one in known)
    n = f"{pairs[0]:,}" if pairs[0] == pairs[-1] else f"{pairs[0]:,}–{pairs[-1]:,}"
    return f"Their weakest links differ by {mean:.2f} on average (n = {n} pairs a seed that have a trail on both maps)."


def topics_sentence(agreements: Sequence[SeedAgreement], n_topics: int) -> str:
    """Return how far topics agree over all seeds.

    Parameters
    ----------
    agreements : sequence of SeedAgreement
    n_topics : int
        Topics of the landscape that is kept, as they were found.
    """
    known = [one.topic_agreement for one in agreements if math.isfinite(one.topic_agreement)]
    numbers = sorted({one.n_topics for one in agreements})
    found = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    if not known:
        return f"Topics could not be compared: {found} were found with other seeds, {n_topics} on this map."
    mean = math.fsum(known) / len(known)
    how = "much the same" if mean >= ALIKE else "alike for the most part" if mean >= AKIN else "differently"
    seeds = "the other seed" if len(agreements) == 1 else "the other seeds"
    return (
        f"Documents are grouped {how}: with {seeds}, {found} topics instead of {n_topics}, which agree at {mean:.2f}"
        f"{_span([round(value, 2) for value in known], '')} on a scale where 1 is the same groups and 0 is chance."
    )


def meaning(agreements: Sequence[SeedAgreement]) -> str:
    """Return what the comparison means for whoever tells a story from this map, and what to do."""
    shares = [one.trail_agreement for one in agreements if math.isfinite(one.trail_agreement)]
    if not shares:
        return "Choose a collection with more dated documents, or check again when there are more."
    share = math.fsum(shares) / len(shares)
    if share >= ALIKE:
        return "A trail would look nearly the same on another map, so a single step can be relied on."
    differences = [one.strength_difference for one in agreements if math.isfinite(one.strength_difference)]
    is_near = math.fsum(differences) / len(differences) <= _NEAR
    strength = "How strong a trail is hardly depends on the seed" if is_near else "Strength depends on the seed as well"
    if share >= AKIN:
        return (
            f"Most steps of a trail stay, some are exchanged for others that fit as well. {strength}. Look at the "
            "alternatives before you argue from a single step."
        )
    return (
        f"Which documents a trail passes depends much on the seed: several ways hang together about as well. "
        f"{strength}. Do not argue from a single step: look at the alternatives, pin what must be in the story, and "
        "say so where you publish it."
    )


def topics_remedy(agreements: Sequence[SeedAgreement]) -> str:
    """Return what to do where topics differ much between seeds, "" where they do not."""
    known = [one.topic_agreement for one in agreements if math.isfinite(one.topic_agreement)]
    if not known or math.fsum(known) / len(known) >= AKIN:
        return ""
    return (
        "Topics that change with the seed are not in the documents alone: build the map again with few and broad "
        "topics, and take their names as a help for finding your way only."
    )


def seeds_words(agreements: Sequence[SeedAgreement]) -> str:
    """Return which seeds were compared: "seeds 43 to 45"."""
    seeds = [one.seed for one in agreements]
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"{count(len(seeds), 'seed')}, {seeds[0]} to {seeds[-1]}"


def _percent(shares: Sequence[float]) -> str:
    return f"{100 * math.fsum(shares) / len(shares):.0f} %"


def _span(values: Sequence[float], unit: str) -> str:
    """Return the range of values in brackets, nothing where they are one."""
    low, high = min(values), max(values)
    return f" ({low:g}–{high:g}{unit})" if low != high else ""
