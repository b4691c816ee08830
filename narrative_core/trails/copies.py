"""Groups of copies: of documents with nearly the same text, a trail tells one."""

from collections.abc import Collection, Iterable, Sequence


def spare_copies(
    groups: Iterable[Sequence[int]], *, wanted: Collection[int], usable: Collection[int]
) -> frozenset[int]:
    """Return the documents that a trail has no use for, since another one of their group of copies is told.

    Of each group those that are wanted stay, however many. Where none is, the first that can be used stays; where none
    can, the first.

    Parameters
    ----------
    groups : iterable of sequence of int
        The documents of each group, the original first. A document is in at most one.
    wanted : collection of int
        Documents that the trail must hold: its ends and pins.
    usable : collection of int
        Documents that the trail could hold.

    Examples
    --------
    >>> sorted(spare_copies([(0, 3, 5), (1, 2)], wanted={5}, usable={0, 2, 3}))
    [0, 1, 3]
    """
    spare: set[int] = set()
    for group in groups:
        staying = [document for document in group if document in wanted]
        staying = staying or [document for document in group if document in usable][:1] or [group[0]]
        spare.update(group)
        spare.difference_update(staying)
    return frozenset(spare)
