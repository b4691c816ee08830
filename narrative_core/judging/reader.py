"""What reads for reading flow: an endpoint that is named, llama-cpp-python, or the local model's own server."""

import os
from collections.abc import Mapping
from importlib.util import find_spec

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.local_model import LocalModelState, local_model_state
from narrative_core.judging.scorers import LlamaServerScorer, Scorer
from narrative_core.settings import endpoint_host, is_endpoint_address

READER_URL_VARIABLE = "THROUGHLINE_READER_URL"
READER_MODEL_VARIABLE = "THROUGHLINE_READER_MODEL"
READER_KEY_VARIABLE = "THROUGHLINE_READER_KEY"


def best_scorer(environ: Mapping[str, str] = os.environ) -> Scorer:
    """The fastest scorer there is: a named endpoint, else llama-cpp-python, else llama.cpp's server.

    Nothing is loaded before the first question.

    Parameters
    ----------
    environ : mapping
        ``THROUGHLINE_READER_URL`` names an endpoint that gives log-probabilities of its prompt, such as vLLM,
        ``THROUGHLINE_READER_MODEL`` the model there, ``THROUGHLINE_READER_KEY`` its key if it needs one.

    Raises
    ------
    JudgeUnavailable
        If an endpoint is named without a model, or its address is none.
    """
    if environ.get(READER_URL_VARIABLE):
        from narrative_core.judging.endpoint_scorer import EndpointScorer

        address, model = _reader_address(environ), _reader_model(environ)
        return EndpointScorer(model, address, api_key=environ.get(READER_KEY_VARIABLE) or "none")
    if find_spec("llama_cpp") is not None:
        from narrative_core.judging.llama_cpp_scorer import LlamaCppPythonScorer

        return LlamaCppPythonScorer()
    return LlamaServerScorer()


def reader_state(environ: Mapping[str, str] = os.environ) -> LocalModelState:
    """Return whether something is there to read with: the endpoint that is named, else the local model.

    An endpoint that is ready is named well; whether it can be reached, the first question tells.
    """
    if not environ.get(READER_URL_VARIABLE):
        return local_model_state()
    try:
        address, model = _reader_address(environ), _reader_model(environ)
    except JudgeUnavailable as problem:
        return LocalModelState(False, "An endpoint is set to read with, but not in full.", str(problem))
    host = endpoint_host(address)
    return LocalModelState(
        True, f"{model} at {host} reads, as {READER_URL_VARIABLE} says. The text shown goes to that host."
    )


def reader_host(environ: Mapping[str, str] = os.environ) -> str:
    """Return the host that the text shown goes to; "" where it stays here, or the address is none."""
    try:
        return endpoint_host(_reader_address(environ)) if environ.get(READER_URL_VARIABLE) else ""
    except JudgeUnavailable:
        return ""


def _reader_address(environ: Mapping[str, str]) -> str:
    address = environ[READER_URL_VARIABLE].strip()
    if not (is_endpoint_address(address) and address.isprintable()):
        # Not repeated: it may carry a password.
        raise JudgeUnavailable(
            f"{READER_URL_VARIABLE} must begin with http:// or https:// and a host, as in http://localhost:8000/v1. "
            "Correct it."
        )
    return address


def _reader_model(environ: Mapping[str, str]) -> str:
    model = environ.get(READER_MODEL_VARIABLE, "").strip()
    if not model:
        raise JudgeUnavailable(f"{READER_URL_VARIABLE} is set. Name the model there with {READER_MODEL_VARIABLE}.")
    return model
