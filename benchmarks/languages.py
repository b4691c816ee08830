"""How well near texts find each other in six languages with the model on this computer, or one of an endpoint.

Forty invented events, each told in six languages, and in each language once more in a sentence of other words. Asked
with the second telling, the first one of the same event should come first among the forty first tellings of a language.

    python -m benchmarks.languages
    python -m benchmarks.languages --model bge-m3 --base-url http://127.0.0.1:11434/v1
"""

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrative_core.space.document_text import embedding_text
from narrative_core.space.embedders import LOCAL_MODEL, Embedder, make_embedder

NEWS = Path(__file__).parents[1] / "tests" / "languages" / "news"
LANGUAGES = {
    "en": "English",
    "es": "Spanish",
    "ru": "Russian",
    "ar": "Arabic",
    "zh_hans": "Chinese, simplified",
    "zh_hant": "Chinese, traditional",
}


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """``mrr`` is the mean reciprocal rank, ``first`` the share of events that are found first, of ``n`` events."""

    mrr: float
    first: float
    n: int


def reciprocal_ranks(asked: NDArray[np.float32], told: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return 1 / rank of row i of ``told`` by cosine with row i of ``asked``; shapes (n, d), ties count against it.

    Examples
    --------
    >>> reciprocal_ranks(np.eye(2, dtype=np.float32), np.array([[1, 0], [1, 0]], dtype=np.float32)).tolist()
    [0.5, 0.5]
    """
    likeness = asked @ told.T
    return 1.0 / (likeness >= np.diag(likeness)[:, None]).sum(axis=1)


def find(embedder: Embedder, asked: Sequence[str], told: Sequence[str]) -> Found:
    """Return how well texts find those at the same place of another list."""
    ranks = reciprocal_ranks(_unit(embedder.embed(asked)), _unit(embedder.embed(told)))
    return Found(float(ranks.mean()), float((ranks == 1).mean()), len(ranks))


def first_tellings(language: str) -> list[str]:
    """Return the documents of a language as they are embedded, by event."""
    with (NEWS / f"{language}.csv").open(encoding="utf-8", newline="") as file:
        return [embedding_text(title, text) for _, title, text, *_ in list(csv.reader(file))[1:]]


def second_tellings(language: str) -> list[str]:
    """Return the second tellings of a language, by event."""
    with (NEWS / "told_again.csv").open(encoding="utf-8", newline="") as file:
        return [row[language] for row in csv.DictReader(file)]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--model", default=LOCAL_MODEL)
    parser.add_argument("--base-url", default=None)
    options = parser.parse_args()
    embedder = make_embedder(options.model, base_url=options.base_url)
    english = first_tellings("en")
    print(f"{embedder.model} {embedder.version}; mean reciprocal rank among {len(english)}, and how many came first")
    print("| language | the same event in the same language | the English telling |")
    print("|---|---|---|")
    for code, name in LANGUAGES.items():
        own = find(embedder, second_tellings(code), first_tellings(code))
        across = find(embedder, first_tellings(code), english)
        shown = "–" if code == "en" else f"{across.mrr:.2f} ({round(across.first * across.n)} of {across.n})"
        print(f"| {name} | {own.mrr:.2f} ({round(own.first * own.n)} of {own.n}) | {shown} |")


if __name__ == "__main__":
    main()
