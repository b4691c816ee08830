"""The lexical reader: a judge without any model, the floor that a language model has to beat.

It compares words, names and dates and understands nothing. It never sees coherence, vectors or topics. Of a document it
reads the title, the lead where leads are shown, and the date always, since one of its four dimensions is time.
"""

import unicodedata
from collections.abc import Sequence
from itertools import combinations

from narrative_core.errors import InvalidInput
from narrative_core.judgements import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
    CriterionScore,
    Judgement,
    Question,
    ShownStory,
)
from narrative_core.judging.lexical_terms import COMMON, Reading, Term, Vocabulary, read_story
from narrative_core.judging.lexical_time import Timing, days_between, is_backward, lapse_words, timing
from narrative_core.judging.shown import title_of
from narrative_core.records import Document

__all__ = ["LEXICAL_CAVEAT", "LEXICAL_VERSION", "Vocabulary", "judge_lexical"]

LEXICAL_VERSION = "lexical reader 2"
"""Stands in ``Question.prompt_hash``; another one for every change of a number."""

LEXICAL_CAVEAT = (
    "It compares words, names and dates and understands nothing: the floor that a language model has to beat."
)

_LONGEST_QUOTE = 90
_MOST_TERMS = 3
_TIED = 0.5


def judge_lexical(story: ShownStory, question: Question, vocabulary: Vocabulary) -> Judgement:
    """Return what the lexical reader says of a story; the same story always gets the same.

    With t(i, j) the tie of two documents (`Reading.tie`), over n documents in order:

    - *logical flow*: ¾ of the mean and ¼ of the smallest tie of consecutive documents;
    - *thematic consistency*: the mean tie of all pairs;
    - *temporal coherence*: `Timing.value`;
    - *narrative completeness*: ½ of the mean over documents of the best tie with any other (nothing stands alone), ¼ of
      the tie of the first with the last (the end answers the beginning), ¼ of the development: the share of words that
      a document adds to those before it, full at a half, times (n − 2)/(n − 1) (there is a middle).

    Each is brought from [0, 1] to 1–10; the score is their mean.

    Parameters
    ----------
    story : ShownStory
        At least two documents; they may lack dates, titles and text.
    question : Question
        Handed through.
    vocabulary : Vocabulary
        Of the collection.

    Returns
    -------
    Judgement
        Status "ok". ``link_scores`` are the ties of consecutive documents on the same scale; ``weakest_step`` is the
        smallest, among equals the one over the longest time, then the first.

    Raises
    ------
    InvalidInput
        If the story has fewer than two documents.
    """
    if len(story.documents) < 2:
        raise InvalidInput(f"a story has at least two documents; got {len(story.documents)}.")
    reading, dates = read_story(story, vocabulary), timing(story.documents)
    links = [reading.tie(step, step + 1) for step in range(len(story.documents) - 1)]
    criteria = (
        CriterionScore("logical_flow", _score(_flow(links)), _flow_reason(links)),
        CriterionScore("thematic_consistency", _score(_consistency(reading)), _consistency_reason(reading)),
        CriterionScore("temporal_coherence", _score(dates.value), _time_reason(dates)),
        CriterionScore("narrative_completeness", _score(_completeness(reading)), _completeness_reason(reading)),
    )
    weakest = min(range(len(links)), key=lambda step: (links[step], -_gap(story.documents, step), step))
    return Judgement(
        question=question,
        status="ok",
        score=sum(criterion.score for criterion in criteria) / len(criteria),
        criteria=criteria,
        link_scores=tuple(map(_score, links)),
        weakest_step=weakest,
        explanation=_explanation(story.documents, reading, links, weakest),
        cost_usd=0.0,
    )


def _flow(links: Sequence[float]) -> float:
    return 0.75 * sum(links) / len(links) + 0.25 * min(links)


def _consistency(reading: Reading) -> float:
    ties = [reading.tie(first, second) for first, second in combinations(range(len(reading.documents)), 2)]
    return sum(ties) / len(ties)


def _completeness(reading: Reading) -> float:
    best = _best_ties(reading)
    ends = reading.tie(0, len(best) - 1)
    middle = (len(best) - 2) / (len(best) - 1)
    return 0.5 * sum(best) / len(best) + 0.25 * ends + 0.25 * middle * min(2 * _added(reading), 1.0)


def _best_ties(reading: Reading) -> list[float]:
    rows = range(len(reading.documents))
    return [max(reading.tie(row, other) for other in rows if other != row) for row in rows]


def _added(reading: Reading) -> float:
    """Mean share of its words that a document after the first adds to those before it; 0 for one without words."""
    shares, before = [], set(reading.documents[0])
    for terms in reading.documents[1:]:
        shares.append(len(terms - before) / len(terms) if terms else 0.0)
        before |= terms
    return sum(shares) / len(shares)


