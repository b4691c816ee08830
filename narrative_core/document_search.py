"""Finding documents by what they say: best first, with the words that were looked for marked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.document_index import DocumentIndex
from narrative_core.document_query import Query, Snippet, Span, matching_spans, snippet

MOST_SIMILAR: Final = 50
TELLING_WORDS: Final = 20
"""Words of a document by which others like it are found where there are no vectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The documents that a query finds, best first: the one of that id, those with the words, those of that source.

    ``rows`` (n_found,) positions · ``scores`` (n_found,) BM25, 0 for a document that was found otherwise ·
    ``is_partial``: no document has all the words, so these have some of them.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float32]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found: its position, its score, and where headline and text have what was looked for."""

    row: int
    score: float
    title_spans: tuple[Span, ...]
    snippet: Snippet


@dataclass(frozen=True, slots=True, eq=False)
class Similar:
    """Documents like one of them, the most similar first, without itself.

    ``rows`` positions · ``likeness`` the cosine of the vectors, or BM25 of the document's telling words, which
    ``shared_words`` then names.
    """

    rows: NDArray[np.int64]
    likeness: NDArray[np.float32]
    shared_words: tuple[str, ...] = ()


def search(index: DocumentIndex, query: Query) -> Matches:
    """Return the documents that a query finds.

    All wanted phrases must occur; where no document has them all, those with some of them are found, and it is said.
    The document whose id was typed, and all of a source whose name was typed, are found as well.
    """
    n = len(index.documents)
    scores: NDArray[np.float32] = np.zeros(n, dtype=np.float32)
    is_found: NDArray[np.bool_] = np.zeros(n, dtype=bool)
    is_partial = False
    if query.wanted:
        each = np.array([index.match(phrase) for phrase in query.wanted])
        scores, is_found = each.sum(axis=0), np.all(each > 0, axis=0)
        if not is_found.any():
            is_found = np.any(each > 0, axis=0)
            is_partial = len(query.wanted) > 1 and bool(is_found.any())
    elif query.unwanted:
        is_found[:] = True
    for phrase in query.unwanted:
        is_found &= index.match(phrase) == 0
    is_named, is_of_source = _named(index, query)
    scores = np.where(is_found, scores, np.float32(0))
    rows = np.flatnonzero(is_found | is_named | is_of_source)
    order = np.lexsort((rows, -scores[rows], ~is_named[rows]))
    return Matches(rows[order], scores[rows[order]], is_partial)


def hits(index: DocumentIndex, query: Query, rows: Iterable[int], scores: Iterable[float]) -> tuple[Hit, ...]:
    """Return documents with the places of what was looked for in their headlines, and a piece of their texts."""
    return tuple(
        Hit(
            row,
            float(score),
            matching_spans(index.documents[row].title, query),
            snippet(index.documents[row].text, query),
        )
        for row, score in zip(rows, scores, strict=True)
    )


def similar_by_wording(vectors: NDArray[np.float32], row: int, *, limit: int = MOST_SIMILAR) -> Similar:
    """Return the documents whose vectors have the largest cosine with that of one; rows are those of ``vectors``."""
    likeness = (vectors @ vectors[row]).astype(np.float32)
    likeness[row] = -np.inf
    order = np.argsort(-likeness, kind="stable")[: min(limit, len(vectors) - 1)]
    return Similar(order, likeness[order])


def similar_by_words(index: DocumentIndex, row: int, *, limit: int = MOST_SIMILAR) -> Similar:
    """Return the documents that say most in the telling words of one; for collections without vectors.

    Telling are the words with the largest (1 + log f) · log(n / d), f times in the document and in d of n documents.
    """
    terms, counts = np.unique(index.words_of(row), return_counts=True)
    spread = index.spread[terms]
    weights = (1 + np.log(counts)) * np.log(len(index.documents) / np.maximum(spread, 1))
    weights[spread < 2] = 0.0
    telling = [int(terms[at]) for at in np.argsort(-weights, kind="stable")[:TELLING_WORDS] if weights[at] > 0]
    likeness = index.scores(telling)
    likeness[row] = 0
    order = np.argsort(-likeness, kind="stable")[:limit]
    order = order[likeness[order] > 0]
    return Similar(order, likeness[order], tuple(index.terms[term] for term in telling[:5]))


def _named(index: DocumentIndex, query: Query) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which document has the id that was typed, and which are of the source that was typed; shape (n,) each."""
    n, wanted = len(index.documents), query.text.casefold()
    is_named, is_of_source = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    if wanted:
        is_named[index.ids.get(wanted, [])] = True
        is_of_source[index.sources.get(wanted, [])] = True
    return is_named, is_of_source
