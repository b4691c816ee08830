"""Text as it is kept: one Unicode form, no control or invisible characters, no blanks around it."""

import re
import unicodedata

_BREAKS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
# Soft hyphens and places for a cut split words that are one; joiners and marks of direction belong to them.
_CUTS = re.compile("[\u00ad\u200b\u2060]")
_HARD_BLANKS = re.compile("[\u00a0\u2007\u202f]")

_ANNOUNCING = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "such",
        "than",
        "that",
        "the",
        "their",
        "these",
        "this",
        "those",
        "to",
        "under",
        "upon",
        "was",
        "were",
        "which",
        "who",
        "will",
        "with",
    ]
)


def clean_text(value: str) -> str:
    r"""Return text in Unicode form NFC with ``\n`` between lines, without control characters and blanks around it.

    Soft hyphens are left out, and blanks that do not break are plain ones.

    Examples
    --------
    >>> clean_text("  Cafe\u0301\r\nopen\x00 ")
    'Café\nopen'
    """
    if value.isascii() and value.isprintable():
        return value.strip()
    lines = _BREAKS.sub("\n", unicodedata.normalize("NFC", value))
    return _HARD_BLANKS.sub(" ", _CUTS.sub("", _CONTROLS.sub("", lines))).strip()


def clean_line(value: str) -> str:
    r"""Return clean text on one line, runs of blanks made one.

    Examples
    --------
    >>> clean_line(" A \n bridge\t opens ")
    'A bridge opens'
    """
    return " ".join(clean_text(value).split())


def opening_words(text: str, *, limit: int) -> str:
    """Return as many of the first words as fit, with "…" where there are more; at most ``limit`` characters.

    Small English words that announce what is cut off ("of the", "and") are left out before the ellipsis.

    Examples
    --------
    >>> opening_words("The bridge is open again, and the town is glad.", limit=30)
    'The bridge is open again…'
    """
    line = clean_line(text[: 8 * limit])
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    # A script without spaces has one here and there, beside a name or a number: the cut is not moved that far.
    if line[limit - 1] != " " and cut.rfind(" ") > limit // 2:
        cut = cut[: cut.rindex(" ")]
    words = cut.split(" ")
    while len(words) > 3 and words[-1].casefold().strip(",;:") in _ANNOUNCING:
        words.pop()
    return " ".join(words).rstrip(" ,;:.–—-") + "…"