def _score(value: float) -> float:
    """Bring a value in [0, 1] to the scale of the judges."""
    return min(max(LOWEST_SCORE + (HIGHEST_SCORE - LOWEST_SCORE) * value, LOWEST_SCORE), HIGHEST_SCORE)


def _flow_reason(links: Sequence[float]) -> str:
    tied = _part(sum(tie >= _TIED for tie in links), len(links), "step", "takes", "take")
    return f"{tied} up telling words or names of the document before."


def _consistency_reason(reading: Reading) -> str:
    n = {key: sum(key in terms for terms in reading.documents) for key in reading.terms}
    spread = [key for key, term in reading.terms.items() if n[key] > 1 and term.rarity >= COMMON]
    spread.sort(key=lambda key: (-(n[key] - 1) * reading.terms[key].weight, key))
    if not spread:
        return "No telling word or name occurs in more than one document."
    named = [f"“{reading.terms[key].written}” in {n[key]}" for key in spread[:_MOST_TERMS]]
    return f"Of {len(reading.documents)} documents, what they share most: {_listed(named)}."


def _time_reason(dates: Timing) -> str:
    if not dates.gaps:
        return "Too few documents are dated to tell, so this stands at the middle of the scale."
    backward = _part(dates.n_backward, len(dates.gaps), "step", "goes", "go")
    gap = f"the longest gap is {lapse_words(max(dates.gaps))} of {lapse_words(dates.span_days)} in all"
    undated = dates.n_documents - dates.n_dated
    rest = f"; {undated} of {dates.n_documents} documents are undated and count as the middle" if undated else ""
    return f"{backward} back in time; {gap}{rest}."


def _completeness_reason(reading: Reading) -> str:
    alone = sum(tie < _TIED for tie in _best_ties(reading))
    last = len(reading.documents) - 1
    ends = [term for term in reading.shared(0, last) if term.rarity >= COMMON]
    closing = (
        f"the last takes up {_quoted_terms(ends)} of the first" if ends else "the last takes up little of the first"
    )
    return (
        f"{_part(alone, last + 1, 'document', 'stands', 'stand')} alone, {closing}, and each document after the first "
        f"adds {100 * _added(reading):.0f} % new words."
    )


def _explanation(documents: Sequence[Document], reading: Reading, links: Sequence[float], weakest: int) -> str:
    sentences = [f"Weakest step: {_step_sentence(documents, reading, weakest)}"]
    strongest = max(range(len(links)), key=lambda step: (links[step], -step))
    if links[strongest] > links[weakest]:
        sentences.append(f"Strongest step: {_step_sentence(documents, reading, strongest)}")
    return " ".join(sentences)


def _step_sentence(documents: Sequence[Document], reading: Reading, step: int) -> str:
    first, second = documents[step], documents[step + 1]
    shared = reading.shared(step, step + 1)
    telling = [term for term in shared if term.rarity >= COMMON]
    if telling:
        what = f"share {_quoted_terms(telling)}"
    elif shared:
        what = f"share nothing but {_quoted_terms(shared)}, which many documents have"
    else:
        what = "share no word or name"
    return f"{_quoted(first)} and {_quoted(second)} {what}; {_lapse(first, second)}."


def _lapse(first: Document, second: Document) -> str:
    days = days_between(first, second)
    if days is None:
        return "a date is missing"
    if is_backward(first, second):
        return f"the second is {lapse_words(days)} earlier"
    if days == 0:
        return "they are of one date"
    return f"{lapse_words(days)} {'lies' if days == 1 else 'lie'} between them"


def _gap(documents: Sequence[Document], step: int) -> int:
    return days_between(documents[step], documents[step + 1]) or 0


def _part(number: int, total: int, noun: str, singular: str, plural: str) -> str:
    """Begin a sentence on how many of all do something: "No step takes", "2 of 5 steps take", "Every step takes"."""
    if number == 0:
        return f"No {noun} {singular}"
    if number == total:
        return f"Every {noun} {singular}"
    return f"{number} of {total} {noun}s {singular if number == 1 else plural}"


def _quoted_terms(terms: Sequence[Term]) -> str:
    return _listed([f"“{term.written}”" for term in terms[:_MOST_TERMS]])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _quoted(document: Document) -> str:
    """The title in quotation marks, short; one from right to left is isolated: it cannot reorder the sentence."""
    title = title_of(document)
    if len(title) > _LONGEST_QUOTE:
        title = f"{title[:_LONGEST_QUOTE].rsplit(' ', 1)[0].rstrip(' ,;:.-–—')}…"
    if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in title):
        title = f"\u2068{title}\u2069"
    return f"“{title}”"
