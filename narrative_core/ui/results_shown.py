"""What the sections of a run's results draw from, and how they draw it: tables, and figures side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from narrative_core.figures.theme import Mode
from narrative_core.reports.tables import Table
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import METRIC_WORDS, Metric, RunSummary, RunTable
from narrative_core.study import DataSet
from narrative_core.ui.run_figures import Finder, PictureFormat, figure_view
from narrative_core.ui.run_table_view import EMPTY, table_view
from narrative_core.ui.selection import Key, Picked, stories_of_judge, stories_of_mark

_ALONE = (3, 1)
"""Widths of a figure that stands alone, and of the air beside it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure before it is shown: its key, its title in words, and how a mark leads to its stories."""

    key: str
    title: str
    figure: go.Figure
    finder: Finder | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The run on the page with its numbers, and how a person wants to see them."""

    summary: RunSummary
    table: RunTable
    results: RunResults
    study: DataSet | None
    picture: PictureFormat
    mode: Mode

    def show_table(self, table: Table, *, empty: str = EMPTY) -> None:
        """Show a table of the run; ``empty`` is said where it has no rows."""
        table_view(table, key=table.key, summary=self.summary, empty=empty)
        if table.is_empty and not self.table.seats:
            st.page_link("pages/research/new_run.py", label="New run", icon=":material/science:")

    def show_figures(self, drawings: Iterable[Drawing]) -> None:
        """Show figures two by two; one that is left over has more room, up to where its marks would be lost in it."""
        told = list(drawings)
        for start in range(0, len(told), 2):
            row = told[start : start + 2]
            columns = st.columns(2, gap="large") if len(row) == 2 else st.columns(_ALONE, gap="large")
            for column, drawing in zip(columns, row, strict=False):
                with column:
                    self.show_figure(drawing)

    def show_figure(self, drawing: Drawing) -> None:
        """Show one figure."""
        figure_view(
            drawing.figure,
            key=f"{drawing.key}-{self.summary.run.run_id}",
            picture=self.picture,
            title=drawing.title,
            summary=self.summary,
            finder=drawing.finder,
        )

    def of_metrics(self, *metrics: Metric) -> Finder:
        """Return how points and boxes lead to their stories, and bars of a metric, or cells of two."""
        return self.of_measures({METRIC_WORDS[metric]: self.table.metric(metric) for metric in metrics})

    def of_measures(self, measures: Mapping[str, NDArray[np.float64]]) -> Finder:
        """Return how points, boxes, and bars or cells of any measures of stories lead to their stories."""
        return lambda key: stories_of_mark(key, self.table, measures)

    def of_judges(self) -> Finder:
        """Return how marks of judges and of metrics lead to the stories that they rest on."""
        return lambda key: stories_of_judge(key, self.table)

    def of_names(self) -> Finder:
        """Return how a correlation, which names its two measures, leads to the stories that have a score of both."""
        labels = [seat.label for seat in self.table.seats]

        def find(key: Key) -> Picked | None:
            seats = [labels.index(name) for name in key if isinstance(name, str) and name in labels]
            return stories_of_judge((seats[-1] if seats else -1, ""), self.table) if key else None

        return find
