"""Where a prompted judge is asked, and with which key.

The key lives in an `Endpoint` alone: it is in no representation, no message and no judgement, and what an endpoint
says is cleared of it before anything else sees it.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from narrative_core.errors import JudgeUnavailable
from narrative_core.settings import KEY_VARIABLE, endpoint_address, endpoint_host, is_endpoint_address

DEFAULT_MODEL: Final = "gpt-4.1"
"""The model of the study."""

MODEL_VARIABLE: Final = "THROUGHLINE_JUDGE_MODEL"

CONCURRENCY: Final = 16
LOCAL_CONCURRENCY: Final = 4
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")

_OPENAI_HOST: Final = "api.openai.com"
_REMOVED: Final = "[key]"
_SHORTEST_SECRET: Final = 8
"""Characters. What is shorter ("none", "local") keeps nobody out, and is a part of ordinary words."""

_KEY_LIKE = re.compile(r"(?i)\bbearer\s+\S+|\bsk-[\w*.-]{4,}")


@dataclass(frozen=True, slots=True, repr=False)
class Endpoint:
    """An OpenAI-compatible endpoint and the model that is asked there.

    ``address`` may hold a user and a password, which are then sent in place of the key · ``api_key`` is empty where
    none is needed · ``timeout_s`` is the longest silence in one request, ``question_s`` the longest time for a question
    with all its requests, whatever the endpoint does meanwhile · ``max_retries`` is how often one request is sent again
    after silence, a lost connection, a 429 or a 5xx, waiting twice as long each time (0.5 to 8 s) or as long as the
    endpoint says, up to two minutes.
    """

    model: str
    address: str
    api_key: str = ""
    timeout_s: float = field(default=120.0, kw_only=True)
    question_s: float = field(default=300.0, kw_only=True)
    max_retries: int = field(default=4, kw_only=True)

    def __repr__(self) -> str:
        return f"Endpoint(model={self.model!r}, host={self.host!r})"

    @property
    def host(self) -> str:
        """Host and port, without what else an address may carry."""
        return endpoint_host(self.address)

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI itself."""
        return urlsplit(self.address).hostname == _OPENAI_HOST

    @property
    def usual_concurrency(self) -> int:
        """How many questions to have under way: a model on this machine answers one after another, and is in no hurry.

        Sixteen would wait for each other there until their time is up.
        """
        return LOCAL_CONCURRENCY if urlsplit(self.address).hostname in _LOOPBACK else CONCURRENCY

    @property
    def sign_in(self) -> tuple[str, str] | None:
        """User and password of the address, if it has any."""
        parts = urlsplit(self.address)
        return (unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None

    @property
    def bare_address(self) -> str:
        """The address without user and password, as it may stand in a log."""
        parts = urlsplit(self.address)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    def cleared(self, text: str) -> str:
        """Return what the endpoint said without the key and the password, should it have repeated them."""
        for secret in (self.api_key, *(self.sign_in or ())):
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, _REMOVED)
        return text

    def quoted(self, text: str, most: int = 200) -> str:
        """Return the beginning of an error that the endpoint reports: one line, in quotation marks, without a key."""
        shown = _KEY_LIKE.sub(_REMOVED, self.cleared(text[: 20 * most]))
        line = " ".join("".join(sign if sign.isprintable() else " " for sign in shown).split())
        return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'


def judge_model(model: str | None = None, *, environ: Mapping[str, str] = os.environ) -> str:
    """Return the model that is named, else that of ``THROUGHLINE_JUDGE_MODEL``, else the study's.

    Examples
    --------
    >>> judge_model("", environ={"THROUGHLINE_JUDGE_MODEL": " "})
    'gpt-4.1'
    """
    return (model or "").strip() or environ.get(MODEL_VARIABLE, "").strip() or DEFAULT_MODEL


def endpoint_from(
    model: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
) -> Endpoint:
    """Return the endpoint that is named, completed from the environment.

    Parameters
    ----------
    model, base_url, api_key : str, optional
        By default ``THROUGHLINE_JUDGE_MODEL`` (else "gpt-4.1"), ``OPENAI_BASE_URL`` (else OpenAI's) and
        ``OPENAI_API_KEY``. An address other than OpenAI's needs no key.
    environ : mapping
        The environment.

    Raises
    ------
    JudgeUnavailable
        If OpenAI is to be asked without a key, or the address or the key is none.

    Examples
    --------
    >>> endpoint_from("llama", "http://localhost:8080/v1", environ={})
    Endpoint(model='llama', host='localhost:8080')
    """
    name = judge_model(model, environ=environ)
    address = endpoint_address(base_url, environ=environ)
    key = (api_key or environ.get(KEY_VARIABLE) or "").strip()
    if not is_endpoint_address(address):
        raise JudgeUnavailable("The endpoint's address must begin with http:// or https:// and a host. Correct it.")
    if not (key.isascii() and key.isprintable()):
        raise JudgeUnavailable("The key has a sign in it that no key has, perhaps a line break. Copy it again.")
    endpoint = Endpoint(name, address, key)
    if endpoint.is_openai and not key:
        raise JudgeUnavailable(
            f"The model {name} at OpenAI needs a key. Set {KEY_VARIABLE}, or choose a judge that needs none: "
            "reading flow or the lexical reader."
        )
    return endpoint
