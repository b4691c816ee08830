"""Words as a search knows them: the form that two spellings share, and where each word stands in a text.

A search takes in more than topics do: numbers and single letters are words here ("Apollo 11", "Saturn V"), accents
and the signs of a hamza do not count, and a word is found by its singular or plural and without an Arabic article.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from narrative_core.space.tokens import IGNORED, IS_HAN, fold, surfaces, token_pattern

_ACCENTS = re.compile("[\u0300-\u036f\u0653-\u0655]")
_ASCII = re.compile(r"[\x00-\x7f]+(?=[\x00-\x7f]|$)")
"""A run without the letter before a character beyond ASCII, which may be its accent."""


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of a text: the form that it is found by, and the characters ``first`` ≤ i < ``last`` that it is of."""

    form: str
    first: int
    last: int


@lru_cache(maxsize=1 << 17)
def search_form(surface: str) -> str:
    """Return a written word casefolded and without accents.

    Examples
    --------
    >>> search_form("Canción"), search_form("1969"), search_form("V")
    ('cancion', '1969', 'v')
    """
    folded = surface.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", folded)))


@lru_cache(maxsize=1 << 17)
def search_term(form: str) -> str:
    """Return what a form is counted as: its singular, without an Arabic article.

    Examples
    --------
    >>> search_term("rockets"), search_term("الصاروخ") == search_term("صاروخ"), search_term("canciones")
    ('rocket', True, 'cancion')
    """
    return form if IS_HAN.match(form) else search_form(fold(form))


def search_forms(text: str) -> list[str]:
    """Return the forms of all words of a text, in order; a longer run of Chinese characters gives overlapping pairs.

    Examples
    --------
    >>> search_forms("Apollo 11 rose."), search_forms("航天飞机")
    (['apollo', '11', 'rose'], ['航天', '天飞', '飞机'])
    """
    return [search_form(surface) for surface in surfaces(text)]


def placed_words(text: str) -> list[PlacedWord]:
    """Return the words of a text with their places, in order; their forms are those of `search_forms`.

    The places are of the text as it is, before compatibility characters are composed and invisible signs left out.

    Examples
    --------
    >>> [(word.form, "Ｎａｓａ’s Saturn"[word.first : word.last]) for word in placed_words("Ｎａｓａ’s Saturn")]
    [('nasa', 'Ｎａｓａ'), ('s', 's'), ('saturn', 'Saturn')]
    """
    plain, firsts, lasts = _plain(text)
    return [PlacedWord(search_form(plain[a:b]), firsts[a], lasts[b - 1]) for a, b in _cuts(plain)]


def _cuts(plain: str) -> Iterator[tuple[int, int]]:
    for found in token_pattern().finditer(plain):
        first, last = found.span()
        if plain[first] > "\u3000" and IS_HAN.match(plain, first):
            yield from ((start, start + 2) for start in range(first, last - 1))
        else:
            yield first, last


def _plain(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return a text as `surfaces` reads it, and for each of its characters where the characters it came from lie."""
    if unicodedata.is_normalized("NFKC", text) and not IGNORED.search(text):
        return text, range(len(text)), range(1, len(text) + 1)
    plain: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    for first, last in _clusters(text):
        piece = text[first:last]
        if piece.isascii():
            plain.append(piece)
            firsts.extend(range(first, last))
            lasts.extend(range(first + 1, last + 1))
            continue
        read = IGNORED.sub("", unicodedata.normalize("NFKC", piece))
        plain.append(read)
        firsts.extend([first] * len(read))
        lasts.extend([last] * len(read))
    return "".join(plain), firsts, lasts


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a text that can be normalised by themselves: runs of ASCII, all else as small as can be."""
    first = 0
    for run in _ASCII.finditer(text):
        yield from _small_clusters(text, first, run.start())
        yield run.span()
        first = run.end()
    yield from _small_clusters(text, first, len(text))


def _small_clusters(text: str, first: int, end: int) -> Iterator[tuple[int, int]]:
    for at in range(first + 1, end):
        if not _belongs(text[first:at], text[at]):
            yield first, at
            first = at
    if first < end:
        yield first, end


def _belongs(piece: str, character: str) -> bool:
    """Whether a character changes what stands before it: a mark, or the second part of a syllable."""
    if character.isascii():
        return False
    if unicodedata.combining(character):
        return True
    alone = unicodedata.normalize("NFKC", piece) + unicodedata.normalize("NFKC", character)
    return unicodedata.normalize("NFKC", piece + character) != alone
