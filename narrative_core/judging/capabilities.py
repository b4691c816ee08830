"""What a model accepts, how a request is made of that, and what an endpoint's refusal gives away.

A request starts with all that we would like to send: temperature, seed, a strict schema, a limit on the reply. What the
endpoint rejects by name is left out or replaced, one thing at a time, and what worked is noted. Of what a model takes
nothing is learnt from a failure alone, only from a request that was answered; how much it can hold is learnt from the
failure that says so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from narrative_core.clock import now_text
from narrative_core.judgements import Capabilities, Question, ReplyForm
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.prompts import Message

Part = Literal["temperature", "seed", "limit", "form"]
"""What of a request an endpoint can reject: one of the two settings, the limit on the reply, the form of the reply."""

FUNCTION_NAME: Final = "give_judgement"
REASONING_TOKENS: Final = 8000
"""Allowed on top of the reply for a model that thinks before it answers."""

_FORMS: tuple[ReplyForm, ...] = ("schema", "function", "text")
_LIMITS = ("max_tokens", "max_completion_tokens")
_FORM_WORDS: Mapping[ReplyForm, str] = {
    "schema": r"response[_ ]?format|json[_ ]?schema|structured[_ ]output|\bgrammar\b",
    "function": r"\btools?\b|tool_choice|\bfunctions?\b|function[_ ]call",
}
_SEARCHED_CHARACTERS = 2000

_OPENAI_CONTEXTS: Mapping[str, int] = {
    "gpt-4.1": 1_000_000,
    "gpt-4o": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4": 8_192,
    "gpt-3.5-turbo": 16_000,
}
"""Tokens, rounded down, by how the names begin, the longer beginnings first; from OpenAI's announcements."""


def stated_context(endpoint: Endpoint) -> int | None:
    """Return how many tokens OpenAI says that a model of its own holds; ``None`` for others, which say it in an error.

    Examples
    --------
    >>> stated_context(Endpoint("gpt-4o-mini", "https://api.openai.com/v1"))
    128000
    """
    if not endpoint.is_openai:
        return None
    return next((n for name, n in _OPENAI_CONTEXTS.items() if endpoint.model.startswith(name)), None)


@dataclass(frozen=True, slots=True)
class Manner:
    """How requests are made.

    ``limits`` are the names for the limit of the reply that are still worth a try, the one in use first · ``thinks``
    whether the model was seen to think first, which takes more tokens than the reply.
    """

    form: ReplyForm = "schema"
    limits: tuple[str, ...] = _LIMITS
    sends_temperature: bool = True
    sends_seed: bool = True
    thinks: bool = False

    def without(self, part: Part) -> "Manner | None":
        """Return the next best manner when a part is rejected; ``None`` where there is nothing to give up."""
        match part:
            case "temperature":
                return replace(self, sends_temperature=False) if self.sends_temperature else None
            case "seed":
                return replace(self, sends_seed=False) if self.sends_seed else None
            case "limit":
                return replace(self, limits=self.limits[1:]) if self.limits else None
            case "form":
                later = _FORMS[_FORMS.index(self.form) + 1 :]
                return replace(self, form=later[0]) if later else None

    def dropped(self, question: Question) -> tuple[str, ...]:
        """Return what was asked for and is not sent."""
        wanted = {
            "temperature": question.temperature is not None and not self.sends_temperature,
            "seed": question.seed is not None and not self.sends_seed,
            _LIMITS[0]: not self.limits,
        }
        return tuple(name for name, is_dropped in wanted.items() if is_dropped)

    def reply_tokens(self, longest_reply: int) -> int:
        """Return how many tokens the model may write, thoughts included."""
        return longest_reply + (REASONING_TOKENS if self.thinks else 0)


