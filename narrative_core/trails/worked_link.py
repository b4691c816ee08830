"""One link worked out step by step, for whoever wants to follow the coherence of two documents with a pencil.

u and v are the two documents, p and q their memberships normalised to sum 1, m their mean, as in `coherence`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import Divergence
from narrative_core.trails.coherence import link_similarities, membership_shares


@dataclass(frozen=True, slots=True)
class WorkedLink:
    """Every number between two documents and their coherence.

    ``angle_deg`` between the vectors, 0 to 180 · ``wording_similarity`` S = 1 − angle / 180 · ``shares`` and
    ``other_shares`` p and q · ``mixture`` m = (p + q) / 2 · ``spread``, ``other_spread`` and ``mixture_spread`` their
    entropies H in nats · ``divergence`` JSD = H(m) − (H(p) + H(q)) / 2 · ``distance`` D · ``topic_similarity``
    T = 1 − D · ``coherence`` θ = √(S · T).
    """

    angle_deg: float
    wording_similarity: float
    shares: tuple[float, ...]
    other_shares: tuple[float, ...]
    mixture: tuple[float, ...]
    spread: float
    other_spread: float
    mixture_spread: float
    divergence: float
    distance: float
    topic_similarity: float
    coherence: float


def work_out_link(vectors: ArrayLike, memberships: ArrayLike, *, divergence: Divergence = "root") -> WorkedLink:
    """Return the steps from two documents to their coherence.

    S and T are those of `link_similarities`; the other numbers lead to them.

    Parameters
    ----------
    vectors : array_like, shape (2, d)
    memberships : array_like, shape (2, k)
    divergence : {"root", "plain", "base2"}
        As in `coherence_matrix`.

    Raises
    ------
    InvalidInput
        If there are not exactly two documents.

    Examples
    --------
    >>> link = work_out_link([[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.5, 0.5]])
    >>> round(link.angle_deg), round(link.divergence, 4), round(link.topic_similarity, 4), round(link.coherence, 4)
    (90, 0.2158, 0.5355, 0.5174)
    """
    if len(np.asarray(vectors)) != 2:
        raise InvalidInput(f"a link is worked out between two documents; got {len(np.asarray(vectors))}.")
    wording, topic = link_similarities(vectors, memberships, divergence=divergence)
    p, q = membership_shares(memberships)
    mixture = (p + q) / 2
    spreads = [_entropy(shares) for shares in (p, q, mixture)]
    return WorkedLink(
        angle_deg=180.0 * (1.0 - float(wording[0])),
        wording_similarity=float(wording[0]),
        shares=tuple(p.tolist()),
        other_shares=tuple(q.tolist()),
        mixture=tuple(mixture.tolist()),
        spread=spreads[0],
        other_spread=spreads[1],
        mixture_spread=spreads[2],
        divergence=max(0.0, spreads[2] - (spreads[0] + spreads[1]) / 2),
        distance=1.0 - float(topic[0]),
        topic_similarity=float(topic[0]),
        coherence=float(np.sqrt(wording[0] * topic[0])),
    )


def _entropy(shares: NDArray[np.float64]) -> float:
    """Return −Σ p ln p, with 0 ln 0 = 0."""
    present = shares[shares > 0]
    return max(0.0, -float(present @ np.log(present)))  # in this order, −0.0 becomes 0.0
