"""How strongly two documents hang together: θ = √(S · T).

S is the angular similarity of the vectors, T the similarity of the topic memberships. u and v are documents, p and q
their memberships normalised to sum 1, as in the papers.

References
----------
Keith and Mitra (2020), Narrative Maps. Keith (2025), "LLM-as-a-judge approaches as proxies for
mathematical coherence in narrative extraction", equation 1.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import Divergence, Progress

_BLOCK_ENTRIES = 1 << 20
_PAIRS_AT_ONCE = 1 << 14
_NEARLY_EQUAL = 1e-8
_TINY = float(np.finfo(np.float64).tiny)
_LN2 = float(np.log(2.0))
_DISTANCES: dict[Divergence, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "root": np.sqrt,
    "plain": lambda divergence: divergence,
    "base2": lambda divergence: np.sqrt(divergence / _LN2),
}


def coherence_matrix(
    vectors: ArrayLike,
    memberships: ArrayLike,
    *,
    divergence: Divergence = "root",
    progress: Progress = lambda done, total: None,
) -> NDArray[np.float64]:
    """Return the coherence θ of every pair of documents.

    θ(u, v) = √(S(u, v) · T(u, v)), with the diagonal set to 0: a document is not a step from itself.

    Parameters
    ----------
    vectors : array_like, shape (n, d)
        Embeddings; rows are scaled to unit length here, whatever their type.
    memberships : array_like, shape (n, k)
        Soft topic memberships ≥ 0. A row that is all zero or has a nan counts as uniform; with k < 2 topics T is 1.
    divergence : {"root", "plain", "base2"}
        D in T = 1 − D: √JSD in nats, JSD in nats, or √JSD in bits.
    progress : callable
        Told how many blocks of rows are done; what it raises ends the work.

    Returns
    -------
    ndarray, shape (n, n)
        Symmetric, in [0, 1], never nan.

    Raises
    ------
    InvalidInput
        If shapes do not fit, a vector is zero or not finite, a membership is negative, or the divergence is unknown.

    Notes
    -----
    O(n² (d + k)) time; memory is the result and a few blocks of rows. Rows are shared out over threads.

    Examples
    --------
    >>> vectors, memberships = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    >>> coherence_matrix(vectors, memberships).round(3)
    array([[0.   , 1.   , 0.289],
           [1.   , 0.   , 0.289],
           [0.289, 0.289, 0.   ]])
    """
    units = unit_rows(vectors)
    shares = membership_shares(memberships)
    _check_pairing(units, shares, divergence)
    n = len(units)
    coherence = np.empty((n, n), dtype=np.float64)
    entropies = _negative_entropies(shares)

    def fill(start: int, stop: int) -> None:
        block = angular_similarity(units[start:stop], units[start:])
        block *= _topic_similarity(
            shares[start:stop], shares[start:], entropies[start:stop], entropies[start:], divergence
        )
        np.sqrt(block, out=block)
        coherence[start:stop, start:] = block
        coherence[start:, start:stop] = block.T

    height = max(1, _BLOCK_ENTRIES // max(n, 1))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        blocks = [pool.submit(fill, start, min(start + height, n)) for start in range(0, n, height)]
        try:
            for done, block in enumerate(blocks, start=1):
                block.result()
                progress(done, len(blocks))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    np.fill_diagonal(coherence, 0.0)
    return coherence


def link_similarities(
    vectors: ArrayLike, memberships: ArrayLike, *, divergence: Divergence = "root"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return S and T of each step of a chain, whose documents are the rows.

    Parameters
    ----------
    vectors : array_like, shape (m, d)
        Embeddings in story order.
    memberships : array_like, shape (m, k)
        Soft memberships in story order.
    divergence : {"root", "plain", "base2"}
        As in `coherence_matrix`.

    Returns
    -------
    wording, topic : ndarray, shape (m − 1,)
        Angular similarity and topic similarity of rows i and i + 1; √(wording · topic) is θ.
    """
    units, shares = unit_rows(vectors), membership_shares(memberships)
    _check_pairing(units, shares, divergence)
    cosines = np.einsum("ij,ij->i", units[:-1], units[1:])
    entropies = _negative_entropies(shares)
    topic = [
        _topic_similarity(
            shares[i : i + 1], shares[i + 1 : i + 2], entropies[i : i + 1], entropies[i + 1 : i + 2], divergence
        )
        for i in range(len(shares) - 1)
    ]
    return _angle_similarity(cosines), np.array(topic, dtype=np.float64).reshape(-1)


