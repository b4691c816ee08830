"""What an endpoint's failure means, told in one sentence without a key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from narrative_core.judging.capabilities import Part, rejected_part
from narrative_core.judging.endpoint import Endpoint
from narrative_core.settings import KEY_VARIABLE

if TYPE_CHECKING:
    import openai

FailureKind = Literal["unavailable", "unknown", "rejected", "too long", "refused", "unreadable", "timed out", "failed"]
"""What follows from a failure.

*unavailable*: no question can be asked · *unknown*: none can, unless one was answered before · *rejected*: a part of
the request, which can be left out · *too long*: the story does not fit · *refused*: the content · *unreadable*: a reply
that is too large to read · *timed out* and *failed*: this question alone.
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without a completion.

    ``part`` is what was rejected, ``None`` where nothing was named · ``context_tokens`` what the endpoint says that it
    can hold, where it says so · ``is_billed`` whether it may have cost something · ``is_vague`` whether the endpoint
    objects to the request without saying to what.
    """

    kind: FailureKind
    message: str
    part: Part | None = None
    context_tokens: int | None = None
    is_billed: bool = False
    is_vague: bool = False


_TOO_LONG = re.compile(
    r"context[_ ](?:length|window|size)|maximum context|exceed_context|prompt is too long|too many (?:input )?tokens",
    re.I,
)
_TOLD_CONTEXT = re.compile(r"maximum context length (?:is|of) (\d{2,9})\b", re.I)
_CONTENT_CODES = ("content_filter", "content_policy_violation", "invalid_prompt")
_NO_CREDIT_CODES = ("insufficient_quota", "billing_hard_limit_reached", "insufficient_balance")


def failure_of(error: "openai.OpenAIError", endpoint: Endpoint, body: Mapping[str, Any]) -> Failure:
    """Return what a client's error means for the question and for those after it.

    Parameters
    ----------
    error : openai.OpenAIError
        As the client raised it, its own retries used up.
    endpoint : Endpoint
        Who was asked.
    body : mapping
        The request.
    """
    import httpx2
    import openai

    host = endpoint.host
    if isinstance(error, openai.APIStatusError):
        return _status_failure(error, endpoint, body)
    if isinstance(error, openai.APIConnectionError):
        if isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout):
            return Failure("unknown", f"{host} cannot be reached. Check the network and the address.")
        if isinstance(error, openai.APITimeoutError):
            return Failure("timed out", f"{host} did not answer within {endpoint.timeout_s:g} s.", is_billed=True)
        return Failure("failed", f"{host} closed the connection before it had answered.", is_billed=True)
    return Failure("failed", f"{host} could not be asked ({type(error).__name__}).", is_billed=True)


def _status_failure(error: "openai.APIStatusError", endpoint: Endpoint, body: Mapping[str, Any]) -> Failure:
    host, status, code = endpoint.host, error.status_code, f"{error.code} {error.type}"
    if told := _unavailable(status, code, endpoint):
        return Failure("unavailable", told)
    if status == 429:
        return Failure("failed", f"{host} allows no more requests for now{_wait(error)}. Ask again later.")
    if status >= 500 and status != 501:
        return Failure("failed", f"{host} failed with status {status}. Ask again later.")
    return _objection(error, endpoint, body, _said(error))


def _objection(error: "openai.APIStatusError", endpoint: Endpoint, body: Mapping[str, Any], said: str) -> Failure:
    """Return what an endpoint that answers objects to: the content, the length, a part of the request, the model."""
    host, status, code = endpoint.host, error.status_code, f"{error.code} {error.type}"
    about = f": {endpoint.quoted(said)}" if said else "."
    if any(name in code for name in _CONTENT_CODES):
        return Failure("refused", f"{host} refused the content{about}")
    if _TOO_LONG.search(f"{code} {said}"):
        return Failure("too long", _too_long(endpoint), context_tokens=_told_context(error, said))
    told = f"{host} does not accept the request (status {status}){about}"
    part = None if status in (403, 413) else rejected_part(error.param, f"{said} {code}", body)
    if part:
        return Failure("rejected", told, part)
    if status == 403:
        return Failure("unknown", f"{host} does not let this key use {endpoint.model}{about}")
    if status == 404:
        return Failure("unknown", f"{host} does not know the model {endpoint.model}. Check its name and the address.")
    return Failure("failed", told, is_vague=status in (400, 422) and not error.param)


def _unavailable(status: int, code: str, endpoint: Endpoint) -> str:
    """Return why no question at all can be asked; "" if that does not follow."""
    if status == 401:
        return f"{endpoint.host} does not accept the key. Check {KEY_VARIABLE}."
    if status == 402 or any(name in code for name in _NO_CREDIT_CODES):
        return f"{endpoint.host} says that the account has no credit left. Check its balance and limits."
    return ""


def _said(error: "openai.APIStatusError") -> str:
    """Return what the endpoint says of the error, without what it repeats of the request."""
    body = error.body
    if not isinstance(body, Mapping):
        return str(body or "")
    if isinstance(body.get("message"), str):
        return str(body["message"])
    detail = body.get("detail")
    if isinstance(detail, list):
        return "; ".join(_detail(item) for item in detail if isinstance(item, Mapping))
    return detail if isinstance(detail, str) else ""


def _detail(item: Mapping[str, Any]) -> str:
    place = item.get("loc")
    places = ".".join(map(str, place)) if isinstance(place, list) else ""
    return f"{places}: {item.get('msg', '')}"


def _too_long(endpoint: Endpoint) -> str:
    return (
        f"The story is too long for {endpoint.model}. Show titles only, choose a shorter story, or a model that "
        "reads more."
    )


def too_long_to_ask(endpoint: Endpoint, n_tokens: int, context_tokens: int) -> Failure:
    """Return the failure of a request that was not sent, since it would not fit."""
    about = f" It takes about {n_tokens} tokens with its reply; the model holds {context_tokens}."
    return Failure("too long", _too_long(endpoint) + about)


def _told_context(error: "openai.APIStatusError", said: str) -> int | None:
    """Return how many tokens the endpoint says that it holds, where it says so plainly."""
    if isinstance(error.body, Mapping) and isinstance(error.body.get("n_ctx"), int):
        return int(error.body["n_ctx"])
    told = _TOLD_CONTEXT.search(said)
    return int(told[1]) if told else None


def _wait(error: "openai.APIStatusError") -> str:
    told = str(error.response.headers.get("retry-after", ""))
    return f" and asks to wait {told} s" if told.isdigit() and len(told) < 7 else ""
