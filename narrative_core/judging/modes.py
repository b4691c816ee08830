"""The four ways to ask a model for a score: what is judged in each, in which order, and how the scale is explained.

The modes differ on purpose in how much guidance they give, as in the study: none, ranges, points, behaviour. Their
wording is this project's own. What is written here is sent to the model, so a change makes new questions of all.

References
----------
Paper 1 of the reference ("LLM judges for narrative coherence"), sections 3.4.1 to 3.4.7: modes, criteria, anchors.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from narrative_core.judgements import Mode


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that a mode asks about: its key in the reply, its name on screen, and what the model is told of it."""

    name: str
    title: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ModeForm:
    """One mode.

    ``told`` is the sentence for a person who picks it · ``criteria`` each get a score, and the overall score is their
    mean; without criteria one overall score is asked for · ``steps`` are written out, as text, before the score ·
    ``anchors`` explains the scale, "" where it is left to the model. The order of criteria and steps is the order in
    which they are asked.
    """

    mode: Mode
    title: str
    told: str
    criteria: tuple[Criterion, ...]
    steps: tuple[Criterion, ...]
    anchors: str


_SIMPLE = ModeForm(
    mode="simple",
    title="Simple",
    told="One overall score without further guidance: the cheapest, and in the study the steadiest.",
    criteria=(),
    steps=(),
    anchors="",
)

_STEP_BY_STEP = ModeForm(
    mode="cot",
    title="Step by step",
    told="The model writes down what connects, what flows and what jars before it gives one score: slow, but it shows "
    "its work.",
    criteria=(),
    steps=(
        Criterion("connections", "Connections", "what links each entry to the one after it"),
        Criterion("overall_flow", "Overall flow", "how the sequence reads from its first entry to its last"),
        Criterion(
            "jarring_transitions",
            "Jarring transitions",
            'the places where the story jumps or breaks, by their numbers; "none" if there are none',
        ),
    ),
    anchors="Scale: 1 to 3, hardly anything holds the entries together; 4 to 6, parts belong together and others do "
    "not; 7 to 9, one story with few or small gaps; 10, one story without a gap.",
)

_STANDARD = ModeForm(
    mode="standard",
    title="Standard",
    told="Four criteria with three points of the scale explained; the overall score is their mean.",
    criteria=(
        Criterion("logical_flow", "Logical flow", "each entry follows from those before it"),
        Criterion(
            "thematic_consistency",
            "Thematic consistency",
            "the entries stay with one subject, or leave it for a reason that shows",
        ),
        Criterion("temporal_coherence", "Temporal coherence", "the order makes sense as a course of events in time"),
        Criterion(
            "narrative_completeness",
            "Narrative completeness",
            "there is a start, a development and an end, and no part is missed",
        ),
    ),
    steps=(),
    anchors="Points on the scale: 5, it holds in part, with plain lapses; 7, it holds for the most part; 10, it holds "
    "throughout.",
)

_COMPLEX = ModeForm(
    mode="complex",
    title="Complex",
    told="Six finer criteria, the scale explained by what a reader would do; the overall score is their mean.",
    criteria=(
        Criterion("semantic_coherence", "Semantic coherence", "neighbouring entries speak of related things"),
        Criterion("topic_evolution", "Topic evolution", "the subject shifts gradually rather than in leaps"),
        Criterion(
            "information_density",
            "Information density",
            "each entry adds something new, neither repeating nor skipping too much",
        ),
        Criterion("causal_relationships", "Causal relationships", "one can tell what led to what"),
        Criterion("narrative_arc", "Narrative arc", "the sequence opens, develops and arrives somewhere"),
        Criterion("contextual_relevance", "Contextual relevance", "every entry has a place in the story as a whole"),
    ),
    steps=(),
    anchors="Score low where the entries could be shuffled, or swapped for others, without anyone noticing. Score in "
    "the middle where a reader can follow but has to invent some of the connections. Score high where a reader could "
    "retell the story from the list and would miss any entry taken out.",
)

MODES: Mapping[Mode, ModeForm] = {form.mode: form for form in (_SIMPLE, _STEP_BY_STEP, _STANDARD, _COMPLEX)}
"""Every mode by its key, from the least to the most guidance."""
