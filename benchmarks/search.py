"""From a query to the first page of hits: `narrative_core.document_filters.find` beside a plain scan of all texts."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.synthetic import synthetic_arrays, synthetic_texts
from narrative_core.curation import Curation
from narrative_core.document_filters import Filter, find
from narrative_core.document_index import index_documents
from narrative_core.holdings import hold, shelve
from narrative_core.records import Collection, Document

AIM_S = 0.2
N_WARM = 3


def queries(texts: Sequence[str], n: int, *, seed: int) -> list[str]:
    """Return queries of the kinds that people type: one word, two, a phrase, a beginning, one to leave out."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(n):
        words = texts[int(rng.integers(len(texts)))].split()
        at = int(rng.integers(len(words) - 3))
        first, second, third = words[at : at + 3]
        kinds = (first, f"{first} {second} ", f'"{first} {second}"', first[:3], f"{first} -{third}")
        made.append(kinds[number % len(kinds)])
    return made


def plain_scan(documents: Sequence[Document], query: str) -> int:
    """Return how many documents contain all words of a query: what one writes without an index."""
    words = query.casefold().replace('"', " ").split()
    return sum(all(word in f"{one.title} {one.text}".casefold() for word in words) for one in documents)


def measure(n: int, n_words: int, n_queries: int, seed: int) -> None:
    """Time queries, each asked once, and print the median, the 95th percentile and the ratio to a plain scan."""
    topics = synthetic_arrays(n, n_pairs=1, seed=seed).memberships.argmax(axis=1)
    texts = list(synthetic_texts(topics, n_words=n_words, seed=seed))
    documents = [Document(f"d{row}", text[:70], text, source=f"s{row % 40}") for row, text in enumerate(texts)]
    start = time.perf_counter()
    shelf = shelve(Collection("made-up", "Made up"), index_documents(documents))
    print(f"indexed {n:,} documents of {n_words} words in {time.perf_counter() - start:.1f} s", file=sys.stderr)
    holdings = hold(shelf, Curation())
    asked = queries(texts, n_queries + N_WARM, seed=seed)
    ours = _timed(lambda query: find(holdings, Filter(query=query)), asked)
    scan = _timed(lambda query: plain_scan(documents, query), asked[: N_WARM + 10])
    median, slow = float(np.median(ours)), float(np.percentile(ours, 95))
    print(
        f"search at n = {n:,}: median {median * 1000:.0f} ms, 95th percentile {slow * 1000:.0f} ms, largest "
        f"{max(ours) * 1000:.0f} ms over {len(ours)} queries, with facets and the first page marked; a plain scan "
        f"{np.median(scan) * 1000:,.0f} ms, {np.median(scan) / median:.0f} times as long. The aim is "
        f"{AIM_S * 1000:.0f} ms."
    )


def _timed(work: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    seconds = []
    for query in asked:
        start = time.perf_counter()
        work(query)
        seconds.append(time.perf_counter() - start)
    return seconds[N_WARM:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=20_000, help="documents")
    parser.add_argument("--words", type=int, default=600, help="words of each")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measure(options.n, options.words, options.queries, options.seed)
