"""What the lexical reader takes from a document: its terms, how rare each one is, and which of them are names."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from narrative_core.judgements import ShownStory
from narrative_core.judging.shown import lead_of, title_of
from narrative_core.records import Document

BEGINNING = 6
"""Terms with the same first six letters count as one ("protests", "protesters"), in any language that has letters."""

NAME_WEIGHT = 1.5
"""A shared name says more than a shared word that is as rare."""

COMMON = 0.1
"""A term of a rarity below this is too common in the collection to tie two documents (in 540: in more than 300)."""

TIE_SCALE: Mapping[str, float] = {"titles": 0.15, "dates": 0.15, "leads": 0.5}
"""Shared rarity at which a tie has 63 % of its full strength: forty words more share more by chance than a title."""

_HEADLINE_CASE = 0.7
_SEGMENT = re.compile(r"(?<=[.!?:;])\s+|(?:^|\s)[\"'“‘«„(\[]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How the texts of a collection are cut into terms, and how rare each one is.

    ``terms_of`` gives the terms of a text in order, stop words left out · ``document_frequency`` in how many of the
    ``n_documents`` of the collection each of them occurs; one that is missing counts as occurring in this story only.
    """

    terms_of: Callable[[str], Sequence[str]]
    document_frequency: Mapping[str, int]
    n_documents: int


@dataclass(frozen=True, slots=True)
class Term:
    """A term as a story has it. ``rarity`` in [0, 1]: 1 for one document of the collection, 0 for all."""

    written: str
    rarity: float
    is_name: bool

    @property
    def weight(self) -> float:
        """What sharing it says."""
        return self.rarity * (NAME_WEIGHT if self.is_name else 1.0)


@dataclass(frozen=True, slots=True)
class Reading:
    """The story as terms: what is read of each document and of its title, as keys, and what each key stands for."""

    documents: tuple[frozenset[str], ...]
    titles: tuple[frozenset[str], ...]
    terms: Mapping[str, Term]
    scale: float

    def shared(self, first: int, second: int) -> list[Term]:
        """Return the terms that two documents share: those in both titles first, then in one, then by weight."""

        def rank(key: str) -> tuple[int, float, str]:
            return -(key in self.titles[first]) - (key in self.titles[second]), -self.terms[key].weight, key

        return [self.terms[key] for key in sorted(self.documents[first] & self.documents[second], key=rank)]

    def tie(self, first: int, second: int) -> float:
        """Return how much two documents share: 1 − exp(−w / h), w their shared weight, h `TIE_SCALE`; in [0, 1]."""
        shared = self.documents[first] & self.documents[second]
        # fsum, since the order of a set differs from run to run and the last digit of a plain sum with it
        return 1 - math.exp(-math.fsum(self.terms[key].weight for key in shared) / self.scale)


def read_story(story: ShownStory, vocabulary: Vocabulary) -> Reading:
    """Return the terms of a story: of its titles, and of its leads where they are shown."""
    texts = [_title_and_lead(document, with_lead=story.shown == "leads") for document in story.documents]
    found = [{term for text in parts for term in vocabulary.terms_of(text)} for parts in texts]
    flat = [text for parts in texts for text in parts]
    written = _written_forms(flat, vocabulary.terms_of)
    names = {_key(term) for text in flat for word in names_in(text) for term in vocabulary.terms_of(word)}
    by_key: dict[str, set[str]] = {}
    for term in set().union(*found):
        by_key.setdefault(_key(term), set()).add(term)
    documents = tuple(frozenset(map(_key, terms)) for terms in found)
    titles = tuple(frozenset(map(_key, vocabulary.terms_of(title))) for title, _ in texts)
    here = Counter(key for keys in documents for key in keys)
    terms = {}
    for key, group in by_key.items():
        frequency = max(here[key], *(vocabulary.document_frequency.get(term, 0) for term in group))
        shown = min((written.get(term, term) for term in group), key=lambda word: (len(word), word))
        terms[key] = Term(shown, rarity(frequency, vocabulary.n_documents), key in names)
    return Reading(documents, titles, terms, TIE_SCALE[story.shown])


def rarity(frequency: int, n_documents: int) -> float:
    """Return how rare a term is: ln((n + 1) / (f + ½)) over its largest value, that of f = 1; within [0, 1].

    Examples
    --------
    >>> rarity(1, 540), round(rarity(60, 540), 2), round(rarity(540, 540), 4)
    (1.0, 0.37, 0.0002)
    """
    n = max(n_documents, 2)
    return min(max(math.log((n + 1) / (frequency + 0.5)) / math.log((n + 1) / 1.5), 0.0), 1.0)


def names_in(text: str) -> list[str]:
    """Return the capitalised words inside the sentences of a text.

    The first word of a sentence or quotation is capitalised anyway, and a headline that capitalises most words says
    nothing by it: neither gives names. Scripts without capitals give none.

    Examples
    --------
    >>> names_in("Rocket of the Soviet Union lifts Yuri Gagarin"), names_in("Man Walks On The Moon For Good")
    (['Soviet', 'Union', 'Yuri', 'Gagarin'], [])
    """
    names: list[str] = []
    for segment in _SEGMENT.split(text):
        words = _WORD.findall(segment)
        capitalised = [word for word in words if word[0].isupper()]
        if len(words) < 4 or len(capitalised) <= _HEADLINE_CASE * len(words):
            names.extend(word for word in words[1:] if word[0].isupper())
    return names


def _title_and_lead(document: Document, *, with_lead: bool) -> tuple[str, str]:
    title = title_of(document) if document.title.strip() else ""
    return title, lead_of(document) if with_lead else ""


def _written_forms(texts: Iterable[str], terms_of: Callable[[str], Sequence[str]]) -> dict[str, str]:
    """How each term is most often written; a term that is a part of a written word stands for itself."""
    counted: dict[str, Counter[str]] = {}
    for word in (word for text in texts for word in _WORD.findall(text)):
        terms = terms_of(word)
        if len(terms) == 1:
            counted.setdefault(terms[0], Counter())[word] += 1
    return {term: min(forms, key=lambda word: (-forms[word], word)) for term, forms in counted.items()}


def _key(term: str) -> str:
    return term[:BEGINNING]
