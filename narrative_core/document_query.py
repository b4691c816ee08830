"""What a person types to find documents: words, “quoted phrases”, -words to leave out; and where a text has them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from narrative_core.space.search_words import PlacedWord, placed_words, search_forms, search_term
from narrative_core.space.tokens import HAN

LONGEST_QUERY: Final = 400
LONGEST_READ: Final = 100_000
"""Characters of a text in which words are looked for to be marked."""

SNIPPET: Final = 220
_QUOTES = '"“”„«»'
_PIECE = re.compile(
    r"(?P<minus>(?<!\S)[-−–])?"
    rf"(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)(?:[{_QUOTES}]|$)|(?P<bare>[^\s{_QUOTES}]+))"
)
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_LEAD = 60

Span = tuple[int, int]
"""Characters ``first`` ≤ i < ``last`` of a text."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side, by their forms; one word is a phrase too.

    ``is_open``: the last form is the beginning of a word, or a single Chinese character in one.
    """

    forms: tuple[str, ...]
    is_open: bool = False

    def ends_with(self, form: str) -> bool:
        """Whether a word of a text can be the last of the phrase."""
        last = self.forms[-1]
        if self.is_open and (last in form if is_character(last) else form.startswith(last)):
            return True
        return search_term(form) == search_term(last)


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: documents with all of ``wanted`` and none of ``unwanted``. ``text`` is what was typed."""

    text: str = ""
    wanted: tuple[Phrase, ...] = ()
    unwanted: tuple[Phrase, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is looked for."""
        return not self.text


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text as it stands there, from character ``first`` on; ``spans`` are counted within the piece."""

    text: str
    first: int
    spans: tuple[Span, ...]
    is_whole: bool


def read_query(text: str) -> Query:
    """Return what a person typed, read.

    Words beside each other are looked for each by itself, those in quotation marks or joined by a hyphen side by side;
    a word behind a minus must not occur. The last word may be the beginning of one, until a space or a quotation mark
    ends it. Longer texts are cut.

    Examples
    --------
    >>> query = read_query('"space station" -shuttle Mir')
    >>> [phrase.forms for phrase in query.wanted], query.wanted[-1].is_open, query.unwanted[0].forms
    ([('space', 'station'), ('mir',)], True, ('shuttle',))
    """
    text = text[:LONGEST_QUERY]
    wanted: list[Phrase] = []
    unwanted: list[Phrase] = []
    for piece in _PIECE.finditer(text):
        bare = piece["bare"]
        phrase = _phrase(bare or piece["quoted"] or "", is_open=bare is not None and piece.end() == len(text))
        if phrase is not None:
            (unwanted if piece["minus"] else wanted).append(phrase)
    return Query(" ".join(text.split()), tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted)))


def is_character(form: str) -> bool:
    """Whether a form is a single Chinese character, which no document has as a word of its own."""
    return len(form) == 1 and _HAN_CHARACTER.match(form) is not None


def matching_spans(text: str, query: Query) -> tuple[Span, ...]:
    """Return where a text has what is wanted: spans of the text as it is, in order, apart from each other."""
    return tuple(_merged(span for span, _ in _matches(placed_words(text[:LONGEST_READ]), query)))


def snippet(text: str, query: Query, *, length: int = SNIPPET) -> Snippet:
    """Return the piece of a text that has most of what is wanted; its beginning where it has nothing of it.

    Parameters
    ----------
    text : str
        As the document has it.
    query : Query
    length : int
        Characters that the piece has at most.
    """
    matches = list(_matches(placed_words(text[:LONGEST_READ]), query))
    first = _best_start([(span[0], number) for span, number in matches], length)
    first = _word_start(text, max(0, first - _LEAD)) if first > _LEAD else 0
    last = _word_end(text, first, first + length)
    spans = _merged((a - first, b - first) for (a, b), _ in matches if first <= a and b <= last)
    return Snippet(text[first:last], first, tuple(spans), is_whole=first == 0 and last >= len(text))


def _phrase(text: str, *, is_open: bool) -> Phrase | None:
    forms = tuple(search_forms(text))
    if not forms and (found := _HAN_CHARACTER.search(text)):
        return Phrase((found.group(),), is_open=True)
    # One letter begins too many words to be of use.
    return Phrase(forms, is_open and (len(forms[-1]) > 1)) if forms else None


def _matches(words: Sequence[PlacedWord], query: Query) -> Iterator[tuple[Span, int]]:
    """Yield each place of a wanted phrase, with the number of the phrase."""
    phrases = [
        (number, phrase, [search_term(form) for form in phrase.forms]) for number, phrase in enumerate(query.wanted)
    ]
    if not phrases:
        return
    terms = [search_term(word.form) for word in words]
    for at, word in enumerate(words):
        for number, phrase, wanted in phrases:
            last = at + len(wanted) - 1
            if last < len(words) and terms[at:last] == wanted[:-1] and phrase.ends_with(words[last].form):
                yield (word.first, words[last].last), number


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _best_start(places: Sequence[tuple[int, int]], length: int) -> int:
    """Return where the piece with most different phrases begins, the first such one; 0 where there is none."""
    best, found = 0, 0
    for at, (first, _) in enumerate(places):
        inside = {number for place, number in places[at : at + 200] if place < first + length - _LEAD}
        if len(inside) > found:
            best, found = first, len(inside)
    return best


def _word_start(text: str, at: int) -> int:
    found = re.search(r"\s", text[at : at + _LEAD // 2])
    return at + found.end() if found else at


def _word_end(text: str, first: int, at: int) -> int:
    if at >= len(text):
        return len(text)
    cut = text.rfind(" ", max(first, at - _LEAD), at)
    return cut if cut > first else at
