"""In which settings two runs differ, in words."""

from collections.abc import Mapping
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import Seat
from narrative_core.reports.judged_pairs import seat_title
from narrative_core.reports.sentences import format_list, plain_line
from narrative_core.runs import Design, Run

DESIGN_WORDS: Final[Mapping[Design, str]] = {
    "trails": "trails beside random chronologies",
    "mixtures": "mixtures of two collections",
    "sanity": "trails damaged on purpose",
}


def setting_differences(first: Run, second: Run) -> tuple[str, ...]:
    """Return each setting in which two runs differ, with both values, the first's first.

    How pairs are drawn is none where one run has taken the pairs of the other, or both those of a third.
    """
    told = [
        _differ("collection", first.settings.collection, second.settings.collection),
        _differ("design", DESIGN_WORDS[first.settings.design], DESIGN_WORDS[second.settings.design]),
        _differ("comparison of topics", first.divergence, second.divergence),
        _differ("vectors", plain_line(first.embedding_model), plain_line(second.embedding_model)),
    ]
    if first.landscape_id != second.landscape_id and first.settings.collection == second.settings.collection:
        told.append("the map of the collection, which was built anew between them")
    told.append(_differ("pairs", f"{first.settings.n_pairs:,}", f"{second.settings.n_pairs:,}"))
    if not has_same_pairs(first, second):
        told += _drawing(first, second)
    told.append(_judges(first, second))
    return tuple(filter(None, told))


def differences_sentence(first: Run, second: Run) -> str:
    """Return in which settings two runs differ: "They differ in one setting: comparison of topics (root, plain)."."""
    told = setting_differences(first, second)
    pairs = " Both have the same endpoint pairs." if has_same_pairs(first, second) else ""
    if not told:
        return f"They were made with the same settings.{pairs}"
    settings = "one setting" if len(told) == 1 else count(len(told), "setting")
    return f"They differ in {settings}: {'; '.join(told)}.{pairs}"


def has_same_pairs(first: Run, second: Run) -> bool:
    """Return whether one run has taken its endpoint pairs from the other, or both from a third."""
    one, other = first.settings.endpoints_of, second.settings.endpoints_of
    return one == second.run_id or other == first.run_id or (bool(one) and one == other)


def _differ(what: str, first: object, second: object) -> str:
    return "" if first == second else f"{what} ({first}, {second})"


def _drawing(first: Run, second: Run) -> list[str]:
    one, other = first.settings, second.settings
    told = [_differ("seed", one.seed, other.seed)]
    if dict(one.shares) != dict(other.shares):
        told.append("shares of the groups of pairs")
    if one.cutoffs != other.cutoffs:
        told.append("where the groups of pairs begin")
    if one.endpoints_of or other.endpoints_of:
        told.append("where the pairs come from")
    return told


def _judges(first: Run, second: Run) -> str:
    """Return which judges only one of two runs has; empty where both have the same, in whatever order."""
    sides = first.settings.seats, second.settings.seats
    only = [[seat for seat in own if seat not in other] for own, other in (sides, sides[::-1])]
    told = [
        f"only the {which} asks {format_list([_named(seat) for seat in seats])}"
        for which, seats in zip(("first", "second"), only, strict=True)
        if seats
    ]
    return f"judges ({', '.join(told)})" if told else ""


def _named(seat: Seat) -> str:
    """Return the title of a judge without commas, so that it can stand in a list."""
    return seat_title(seat).replace(",", "")
