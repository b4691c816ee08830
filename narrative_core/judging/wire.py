"""One request to an endpoint: a completion, or what went wrong.

The client library does the asking and the asking again. Two hooks watch it: no more than 2 MB of an answer are read,
and attempts that got no answer are counted, since they may have been paid for. Nothing goes to an address that nobody
entered: a request that is sent on to another one is a failure.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from narrative_core.errors import NarrativeError
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.failures import Failure, failure_of

if TYPE_CHECKING:
    import ssl

    import httpx2
    import openai

MOST_BYTES: Final = 2_000_000
_CONNECT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    ``text`` is the reply, "" where there is none · ``refusal`` the model's words when it declines, ``None`` if it does
    not · ``finish`` why it stopped ("stop", "length", …) · tokens are ``None`` where the endpoint does not say; those
    of thoughts are in ``output_tokens`` · ``is_thoughtful`` whether it thought before it wrote.
    """

    text: str
    refusal: str | None
    finish: str
    input_tokens: int | None
    output_tokens: int | None
    is_thoughtful: bool


@dataclass(slots=True)
class Trace:
    """The attempts of one request.

    ``before_repeat`` is called when an attempt without an answer is about to be made again, and may raise to prevent
    it.
    """

    before_repeat: Callable[[], None]
    n_sent: int = 0
    n_answered: int = 0
    n_lost: int = 0
    last_status: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the last attempt has no answer yet, or one that is being read."""
        return self.n_sent > self.n_answered + self.n_lost or self.last_status == 200


class TooLarge(NarrativeError):
    """An answer of more than 2 MB."""


_TRACE: ContextVar[Trace] = ContextVar("trace")


def open_client(endpoint: Endpoint) -> "openai.AsyncOpenAI":
    """Return a client for an endpoint, to be closed by the caller."""
    import openai

    transport = openai.DefaultAsyncHttpxClient(
        event_hooks={"request": [_before_attempt], "response": [_after_attempt]},
        auth=endpoint.sign_in,
        timeout=_timeout(endpoint),
        verify=_trusted(),
        follow_redirects=False,
    )
    return openai.AsyncOpenAI(
        api_key=endpoint.api_key or "none",
        base_url=endpoint.bare_address,
        max_retries=endpoint.max_retries,
        timeout=_timeout(endpoint),
        http_client=transport,
    )


async def complete(
    client: "openai.AsyncOpenAI", endpoint: Endpoint, body: Mapping[str, Any], trace: Trace
) -> Completion | Failure:
    """Return what the model answers to one request, asked again by the client where that helps.

    Parameters
    ----------
    client : openai.AsyncOpenAI
        As `open_client` gives it.
    endpoint : Endpoint
        Whose key is removed from all that comes back.
    body : mapping
        Of a chat completion.
    trace : Trace
        Is told of every attempt.
    """
    import httpx2
    import openai

    _TRACE.set(trace)
    try:
        # Not through chat.completions.create: walking the types of the body takes it longer than all else here.
        response = await client.post("/chat/completions", cast_to=httpx2.Response, body=body)
    except openai.OpenAIError as error:
        if isinstance(error, openai.APIStatusError) and error.response.is_redirect:
            return _sent_on(endpoint)
        return failure_of(error, endpoint, body)
    except TooLarge:
        return _too_large(endpoint, trace)
    return read_completion(response.content, endpoint)


def read_completion(content: bytes, endpoint: Endpoint) -> Completion | Failure:
    """Return the completion that an answer holds, or why it holds none. Nothing in it is taken on trust."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return _no_completion(endpoint, "The answer is not JSON.")
    if not isinstance(said, dict):
        return _no_completion(endpoint, "The answer is not a JSON object.")
    choices = said.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else {"message": {}}
    error = said.get("error") or (choice.get("error") if isinstance(choice, dict) else None)
    if error:
        message = error.get("message", "") if isinstance(error, dict) else error
        return Failure("failed", f"{endpoint.host} reports an error: {endpoint.quoted(str(message))}", is_billed=True)
    if not isinstance(choices, list) or not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        return _no_completion(endpoint, "The answer has no choices, or no message in them.")
    return _completion(said, choice, endpoint)


