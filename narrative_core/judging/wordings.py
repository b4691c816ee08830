"""The modes in another wording: what tells a judge of stories from one that follows the form of the question.

*Reordered* asks for the criteria and the written steps of a mode from the last to the first, in the usual words.
*Paraphrased* says all of the instruction in other words, with the same keys, scale and numbers on it; the words around
the criteria are in `phrasings`. A judge that gives a story another score for either of them does not judge the story.
"""

from collections.abc import Mapping
from dataclasses import replace

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Mode
from narrative_core.judging.modes import MODES, Criterion, ModeForm
from narrative_core.runs import PARAPHRASED, REORDERED

WORDINGS = ("", REORDERED, PARAPHRASED)
"""Every wording; "" is the usual one."""

MEANING_OTHERWISE: Mapping[str, str] = {
    "connections": "in what way every entry is tied to its successor",
    "overall_flow": "what reading the series from beginning to end is like",
    "jarring_transitions": 'where the story leaps or snaps, given as entry numbers, or "none" if it never does',
    "logical_flow": "what comes later grows out of what came earlier",
    "thematic_consistency": "there is a single subject throughout, and any departure from it has a visible reason",
    "temporal_coherence": "taken as things happening one after another, the order is sensible",
    "narrative_completeness": "it begins, unfolds and closes, with nothing left out",
    "semantic_coherence": "entries next to each other are about connected matters",
    "topic_evolution": "the subject changes bit by bit, not by jumps",
    "information_density": "with every entry one learns more, without much being said twice or passed over",
    "causal_relationships": "it can be seen which things brought about which",
    "narrative_arc": "the series has an opening, unfolds and reaches some point",
    "contextual_relevance": "no entry is out of place in the story taken as a whole",
}
SCALE_OTHERWISE: Mapping[Mode, str] = {
    "simple": "",
    "cot": "What the numbers stand for: 1 to 3, the entries are tied to each other by next to nothing; 4 to 6, some of "
    "them go together while others stay apart; 7 to 9, a single story whose gaps are few or slight; 10, a single story "
    "that has no gap.",
    "standard": "Guide to the numbers: 5 means that this is true in places and clearly fails in others; 7, that it is "
    "largely true; 10, that it is true from beginning to end.",
    "complex": "A low score is for a list whose entries anyone could mix up or replace unnoticed. A middling score is "
    "for a list that can be followed, though some of what connects it must be made up by the reader. A high score is "
    "for a list from which the story could be told again, and in which the removal of any entry would be felt.",
}


def has_wording(mode: Mode, wording: str) -> bool:
    """Return whether a mode can be asked in a wording that makes it another question, or is the usual one.

    A mode without criteria and steps cannot be reordered.

    Examples
    --------
    >>> has_wording("standard", REORDERED), has_wording("simple", REORDERED), has_wording("simple", PARAPHRASED)
    (True, False, True)
    """
    is_list = bool(MODES[mode].criteria or MODES[mode].steps)
    return wording in WORDINGS and (wording != REORDERED or is_list)


def mode_form(mode: Mode, wording: str = "") -> ModeForm:
    """Return a mode with its criteria, steps and scale as a wording has them.

    Raises
    ------
    InvalidInput
        If the mode has no such wording.

    Examples
    --------
    >>> [step.name for step in mode_form("cot", REORDERED).steps]
    ['jarring_transitions', 'overall_flow', 'connections']
    """
    form = MODES[mode]
    if not has_wording(mode, wording):
        others = ", ".join(f"“{other}”" for other in WORDINGS[1:] if has_wording(mode, other))
        raise InvalidInput(
            f"the mode {mode} can be asked in the usual wording and in {others}; got “{wording}”. Choose one of these."
        )
    if wording == REORDERED:
        return replace(form, criteria=form.criteria[::-1], steps=form.steps[::-1])
    if wording == PARAPHRASED:
        said = _said_otherwise(form.criteria), _said_otherwise(form.steps)
        return replace(form, criteria=said[0], steps=said[1], anchors=SCALE_OTHERWISE[mode])
    return form


def _said_otherwise(parts: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    return tuple(replace(part, meaning=MEANING_OTHERWISE[part.name]) for part in parts)
