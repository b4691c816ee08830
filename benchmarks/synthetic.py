"""Made-up collections of any size: 30 topics, soft memberships, vectors that follow them, dates over 20 years."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

N_TOPICS = 30
N_DIMENSIONS = 256
FIRST_DATE = dt.date(2000, 1, 1)
N_DAYS = 20 * 365
_WORDS_PER_TOPIC = 400
_COMMON_WORDS = 3000


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """What both routes start from, row = document in date order, and the pairs to ask for.

    ``vectors`` (n, d) float32 · ``memberships`` (n, k) float64 · ``days`` (n,) days since 1970-01-01 · ``pairs`` (m, 2)
    row numbers, the earlier one first.
    """

    vectors: NDArray[np.float32]
    memberships: NDArray[np.float64]
    days: NDArray[np.float64]
    pairs: NDArray[np.intp]

    def save(self, path: Path) -> None:
        """Write all four arrays to one file."""
        np.savez(path, vectors=self.vectors, memberships=self.memberships, days=self.days, pairs=self.pairs)

    @classmethod
    def load(cls, path: Path) -> "Arrays":
        """Return what `save` wrote."""
        with np.load(path) as arrays:
            return cls(arrays["vectors"], arrays["memberships"], arrays["days"], arrays["pairs"])


def synthetic_arrays(n: int, *, n_pairs: int, seed: int) -> Arrays:
    """Return a clustered collection of ``n`` documents.

    Topics are of uneven size (Zipf). Memberships are Dirichlet, peaked at the document's own topic; a vector is the
    same mixture of topic centres, plus what all documents share and noise, of which some documents have much. Several
    documents may share a day. A quarter to a third of all pairs are at or above the critical coherence (half of them
    in the reference news), and nearly all pairs of endpoints have a trail.
    """
    rng = np.random.default_rng(seed)
    sizes = 1.0 / np.arange(1, N_TOPICS + 1)
    topics = rng.choice(N_TOPICS, size=n, p=sizes / sizes.sum())
    concentration = np.full((n, N_TOPICS), 0.3)
    concentration[np.arange(n), topics] = 1.0
    memberships = rng.standard_gamma(concentration) + 1e-9
    memberships /= memberships.sum(axis=1, keepdims=True)
    centres, shared = rng.normal(size=(N_TOPICS, N_DIMENSIONS)), rng.normal(size=N_DIMENSIONS)
    noise = 1.5 * rng.lognormal(size=(n, 1)) * rng.normal(size=(n, N_DIMENSIONS))
    vectors = memberships @ centres + 0.7 * shared + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = np.sort(rng.integers(N_DAYS, size=n)) + (FIRST_DATE - dt.date(1970, 1, 1)).days
    return Arrays(vectors.astype(np.float32), memberships, days.astype(np.float64), random_pairs(n, n_pairs, rng))


def news_arrays(folder: Path, *, n_pairs: int, seed: int) -> Arrays:
    """Return the reference news collection; its documents are in date order."""
    import pandas as pd

    documents = pd.read_csv(folder / "documents.csv", usecols=["date"])
    days = documents["date"].to_numpy(dtype="datetime64[D]").astype(np.int64).astype(np.float64)
    vectors, memberships = np.load(folder / "vectors.npy"), np.load(folder / "memberships.npy")
    return Arrays(vectors, memberships, days, random_pairs(len(days), n_pairs, np.random.default_rng(seed)))


def random_pairs(n: int, n_pairs: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return pairs of different rows, the earlier one first; shape (n_pairs, 2)."""
    return np.sort([rng.choice(n, size=2, replace=False) for _ in range(n_pairs)], axis=1)


def synthetic_texts(topics: NDArray[np.intp], *, n_words: int, seed: int) -> list[str]:
    """Return a text for each document: words of its topic and common words, the frequent ones more often."""
    rng = np.random.default_rng(seed)
    own = 1.0 / np.arange(1, _WORDS_PER_TOPIC + 1)
    common = 1.0 / np.arange(1, _COMMON_WORDS + 1)
    texts = []
    for topic in topics.tolist():
        mine = rng.choice(_WORDS_PER_TOPIC, size=n_words // 3, p=own / own.sum()) + 10_000 * (topic + 1)
        shared = rng.choice(_COMMON_WORDS, size=n_words - n_words // 3, p=common / common.sum())
        texts.append(" ".join(_word(number) for number in rng.permutation(np.concatenate([mine, shared])).tolist()))
    return texts


def _word(number: int) -> str:
    """Return a pronounceable word, a different one for each number."""
    word = ""
    while number or len(word) < 4:
        number, digit = divmod(number, 70)
        word += "bcdfghklmnprst"[digit % 14] + "aeiou"[digit // 14]
    return word
