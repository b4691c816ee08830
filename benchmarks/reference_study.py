"""The reference study's design on the reference collections, through the product's own runs. See README.md."""

import argparse
import sys
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.trails import NEWS, PROJECT
from narrative_core import pipeline
from narrative_core.assessment import Bench
from narrative_core.experiments import continue_run, plan_run, start_run
from narrative_core.extraction import LoadedCollection
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.tables import read_table
from narrative_core.joint import make_joint
from narrative_core.judging.reader import best_scorer
from narrative_core.panel import flow_seat, lexical_seat
from narrative_core.records import Collection, Divergence, Landscape, LandscapeParameters, Vectors
from narrative_core.reports.table_formats import table_markdown
from narrative_core.run_export import tables_of
from narrative_core.runs import Cutoffs, Design, RunSettings
from narrative_core.store.collections import has_collection, load_documents, save_collection
from narrative_core.store.database import Database, open_database
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.runs import list_runs, load_run_table
from narrative_core.store.vectors import save_vectors
from narrative_core.study import DataSet
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

PAPERS = NEWS.parent / "papers"
NOUNS = {"news": "news articles", "papers": "scientific papers"}
STUDY_OF: dict[str, DataSet] = {"news": "news", "papers": "vispub"}
_SAMPLED, _SEED = 200, 42


def main() -> None:
    """Make the run that is asked for, or go on with it, and print its tables beside the study's figures."""
    options = _options()
    with closing(open_database(options.db)) as database:
        for name in ("news", "papers"):
            _store(database, name)
        name = options.collection
        if options.mixtures:
            name = make_joint(database, "news", "papers", progress=lambda stage, done, total: None)
        loaded = pipeline.load(database, name)
        run_id = _run(database, loaded, options)
        table = load_run_table(database, run_id)
        for told in tables_of(table, None if options.mixtures else STUDY_OF[name]):
            print(f"{table_markdown(told)}\n")


def _run(database: Database, loaded: LoadedCollection, options: argparse.Namespace) -> str:
    scorer = best_scorer() if "flow" in options.judge else None
    seats = [lexical_seat(loaded, options.shown)] if "lexical" in options.judge else []
    if scorer is not None:
        seats.insert(0, flow_seat(scorer, loaded, options.shown))
    design: Design = "mixtures" if options.mixtures else "trails"
    divergence: Divergence | None = options.divergence
    settings = RunSettings(
        loaded.collection.name,
        options.pairs,
        tuple(seats),
        options.seed,
        design,
        cutoffs=Cutoffs(short=options.short),
        divergence=divergence,
    )
    known = [summary.run for summary in list_runs(database) if summary.run.settings == settings]
    run_id = known[0].run_id if known else start_run(database, plan_run(database, loaded, settings))
    continue_run(database, loaded, run_id, Bench(scorer=scorer), report=_progress)
    return run_id


def _progress(stage: str, done: int, total: int) -> None:
    print(f"\r{stage} {done:,} of {total:,}", end="", file=sys.stderr, flush=True)


def _store(database: Database, name: str) -> None:
    """Store and build a reference collection; news with the vectors and memberships that are given."""
    if not has_collection(database, name):
        path = (NEWS if name == "news" else PAPERS) / "documents.csv"
        table = read_table(path.read_bytes(), path.name)
        given = np.load(NEWS / "vectors.npy") if name == "news" else None
        loaded = build_documents(table, detect_columns(table), vectors=given)
        save_collection(database, Collection(name, name.title(), NOUNS[name]), loaded.documents, loaded.report)
        if loaded.vectors is not None:
            save_vectors(database, name, Vectors(loaded.vectors, "own vectors", "text-embedding-3-small"))
    if load_landscape(database, name) is None:
        if name == "news":
            _give_landscape(database)
        else:
            pipeline.build(database, name)


def _give_landscape(database: Database) -> None:
    """Save the given memberships as the landscape of the news; they have no map, so the positions are all 0."""
    memberships = np.load(NEWS / "memberships.npy")
    documents = load_documents(database, "news")
    coherence = coherence_matrix(np.load(NEWS / "vectors.npy"), memberships)
    floor = critical_coherence(coherence)
    graph = TrailGraph(coherence, day_numbers([document.date for document in documents]), floor)
    landscape = Landscape(
        landscape_id="given",
        positions=np.zeros((len(documents), 2)),
        nearest_topic=memberships.argmax(axis=1),
        is_outlier=np.zeros(len(documents), dtype=bool),
        memberships=memberships,
        topics=(),
        parameters=LandscapeParameters(),
        critical_coherence=floor,
        median_link=sample_trails(graph, _SAMPLED, rng=np.random.default_rng(_SEED)).median_link,
        created_at="",
    )
    save_landscape(database, "news", landscape)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", choices=list(NOUNS))
    parser.add_argument("--mixtures", action="store_true", help="stories that mix both collections")
    parser.add_argument(
        "--db", type=Path, default=PROJECT / "reference_study.duckdb", help="kept, so that it can go on"
    )
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--short", type=float, default=Cutoffs().short)
    parser.add_argument("--shown", choices=("titles", "leads"), default="leads")
    parser.add_argument("--divergence", choices=("root", "plain", "base2"))
    parser.add_argument("--judge", nargs="*", default=["flow", "lexical"], choices=("flow", "lexical"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
