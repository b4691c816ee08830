"""How likely a text is after another: log-probabilities of its tokens, from whatever can compute them.

There are three ways: `LlamaServerScorer` here, `LlamaCppPythonScorer` and `EndpointScorer` in files of their own. They
agree to rounding only, and rounding in a quantised model is a tenth of a nat a token, so each names its ``path``, and
scores of different paths belong in no common statistic.
"""

import http.client
import json
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.judging.local_model import shared_local_model

REMEMBERED = 50_000
"""Pairs of context and continuation whose log-probabilities a scorer keeps, a kilobyte each: all that a run of a
thousand pairs of stories asks for, foils included."""
LOWEST = -100.0
"""A probability below e⁻¹⁰⁰ counts as that; a 32-bit float ends at e⁻¹⁰³, and not every path says what lies beyond."""


class Scorer(Protocol):
    """What computes log-probabilities.

    ``model`` and ``version`` name the weights and the engine, ``path`` the way in which the numbers were had.
    """

    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> str: ...  # noqa: D102
    @property
    def path(self) -> str: ...  # noqa: D102

    def log_probabilities(self, context: str, continuation: str) -> NDArray[np.float64]:
        """Log-probability in nats of each token of ``continuation`` after ``context``; "" is the start of a text."""
        ...


class LanguageServer(Protocol):
    """A llama.cpp server: `LocalModel`, or one that runs already."""

    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> str: ...  # noqa: D102
    @property
    def address(self) -> str: ...  # noqa: D102
    @property
    def context_tokens(self) -> int: ...  # noqa: D102


class RememberingScorer(ABC):
    """A scorer that computes each pair once and one pair at a time, whichever thread asks.

    A context that does not fit is cut at its beginning.
    """

    path: str

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], NDArray[np.float64]] = OrderedDict()

    def log_probabilities(self, context: str, continuation: str) -> NDArray[np.float64]:
        """Log-probability of each token of a text after another.

        Parameters
        ----------
        context, continuation : str
            The continuation's tokens are those that it has by itself, so both sides of a comparison have the same; end
            the context with a line break. An empty context is the start of a text.

        Returns
        -------
        ndarray, shape (n_tokens,)
            Nats, in [-100, 0]; empty for an empty continuation; read-only.

        Raises
        ------
        JudgeUnavailable
            If the model cannot be used or ends.
        TimeoutError
            If it does not answer in time.
        InvalidInput
            If the continuation is longer than the model's context.
        """
        pair = (_encodable(context), _encodable(continuation))
        with self._lock:
            if pair not in self._known:
                values = self._evaluate(*pair) if pair[1] else np.empty(0)
                values = np.clip(np.asarray(values, dtype=np.float64), LOWEST, 0.0)
                values.flags.writeable = False
                self._known[pair] = values
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            self._known.move_to_end(pair)
            return self._known[pair]

    @abstractmethod
    def _evaluate(self, context: str, continuation: str) -> Sequence[float] | NDArray[np.float64]:
        """The log-probabilities, computed; ``continuation`` is not empty, and both can be encoded."""


