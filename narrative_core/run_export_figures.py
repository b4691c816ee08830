"""Every figure of a run, by its design: under which key, with which title, drawn for paper."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.figures.mixture_figure import mixture_figure, mixture_means
from narrative_core.figures.run_agreement import agreement_bars, spread_bars
from narrative_core.figures.run_boxes import coherence_boxes, score_boxes
from narrative_core.figures.run_complexity import complexity_density
from narrative_core.figures.run_coverage import coverage_map
from narrative_core.figures.run_coverage_time import coverage_time
from narrative_core.figures.run_coverage_topics import coverage_topics
from narrative_core.figures.run_disagreement import disagreement_bands
from narrative_core.figures.run_distributions import coherence_distribution
from narrative_core.figures.run_effects import auc_bars, effect_sizes
from narrative_core.figures.run_errors import error_histogram
from narrative_core.figures.run_heat_map import correlation_heat_map, story_heat_map
from narrative_core.figures.run_lengths import length_bars, length_scatter
from narrative_core.figures.run_means import grouped_means
from narrative_core.figures.run_p_values import p_value_bars
from narrative_core.figures.run_prediction import importance_bars, r2_bars
from narrative_core.figures.run_scatter import score_scatter
from narrative_core.figures.run_span import span_scatter
from narrative_core.figures.run_stability import stability_dots
from narrative_core.figures.sanity_checks import sanity_figure
from narrative_core.reports.run_html import RunFigure
from narrative_core.run_outcomes import MixtureResults, Results, RunResults, SanityResults, SeatResults
from narrative_core.runs import METRIC_WORDS, RunTable
from narrative_core.store.collections import load_documents
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape

Coherence = Literal["minimum", "average"]
Shape = Literal["variance", "efficiency", "weak share"]
_COHERENCES: Final[tuple[Coherence, ...]] = get_args(Coherence)
_SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Where the endpoint pairs of a run lie in its collection.

    ``positions`` (n_documents, 2) of documents on the map · ``ends`` (n_pairs, 2) rows of the endpoints in it ·
    ``dates`` of the endpoints · ``topic_counts`` (k, k) pairs by topic of source and of target · ``topic_labels`` (k).
    """

    positions: NDArray[np.float64]
    ends: NDArray[np.int64]
    dates: tuple[tuple[dt.date | None, dt.date | None], ...]
    topic_counts: NDArray[np.int64]
    topic_labels: tuple[str, ...]


def run_figures(table: RunTable, results: Results, coverage: Coverage | None = None) -> tuple[RunFigure, ...]:
    """Return the figures of a run in reading order, in the light theme; those with nothing to show are left out.

    Parameters
    ----------
    table : RunTable
    results : RunResults, SanityResults or MixtureResults
        Of that table.
    coverage : Coverage, optional
        Adds where endpoint pairs lie; of mixtures there is none.
    """
    match results:
        case RunResults():
            told = _trails(table, results)
        case SanityResults():
            told = _sanity(table, results)
        case MixtureResults():
            told = _mixtures(table, results)
    everything = [*told, *(_coverage(table, coverage) if coverage else ())]
    return tuple(one for one in everything if one.figure.data)


def load_coverage(database: Database, table: RunTable) -> Coverage | None:
    """Return where the endpoint pairs of a run lie; ``None`` where its landscape or a document is no longer there."""
    collection, ends = table.run.settings.collection, _endpoints(table)
    if table.run.settings.design == "mixtures" or not ends:
        return None
    try:
        documents, landscape = load_documents(database, collection), load_landscape(database, collection)
    except InvalidInput:
        return None
    row_of = {document.document_id: row for row, document in enumerate(documents)}
    is_gone = landscape is None or landscape.landscape_id != table.run.landscape_id
    if landscape is None or is_gone or any(end not in row_of for both in ends.values() for end in both):
        return None
    rows = np.zeros((max(ends) + 1, 2), dtype=np.int64)
    for pair, both in ends.items():
        rows[pair] = [row_of[document_id] for document_id in both]
    topics = landscape.nearest_topic[rows[list(ends)]]
    counts = np.zeros((len(landscape.topics), len(landscape.topics)), dtype=np.int64)
    known = topics[(topics >= 0).all(axis=1)]
    np.add.at(counts, (known[:, 0], known[:, 1]), 1)
    return Coverage(
        positions=landscape.positions,
        ends=rows,
        dates=tuple((documents[source].date, documents[target].date) for source, target in rows.tolist()),
        topic_counts=counts,
        topic_labels=tuple(topic.label for topic in landscape.topics),
    )


