"""How much memory a build takes, told and checked before it begins."""

from typing import Final

from narrative_core.errors import InvalidInput
from narrative_core.free_memory import available_memory

PROGRAMS: Final = 900_000_000
"""Bytes of this process and of the two that compute beside it, before they hold a document."""

PER_PAIR: Final = 12
"""Bytes for each pair of documents: 8 for its coherence, and what computing it, or a dense neighbourhood, takes."""

COPIES_OF_VECTORS: Final = 6
"""How often the vectors are in memory at once: here, on the way, and in both processes beside this one."""

TYPICAL_DIMENSIONS: Final = 1536
"""Of vectors that are not made yet: those of a common endpoint; the local model's are shorter."""


def build_memory(n_documents: int, n_dimensions: int = 0) -> int:
    """Return about how many bytes of memory a build needs at its peak.

    Parameters
    ----------
    n_documents : int
    n_dimensions : int
        Length of the vectors; 0 where they are not made yet.

    Notes
    -----
    Measured: θ of all pairs takes 8 n² bytes and 110 MB beside them; a child process 340 MB for its libraries, and
    about 11 n² up to 4,096 documents, where its neighbours are exact.

    Examples
    --------
    >>> f"{build_memory(15_000, 256) / 1e9:.1f} GB"
    '3.7 GB'
    """
    n_numbers = n_documents * (n_dimensions or TYPICAL_DIMENSIONS)
    return PROGRAMS + PER_PAIR * n_documents**2 + COPIES_OF_VECTORS * 4 * n_numbers


def require_memory(name: str, n_documents: int, n_dimensions: int = 0) -> None:
    """Raise `InvalidInput`, with the numbers, where a build needs more memory than there is.

    The programs' own part does not count here: the system may set others aside for it, but not for a matrix.
    """
    needed, available = build_memory(n_documents, n_dimensions), available_memory()
    if available is not None and needed - PROGRAMS > available:
        raise InvalidInput(
            f"The collection {name} has {n_documents:,} documents; its landscape needs about {needed / 1e9:.1f} GB of "
            f"memory, and {available / 1e9:.1f} GB are free. Close other programs, or use fewer documents."
        )