def manner_for(endpoint: Endpoint, known: Capabilities) -> Manner:
    """Return the manner to begin with.

    OpenAI's newer models take the newer name of the limit alone. Elsewhere the older name comes first: a server that
    does not know the newer one may pass over it in silence, and then nothing limits the reply.
    """
    return Manner(
        form=known.form or "schema",
        limits=_LIMITS[::-1] if endpoint.is_openai else _LIMITS,
        sends_temperature=known.takes_temperature is not False,
        sends_seed=known.takes_seed is not False,
        # The models that refuse a temperature are those that think.
        thinks=known.takes_temperature is False,
    )


def learn(known: Capabilities, manner: Manner, question: Question) -> Capabilities:
    """Return what is known after a request in ``manner`` was answered."""
    takes_temperature, takes_seed = known.takes_temperature, known.takes_seed
    if question.temperature is not None:
        takes_temperature = manner.sends_temperature
    if question.seed is not None:
        takes_seed = manner.sends_seed
    learnt = replace(known, takes_temperature=takes_temperature, takes_seed=takes_seed, form=manner.form)
    return known if learnt == known else replace(learnt, noted_at=now_text())


def learn_context(known: Capabilities, context_tokens: int) -> Capabilities:
    """Return what is known after an endpoint said how long request and reply may be."""
    return replace(known, context_tokens=context_tokens, noted_at=now_text())


def request_body(
    model: str,
    manner: Manner,
    messages: Sequence[Message],
    schema: Mapping[str, Any],
    *,
    question: Question,
    longest_reply: int,
) -> dict[str, Any]:
    """Return the body of a chat completion.

    Parameters
    ----------
    model : str
        Name that the endpoint knows.
    manner : Manner
        What is sent and how.
    messages : sequence of Message
    schema : mapping
        Of the reply. In the form "text" the messages alone describe it.
    question : Question
        Temperature and seed.
    longest_reply : int
        Tokens that a reply may have.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
    }
    if manner.form == "schema":
        described = {"name": FUNCTION_NAME, "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
    elif manner.form == "function":
        described = {"name": FUNCTION_NAME, "description": "Give the judgement.", "parameters": schema}
        body["tools"] = [{"type": "function", "function": described}]
        body["tool_choice"] = {"type": "function", "function": {"name": FUNCTION_NAME}}
    if question.temperature is not None and manner.sends_temperature:
        body["temperature"] = question.temperature
    if question.seed is not None and manner.sends_seed:
        body["seed"] = question.seed
    if manner.limits:
        body[manner.limits[0]] = manner.reply_tokens(longest_reply)
    return body


def rejected_part(param: str | None, said: str, body: Mapping[str, Any]) -> Part | None:
    """Return which part of a request an endpoint rejects; ``None`` if it names none that was sent.

    Parameters
    ----------
    param : str or None
        The parameter that the error names in its field for it, which goes before what the text says.
    said : str
        The text of the error. The part that it names first counts: a remedy ("use … instead") comes second.
    body : mapping
        The request.

    Examples
    --------
    >>> rejected_part(None, "Unsupported value: 'temperature' does not support 0.3", {"temperature": 0.3})
    'temperature'
    """
    words = _words_of(body)
    if param:
        return next((part for part, pattern in words.items() if re.match(pattern, param)), None)
    found = {part: re.search(pattern, said[:_SEARCHED_CHARACTERS], re.IGNORECASE) for part, pattern in words.items()}
    places = [(match.start(), part) for part, match in found.items() if match]
    return min(places)[1] if places else None


def _words_of(body: Mapping[str, Any]) -> dict[Part, str]:
    """Return how an error would name each part that was sent."""
    words: dict[Part, str] = {}
    if "temperature" in body:
        words["temperature"] = r"\btemperature\b"
    if "seed" in body:
        words["seed"] = r"\bseed\b"
    for limit in _LIMITS:
        if limit in body:
            words["limit"] = rf"\b{limit}\b"
    if "response_format" in body:
        words["form"] = _FORM_WORDS["schema"]
    elif "tools" in body:
        words["form"] = _FORM_WORDS["function"]
    return words
