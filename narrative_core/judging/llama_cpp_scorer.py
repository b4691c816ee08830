"""Log-probabilities from llama-cpp-python, where someone has built it: a whole continuation in one pass."""

import os
from importlib import import_module
from importlib.metadata import version as installed_version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.local_model import CONTEXT_TOKENS, MODEL, models_folder
from narrative_core.judging.scorers import RememberingScorer, fitting
from narrative_core.judging.weights import weights_file

ROWS = 64
"""Tokens whose logits are held at a time: a row has the whole vocabulary, a megabyte."""


class LlamaCppPythonScorer(RememberingScorer):
    """Log-probabilities of the local model in this process, by llama-cpp-python; loaded at the first question."""

    model = MODEL
    path = "llama-cpp-python, in one pass"

    def __init__(self) -> None:
        super().__init__()
        self._llama: Any = None
        self._held: list[int] = []

    @property
    def version(self) -> str:
        """Version of the engine."""
        return f"llama-cpp-python {installed_version('llama-cpp-python')}"

    def _evaluate(self, context: str, continuation: str) -> NDArray[np.float64]:
        if self._llama is None:
            self._llama = _load()
        start = [self._llama.token_bos()]
        wanted = self._tokens(continuation)
        before = start + fitting(self._tokens(context), len(start) + len(wanted), CONTEXT_TOKENS)
        return self._read(before, wanted)

    def _tokens(self, text: str) -> list[int]:
        return list(self._llama.tokenize(text.encode("utf-8"), add_bos=False, special=False)) if text else []

    def _read(self, before: list[int], wanted: list[int]) -> NDArray[np.float64]:
        llama_cpp: Any = import_module("llama_cpp")

        memory = llama_cpp.llama_get_memory(self._llama.ctx)
        is_held, self._held = before == self._held, []
        if is_held:
            llama_cpp.llama_memory_seq_rm(memory, 0, len(before) - 1, -1)
        else:
            llama_cpp.llama_memory_clear(memory, True)
        n_vocabulary = self._llama.n_vocab()
        # The last token before the continuation predicts its first token, and so on.
        read, n_silent = before + wanted[:-1], len(before) - 1
        values = []
        for first, last in _spans(n_silent, len(read)):
            if is_held and first < n_silent:
                continue
            self._decode(read[first:last], first, is_asked=first >= n_silent)
            if first < n_silent:
                continue
            for place in range(last - first):
                row = llama_cpp.llama_get_logits_ith(self._llama.ctx, place)
                logits = np.ctypeslib.as_array(row, shape=(n_vocabulary,))
                values.append(_log_probability(logits, wanted[first - n_silent + place]))
        self._held = before
        return np.array(values)

    def _decode(self, tokens: list[int], first: int, *, is_asked: bool) -> None:
        llama_cpp: Any = import_module("llama_cpp")

        batch = llama_cpp.llama_batch_init(len(tokens), 0, 1)
        try:
            batch.n_tokens = len(tokens)
            for place, token in enumerate(tokens):
                batch.token[place], batch.pos[place] = token, first + place
                batch.n_seq_id[place], batch.seq_id[place][0] = 1, 0
                batch.logits[place] = is_asked
            if llama_cpp.llama_decode(self._llama.ctx, batch) != 0:
                raise JudgeUnavailable(
                    "llama-cpp-python could not read the text. Uninstall it to use the built-in way."
                )
        finally:
            llama_cpp.llama_batch_free(batch)


def _load() -> Any:  # noqa: ANN401 -- the package has no types for what is used of it
    llama_cpp: Any = import_module("llama_cpp")

    path = weights_file(models_folder())
    try:
        # Waiting threads spin: with as many as there are cores, a second busy program slows it twenty times.
        n_threads = max(1, (os.cpu_count() or 1) // 2)
        return llama_cpp.Llama(
            str(path), n_ctx=CONTEXT_TOKENS, n_threads=n_threads, n_threads_batch=n_threads, verbose=False
        )
    except (ValueError, OSError, RuntimeError) as error:
        raise JudgeUnavailable(f"llama-cpp-python could not load the model: {error}. Update it.") from error


def _spans(n_silent: int, n: int) -> list[tuple[int, int]]:
    """Slices of at most 512 tokens before ``n_silent``, and of at most `ROWS` from there on."""
    edges = [*range(0, n_silent, 512), *range(n_silent, n, ROWS), n]
    return list(pairwise(edges))


def _log_probability(logits: NDArray[np.float32], token: int) -> float:
    above = logits - logits.max()
    return float(above[token] - np.log(np.exp(above).sum(dtype=np.float64)))
