"""The lexical reader against the mathematics: does it tell trails from random chronologies? See README.md."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.trails import NEWS, PROJECT
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.tables import read_table
from narrative_core.judgements import Judgement, Question, Shown, ShownStory
from narrative_core.judging.lexical import LEXICAL_VERSION, Vocabulary, judge_lexical
from narrative_core.records import Document
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.space.tokens import fold, is_stop, tokenize
from narrative_core.trails.baselines import documents_between
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.measures import mean_strength
from narrative_core.trails.sampling import sample_trails

FOLDERS = {"news": NEWS, "spaceflight": PROJECT / "data" / "spaceflight"}
SHOWN: tuple[Shown, ...] = ("titles", "leads")
_QUESTION = Question("lexical", "lexical", "", None, 0, None, None, "", "titles", "", LEXICAL_VERSION)


@dataclass(frozen=True, slots=True)
class Told:
    """One story by positions, with what the mathematics says of it."""

    rows: tuple[int, ...]
    is_trail: bool
    minimum: float
    average: float


def read_collection(folder: Path) -> tuple[tuple[Document, ...], TrailGraph]:
    """Return the documents of a folder with vectors and memberships, and the graph of their allowed links."""
    path = folder / "documents.csv"
    table = read_table(path.read_bytes(), path.name)
    documents = build_documents(table, detect_columns(table)).documents
    coherence = coherence_matrix(np.load(folder / "vectors.npy"), np.load(folder / "memberships.npy"))
    days = day_numbers([document.date for document in documents])
    return documents, TrailGraph(coherence, days, critical_coherence(coherence))


def story_pairs(graph: TrailGraph, n_pairs: int, *, rng: np.random.Generator) -> list[Told]:
    """Return ``n_pairs`` trails between uniformly drawn endpoints, each followed by one random chronology.

    The length of a chronology is Normal(mean, sd of the trails), rounded, from 2 to what is available.
    """
    trails = list(sample_trails(graph, n_pairs, rng=rng).trails)
    while len(trails) < n_pairs:
        trails.extend(sample_trails(graph, n_pairs - len(trails), rng=rng).trails)
    lengths = [len(trail.documents) for trail in trails]
    told = []
    for trail in trails:
        source, target = trail.documents[0], trail.documents[-1]
        available = documents_between(graph, source, target)
        length = round(rng.normal(np.mean(lengths), np.std(lengths, ddof=1)))
        interior = rng.choice(available, size=min(max(length - 2, 0), len(available)), replace=False)
        if graph.days is not None:
            interior = interior[np.argsort(graph.days[interior], kind="stable")]
        told.append(_told(graph, trail.documents, is_trail=True))
        told.append(_told(graph, (source, *interior.tolist(), target), is_trail=False))
    return told


def _told(graph: TrailGraph, rows: tuple[int, ...], *, is_trail: bool) -> Told:
    strengths = graph.chain_strengths(rows)
    return Told(rows, is_trail, min(strengths), mean_strength(strengths))


def vocabulary(documents: Sequence[Document]) -> Vocabulary:
    """Return the words of a collection as the product cuts them: no stop words, plain plurals folded."""
    texts = [embedding_text(document.title, document.text) for document in documents]
    stop = stop_words(texts=texts)
    folded: dict[str, int] = {}
    for token, frequency in count_documents(texts, stop).items():
        folded[fold(token)] = max(frequency, folded.get(fold(token), 0))
    return Vocabulary(
        lambda text: [fold(token) for token in tokenize(text) if not is_stop(token, stop)], folded, len(documents)
    )


def print_row(name: str, scores: Sequence[float], told: Sequence[Told]) -> None:
    """Print a line of the table: means and spread of both kinds, AUC, Cohen's d and r with the mathematics."""
    values, is_trail = np.array(scores), np.array([story.is_trail for story in told])
    trails, others = values[is_trail], values[~is_trail]
    r_average = _pearson(values, [story.average for story in told])
    r_minimum = _pearson(values, [story.minimum for story in told])
    print(
        f"| {name} | {trails.mean():.1f} ± {trails.std(ddof=1):.1f} | {others.mean():.1f} ± {others.std(ddof=1):.1f} "
        f"| {auc(trails, others):.2f} | {cohens_d(trails, others):.2f} | {r_average:.2f} | {r_minimum:.2f} |"
    )


def auc(trails: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Share of (trail, chronology) couples in which the trail scores higher, ties counting half."""
    return float(np.mean((trails[:, None] > others) + 0.5 * (trails[:, None] == others)))


def cohens_d(trails: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Difference of the means over the root mean of the two variances (groups of one size)."""
    return float((trails.mean() - others.mean()) / np.sqrt((trails.var(ddof=1) + others.var(ddof=1)) / 2))


def _pearson(values: NDArray[np.float64], others: Sequence[float]) -> float:
    return float(np.corrcoef(values, others)[0, 1])


def main() -> None:
    """Read the arguments, judge, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexical_reader", description=__doc__)
    parser.add_argument("--collection", choices=FOLDERS, default="news")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    folder = FOLDERS[options.collection]
    if not folder.is_dir():
        parser.error(f"the reference news are not at {folder}; try --collection spaceflight.")
    documents, graph = read_collection(folder)
    told = story_pairs(graph, options.pairs, rng=np.random.default_rng(options.seed))
    words = vocabulary(documents)
    print("| shown, quantity | trails | at random | AUC | d | r average | r minimum |\n|---|---|---|---|---|---|---|")
    for shown in SHOWN:
        started = time.perf_counter()
        stories = [ShownStory(tuple(documents[row] for row in story.rows), shown) for story in told]
        judged: list[Judgement] = [judge_lexical(story, _QUESTION, words) for story in stories]
        milliseconds = 1e3 * (time.perf_counter() - started) / len(told)
        print_row(f"{shown}: score ({milliseconds:.1f} ms a story)", [judgement.score for judgement in judged], told)
        for place, criterion in enumerate(judged[0].criteria):
            name = criterion.name.replace("_", " ")
            print_row(f"{shown}: {name}", [judgement.criteria[place].score for judgement in judged], told)


if __name__ == "__main__":
    main()