def angular_similarity(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return S = 1 − arccos(clip(cos, −1, 1)) / π of unit rows, shape (len(left), len(right))."""
    return _angle_similarity(left @ right.T)


def unit_rows(vectors: ArrayLike) -> NDArray[np.float64]:
    """Return the vectors as float64 rows of length 1.

    Raises
    ------
    InvalidInput
        If the array is not two-dimensional, or a row is zero or not finite.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2:
        raise InvalidInput(f"vectors must be a table of shape (documents, dimensions); got shape {rows.shape}.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(lengths[:, 0]) | (lengths[:, 0] == 0))
    if bad.size:
        raise InvalidInput(
            f"vectors must be finite and not zero; row {bad[0]} is not ({bad.size} such rows). "
            "Embed those documents again."
        )
    units: NDArray[np.float64] = rows / lengths
    return units


def membership_shares(memberships: ArrayLike) -> NDArray[np.float64]:
    """Return the memberships with every row summing to 1; unusable rows (all zero, or with nan) become uniform.

    Raises
    ------
    InvalidInput
        If the array is not two-dimensional or has a negative or infinite entry.
    """
    rows = np.array(memberships, dtype=np.float64)
    if rows.ndim != 2:
        raise InvalidInput(f"memberships must be a table of shape (documents, topics); got shape {rows.shape}.")
    if np.any(rows < 0) or np.any(np.isinf(rows)):
        raise InvalidInput("memberships must be finite and at least 0; cluster the collection again.")
    rows[degenerate_rows(rows)] = 1.0
    return rows / rows.sum(axis=1, keepdims=True) if rows.shape[1] else rows


def degenerate_rows(memberships: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return, for each document, whether its memberships say nothing: all zero, or with a nan; shape (n,)."""
    totals = memberships.sum(axis=1)
    degenerate: NDArray[np.bool_] = np.isnan(totals) | (totals == 0)
    return degenerate


def _angle_similarity(cosines: NDArray[np.float64]) -> NDArray[np.float64]:
    similarity = np.clip(cosines, -1.0, 1.0)
    np.arccos(similarity, out=similarity)
    similarity /= -np.pi
    similarity += 1.0
    return similarity


def _topic_similarity(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    left_entropies: NDArray[np.float64],
    right_entropies: NDArray[np.float64],
    divergence: Divergence,
) -> NDArray[np.float64]:
    """Return T = 1 − D of all pairs of rows, from JSD(p, q) = H((p + q) / 2) − (H(p) + H(q)) / 2.

    The mixture's entropy is summed topic by topic, so that no (n, n, k) array is ever made. Where p ≈ q the difference
    of entropies is all rounding, which the square root would blow up to 1e-8: those pairs are computed directly.
    """
    if left.shape[1] < 2:
        return np.ones((len(left), len(right)))
    jsd = 0.5 * (left_entropies[:, None] + right_entropies[None, :])
    mixture, logs = np.empty_like(jsd), np.empty_like(jsd)
    for p, q in zip(left.T, right.T, strict=True):
        np.add(0.5 * p[:, None], 0.5 * q[None, :], out=mixture)
        np.log(np.maximum(mixture, _TINY, out=logs), out=logs)
        jsd -= np.multiply(logs, mixture, out=logs)
    rows, columns = np.nonzero(jsd < _NEARLY_EQUAL)
    for start in range(0, len(rows), _PAIRS_AT_ONCE):
        i, j = rows[start : start + _PAIRS_AT_ONCE], columns[start : start + _PAIRS_AT_ONCE]
        jsd[i, j] = _paired_divergence(left[i], right[j])
    np.clip(jsd, 0.0, _LN2, out=jsd)
    return 1.0 - _DISTANCES[divergence](jsd)


def _paired_divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return JSD in nats of row i of p and row i of q, exactly 0 where they are equal.

    JSD = Σ m/2 · [(1+δ) ln(1+δ) + (1−δ) ln(1−δ)] with m = (p + q) / 2 and δ = (p − q) / (p + q).
    """
    mean = 0.5 * (p + q)
    delta = np.divide(0.5 * (p - q), mean, out=np.zeros_like(mean), where=mean > 0)
    inner = np.zeros_like(delta)
    for sign in (1.0, -1.0):
        share = 1.0 + sign * delta
        inner += share * np.log1p(sign * delta, out=np.zeros_like(delta), where=share > 0)
    divergence: NDArray[np.float64] = np.einsum("ij,ij->i", 0.5 * mean, inner)
    return divergence


def _negative_entropies(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ p ln p of each row, with 0 ln 0 = 0."""
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    sums: NDArray[np.float64] = np.einsum("ij,ij->i", shares, logs)
    return sums


def _check_pairing(units: NDArray[np.float64], shares: NDArray[np.float64], divergence: Divergence) -> None:
    if len(units) != len(shares):
        raise InvalidInput(
            f"vectors and memberships must be of the same documents; got {len(units)} and {len(shares)} rows."
        )
    if divergence not in _DISTANCES:
        raise InvalidInput(f"divergence must be one of {', '.join(_DISTANCES)}; got {divergence!r}.")