def _trails(table: RunTable, results: RunResults) -> Iterator[RunFigure]:
    told = partial(RunFigure, beside="lengths")
    yield told("lengths", "Documents of a story", length_bars(table))
    yield told("lengths-minimum", "Documents of a story and its weakest link", length_scatter(table))
    for number, seat in enumerate(results.seats):
        yield from _against_coherence(table, number, seat)
    told = partial(RunFigure, beside="associations")
    yield told("correlations", "Correlations of coherence, length and scores", correlation_heat_map(table))
    yield told("stories", "Every score of every story", story_heat_map(table))
    yield RunFigure("agreement", "Agreement between the agents of a judge", agreement_bars(results), "agreement")
    told = partial(RunFigure, beside="contrasts")
    yield told("effect-sizes", "How far trails and random chronologies are apart", effect_sizes(results))
    yield told("auc", "The chance that a trail is above a random chronology", auc_bars(results))
    yield told("p-values", "Could the difference be chance?", p_value_bars(results))
    yield told("means", "Means of trails and of random chronologies", grouped_means(results))
    yield from _by_method(table, "contrasts")
    yield RunFigure("prediction", "How well coherence and length predict a score", r2_bars(results), "prediction")
    yield RunFigure("importances", "What a forest predicts a score from", importance_bars(results), "importances")
    yield RunFigure("spread", "How far agents are apart on a story", spread_bars(results), "disagreement")
    title = "How far agents are apart, by the score that they give"
    yield RunFigure("disagreement", title, disagreement_bands(results), "disagreement-bands")
    yield RunFigure("stability", "Correlations on pairs that were left out", stability_dots(results), "stability")
    yield RunFigure("span", "The time that a story spans and its weakest link", span_scatter(table), "span")
    for number, seat in enumerate(results.seats):
        yield from _against_shape(table, number, seat.label)


def _against_coherence(table: RunTable, number: int, seat: SeatResults) -> Iterator[RunFigure]:
    told, end = partial(RunFigure, beside="associations"), f"judge-{number + 1}"
    for metric in _COHERENCES:
        words, r = METRIC_WORDS[metric], seat.associations[metric].pearson
        yield told(
            f"scatter-{metric}-{end}", f"{seat.label} and the {words}", score_scatter(table, number, metric, r=r)
        )
    for metric in _COHERENCES:
        title = f"Where {seat.label} and the {METRIC_WORDS[metric]} differ"
        yield told(f"errors-{metric}-{end}", title, error_histogram(table, number, metric))


def _against_shape(table: RunTable, number: int, label: str) -> Iterator[RunFigure]:
    end = f"judge-{number + 1}"
    title = f"The time that a story spans, its weakest link, and {label}"
    yield RunFigure(f"span-{end}", title, span_scatter(table, number), "span")
    for shape in _SHAPES:
        key, title = f"complexity-{shape.replace(' ', '-')}-{end}", f"{label} and the {METRIC_WORDS[shape]}"
        yield RunFigure(key, title, complexity_density(table, number, shape), "complexity")


def _sanity(table: RunTable, results: SanityResults) -> Iterator[RunFigure]:
    yield RunFigure("sanity", "What judges make of changed stories and questions", sanity_figure(results), "sanity")
    yield from _by_method(table)


def _mixtures(table: RunTable, results: MixtureResults) -> Iterator[RunFigure]:
    yield RunFigure("mixture-means", "Means by how stories were made", mixture_means(results), "mixtures")
    title = "Mean link and score of each story"
    yield RunFigure("mixtures", title, mixture_figure(results, table), "mixture-associations")
    yield from _by_method(table)


def _by_method(table: RunTable, beside: str = "") -> Iterator[RunFigure]:
    told = partial(RunFigure, beside=beside)
    for metric in _COHERENCES:
        title = f"The {METRIC_WORDS[metric]} by how stories were made"
        yield told(f"distribution-{metric}", title, coherence_distribution(table, metric))
    yield told("coherence-boxes", "Coherence by how stories were made", coherence_boxes(table))
    yield told("score-boxes", "Scores by how stories were made", score_boxes(table))


def _coverage(table: RunTable, coverage: Coverage) -> Iterator[RunFigure]:
    told, topics = partial(RunFigure, beside="strata"), (coverage.topic_counts, coverage.topic_labels)
    yield told("coverage-map", "Endpoint pairs on the map", coverage_map(table, coverage.positions, coverage.ends))
    yield told("coverage-time", "Endpoint pairs in time", coverage_time(table, coverage.dates))
    yield told("coverage-topics", "Endpoint pairs between topics", coverage_topics(*topics))


def _endpoints(table: RunTable) -> Mapping[int, tuple[str, str]]:
    """Return source and target of each pair: of its first story, since a reversed one has them the other way round."""
    ends: dict[int, tuple[str, str]] = {}
    for story in table.stories:
        ends.setdefault(story.pair, (story.document_ids[0], story.document_ids[-1]))
    return ends
