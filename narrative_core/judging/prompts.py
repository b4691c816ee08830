"""What a prompted judge is asked, word for word.

A request is two messages. The system message holds the task, the scale and the form of the reply, and not a sign of
any document. The user message holds the list between two lines that nothing in the list can be: every line of the list
begins with a number or with three spaces. The task is named once more after the list: the last thing read is ours.

The same words are sent whoever made the story, and nothing in them says that there is a second one.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from narrative_core.judgements import Mode, Shown, ShownStory
from narrative_core.judging.modes import MODES
from narrative_core.judging.phrasings import PHRASINGS, SHOWN_AS
from narrative_core.judging.schemas import MOST_LISTED, reply_schema, score_keys
from narrative_core.judging.shown import shown_text
from narrative_core.judging.wordings import mode_form

__all__ = ["Message", "longest_reply_tokens", "prompt_hash", "prompt_messages", "repair_messages", "reply_schema"]

LIST_BEGINS, LIST_ENDS = "<list>", "</list>"
"""The lines around the list. Inside it no line is equal to one of them."""

DEFAULT_NOUN: Final = "documents"

_NOUN_CHARACTERS = 60
_QUOTED_CHARACTERS = 4000
_PROBLEM_CHARACTERS = 500

_REPAIR = """\
That reply cannot be read: {problem}
Send it again with the same judgement, as one JSON object of the form asked for, and nothing else."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request; "assistant" only where a reply is sent back to be repaired."""

    role: Literal["system", "user", "assistant"]
    content: str


def prompt_messages(mode: Mode, story: ShownStory, *, is_explained: bool, wording: str = "") -> tuple[Message, ...]:
    """Return the request to judge a story: a system message that knows no document, and a user message with the list.

    Parameters
    ----------
    mode : {"simple", "cot", "standard", "complex"}
        How the judge is asked.
    story : ShownStory
        Documents in order, what is shown of them, and their noun.
    is_explained : bool
        Whether an explanation and the weakest transition are asked for.
    wording : str
        "" for the usual one, or another that the mode has; see `wordings`.

    Raises
    ------
    InvalidInput
        If the story has no document, or the mode has no such wording.
    """
    reply_schema(mode, n_documents=len(story.documents), is_explained=is_explained, wording=wording)
    content = PHRASINGS[wording].user.format(
        begins=LIST_BEGINS, shown=shown_text(story), ends=LIST_ENDS, n=len(story.documents)
    )
    system = _system_text(mode, story.shown, noun=story.noun, is_explained=is_explained, wording=wording)
    return Message("system", system), Message("user", content)


def prompt_hash(mode: Mode, *, is_explained: bool, noun: str = DEFAULT_NOUN, wording: str = "") -> str:
    """Return a hash of the wording and the schema, hexadecimal: another one as soon as a word of either changes.

    It is independent of the story, its length and what is shown of it, which a question holds elsewhere
    (``story_hash``, ``shown_hash``, ``shown``): all wordings of "what is shown" are in it. The noun is a part of the
    wording, so the same story called "speeches" is another question than the one called "news articles".

    Raises
    ------
    InvalidInput
        If the mode has no such wording.
    """
    schemas = [
        reply_schema(mode, n_documents=n, is_explained=is_explained, wording=wording) for n in (2, MOST_LISTED + 1)
    ]
    systems = [_system_text(mode, shown, noun=noun, is_explained=is_explained, wording=wording) for shown in SHOWN_AS]
    asked = json.dumps([systems, PHRASINGS[wording].user, LIST_BEGINS, LIST_ENDS, schemas], ensure_ascii=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def repair_messages(messages: Sequence[Message], reply: str, problem: str) -> tuple[Message, ...]:
    """Return the request that gives a model one chance to put an unreadable reply into form.

    Parameters
    ----------
    messages : sequence of Message
        The request that was answered.
    reply : str
        The answer; its first 4000 characters are sent back. An empty one is not: some endpoints refuse it.
    problem : str
        What was wrong with it, in a sentence.
    """
    answered = (Message("assistant", reply[:_QUOTED_CHARACTERS]),) if reply.strip() else ()
    problem = " ".join(problem.split())[:_PROBLEM_CHARACTERS]
    return *messages, *answered, Message("user", _REPAIR.format(problem=problem))


def longest_reply_tokens(mode: Mode, *, n_documents: int, is_explained: bool) -> int:
    """Return the number of tokens to allow for a reply: about three times what a good one takes.

    Parameters
    ----------
    mode : {"simple", "cot", "standard", "complex"}
        How the judge is asked.
    n_documents : int
        Documents of the story; the written steps get longer with it.
    is_explained : bool
        Whether an explanation is asked for.

    Notes
    -----
    Generous because a reply that is cut off is paid for and unreadable. A model that thinks before it answers needs
    its own allowance on top.
    """
    n_texts = len(MODES[mode].steps) + is_explained
    return 100 + 40 * len(score_keys(mode)) + 400 * n_texts + 40 * n_documents * len(MODES[mode].steps)


def _system_text(mode: Mode, shown: Shown, *, noun: str, is_explained: bool, wording: str) -> str:
    phrasing = PHRASINGS[wording]
    return phrasing.system.format(
        noun=_plain_noun(noun),
        shown=phrasing.shown_as[shown],
        begins=LIST_BEGINS,
        ends=LIST_ENDS,
        task="\n\n".join(_task(mode, wording, is_explained=is_explained)),
        keys=_keys_text(mode, wording, is_explained=is_explained),
    )


def _task(mode: Mode, wording: str, *, is_explained: bool) -> list[str]:
    """Return the paragraphs of the task: steps, scores, scale, explanation."""
    form, phrasing = mode_form(mode, wording), PHRASINGS[wording]
    paragraphs = []
    if form.steps:
        steps = "\n".join(f"- {step.name}: {step.meaning}" for step in form.steps)
        paragraphs.append(f"{phrasing.steps}\n{steps}")
    if form.criteria:
        criteria = "\n".join(f"- {criterion.name}: {criterion.meaning}" for criterion in form.criteria)
        paragraphs.append(f"{phrasing.criteria}\n{criteria}")
    else:
        paragraphs.append(phrasing.score_after_steps if form.steps else phrasing.score)
    if form.anchors:
        paragraphs.append(form.anchors)
    if is_explained:
        paragraphs.append(phrasing.explained.format(scores="the scores" if form.criteria else "the score"))
    return paragraphs


def _keys_text(mode: Mode, wording: str, *, is_explained: bool) -> str:
    """Return the keys of a reply with their types in words: places in a sample reply get copied by small models."""
    schema = reply_schema(mode, n_documents=2, is_explained=is_explained, wording=wording)
    types = {"string": "text", "integer": "number"}
    return ", ".join(f'"{key}" ({types[part["type"]]})' for key, part in schema["properties"].items())


def _plain_noun(noun: str) -> str:
    """Return the noun on one line, cut after 60 characters; "documents" where there is none."""
    spaced = "".join(sign if sign.isprintable() else " " for sign in noun[: 4 * _NOUN_CHARACTERS])
    return " ".join(spaced.split())[:_NOUN_CHARACTERS].strip() or DEFAULT_NOUN
