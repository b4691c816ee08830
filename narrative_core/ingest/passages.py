"""A long text cut into passages of about one length, at paragraph borders."""

import re
from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

TARGET_WORDS = 300
MAX_PARAGRAPH_WORDS = 450
_MAX_HEADING_WORDS = 12
_MAX_ADDRESS_WORDS = 60
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Messrs|Dr|St|No|Gen|Col|Capt|Lt|Hon|Sen|Rep|Jr|Sr|vs|cf)\.$")
_SENTENCE_BORDER = re.compile(r"[.!?][\"”)]*(\s+)(?=[\"“(]*[A-Z0-9])")


def cut_passages(paragraphs: Sequence[str]) -> list[list[str]]:
    """Return the paragraphs, in order, in passages of about 300 words.

    Borders are chosen so that Σ (words − 300)² over the passages is least. A heading or a form of address stays with
    what follows it. Only a paragraph of more than 450 words is cut, between sentences and into even pieces.

    Parameters
    ----------
    paragraphs : sequence of str
        In reading order, none empty.

    Returns
    -------
    list of list of str
        The paragraphs of each passage.

    Notes
    -----
    O(n · m) with m paragraphs in two passages, by dynamic programming over the borders.
    """
    blocks = [block for paragraph_block in _with_headings(paragraphs) for block in _short_enough(paragraph_block)]
    return [
        [paragraph for block in passage for paragraph in block]
        for passage in _fill(blocks, [sum(map(count_words, block)) for block in blocks])
    ]


def is_lead_in(paragraph: str) -> bool:
    """Whether a paragraph is a heading ("FOREIGN AFFAIRS") or a form of address ("Fellow-Citizens of the Senate:").

    Examples
    --------
    >>> is_lead_in("THE NAVY."), is_lead_in("Gentlemen of the Congress:"), is_lead_in("It can be done.")
    (True, True, False)
    """
    n_words = count_words(paragraph)
    if paragraph.endswith((":", "--", "—")):
        return n_words <= _MAX_ADDRESS_WORDS
    return n_words <= _MAX_HEADING_WORDS and (paragraph.isupper() or paragraph[-1].isalnum())


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return len(text.split())


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; abbreviations such as "Mr." end none.

    Examples
    --------
    >>> split_sentences("Mr. Adams spoke. The U. S. Senate heard him.")
    ['Mr. Adams spoke.', 'The U. S. Senate heard him.']
    """
    sentences, start = [], 0
    for border in _SENTENCE_BORDER.finditer(paragraph):
        if not _ABBREVIATION.search(paragraph[start : border.start(1)]):
            sentences.append(paragraph[start : border.start(1)])
            start = border.end(1)
    return [*sentences, paragraph[start:]]


def _with_headings(paragraphs: Sequence[str]) -> list[list[str]]:
    blocks: list[list[str]] = []
    is_open = False
    for paragraph in paragraphs:
        if is_open:
            blocks[-1].append(paragraph)
        else:
            blocks.append([paragraph])
        is_open = is_lead_in(paragraph)
    return blocks


def _short_enough(block: list[str]) -> list[list[str]]:
    """Return the block, its last paragraph cut into pieces where it is too long."""
    *lead_ins, paragraph = block
    if count_words(paragraph) <= MAX_PARAGRAPH_WORDS:
        return [block]
    sentences = split_sentences(paragraph)
    pieces = [" ".join(piece) for piece in _fill(sentences, [count_words(sentence) for sentence in sentences])]
    return [[*lead_ins, pieces[0]], *([piece] for piece in pieces[1:])]


def _fill(items: Sequence[_Item], sizes: Sequence[int]) -> list[Sequence[_Item]]:
    """Return the items in consecutive groups with the least Σ (size − 300)²; the first of equals."""
    costs: list[float] = [0.0]
    starts = [0]
    for stop in range(1, len(items) + 1):
        best, best_start, size = float("inf"), stop - 1, 0
        for start in range(stop - 1, -1, -1):
            size += sizes[start]
            if size > 2 * TARGET_WORDS and start < stop - 1:
                break
            cost = costs[start] + (size - TARGET_WORDS) ** 2
            if cost < best:
                best, best_start = cost, start
        costs.append(best)
        starts.append(best_start)
    groups, stop = [], len(items)
    while stop > 0:
        groups.append(items[starts[stop] : stop])
        stop = starts[stop]
    return groups[::-1]
