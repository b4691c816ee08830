"""Words that name the topics of a landscape."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import Progress, Topic
from narrative_core.space.tokens import (
    are_inflections,
    is_bigram,
    is_stop,
    join_bigrams,
    surfaces,
    token_of,
    topic_key,
    usual_forms,
)

LABEL_WORDS = 3
WORDS = 10
SEPARATOR = " · "
CANDIDATES = 60
ATTESTED = 0.6
"""A longer Chinese word is one if both parts, less the last and less the first character, mostly stand in it."""


def label_topics(
    texts: Sequence[str],
    nearest_topic: NDArray[np.int64],
    is_outlier: NDArray[np.bool_],
    *,
    stop: Collection[str],
    progress: Progress = lambda done, total: None,
) -> tuple[Topic, ...]:
    """The topics with their words and labels, in topic order.

    A word t of topic c weighs tf(t, c) · ln(1 + A / f(t)): tf its uses in the topic's core documents, f its uses in
    all core documents, A the mean number of words per topic (class-based tf-idf). A word in one core document only
    counts if no other is left; a word beside a near-identical one is left out. The forms of a Russian or an Arabic word
    count as one word.

    Parameters
    ----------
    texts : sequence of str, length n
        Title and text of each document.
    nearest_topic : (n,) int
        Topic of each document, -1 where there is none.
    is_outlier : (n,) bool
        Outliers count in a topic's size; its words come from the others, if there are any.
    stop : collection of str
        Stop words, from `stop_words`.
    progress : callable
        Told how many topics have been counted; what it raises ends the work.

    Returns
    -------
    tuple of Topic
        ``words`` are up to ten as most often written; ``label`` is the first three of them joined by " · ", no two
        topics with the same one. A topic without any word is "Topic 3". Empty where there is no topic.

    Raises
    ------
    InvalidInput
        If the three do not have the same length.

    Notes
    -----
    Linear in the number of words.

    References
    ----------
    Grootendorst (2022), BERTopic: neural topic modeling with a class-based TF-IDF procedure, arXiv:2203.05794, eq. 2.

    Examples
    --------
    >>> label_topics(["red moon", "the moon"], np.array([0, 0]), np.array([False, False]), stop={"the"})[0].label
    'moon · red'
    """
    if not len(texts) == len(nearest_topic) == len(is_outlier):
        raise InvalidInput(
            f"texts, topics and outliers must have one entry a document; got {len(texts)}, {len(nearest_topic)} and "
            f"{len(is_outlier)}."
        )
    sizes = np.bincount(nearest_topic[nearest_topic >= 0])
    cores = [_core(nearest_topic, is_outlier, topic) for topic in range(len(sizes))]
    written = []
    for done, core in enumerate(cores, start=1):
        written.append(_count(texts[i] for i in core))
        progress(done, len(cores))
    uses = [_uses(counted, stop) for counted, _ in written]
    ranked = _rank(uses)
    taken: set[str] = set()
    topics: list[Topic] = []
    for topic, (core, (counted, spread)) in enumerate(zip(cores, written, strict=True)):
        words = _distinct_words(ranked[topic], _document_uses(spread), [texts[i] for i in core])
        forms = usual_forms(counted, topic_key)
        words = [forms.get(word, word) for word in words]
        label = _label(words, topic, taken)
        taken.add(label)
        topics.append(Topic(topic, label, tuple(words[:WORDS]), int(sizes[topic])))
    return tuple(topics)


def _core(nearest_topic: NDArray[np.int64], is_outlier: NDArray[np.bool_], topic: int) -> list[int]:
    members = np.flatnonzero(nearest_topic == topic)
    core = members[~is_outlier[members]]
    return [int(i) for i in (core if len(core) else members)]


def _count(texts: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """Uses of each written word, and the number of texts that have it."""
    uses, spread = Counter[str](), Counter[str]()
    for text in texts:
        words = surfaces(text)
        uses.update(words)
        spread.update(dict.fromkeys(words, 1))
    return uses, spread


def _uses(written: Mapping[str, int], stop: Collection[str]) -> Counter[str]:
    uses = Counter[str]()
    for surface, n in written.items():
        token = token_of(surface)
        if token and not is_stop(token, stop):
            uses[topic_key(surface)] += n
    return uses


def _document_uses(spread: Mapping[str, int]) -> Counter[str]:
    """An upper bound on the texts that have a word: the sum over its written forms."""
    return _uses(spread, ())


def _rank(uses: Sequence[Counter[str]]) -> list[list[str]]:
    """Words of each topic, heaviest first."""
    everywhere = Counter[str]()
    for topic in uses:
        everywhere.update(topic)
    mean = everywhere.total() / max(1, len(uses))
    ranked = []
    for topic in uses:
        weight = {word: n * math.log(1 + mean / everywhere[word]) for word, n in topic.items()}
        ranked.append(sorted(weight, key=lambda word: (-weight[word], word)))
    return ranked


def _distinct_words(ranked: Sequence[str], documents: Mapping[str, int], texts: Sequence[str]) -> list[str]:
    """The first words that more than one text has and that are no inflection of an earlier one, then the others."""
    common = [word for word in ranked if documents[word] > 1]
    candidates = [*common[:CANDIDATES], *[word for word in ranked[:CANDIDATES] if documents[word] <= 1]]
    if any(map(is_bigram, candidates)):
        candidates = join_bigrams(candidates, lambda word: _is_attested(word, texts))
    words: list[str] = []
    for word in candidates:
        if not any(are_inflections(word, earlier) for earlier in words):
            words.append(word)
    return words


def _is_attested(word: str, texts: Sequence[str]) -> bool:
    """Whether the longer Chinese word stands in several texts, and its two parts mostly in it."""
    uses = [text.count(word) for text in texts]
    parts = max(sum(text.count(part) for text in texts) for part in (word[:-1], word[1:]))
    return sum(map(bool, uses)) > 1 and sum(uses) >= ATTESTED * parts


def _label(words: Sequence[str], topic: int, taken: Collection[str]) -> str:
    """Three words; where another topic has the same ones, the third gives way to the next that tells them apart."""
    first, rest = list(words[: LABEL_WORDS - 1]), words[LABEL_WORDS - 1 :]
    options = [SEPARATOR.join([*first, word]) for word in rest] or [SEPARATOR.join(first)]
    for option in options:
        if option and option not in taken:
            return option
    return f"Topic {topic + 1}" if not options[0] else f"{options[0]} ({topic + 1})"
