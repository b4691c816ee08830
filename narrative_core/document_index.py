"""The words of all documents of a collection: which documents have them, and how much that says."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.document_query import Phrase, is_character
from narrative_core.records import Document
from narrative_core.space.search_words import search_forms, search_term

TITLE_WEIGHT: Final = 3
"""A word of the headline counts as much as so many of the text."""

OPEN_WEIGHT: Final = 0.1
"""What a word counts that only begins like the one that was typed."""

_GAP: Final = -1
"""Stands between headline and text, and between documents: no phrase goes across."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentIndex:
    """The words of a collection's documents; row = position of the document in ``documents``.

    ``forms`` are all forms of words, sorted, and ``term_of`` (n_forms,) the number of the term that each counts as ·
    ``words`` are the terms of all documents one behind the other, −1 between headline and text, and ``starts`` (n + 1,)
    where each document begins · ``spread`` (n_terms,) is in how many documents a term occurs · ``ranking`` is BM25 over
    them, ``None`` where no document has a word · ``ids`` and ``sources`` give rows by casefolded id and source.
    """

    documents: tuple[Document, ...]
    forms: tuple[str, ...]
    terms: tuple[str, ...]
    term_of: NDArray[np.int32]
    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    spread: NDArray[np.int64]
    ranking: Any
    ids: Mapping[str, list[int]]
    sources: Mapping[str, list[int]]

    def terms_like(self, phrase: Phrase) -> list[int]:
        """Return the terms that the last word of a phrase can be; none where no document has it."""
        last = phrase.forms[-1]
        exact = self._term(last)
        found = {} if exact is None else {exact: None}
        if phrase.is_open and is_character(last):
            found |= dict.fromkeys(int(self.term_of[at]) for at, form in enumerate(self.forms) if last in form)
        elif phrase.is_open:
            among = self.forms_from(last)
            found |= dict.fromkeys(self.term_of[among.start : among.stop].tolist())
        return list(found)

    def forms_from(self, beginning: str) -> range:
        """Return the positions of the forms that begin with some letters."""
        return range(bisect_left(self.forms, beginning), bisect_left(self.forms, beginning + "\U0010ffff"))

    def scores(self, terms: Sequence[int]) -> NDArray[np.float32]:
        """Return how much documents say of some terms by BM25; shape (n,), 0 where one has none of them."""
        if self.ranking is None or not terms:
            return np.zeros(len(self.documents), dtype=np.float32)
        found: NDArray[np.float32] = self.ranking.get_scores(list(terms))
        return found

    def match(self, phrase: Phrase) -> NDArray[np.float32]:
        """Return how much documents say of a phrase; shape (n,), 0 where one does not have it."""
        likely = self.terms_like(phrase)
        exact = self._term(phrase.forms[-1])
        scores = self.scores([term for term in likely if term == exact])
        scores = scores + np.float32(OPEN_WEIGHT) * self.scores([term for term in likely if term != exact])
        if len(phrase.forms) == 1:
            return scores
        before = [self._term(form) for form in phrase.forms[:-1]]
        known = [term for term in before if term is not None]
        if len(known) < len(before) or not likely:
            return np.zeros_like(scores)
        return np.where(self._side_by_side(known, likely), scores + self.scores(known), np.float32(0))

    def words_of(self, row: int) -> NDArray[np.int32]:
        """Return the terms of one document in order, repeats included."""
        all_words = self.words[self.starts[row] : self.starts[row + 1]]
        found: NDArray[np.int32] = all_words[all_words != _GAP]
        return found

    def _term(self, form: str) -> int | None:
        at = bisect_left(self.terms, search_term(form))
        return at if at < len(self.terms) and self.terms[at] == search_term(form) else None

    def _side_by_side(self, before: Sequence[int], last: Sequence[int]) -> NDArray[np.bool_]:
        """Return which documents have terms in this order side by side, the last being any of several; shape (n,)."""
        places = np.flatnonzero(self.words[: len(self.words) - len(before)] == before[0])
        for step, term in enumerate(before[1:], start=1):
            places = places[self.words[places + step] == term]
        places = places[np.isin(self.words[places + len(before)], np.asarray(last, dtype=np.int32))]
        has = np.zeros(len(self.documents), dtype=bool)
        has[np.searchsorted(self.starts, places, side="right") - 1] = True
        return has


def index_documents(documents: Sequence[Document]) -> DocumentIndex:
    """Return the index of some documents.

    Notes
    -----
    One pass over all words, some seconds for ten million; about 4 bytes a word stay in memory beside the ranking.
    """
    numbers, cut = _numbered([(document.title, document.text) for document in documents])
    forms = sorted(numbers)
    terms = sorted({search_term(form) for form in forms})
    places = {term: at for at, term in enumerate(terms)}
    of_number = np.zeros(len(numbers), dtype=np.int32)
    for form, number in numbers.items():
        of_number[number] = places[search_term(form)]
    parts = [of_number[np.asarray(part, dtype=np.int64)] for part in cut]
    gap = np.array([_GAP], dtype=np.int32)
    pieces = [piece for part in parts for piece in (part, gap)]
    lengths = [len(title) + len(text) + 2 for title, text in zip(parts[::2], parts[1::2], strict=True)]
    return DocumentIndex(
        documents=tuple(documents),
        forms=tuple(forms),
        terms=tuple(terms),
        term_of=np.array([places[search_term(form)] for form in forms], dtype=np.int32),
        words=np.concatenate(pieces) if pieces else gap,
        starts=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
        spread=_spread(parts, len(terms)),
        ranking=_ranking(parts, places),
        ids=_rows_by(document.document_id for document in documents),
        sources=_rows_by(document.source for document in documents),
    )


def _rows_by(names: Iterable[str]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name.casefold(), []).append(row)
    return rows


def _numbered(pairs: Sequence[tuple[str, str]]) -> tuple[dict[str, int], list["array[int]"]]:
    """Return a number for each form, and the headline and the text of each document as such numbers."""
    numbers: dict[str, int] = {}
    cut = [
        array("i", [numbers.setdefault(form, len(numbers)) for form in search_forms(part)])
        for pair in pairs
        for part in pair
    ]
    return numbers, cut


def _spread(parts: Sequence[NDArray[np.int32]], n_terms: int) -> NDArray[np.int64]:
    counts = np.zeros(n_terms, dtype=np.int64)
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        counts[np.unique(np.concatenate([title, text]))] += 1
    return counts


def _ranking(parts: Sequence[NDArray[np.int32]], places: dict[str, int]) -> Any:  # noqa: ANN401  a BM25 without types
    if not places:
        return None
    from bm25s import BM25

    ranking = BM25()
    weighted = [
        array("i", np.concatenate([np.tile(title, TITLE_WEIGHT), text]).tolist())
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    ranking.index((weighted, places), create_empty_token=False, show_progress=False)
    return ranking
