"""Stories damaged on purpose: what a judge that reads them ought to notice."""

from collections.abc import Sequence

import numpy as np

from narrative_core.errors import InvalidInput
from narrative_core.trails.graph import TrailGraph


def shuffled(story: Sequence[int], *, rng: np.random.Generator) -> tuple[int, ...] | None:
    """Return the documents in a random order that is neither the story's nor its reverse, all others alike.

    ``None`` where there is no other order: fewer than three documents, or one document throughout.

    Raises
    ------
    InvalidInput
        If the story has fewer than two documents.

    Examples
    --------
    >>> shuffled([4, 7], rng=np.random.default_rng(0)) is None
    True
    """
    _check(story)
    if len(story) < 3 or len(set(story)) == 1:
        return None
    told = tuple(story)
    # At least a third of all orders are other ones, so that this ends soon.
    while (drawn := tuple(rng.permutation(story).tolist())) in {told, told[::-1]}:
        pass
    return drawn


def reversed_order(story: Sequence[int]) -> tuple[int, ...]:
    """Return the story from its last document to its first; `InvalidInput` below two documents.

    Examples
    --------
    >>> reversed_order([4, 7, 2])
    (2, 7, 4)
    """
    _check(story)
    return tuple(story[::-1])


def with_foreign(story: Sequence[int], foreign: int, *, rng: np.random.Generator) -> tuple[int, ...]:
    """Return the story with one document more, between two of its own at random: its ends stay.

    Raises
    ------
    InvalidInput
        If the story has fewer than two documents, or the foreign one among them.

    Examples
    --------
    >>> with_foreign([4, 7], 9, rng=np.random.default_rng(0))
    (4, 9, 7)
    """
    _check(story)
    if foreign in story:
        raise InvalidInput(f"a foreign document must not be in the story; {foreign} is.")
    place = int(rng.integers(1, len(story)))
    return (*story[:place], foreign, *story[place:])


def with_doubled(story: Sequence[int], *, rng: np.random.Generator) -> tuple[int, ...]:
    """Return the story with one of its documents, drawn at random, twice in a row; `InvalidInput` below two documents.

    Examples
    --------
    >>> with_doubled([4, 7, 2], rng=np.random.default_rng(0))
    (4, 7, 2, 2)
    """
    _check(story)
    place = int(rng.integers(len(story)))
    return (*story[: place + 1], *story[place:])


def most_foreign(graph: TrailGraph, story: Sequence[int]) -> int:
    """Return the document that has least to do with any of a story.

    It is the one outside the story whose strongest coherence with a document of the story is the smallest, ties by
    lower index. Dates, the floor and barred documents do not matter.

    Raises
    ------
    InvalidInput
        If no document is outside the story.

    Notes
    -----
    O(n · documents of the story) time, O(n) memory.
    """
    strongest = graph.strongest_with(story)
    strongest[list(story)] = np.inf
    if not (strongest < np.inf).any():
        raise InvalidInput(f"all {graph.n_documents} documents are in the story; there is no foreign one.")
    return int(strongest.argmin())


def _check(story: Sequence[int]) -> None:
    if len(story) < 2:
        raise InvalidInput(f"a story has at least 2 documents; got {len(story)}.")