class LlamaServerScorer(RememberingScorer):
    """Log-probabilities from a llama.cpp server, a request for each token.

    The server gives the log-probabilities of what it says, not of what it is given. So it is made to say the
    continuation: the wanted token gets an overwhelming bias, and the log-probability that is reported is the one before
    the bias.

    A context is read in one batch, once for all continuations that are asked after it in a row; its last token and
    those of the continuation are read one by one. How the reading is cut into batches moves a log-probability by up
    to 0.2, so it is always cut alike: where another program has used the server in between, all is read again.

    Parameters
    ----------
    server : LanguageServer, optional
        By default the local model of this process.
    timeout_s : float
        Longest wait for one token.
    """

    path = "llama.cpp server, forced token by token"
    _BIAS = 1e6
    _TRIES = 5

    def __init__(self, server: LanguageServer | None = None, *, timeout_s: float = 60.0) -> None:
        super().__init__()
        self._server = server or shared_local_model()
        self._timeout_s = timeout_s
        self._connection: http.client.HTTPConnection | None = None
        self._connected_to = ""
        self._held: list[int] = []

    @property
    def model(self) -> str:
        """Name of the weights."""
        return self._server.model

    @property
    def version(self) -> str:
        """Version of the engine."""
        return self._server.version

    def _evaluate(self, context: str, continuation: str) -> list[float]:
        try:
            return self._force(context, continuation)
        except (ConnectionError, http.client.HTTPException):
            # The process may have ended since the last question; asking for the address starts it again, once.
            self._disconnect()
        try:
            return self._force(context, continuation)
        except (ConnectionError, http.client.HTTPException) as error:
            self._disconnect()
            raise JudgeUnavailable(
                f"The model's server at {self._connected_to} ended while it read. Ask again."
            ) from error

    def _force(self, context: str, continuation: str) -> list[float]:
        self._connect()
        # Without a token for the start of a text (some models have none) a line break stands for it.
        start = self._tokens("", is_start=True) or self._tokens("\n")
        wanted = self._tokens(continuation)
        before = start + fitting(self._tokens(context), len(start) + len(wanted), self._server.context_tokens)
        for _ in range(self._TRIES):
            values = self._undisturbed(before, wanted)
            if values is not None:
                return values
        raise JudgeUnavailable(f"Another program keeps {self._connected_to} busy. Try again when it is done.")

    def _undisturbed(self, before: list[int], wanted: list[int]) -> list[float] | None:
        """The log-probabilities; ``None`` if the server had to read something twice."""
        if before != self._held:
            self._complete(before[:-1], n_predict=0, cache_prompt=False)
        self._held = []
        values = []
        for place, token in enumerate(wanted):
            reply = self._complete(before + wanted[:place], logit_bias=[[token, self._BIAS]], n_probs=1)
            if reply.get("timings", {}).get("prompt_n", 1) > 1:
                return None
            values.append(self._said(reply, token))
        self._held = before
        return values

    def _complete(self, read: list[int], **options: Any) -> dict[str, Any]:  # noqa: ANN401 -- passed on as they are
        request = {"prompt": read, "n_predict": 1, "cache_prompt": True, "temperature": 0}
        return self._post("/completion", request | options) if read else {}

    def _said(self, reply: dict[str, Any], token: int) -> float:
        try:
            said = reply["completion_probabilities"][0]
            if said["id"] == token:
                return float(said["logprob"])
        except (KeyError, IndexError, TypeError, ValueError):
            pass
        raise JudgeUnavailable(
            f"{self._connected_to} gave no log-probability of the token asked for. Update llama.cpp."
        )

    def _tokens(self, text: str, *, is_start: bool = False) -> list[int]:
        # Special tokens are not parsed: a document that spells one out is still text.
        request = {"content": text, "add_special": is_start, "parse_special": False}
        reply = self._post("/tokenize", request)
        tokens = reply.get("tokens")
        if not isinstance(tokens, list):
            raise JudgeUnavailable(f"{self._connected_to} does not answer as a llama.cpp server. Check the address.")
        return [int(token) for token in tokens]

    def _connect(self) -> None:
        address = self._server.address
        if self._connection is None or address != self._connected_to:
            self._disconnect()
            parts = urlsplit(address)
            self._connected_to = address
            self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self._timeout_s)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._held = []

    def _post(self, path: str, request: dict[str, Any]) -> dict[str, Any]:
        assert self._connection is not None
        try:
            self._connection.request("POST", path, json.dumps(request), {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            body = response.read()
        except TimeoutError:
            self._disconnect()
            raise TimeoutError(f"{self._connected_to} did not answer within {self._timeout_s:g} s.") from None
        try:
            reply = json.loads(body)
        except ValueError:
            reply = None
        if response.status != 200 or not isinstance(reply, dict):
            raise JudgeUnavailable(f"{self._connected_to} failed with status {response.status}. Restart the model.")
        return reply


def fitting(context: list[int], n_other: int, n_most: int) -> list[int]:
    """The end of a context that leaves room for ``n_other`` tokens among ``n_most``.

    Raises
    ------
    InvalidInput
        If the others alone do not fit.

    Examples
    --------
    >>> fitting([1, 2, 3], 2, 4)
    [2, 3]
    """
    room = n_most - n_other
    if room < 0:
        raise InvalidInput(f"The model reads at most {n_most} tokens at a time; one document has more. Shorten it.")
    return context[len(context) - room :] if len(context) > room else context


def _encodable(text: str) -> str:
    """The text with lone surrogates, which have no bytes, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
