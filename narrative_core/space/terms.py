"""The words that two documents share: why a link of a trail stands, in the reader's own terms."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from narrative_core.space.stops import stop_words
from narrative_core.space.tokens import fold, is_bigram, is_stop, join_bigrams, surfaces, token_of, tokenize

__all__ = ["count_documents", "shared_terms", "stop_words", "tokenize"]


def count_documents(texts: Iterable[str], stop: Collection[str]) -> dict[str, int]:
    """In how many of ``texts`` each term occurs (its document frequency); stop words are left out.

    Examples
    --------
    >>> count_documents(["The moon, the Moon!", "a moon rocket"], {"the"})
    {'moon': 2, 'rocket': 1}
    """
    counts = Counter[str]()
    for text in texts:
        counts.update({token_of(surface) for surface in surfaces(text)})
    return {token: n for token, n in counts.items() if token and not is_stop(token, stop)}


def shared_terms(
    left: str, right: str, counts: Mapping[str, int], n_documents: int, *, stop: Collection[str], limit: int = 5
) -> tuple[str, ...]:
    """Terms that both texts use, the rarest in the collection and most used in both first.

    The weight of a shared word with document frequency f and a and b uses in the two texts is
    ln((n + 1) / (f + ½)) · (1 + ln √(a·b)). Plain plurals count as one word. Two words that stand side by side in both
    texts are one term ("space shuttle") with the weight of the heavier one. A term is shown as the two texts most often
    write it, in small letters if in doubt.

    Parameters
    ----------
    left, right : str
        Texts of the two documents, title included.
    counts : mapping of str to int
        Document frequencies, from `count_documents`; a missing word counts as being in these two only.
    n_documents : int
        Documents in the collection.
    stop : collection of str
        Stop words, from `stop_words`.
    limit : int
        At most this many terms.

    Returns
    -------
    tuple of str
        Empty where the texts share no term.

    Notes
    -----
    Linear in the length of the two texts; the cut of the last 256 texts is kept, since a trail asks for each twice.

    Examples
    --------
    >>> shared_terms("A space shuttle.", "space shuttle crews", {"space": 2, "shuttle": 2}, 9, stop={"a"})
    ('space shuttle',)
    """
    here, there = _cut(left), _cut(right)
    weights = {
        word: _weight(here.words[word], there.words[word], counts, n_documents)
        for word in here.words.keys() & there.words.keys()
        if not (is_stop(word, stop) or any(is_stop(token_of(form), stop) for form in here.words[word]))
    }
    pairs = _pairs(here, weights), _pairs(there, weights)
    terms = _with_pairs(weights, *pairs)
    ranked = sorted(terms, key=lambda term: (-terms[term], term))
    if any(map(is_bigram, ranked)):
        ranked = join_bigrams(ranked, lambda word: word in left and word in right)
    return tuple(_shown(term, here.words, there.words, *pairs) for term in ranked[:limit])


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """A text cut up: ``words`` how often each folded word is written in which form, ``word`` that of each form.

    ``neighbours`` counts forms that follow each other, whatever stands between them.
    """

    text: str
    words: Mapping[str, Mapping[str, int]]
    word: Mapping[str, str]
    neighbours: Mapping[tuple[str, str], int]


Forms = Mapping[str, Mapping[str, int]]


@lru_cache(maxsize=256)
def _cut(text: str) -> _Cut:
    written = surfaces(text)
    words: dict[str, dict[str, int]] = {}
    word: dict[str, str] = {}
    for form, n in Counter(written).items():
        if token := token_of(form):
            word[form] = fold(token)
            words.setdefault(word[form], {})[form] = n
    return _Cut(text, words, word, Counter(pairwise(written)))


def _weight(here: Mapping[str, int], there: Mapping[str, int], counts: Mapping[str, int], n_documents: int) -> float:
    frequency = max(2, *(counts.get(token_of(form), 0) for form in (*here, *there)))
    rarity = math.log((max(n_documents, frequency) + 1) / (frequency + 0.5))
    return rarity * (1 + 0.5 * math.log(sum(here.values()) * sum(there.values())))


def _with_pairs(weights: Mapping[str, float], here: Forms, there: Forms) -> dict[str, float]:
    """Weights of the terms, with pairs in both texts in place of the words that they are made of."""
    pairs = {pair: pair.split(" ") for pair in here.keys() & there.keys()}
    weight = {pair: max(weights[first], weights[second]) for pair, (first, second) in pairs.items()}
    uses = {pair: sum(here[pair].values()) * sum(there[pair].values()) for pair in pairs}
    terms = dict(weights)
    for pair in sorted(pairs, key=lambda pair: (-weight[pair], -uses[pair], pair)):
        first, second = pairs[pair]
        if first in terms and second in terms:
            del terms[first], terms[second]
            terms[pair] = weight[pair]
    return terms


def _pairs(cut: _Cut, words: Collection[str]) -> dict[str, dict[str, int]]:
    """Written forms of the pairs of ``words`` that have nothing but a space in them."""
    pairs: dict[str, dict[str, int]] = {}
    for (before, after), n in cut.neighbours.items():
        first, second = cut.word.get(before), cut.word.get(after)
        if first is None or second is None or first == second or first not in words or second not in words:
            continue
        form = f"{before} {after}"
        if form in cut.text:
            pairs.setdefault(f"{first} {second}", {})[form] = n
    return pairs


def _shown(term: str, *found: Forms) -> str:
    """The term as both texts together most often write it; a joined Chinese word stands for itself."""
    forms = Counter[str]()
    for by_term in found:
        forms.update(by_term.get(term, {}))
    return min(forms, key=lambda form: (-forms[form], form.swapcase()), default=term)
