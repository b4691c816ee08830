"""Sections of a run's results about its pairs and the shape of its stories: endpoints; span and complexity."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.figures.run_complexity import complexity_density
from narrative_core.figures.run_coverage import coverage_map
from narrative_core.figures.run_coverage_time import coverage_time
from narrative_core.figures.run_coverage_topics import coverage_topics
from narrative_core.figures.run_errors import error_histogram, normalised_errors
from narrative_core.figures.run_span import span_scatter
from narrative_core.reports.run_model_tables import complexity_table
from narrative_core.reports.run_tables import span_table, strata_table
from narrative_core.runs import METRIC_WORDS, RunTable
from narrative_core.ui.results_shown import Drawing, Shown
from narrative_core.ui.run_documents import coverage_of, end_topics
from narrative_core.ui.run_figures import Finder
from narrative_core.ui.selection import stories_of_topics

Shape = Literal["variance", "efficiency", "weak share"]
Coherence = Literal["minimum", "average"]
SHAPES: tuple[Shape, ...] = ("variance", "efficiency", "weak share")
COHERENCES: tuple[Coherence, ...] = ("minimum", "average")
BY_METHOD = "how stories were made"
NO_STRATA = "The pairs of this run were taken from another run or a list, so that no group was drawn."
NO_MAP = (
    "The map of this run's collection was built anew since, or is gone: where its endpoint pairs lie cannot be drawn "
    "any more. Every number of the run is kept."
)


def endpoints(shown: Shown) -> None:
    """Show which endpoint pairs were drawn, and where they lie in space, time and topics."""
    shown.show_table(strata_table(shown.results), empty=NO_STRATA)
    coverage, mode, table = coverage_of(shown.table), shown.mode, shown.table
    if coverage is None:
        st.caption(NO_MAP)
        return
    topics = coverage_topics(coverage.topic_counts, coverage.topic_labels, mode=mode)
    named = sorted({cell[0] for row in topics.data[0].customdata for cell in row}) if topics.data else []
    ends = end_topics(table, coverage)

    def between_topics() -> Finder:
        return lambda key: stories_of_topics(key, table, ends, coverage.topic_labels, shown=named)

    shown.show_figure(
        Drawing(
            "coverage-map",
            "Endpoint pairs on the map",
            coverage_map(table, coverage.positions, coverage.ends, mode=mode),
            shown.of_metrics(),
        )
    )
    shown.show_figures(
        [
            Drawing(
                "coverage-time",
                "Endpoint pairs in time",
                coverage_time(table, coverage.dates, mode=mode),
                shown.of_metrics(),
            ),
            Drawing("coverage-topics", "Endpoint pairs between topics", topics, between_topics()),
        ]
    )


def complexity(shown: Shown) -> None:
    """Show how the time that a story spans and the shape of its path go with its coherence and its scores."""
    shown.show_table(span_table(shown.results, shown.study))
    shown.show_table(complexity_table(shown.results, shown.study), empty="No judge was asked in this run.")
    _span(shown)
    if not shown.table.seats:
        return
    left, right = st.columns(2, gap="large")
    shape = left.segmented_control(
        "Shape of the path", SHAPES, default="variance", format_func=METRIC_WORDS.__getitem__, key="complexity-shape"
    )
    coherence = right.segmented_control(
        "Compared with", COHERENCES, default="minimum", format_func=METRIC_WORDS.__getitem__, key="error-metric"
    )
    shown.show_figures(_shapes(shown, shape or "variance", coherence or "minimum"))


def _span(shown: Shown) -> None:
    """Show the time that stories span against their weakest link, in the colours of how they were made or of scores."""
    seats = shown.table.seats
    colours = [BY_METHOD, *(seat.label for seat in seats)]
    chosen = st.selectbox("Coloured by", colours, key="span-colour", width=320) if seats else BY_METHOD
    number = None if chosen == BY_METHOD else colours.index(chosen) - 1
    figure = span_scatter(shown.table, number, mode=shown.mode)
    shown.show_figure(Drawing("span", "Time that a story spans and its weakest link", figure, shown.of_metrics()))


def _shapes(shown: Shown, shape: Shape, coherence: Coherence) -> Iterator[Drawing]:
    table = shown.table
    for number, seat in enumerate(table.seats):
        words = METRIC_WORDS[shape]
        cells = {words: table.metric(shape), "score": seat.means}
        density = complexity_density(table, number, shape, mode=shown.mode)
        yield Drawing(
            f"complexity-{shape.replace(' ', '-')}-{number + 1}",
            f"{seat.label} and the {words}",
            density,
            shown.of_measures(cells),
        )
        differences = {"difference": _differences(table, number, coherence)}
        yield Drawing(
            f"errors-{coherence}-{number + 1}",
            f"Where {seat.label} and the {METRIC_WORDS[coherence]} differ",
            error_histogram(table, number, coherence, mode=shown.mode),
            shown.of_measures(differences),
        )


def _differences(table: RunTable, number: int, coherence: Coherence) -> NDArray[np.float64]:
    return normalised_errors(table.seats[number].means, table.metric(coherence))
