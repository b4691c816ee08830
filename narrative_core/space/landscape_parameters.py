"""How the landscape's settings adapt to a small collection."""

from dataclasses import replace

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters

SMALLEST_FOR_UMAP = 8
"""Below this many documents a neighbourhood graph says nothing that a linear projection does not."""

SMALLEST_CLUSTER = 3


def shrink_parameters(parameters: LandscapeParameters, n: int) -> tuple[LandscapeParameters, tuple[str, ...]]:
    """Settings that ``n`` documents can bear, and a sentence on what changed.

    At most n/4 dimensions (at least 2), n/4 neighbours (at least 2) and n/10 documents in the smallest topic (at
    least 3). The defaults hold from 192 documents on. Shrinking twice changes nothing more.

    Parameters
    ----------
    parameters : LandscapeParameters
    n : int
        Number of documents, at least 1.

    Returns
    -------
    tuple
        The parameters, and no notice or one.

    Raises
    ------
    InvalidInput
        If there is no document.

    Examples
    --------
    >>> shrink_parameters(LandscapeParameters(), 50)[0].n_neighbors
    12
    """
    if n < 1:
        raise InvalidInput(f"a landscape needs at least 1 document; got {n}. Import documents first.")
    smaller = replace(
        parameters,
        n_components=min(parameters.n_components, max(2, n // 4)),
        n_neighbors=min(parameters.n_neighbors, max(2, n // 4)),
        min_cluster_size=min(parameters.min_cluster_size, max(SMALLEST_CLUSTER, n // 10)),
    )
    if smaller == parameters:
        return parameters, ()
    return smaller, (_notice(parameters, smaller, n),)


def _notice(before: LandscapeParameters, after: LandscapeParameters, n: int) -> str:
    documents = "1 document" if n == 1 else f"{n} documents"
    if n < SMALLEST_FOR_UMAP:
        return f"With {documents} the map is a plain linear projection and topics are tentative."
    changes = [
        f"{new} {what} instead of {old}"
        for new, old, what in (
            (after.n_components, before.n_components, "dimensions"),
            (after.n_neighbors, before.n_neighbors, "neighbours"),
            (after.min_cluster_size, before.min_cluster_size, "documents in the smallest topic"),
        )
        if new != old
    ]
    return f"With {documents} the landscape uses {', '.join(changes)}."
