"""Words that no document has, in the spelling of the nearest word that one has."""

from difflib import SequenceMatcher
from typing import Final

from narrative_core.document_index import DocumentIndex
from narrative_core.document_query import Phrase, Query
from narrative_core.space.search_words import placed_words

CLOSEST: Final = 0.75
"""Likeness, 2 · common letters / all letters, from which a word is taken for a misspelt one."""

_SHORTEST: Final = 4
_LENGTHS: Final = 2


def respelled(index: DocumentIndex, query: Query) -> str:
    """Return a query with each wanted word that no document has in its nearest spelling; "" where none has one.

    A word is looked for among those with the same first letter and about as long. Of equally near ones, the one that
    more documents have is taken.

    Parameters
    ----------
    index : DocumentIndex
    query : Query
        Words to leave out are left as they are.
    """
    nearest = {form: _nearest(index, form) for form in _unknown(index, query)}
    text, is_changed = query.text, False
    for word in reversed(placed_words(text)):
        if nearest.get(word.form):
            text, is_changed = text[: word.first] + nearest[word.form] + text[word.last :], True
    return text if is_changed else ""


def _unknown(index: DocumentIndex, query: Query) -> list[str]:
    closed = (form for phrase in query.wanted for form in (phrase.forms[:-1] if phrase.is_open else phrase.forms))
    begun = (phrase for phrase in query.wanted if phrase.is_open)
    return [
        *(form for form in closed if not index.terms_like(Phrase((form,)))),
        *(phrase.forms[-1] for phrase in begun if not index.terms_like(phrase)),
    ]


def _nearest(index: DocumentIndex, form: str) -> str:
    if len(form) < _SHORTEST:
        return ""
    likeness = SequenceMatcher(b=form, autojunk=False)
    found: list[tuple[float, int, str]] = []
    for at in index.forms_from(form[0]):
        other = index.forms[at]
        if abs(len(other) - len(form)) > _LENGTHS:
            continue
        likeness.set_seq1(other)
        if likeness.real_quick_ratio() >= CLOSEST and likeness.quick_ratio() >= CLOSEST:
            found.append((likeness.ratio(), int(index.spread[index.term_of[at]]), other))
    ratio, _, nearest = max(found, default=(0.0, 0, ""))
    return nearest if ratio >= CLOSEST else ""
