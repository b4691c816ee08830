"""Writing from right to left beside writing from left to right."""

import unicodedata
from typing import Final

_FIRST_STRONG_ISOLATE: Final = "\u2068"
_END_OF_ISOLATE: Final = "\u2069"


def isolated(text: str) -> str:
    """Return text so that its order and that of what stands around it do not disturb each other.

    Text with a letter that is written from right to left stands between U+2068 and U+2069: its own first letter says
    how it runs, an ellipsis included, and to its surroundings it is one thing. Other text is returned as it is.

    Examples
    --------
    >>> isolated("flood"), ascii(isolated("سد"))
    ('flood', "'\\\\u2068\\\\u0633\\\\u062f\\\\u2069'")
    """
    is_mixed = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"{_FIRST_STRONG_ISOLATE}{text}{_END_OF_ISOLATE}" if is_mixed else text
