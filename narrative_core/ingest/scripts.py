"""Which scripts texts are written in: enough to say whether a model of English words will do."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

SAMPLE: Final = 300
"""Texts that are looked at."""

SAMPLE_CHARACTERS: Final = 1_000
MIN_SHARE: Final = 0.02
"""Of all letters; a script that has less is a name or a quotation here and there."""

_SCRIPTS: Final[Mapping[str, str]] = {
    "Arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "Chinese characters": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Cyrillic": "\u0400-\u052f\u1c80-\u1c8f",
    "Devanagari": "\u0900-\u097f",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Hebrew": "\u0590-\u05ff",
    "Japanese": "\u3040-\u30ff",
    "Korean": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "Latin": "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff",
    "Thai": "\u0e00-\u0e7f",
}
_LETTERS: Final = {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}
_ANY_LETTER: Final = re.compile(r"[^\W\d_]")


def script_shares(texts: Iterable[str]) -> dict[str, float]:
    """Return the scripts of some texts with their share of all letters, the largest first.

    Of the first 300 texts with a letter in them 1,000 characters each are looked at. A share below 0.02 is left out,
    and so is what is written in no script of the list, which is why shares may add up to less than 1.

    Examples
    --------
    >>> script_shares(["Мост открыт", "The bridge is open"])
    {'Latin': 0.6, 'Cyrillic': 0.4}
    >>> script_shares(["1961", ""])
    {}
    """
    counts: Counter[str] = Counter()
    n_letters = 0
    openings = (text[:SAMPLE_CHARACTERS] for text in texts)
    for opening in islice((one for one in openings if _ANY_LETTER.search(one)), SAMPLE):
        # Marks on letters, as of vowels in Arabic, are none themselves.
        found = "".join(_ANY_LETTER.findall(opening))
        n_letters += len(found)
        for name, letters in _LETTERS.items():
            counts[name] += len(letters.findall(found))
    return {name: n / n_letters for name, n in counts.most_common() if n and n >= MIN_SHARE * n_letters}
