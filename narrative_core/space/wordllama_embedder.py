"""The built-in embedder: WordLlama's static token vectors, read from its wheel.

The files are read directly, not through the package's loader: that looks for the tokenizer in a folder that does not
exist and then turns to the network, pads every text of a batch to the longest one, and configures the root logger. The
vectors are the same (a test compares them).
"""

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import EmbeddingUnavailable
from narrative_core.records import Progress

CONFIGURATION = "l2_supercat"
DIMENSION = 256
BATCH = 256
REINSTALL = "Reinstall it with: pip install --force-reinstall wordllama."


class WordLlamaEmbedder:
    """Mean of a text's token vectors, scaled to length 1; deterministic, no network, no key.

    Every character has a token (unknown ones as bytes), so only an empty text has none. It gets the mean direction of
    the whole vocabulary, which says the least about it, and is counted in ``notices``.

    Raises
    ------
    EmbeddingUnavailable
        If the wordllama package or one of its two files is missing.

    References
    ----------
    Miller (2024), WordLlama, https://github.com/dleemiller/WordLlama.
    """

    model = "wordllama"

    def __init__(self) -> None:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        tokenizer, weights = require_files()
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        with safe_open(weights, framework="np") as file:
            self._token_vectors: NDArray[np.float32] = file.get_tensor("embedding.weight").astype(np.float32)
        self._n_empty = 0

    @property
    def version(self) -> str:
        """Package version and configuration, for example "0.4.0.post1 l2_supercat-256"."""
        return installed_version()

    @property
    def notices(self) -> tuple[str, ...]:
        """How many texts of the last call were empty, if any."""
        if not self._n_empty:
            return ()
        subject = "1 document has" if self._n_empty == 1 else f"{self._n_empty} documents have"
        return (f"{subject} no words, so the place on the map says nothing about what it is about.",)

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """Unit vectors of ``texts``, (n, 256) float32.

        Parameters
        ----------
        texts : sequence of str
        progress : callable, optional
            Called with texts done and texts in all after each batch of 256.

        Notes
        -----
        Linear in the number of tokens; nothing is truncated.
        """
        means = np.empty((len(texts), DIMENSION), dtype=np.float64)
        self._n_empty = 0
        for start in range(0, len(texts), BATCH):
            batch = [_encodable(text) for text in texts[start : start + BATCH]]
            for row, encoding in enumerate(self._tokenizer.encode_batch(batch, add_special_tokens=False), start):
                means[row] = self._mean_vector(encoding.ids)
            if progress is not None:
                progress(min(start + BATCH, len(texts)), len(texts))
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return means.astype(np.float32)

    def _mean_vector(self, tokens: list[int]) -> NDArray[np.float64]:
        if not tokens:
            self._n_empty += 1
            return np.asarray(self._token_vectors.mean(axis=0, dtype=np.float64))
        known, counts = np.unique(np.minimum(tokens, len(self._token_vectors) - 1), return_counts=True)
        total = counts.astype(np.float32) @ self._token_vectors[known]
        return np.asarray(total / len(tokens), dtype=np.float64)


def require_files() -> tuple[Path, Path]:
    """Return where the tokenizer and the token vectors lie, without loading them.

    Raises
    ------
    EmbeddingUnavailable
        If the wordllama package or one of the two is missing.
    """
    folder = _package_folder()
    tokenizer = folder / f"tokenizers/{CONFIGURATION}_tokenizer_config.json"
    return _existing(tokenizer), _existing(folder / f"weights/{CONFIGURATION}_{DIMENSION}.safetensors")


def _package_folder() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbeddingUnavailable("The built-in text model is not installed. Install it with: pip install wordllama.")
    return Path(spec.origin).parent


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise EmbeddingUnavailable(f"The built-in text model lacks its file {path.name}. {REINSTALL}")
    return path


def _encodable(text: str) -> str:
    """The text with lone surrogates, which have no bytes, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def installed_version() -> str:
    """Version of the installed model, without loading it."""
    try:
        return f"{version('wordllama')} {CONFIGURATION}-{DIMENSION}"
    except PackageNotFoundError:
        return f"unknown {CONFIGURATION}-{DIMENSION}"
