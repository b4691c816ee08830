"""From vectors to the space that topics are found in, and to the map that is looked at."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters, Progress
from narrative_core.space.landscape_parameters import SMALLEST_FOR_UMAP, shrink_parameters

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
_ROUNDS = 20


def project(
    vectors: NDArray[np.floating], parameters: LandscapeParameters, *, progress: Progress | None = None
) -> NDArray[np.float32]:
    """Vectors in the few dimensions that topics are found in, by UMAP.

    Parameters
    ----------
    vectors : (n, d) float of any precision
        Finite; unit rows for the cosine metric.
    parameters : LandscapeParameters
        Shrunk to n documents by `shrink_parameters` if they are not yet.
    progress : callable, optional
        Called with epochs done and epochs in all while the layout is optimised.

    Returns
    -------
    (n, n_components) float32
        Always finite. With fewer than eight distinct vectors their principal components; zeros where all are equal.

    Raises
    ------
    InvalidInput
        If ``vectors`` is not a finite table with at least one row.

    Notes
    -----
    The seed makes it repeatable on one machine and library version, not across machines: that is why a landscape is
    stored. Above 4,096 documents neighbours are approximate.

    References
    ----------
    McInnes, Healy and Melville (2018), UMAP: uniform manifold approximation and projection, arXiv:1802.03426.
    """
    return _reduce(vectors, parameters, progress).astype(np.float32)


def lay_out(
    vectors: NDArray[np.floating], parameters: LandscapeParameters, *, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Map coordinates of the vectors, (n, 2) float64, by a second UMAP with ``map_min_dist``.

    As `project` in all else, but documents that would share one place stand in a small spiral around it, so that each
    can be picked.
    """
    two = replace(parameters, n_components=2, min_dist=parameters.map_min_dist)
    return _fanned_out(_reduce(vectors, two, progress))


def _reduce(
    vectors: NDArray[np.floating], parameters: LandscapeParameters, progress: Progress | None
) -> NDArray[np.float64]:
    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise InvalidInput(f"vectors must be a finite table with at least one row; got shape {rows.shape}.")
    parameters, _ = shrink_parameters(parameters, len(rows))
    if len(np.unique(rows, axis=0)) < SMALLEST_FOR_UMAP:
        return _principal_components(rows, parameters.n_components)
    reduced = _umap(rows, parameters, progress)
    if not np.isfinite(reduced).all():
        return _principal_components(rows, parameters.n_components)
    return reduced


def _umap(rows: NDArray[np.float32], parameters: LandscapeParameters, progress: Progress | None) -> NDArray[np.float64]:
    with quiet_umap(progress) as bar:
        from umap import UMAP

        model = UMAP(
            n_components=parameters.n_components,
            n_neighbors=parameters.n_neighbors,
            min_dist=parameters.min_dist,
            metric=parameters.metric,
            random_state=parameters.seed,
            n_jobs=1,
            tqdm_kwds=bar,
        )
        return np.asarray(model.fit_transform(rows), dtype=np.float64)


@contextmanager
def quiet_umap(progress: Progress | None) -> Iterator[dict[str, Any]]:
    """The settings of UMAP's progress bar that make it call ``progress``; its warnings are kept back meanwhile."""
    reader = _EpochReader(progress) if progress is not None else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if reader is None:
                yield {"disable": True}
            else:
                yield {"disable": False, "file": reader, "bar_format": "{n_fmt}/{total_fmt}", "mininterval": 0.2}
        finally:
            if reader is not None and reader.is_stopped:
                _let_go_of_the_bar()


def _let_go_of_the_bar() -> None:
    # tqdm does not release its lock where writing raises, and every later bar in another thread would wait for it.
    from tqdm.std import tqdm

    tqdm.get_lock().release()


class _EpochReader:
    """A text file for UMAP's progress bar that reads "12/500" and calls ``progress(12, 500)``."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.is_stopped = False

    def write(self, text: str) -> None:
        if found := re.search(r"(\d+)/(\d+)", text):
            try:
                self._progress(int(found[1]), int(found[2]))
            except BaseException:
                self.is_stopped = True
                raise

    def flush(self) -> None:
        """Nothing is held back."""


def _principal_components(rows: NDArray[np.float32], n_components: int) -> NDArray[np.float64]:
    """The first principal components by singular value decomposition, the missing ones zero, signs fixed."""
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    components = np.zeros((len(rows), n_components))
    if np.ptp(rows, axis=0).any():
        left, strengths, _ = np.linalg.svd(centred, full_matrices=False)
        kept = min(n_components, len(strengths))
        left = left[:, :kept]
        signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(kept)])
        components[:, :kept] = left * strengths[:kept] * np.where(signs == 0, 1, signs)
    # Rounding would set equal rows a little apart.
    _, first, same = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return components[first[same]]


def _fanned_out(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """The positions, with those that coincide on a spiral around their place, a hundredth of the map apart."""
    return fan_out(np.empty((0, 2)), positions)


def fan_out(standing: NDArray[np.float64], arriving: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map coordinates (m, 2) of arriving documents, none of which takes another's place.

    Those that would coincide stand on a spiral around their place, a hundredth of the map apart, in its middle the one
    that was there first; the standing ones (n, 2) keep their places.
    """
    positions = np.concatenate([standing, arriving])
    step = 0.01 * float(np.ptp(positions, axis=0).max(initial=0.0)) or 1.0
    # A place on a spiral may be taken as well.
    for _ in range(_ROUNDS):
        _, place, size = np.unique(positions, axis=0, return_inverse=True, return_counts=True)
        for shared in np.flatnonzero(size > 1):
            members = np.flatnonzero(place == shared)
            moved = members >= len(standing)
            positions[members[moved]] += step * _spiral(len(members))[moved]
        if not (size > 1).any():
            break
    return positions[len(standing) :]


def _spiral(n: int) -> NDArray[np.float64]:
    """n points evenly over a disc around the origin, the first in its middle."""
    turns = np.arange(n)
    radius = np.sqrt(turns)
    return np.column_stack([radius * np.cos(turns * GOLDEN_ANGLE), radius * np.sin(turns * GOLDEN_ANGLE)])
