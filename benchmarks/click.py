"""From a click to a trail: `narrative_core.extraction.tell` on a collection that is in memory and warm."""

import argparse
import datetime as dt
import statistics
import time

import numpy as np

from benchmarks.synthetic import Arrays, synthetic_arrays, synthetic_texts
from narrative_core.errors import NoTrail
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, TrailRequest, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence
from narrative_core.trails.sampling import sample_trails

N_WORDS = 600
N_WARM = 3


def loaded_collection(arrays: Arrays, *, seed: int) -> LoadedCollection:
    """Return a collection with texts, as `pipeline.load` would."""
    topics = arrays.memberships.argmax(axis=1)
    epoch = dt.date(1970, 1, 1)
    documents = tuple(
        Document(f"d{row}", text[:70], text, date := epoch + dt.timedelta(days=int(day)), date.isoformat(), "day")
        for row, (text, day) in enumerate(
            zip(synthetic_texts(topics, n_words=N_WORDS, seed=seed), arrays.days, strict=True)
        )
    )
    texts = [embedding_text(document.title, document.text) for document in documents]
    coherence = coherence_matrix(arrays.vectors, arrays.memberships)
    graph = TrailGraph(coherence, arrays.days, critical_coherence(coherence))
    sampled = sample_trails(graph, 20, rng=np.random.default_rng(seed))
    landscape = Landscape(
        landscape_id="synthetic",
        positions=np.zeros((len(documents), 2)),
        nearest_topic=topics,
        is_outlier=np.zeros(len(documents), dtype=bool),
        memberships=arrays.memberships,
        topics=(),
        parameters=LandscapeParameters(),
        critical_coherence=graph.floor,
        median_link=sampled.median_link,
        created_at="",
    )
    stop = stop_words(texts=texts)
    return LoadedCollection(
        collection=Collection("synthetic", "Synthetic"),
        documents=documents,
        vectors=Vectors(arrays.vectors, "synthetic", "1"),
        landscape=landscape,
        graph=graph,
        term_counts=count_documents(texts, stop),
        stop=stop,
        row_of={document.document_id: row for row, document in enumerate(documents)},
    )


def measure(n: int, n_pairs: int, seed: int) -> None:
    """Time `tell` on random pairs, each asked once, and print the median, the 95th percentile and the largest."""
    arrays = synthetic_arrays(n, n_pairs=n_pairs + N_WARM, seed=seed)
    loaded = loaded_collection(arrays, seed=seed)
    seconds, lengths, refused = [], [], 0
    for number, (source, target) in enumerate(arrays.pairs.tolist()):
        start = time.perf_counter()
        try:
            pair = tell(loaded, TrailRequest(f"d{source}", f"d{target}"))
        except NoTrail:
            refused += 1
            continue
        if number >= N_WARM:
            seconds.append(time.perf_counter() - start)
            lengths.append(len(pair.trail.documents))
    print(
        f"click to trail at n = {n:,}: median {statistics.median(seconds):.3f} s, "
        f"95th percentile {np.percentile(seconds, 95):.3f} s, largest {max(seconds):.3f} s "
        f"({len(seconds)} pairs, {refused} without a trail; trails of {statistics.median(lengths):g} documents in the "
        f"median, {max(lengths)} at most). The aim is 0.3 s."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--pairs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    measure(options.n, options.pairs, options.seed)
