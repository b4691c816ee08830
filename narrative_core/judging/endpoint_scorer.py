"""Log-probabilities from an endpoint that says them of its prompt, such as vLLM: a continuation in one request."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.scorers import RememberingScorer

if TYPE_CHECKING:
    import openai

START = "\n"
"""Opens every prompt: the first token of a prompt has no log-probability, and not every model has one for the start."""


class EndpointScorer(RememberingScorer):
    """Log-probabilities that an OpenAI-compatible completions endpoint gives of its prompt.

    It is asked with ``echo`` and ``logprobs`` first; one that answers without them, as vLLM asked for
    ``prompt_logprobs``. Which tokens are the continuation's follows from how many the context has by itself. The key
    appears in no message, and nothing goes to another address that the endpoint names.

    Parameters
    ----------
    model : str
        Name that the endpoint knows.
    base_url : str
        For example "http://127.0.0.1:8000/v1".
    api_key : str
        "none" for an endpoint that needs no key.
    max_retries : int
        How often the client asks again after a 429 or a 5xx, waiting longer each time.
    timeout_s : float
        Longest wait for one request.
    """

    def __init__(
        self, model: str, base_url: str, *, api_key: str = "none", max_retries: int = 2, timeout_s: float = 60.0
    ) -> None:
        super().__init__()
        import openai

        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise JudgeUnavailable("The endpoint's address must begin with http:// or https://. Correct it.")
        self._model = model
        self._host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
        self._client = openai.OpenAI(
            api_key=api_key,
            base_url=base_url,
            max_retries=max_retries,
            timeout=timeout_s,
            http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=timeout_s),
        )
        self._timeout_s = timeout_s
        # The same whether the endpoint echoes or not: both are the numbers of one pass over the prompt.
        self.path = f"log-probabilities of the prompt from {self._host}"
        self._n_context: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"EndpointScorer(model={self._model!r}, host={self._host!r})"

    @property
    def model(self) -> str:
        """Name that the endpoint knows."""
        return self._model

    @property
    def version(self) -> str:
        """Host of the endpoint; which weights stand behind a name is its affair."""
        return self._host

    def _evaluate(self, context: str, continuation: str) -> list[float]:
        opening = START + context
        if opening not in self._n_context:
            self._n_context = {opening: self._ask(opening)[1]} | dict(list(self._n_context.items())[:255])
        values, n_prompt = self._ask(opening + continuation)
        asked = values[self._n_context[opening] : n_prompt]
        if not asked or any(value is None for value in asked):
            raise JudgeUnavailable(f"{self._host} gives no log-probabilities of the prompt. Use the local model.")
        return [float(value) for value in asked if value is not None]

    def _ask(self, prompt: str) -> tuple[list[float | None], int]:
        """The log-probabilities of the prompt's tokens (and any said after it), and how many tokens the prompt has."""
        reply = self._create(prompt, echo=True, logprobs=1)
        values = _echoed(reply)
        if values is None:
            reply = self._create(prompt, extra_body={"prompt_logprobs": 0})
            values = _prompt_values(reply)
        if values is None or reply.usage is None:
            raise JudgeUnavailable(f"{self._host} gives no log-probabilities of the prompt. Use the local model.")
        return values, reply.usage.prompt_tokens

    def _create(self, prompt: str, **options: Any) -> "openai.types.Completion":  # noqa: ANN401 -- passed on as they are
        import openai

        try:
            reply: openai.types.Completion = self._client.completions.create(
                model=self._model, prompt=prompt, max_tokens=1, temperature=0, **options
            )
            return reply
        except openai.APITimeoutError:
            raise TimeoutError(f"{self._host} did not answer within {self._timeout_s:g} s.") from None
        except openai.APIConnectionError:
            raise JudgeUnavailable(f"{self._host} cannot be reached. Check the network and the address.") from None
        except openai.OpenAIError as error:
            if isinstance(error, openai.APIStatusError) and error.response.is_redirect:
                told = f"{self._host} sends the request on to another address. Enter that address if you trust it."
                raise JudgeUnavailable(told) from None
            # The cause is left out: an endpoint may repeat the key in what it says.
            status = getattr(error, "status_code", None)
            raise JudgeUnavailable(
                f"{self._host} failed{f' with status {status}' if status else ''}. Check the model's name and the key."
            ) from None


def _echoed(reply: "openai.types.Completion") -> list[float | None] | None:
    """The log-probabilities of an echoed prompt; ``None`` where the endpoint did not echo."""
    choice = reply.choices[0] if reply.choices else None
    values = choice.logprobs.token_logprobs if choice is not None and choice.logprobs is not None else None
    if not values or reply.usage is None or len(values) < reply.usage.prompt_tokens:
        return None
    return list(values)


def _prompt_values(reply: "openai.types.Completion") -> list[float | None] | None:
    """The log-probabilities as vLLM gives them: for each token ``None`` or {token id: {"logprob": …}}."""
    choice = reply.choices[0] if reply.choices else None
    entries = (choice.model_extra or {}).get("prompt_logprobs") if choice is not None else None
    if not isinstance(entries, list):
        return None
    try:
        return [float(next(iter(entry.values()))["logprob"]) if entry else None for entry in entries]
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError):
        return None
