"""Words of any script: how a text is cut, and when two words count as one.

A token is a run of letters, digits and combining marks with at least two characters, casefolded. Digits alone, years
included, are not tokens. Apostrophes and hyphens separate. Chinese characters, which have no spaces, give overlapping
pairs; a run of katakana is one word; hiragana, which mostly writes Japanese grammar, separates. Arabic vowel signs
and elongation, soft hyphens and invisible joiners are dropped.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from narrative_core.space.stems import stem

HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"
HIRAGANA = "\u3041-\u309f"

IGNORED = re.compile("[\u00ad\u0640\u064b-\u0652\u0670\u200b-\u200d\u2060]")
IS_HAN = re.compile(f"[{HAN}]+")
_HAS_HIRAGANA = re.compile(f"[{HIRAGANA}]")
_SPANISH_PLURALS = ("dades", "ctores", "edores", "idores", "onales", "ciales", "erales", "itales")
"""Endings that drop "es" and are no English plural of a word in e."""

LONGEST_JOINED = 8
"""Characters of a word put together from Chinese pairs: what is longer is a clause."""


@lru_cache(maxsize=1)
def token_pattern() -> re.Pattern[str]:
    """Return the pattern of one written word, or of a run of Chinese characters; for text that is normalised."""
    marks = "".join(
        chr(code) for code in range(0x300, sys.maxunicode) if unicodedata.category(chr(code)) in ("Mn", "Mc")
    )
    letter = rf"[^\W_{HAN}{KATAKANA}{HIRAGANA}]"
    mark = f"[{re.escape(marks)}]"
    # A run of plain letters that ends at a plain character is a word already: no class of marks has to be tried.
    plain = r"[A-Za-z0-9]++(?![^\x00-\x7f])"
    return re.compile(f"{plain}|[{HAN}]+|[{KATAKANA}]+|{letter}+(?:{mark}+{letter}*)*")


def surfaces(text: str) -> list[str]:
    """The words of ``text`` as written, in order, before anything is folded or left out."""
    if not text.isascii():
        text = IGNORED.sub("", unicodedata.normalize("NFKC", text))
    words: list[str] = []
    for word in token_pattern().findall(text):
        if IS_HAN.match(word):
            words.extend(first + second for first, second in pairwise(word))
        else:
            words.append(word)
    return words


@lru_cache(maxsize=1 << 17)
def token_of(surface: str) -> str:
    """The casefolded token of one written word; "" where it is none (one character, digits only)."""
    token = unicodedata.normalize("NFC", surface.casefold())
    return "" if len(token) < 2 or token.isnumeric() else token


def tokenize(text: str) -> list[str]:
    """Tokens of ``text`` in order, repeats included.

    Examples
    --------
    >>> tokenize("NASA's Saturn V rose on 16 July 1969.")
    ['nasa', 'saturn', 'rose', 'on', 'july']
    >>> tokenize("航天飞机")
    ['航天', '天飞', '飞机']
    """
    return [token for token in map(token_of, surfaces(text)) if token]


def is_stop(token: str, stop: Collection[str]) -> bool:
    """Whether a token is left out: it is a stop word, or a Chinese pair with a stop character in it."""
    return token in stop or (is_bigram(token) and (token[0] in stop or token[1] in stop))


def has_hiragana(text: str) -> bool:
    """Whether the text has hiragana, which tells Japanese from Chinese."""
    return _HAS_HIRAGANA.search(text) is not None


def is_bigram(token: str) -> bool:
    """Whether the token is a pair cut out of a longer run of Chinese characters."""
    return len(token) == 2 and IS_HAN.fullmatch(token) is not None


@lru_cache(maxsize=1 << 17)
def fold(token: str) -> str:
    """What a token and its plain plural have in common: no final s, es, ies, iones; the stem in Russian and Arabic.

    Crude on purpose: it only decides whether two documents mean the same word, and the written form is what is shown.

    Examples
    --------
    >>> fold("rockets"), fold("missions") == fold("mission"), fold("countries") == fold("country"), fold("gas")
    ('rocket', True, True, 'gas')
    """
    token = stem(token)
    if len(token) < 5 or not token.endswith("s") or token.endswith(("ss", "us", "is")):
        return token
    if token.endswith("ies"):
        return token[:-3] + "y"
    if token.endswith("iones"):
        return token[:-5] + "ión"
    if token.endswith(("ches", "shes", "xes", "sses", *_SPANISH_PLURALS)):
        return token[:-2]
    return token[:-1]


def are_inflections(left: str, right: str) -> bool:
    """Whether two tokens are so alike that naming both says nothing more ("launch", "launched"; "ракета", "ракеты").

    They fold to one form, or share at least four first characters and 65 % of the longer one. Two Chinese words are if
    one contains the other, or one ends as the other begins: with one character where one is a pair, else two.
    """
    if IS_HAN.fullmatch(left) and IS_HAN.fullmatch(right):
        shared = 1 if is_bigram(left) or is_bigram(right) else 2
        return left in right or right in left or left[-shared:] == right[:shared] or right[-shared:] == left[:shared]
    left, right = fold(left), fold(right)
    if left == right:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return shared >= 4 and shared >= 0.65 * max(len(left), len(right))


def join_bigrams(tokens: Sequence[str], is_attested: Callable[[str], bool]) -> list[str]:
    """Tokens with overlapping Chinese pairs put together again where ``is_attested`` says the longer word occurs.

    The joined word stands where the first of its parts stood; what it contains is left out.

    Examples
    --------
    >>> join_bigrams(["天飞", "moon", "航天", "飞机"], lambda word: word in "航天飞机")
    ['航天飞机', 'moon']
    """
    pairs = [token for token in tokens if is_bigram(token)]
    joined: list[str] = []
    for token in tokens:
        if any(IS_HAN.fullmatch(token) and token in word for word in joined):
            continue
        joined.append(_grow(token, pairs, is_attested) if is_bigram(token) else token)
    return list(dict.fromkeys(joined))


def _grow(word: str, pairs: Iterable[str], is_attested: Callable[[str], bool]) -> str:
    is_growing = True
    while is_growing:
        is_growing = False
        for pair in pairs:
            for longer in (word + pair[1], pair[0] + word):
                overlaps = pair[0] == word[-1] if longer.startswith(word) else pair[1] == word[0]
                if overlaps and pair not in word and len(longer) <= LONGEST_JOINED and is_attested(longer):
                    word, is_growing = longer, True
                    break
    return word


def topic_key(surface: str) -> str:
    """What a written word counts as where topics are named: its token, without endings in Russian and Arabic."""
    return stem(token_of(surface))


def usual_forms(written: Mapping[str, int], key: Callable[[str], str] = token_of) -> dict[str, str]:
    """How each token, or what ``key`` makes of a surface, is most often written; in small letters if in doubt.

    Examples
    --------
    >>> usual_forms({"Apollo": 3, "apollo": 1, "moon": 9})
    {'apollo': 'Apollo', 'moon': 'moon'}
    """
    usual: dict[str, str] = {}
    for surface in sorted(written, key=str.swapcase):
        token = key(surface)
        if token and (token not in usual or written[surface] > written[usual[token]]):
            usual[token] = surface
    return usual