def _completion(said: Mapping[str, Any], choice: Mapping[str, Any], endpoint: Endpoint) -> Completion:
    message, finish = choice["message"], choice.get("finish_reason")
    refusal = message.get("refusal")
    input_tokens, output_tokens = _tokens(said)
    return Completion(
        text=_kept(_text(message), endpoint),
        refusal=_kept(refusal, endpoint) if isinstance(refusal, str) else None,
        finish=finish if isinstance(finish, str) else "",
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        is_thoughtful=_is_thoughtful(said, message),
    )


async def _before_attempt(request: "httpx2.Request") -> None:
    trace = _TRACE.get()
    if trace.n_sent > trace.n_answered + trace.n_lost:
        trace.n_lost += 1
        trace.before_repeat()
    trace.n_sent += 1


async def _after_attempt(response: "httpx2.Response") -> None:
    trace = _TRACE.get()
    trace.n_answered += 1
    trace.last_status = response.status_code
    response.stream = _bounded_type()(response.stream)


@cache
def _bounded_type() -> "Callable[[httpx2.SyncByteStream | httpx2.AsyncByteStream], httpx2.AsyncByteStream]":
    """Return the type of a stream that ends after 2 MB; its base is in the client library, which is imported late."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream | httpx2.AsyncByteStream) -> None:
            if not isinstance(stream, httpx2.AsyncByteStream):
                raise TypeError("expected the stream of an asynchronous response")
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            n_bytes = 0
            async for part in self._stream:
                n_bytes += len(part)
                if n_bytes > MOST_BYTES:
                    raise TooLarge
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    return Bounded


@cache
def _trusted() -> "ssl.SSLContext":
    """Return the certificates that are trusted, loaded once: it takes longer than asking a question."""
    import httpx2

    return httpx2.create_ssl_context()


def _timeout(endpoint: Endpoint) -> "openai.Timeout":
    import openai

    return openai.Timeout(endpoint.timeout_s, connect=min(endpoint.timeout_s, _CONNECT_S))


def _sent_on(endpoint: Endpoint) -> Failure:
    told = f"{endpoint.host} sends the request on to another address. Enter that address if you trust it."
    return Failure("unknown", told)


def _too_large(endpoint: Endpoint, trace: Trace) -> Failure:
    told = f"{endpoint.host} sent more than {MOST_BYTES // 1_000_000} MB, which is no judgement."
    return Failure("unreadable" if trace.last_status == 200 else "failed", told, is_billed=True)


def _no_completion(endpoint: Endpoint, what: str) -> Failure:
    told = f"{endpoint.host} did not answer in the form of a chat endpoint. {what} Check its address."
    return Failure("failed", told, is_billed=True)


def _text(message: Mapping[str, Any]) -> str:
    """Return the reply of a message: the arguments of a function call, else its content, in parts or in one."""
    calls = message.get("tool_calls")
    call = calls[0] if isinstance(calls, list) and calls else None
    function = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    if isinstance(arguments, str) and arguments.strip():
        return arguments
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _kept(text: str, endpoint: Endpoint) -> str:
    """Return a text without the key, and without the two signs that neither a store nor a request can hold."""
    return endpoint.cleared(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _tokens(said: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the tokens read and written. Some endpoints leave thoughts out of the second, but not out of the sum."""
    usage = said.get("usage")
    if not isinstance(usage, dict):
        return None, None
    read, written, both = (_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    if read is not None and written is not None and both is not None:
        written = max(written, both - read)
    return read, written


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return value if is_count and isinstance(value, int) else None


def _is_thoughtful(said: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    usage = said.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    thoughts = _count(details.get("reasoning_tokens")) if isinstance(details, dict) else None
    return bool(thoughts or message.get("reasoning_content") or message.get("reasoning"))
