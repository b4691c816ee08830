"""Copies: documents with nearly the same text, such as one agency report in several papers.

Two texts are compared as sets of shingles, overlapping runs of four words (Broder 1997); titles and sources may differ.
Candidates are found by sketches, the smallest hash values of each set, and then compared in full.
"""

import datetime as dt
import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrative_core.records import Document
from narrative_core.time_axis import meant_days

SHINGLE_WORDS = 4
SAME_SHARE = 0.4
"""Share of shingles (Jaccard) from which two texts are copies.

Among 540 news articles every pair of agency reports that two papers edited lies at 0.40 or above, and the highest other
pair, two articles with one photograph's caption, at 0.38. A text cut to two fifths of its length still counts; a
quotation, or an excerpt in a live blog, does not.
"""

MOST_DAYS = 31
"""Days between copies: agency reports are reprinted within two weeks; a formula that returns years later is news."""

SHORT_WORDS = 20
"""Below this many words shingles say little, so that texts are copies only where title and text are the same."""

MOST_DAYS_SHORT = 3
FEWEST_WORDS = 4
"""A title of fewer words ("Weather") is a heading, not a text that somebody copied."""

SKETCH_SIZE = 64
SHARED_IN_SKETCH = 8
"""Values that two sketches share before the texts are compared; at a share of 0.4 they share some 25 or more."""

NEIGHBOURS = 20
"""How many earlier documents with the same shingle are looked at: what all documents have in common tells nothing."""

# Scripts that put no space between words are read letter by letter: Thai and Lao, Burmese, Khmer, kana, Han.
_WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|\\w+")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A document as it is compared: its shingles, sorted, each once, and the days that its date may mean."""

    shingles: Hashes
    is_short: bool
    first_day: dt.date | None
    last_day: dt.date | None


def group_copies(documents: Sequence[Document]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of documents with nearly the same text, by position.

    A document joins the group whose first document it shares at least 0.4 of its shingles with (Jaccard), at most 31
    days apart; the one that it shares most with where there are several. Only the first document of a group counts, so
    that a chain of small changes does not tie different texts together. Texts under 20 words join only where title and
    text are the same and at most 3 days lie between. Days are those that the dates leave room for; a document without
    a date joins by its text alone.

    Parameters
    ----------
    documents : sequence of Document
        In position order.

    Returns
    -------
    tuple of tuple of int
        Each group of two or more, positions rising, by first document.

    Notes
    -----
    About linear in the words of all texts. A pair at the threshold shares 25 values of two sketches on average, with a
    standard deviation of 4, and 8 are asked for: next to none is missed.

    References
    ----------
    Broder (1997), On the resemblance and containment of documents, Compression and Complexity of Sequences.

    Examples
    --------
    >>> report = "The dyke at the ford broke in the night and the whole town was under water by six, police said."
    >>> paper = [Document("a", "Flood", report), Document("b", "Fair", "The fair opens."), Document("c", "Wet", report)]
    >>> group_copies(paper)
    ((0, 2),)
    """
    hashes = _WordHashes()
    texts = [_read(document, hashes) for document in documents]
    earlier = _candidates(texts)
    first = list(range(len(texts)))
    groups: dict[int, list[int]] = {}
    for position, text in enumerate(texts):
        originals = sorted({first[other] for other in earlier[position]})
        shares = [_share(texts[original], text) for original in originals]
        if shares and max(shares) > 0:
            first[position] = originals[shares.index(max(shares))]
            groups.setdefault(first[position], [first[position]]).append(position)
    return tuple(tuple(groups[original]) for original in sorted(groups))


class _WordHashes(dict[str, int]):
    """Hash values of words, the same in every collection and session."""

    def __missing__(self, word: str) -> int:
        digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
        self[word] = int.from_bytes(digest, "little")
        return self[word]


def _read(document: Document, hashes: _WordHashes) -> _Text:
    words = _words(document.text)
    is_short = len(words) < SHORT_WORDS
    if is_short:
        words = [*_words(document.title), *words]
    if len(words) < FEWEST_WORDS:
        words = []
    values = np.fromiter(map(hashes.__getitem__, words), np.uint64, len(words))
    # A short text is one shingle: all of it or nothing.
    shingles = _shingles(values, len(values) if is_short else SHINGLE_WORDS)
    return _Text(shingles, is_short, *(meant_days(document) or (None, None)))


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _shingles(words: Hashes, width: int) -> Hashes:
    """Return the hash values of all runs of ``width`` words, sorted, each once; none where there is no word."""
    n = len(words) - width + 1 if len(words) else 0
    runs = np.zeros(n, np.uint64)
    for offset in range(width):
        runs = runs * _FACTOR + words[offset : offset + n]
    runs = (runs ^ (runs >> np.uint64(29))) * _MIX
    return np.unique(runs ^ (runs >> np.uint64(32)))


def _candidates(texts: Sequence[_Text]) -> defaultdict[int, list[int]]:
    """Return, for each position, the earlier ones whose sketch has enough in common with its own."""
    sketches = [text.shingles[:SKETCH_SIZE] for text in texts]
    positions = np.repeat(np.arange(len(texts)), [len(sketch) for sketch in sketches])
    values = np.concatenate([*sketches, np.zeros(0, np.uint64)])
    order = np.argsort(values, kind="stable")
    values, positions = values[order], positions[order]
    pairs = []
    for apart in range(1, NEIGHBOURS + 1):
        same = np.flatnonzero(values[apart:] == values[:-apart])
        pairs.append(positions[same + apart] * len(texts) + positions[same])
    found, shared = np.unique(np.concatenate(pairs), return_counts=True)
    earlier: defaultdict[int, list[int]] = defaultdict(list)
    for pair, n_shared in zip(found.tolist(), shared.tolist(), strict=True):
        later, other = divmod(pair, len(texts))
        if n_shared >= SHARED_IN_SKETCH or texts[later].is_short:
            earlier[later].append(other)
    return earlier


def _share(one: _Text, other: _Text) -> float:
    """Return the share of shingles that two texts have in common, 0 where they are no copies."""
    most_days = MOST_DAYS_SHORT if one.is_short else MOST_DAYS
    if one.is_short != other.is_short or _days_between(one, other) > most_days:
        return 0.0
    n_common = len(np.intersect1d(one.shingles, other.shingles, assume_unique=True))
    share = n_common / (len(one.shingles) + len(other.shingles) - n_common)
    return share if share >= SAME_SHARE else 0.0


def _days_between(one: _Text, other: _Text) -> int:
    """Return how many days lie between two dates at least, 0 where one has none."""
    if one.first_day is None or other.first_day is None or one.last_day is None or other.last_day is None:
        return 0
    return max(0, (other.first_day - one.last_day).days, (one.first_day - other.last_day).days)
