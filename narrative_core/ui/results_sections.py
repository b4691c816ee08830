"""The sections of the results of a run of trails beside random chronologies: tables first, then their figures."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import streamlit as st

from narrative_core.figures.run_agreement import agreement_bars, spread_bars
from narrative_core.figures.run_boxes import coherence_boxes, score_boxes
from narrative_core.figures.run_disagreement import disagreement_bands
from narrative_core.figures.run_distributions import coherence_distribution
from narrative_core.figures.run_effects import auc_bars, effect_sizes
from narrative_core.figures.run_heat_map import correlation_heat_map, story_heat_map
from narrative_core.figures.run_lengths import length_bars, length_scatter
from narrative_core.figures.run_means import grouped_means
from narrative_core.figures.run_p_values import p_value_bars
from narrative_core.figures.run_prediction import importance_bars, r2_bars
from narrative_core.figures.run_scatter import score_scatter
from narrative_core.figures.run_stability import stability_dots
from narrative_core.reports.judge_rows import SCALES
from narrative_core.reports.run_judge_tables import (
    agreement_table,
    asked_table,
    association_table,
    band_table,
    disagreement_table,
    use_table,
)
from narrative_core.reports.run_model_tables import importance_table, prediction_table, stability_table
from narrative_core.reports.run_tables import coherence_overview, contrast_table, lengths_table
from narrative_core.reports.tables import Table
from narrative_core.runs import METRIC_WORDS, Metric
from narrative_core.ui.results_ends import complexity, endpoints
from narrative_core.ui.results_shown import Drawing, Shown
from narrative_core.ui.run_methods_view import run_methods
from narrative_core.ui.study_marks import (
    AGREEMENT,
    MODELS,
    PREDICTORS,
    contrast_marks,
    judge_marks,
    mean_marks,
    spread_marks,
)
from narrative_core.ui.take_away import take_away

Section = Literal[
    "Overview",
    "Coherence",
    "Judges against coherence",
    "Telling apart",
    "Agreement",
    "Prediction",
    "Endpoints",
    "Span and complexity",
    "Cost",
    "Methods",
    "Take away",
]
NO_JUDGE = "No judge was asked in this run. A new run with judges fills this table."
ONE_AGENT = "Each judge of this run is one agent. Ask with K of 2 or more to see how far agents agree."
NOT_TWICE = "How far agents agree is shown as soon as two of them have scored a story."
_COHERENCES: tuple[Metric, ...] = ("minimum", "average")


def metric_switch(key: str, metrics: tuple[Metric, ...]) -> Metric:
    """Show what the figures below measure coherence by, and return the choice."""
    chosen = st.segmented_control(
        "Measured by", metrics, default=metrics[0], format_func=METRIC_WORDS.__getitem__, key=key
    )
    return chosen or metrics[0]


def _overview(shown: Shown) -> None:
    results, study = shown.results, shown.study
    shown.show_table(asked_table(results), empty=NO_JUDGE)
    shown.show_table(coherence_overview(results, study))
    shown.show_table(lengths_table(results, study))
    marks = contrast_marks(results, study, "d")
    shown.show_figures(
        [
            Drawing(
                "effect-sizes",
                "How far trails stand above random chronologies",
                effect_sizes(results, study=marks, mode=shown.mode),
                shown.of_judges(),
            ),
            Drawing(
                "lengths", "Documents of a story", length_bars(shown.table, mode=shown.mode), shown.of_metrics("length")
            ),
        ]
    )


def _of_coherence(table: Table) -> Table:
    """Return the rows of the contrasts that no judge has a part in."""
    rows = tuple(row for row in table.rows if row.link is None or row.link[0] < 0)
    note = table.note.replace(SCALES, "Coherence is from 0 to 1.")
    return replace(table, key="coherence", title="Coherence by method", rows=rows, note=note, skipped={})


def _coherence(shown: Shown) -> None:
    shown.show_table(_of_coherence(contrast_table(shown.results, shown.study)))
    shown.show_figures(
        [
            *(
                Drawing(
                    f"distribution-{metric}",
                    f"{METRIC_WORDS[metric].capitalize()} by method",
                    coherence_distribution(shown.table, metric, mode=shown.mode),
                    shown.of_metrics(metric),
                )
                for metric in ("minimum", "average")
            ),
            Drawing(
                "coherence-boxes",
                "Coherence by method",
                coherence_boxes(shown.table, mode=shown.mode),
                shown.of_metrics(),
            ),
            Drawing(
                "length-weakest",
                "Length against weakest link",
                length_scatter(shown.table, mode=shown.mode),
                shown.of_metrics(),
            ),
        ]
    )


def _against(shown: Shown) -> None:
    results = shown.results
    shown.show_table(association_table(results, shown.study), empty=NO_JUDGE)
    if not shown.table.seats:
        return
    metric = metric_switch("against-metric", _COHERENCES)
    shown.show_figures(
        Drawing(
            f"scatter-{metric}-{number + 1}",
            f"{seat.label} against the {METRIC_WORDS[metric]}",
            score_scatter(shown.table, number, metric, r=seat.associations[metric].pearson, mode=shown.mode),
            shown.of_metrics(),
        )
        for number, seat in enumerate(results.seats)
    )
    shown.show_figures(
        [
            Drawing(
                "correlations",
                "What goes together with what",
                correlation_heat_map(shown.table, mode=shown.mode),
                shown.of_names(),
            ),
            Drawing(
                "story-scores",
                "Every score of every story",
                story_heat_map(shown.table, mode=shown.mode),
                shown.of_metrics(),
            ),
        ]
    )


def _apart(shown: Shown) -> None:
    results, study, mode = shown.results, shown.study, shown.mode
    shown.show_table(contrast_table(results, study))
    effects = effect_sizes(results, study=contrast_marks(results, study, "d"), mode=mode)
    areas = auc_bars(results, study=contrast_marks(results, study, "auc"), mode=mode)
    means = grouped_means(results, study=mean_marks(study), mode=mode)
    shown.show_figures(
        [
            Drawing("effect-sizes", "Effect sizes", effects, shown.of_judges()),
            Drawing("auc", "Chance that a trail is above a random chronology", areas, shown.of_judges()),
            Drawing("means", "Means by method", means, shown.of_judges()),
            Drawing("score-boxes", "Scores by method", score_boxes(shown.table, mode=mode), shown.of_metrics()),
            Drawing("p-values", "Could the difference be chance?", p_value_bars(results, mode=mode), shown.of_judges()),
        ]
    )


def _agreement(shown: Shown) -> None:
    results, study, mode = shown.results, shown.study, shown.mode
    shown.show_table(agreement_table(results, study), empty=ONE_AGENT)
    if not any(seat.seat.n_agents > 1 for seat in results.seats):
        return
    if not any(seat.agreement.n_used for seat in results.seats):
        st.caption(NOT_TWICE)
        return
    agreement = agreement_bars(results, study=judge_marks(results, study, "agreement", AGREEMENT), mode=mode)
    spread = spread_bars(results, study=spread_marks(results, study), mode=mode)
    shown.show_table(disagreement_table(results, study), empty=ONE_AGENT)
    shown.show_figures(
        [
            Drawing("agreement", "Agreement of agents", agreement, shown.of_judges()),
            Drawing("spread", "How far agents are apart on a story", spread, shown.of_judges()),
        ]
    )
    shown.show_table(band_table(results), empty=ONE_AGENT)
    bands = disagreement_bands(results, mode=mode)
    shown.show_figure(Drawing("bands", "Disagreement by score", bands, shown.of_judges()))


def _prediction(shown: Shown) -> None:
    results, study, mode = shown.results, shown.study, shown.mode
    shown.show_table(prediction_table(results, study), empty=NO_JUDGE)
    if not results.seats:
        return
    shown.show_table(importance_table(results, study), empty=NO_JUDGE)
    fits = r2_bars(results, study=judge_marks(results, study, "prediction", MODELS), mode=mode)
    weights = judge_marks(results, study, "importances", PREDICTORS)
    shown.show_figures(
        [
            Drawing("prediction", "How well coherence and length predict a score", fits, shown.of_judges()),
            Drawing(
                "importances",
                "What the random forest rests on",
                importance_bars(results, study=weights, mode=mode),
                shown.of_judges(),
            ),
        ]
    )
    shown.show_table(stability_table(results, study), empty=NO_JUDGE)
    stability = stability_dots(results, mode=mode)
    shown.show_figure(Drawing("stability", "Correlations on pairs that were left out", stability, shown.of_judges()))


def _cost(shown: Shown) -> None:
    shown.show_table(use_table(shown.results, shown.study), empty=NO_JUDGE)


def _methods(shown: Shown) -> None:
    run_methods(shown.summary.run, shown.results)


def _take_away(shown: Shown) -> None:
    take_away(shown.summary, shown.study)


SECTIONS: Mapping[Section, Callable[[Shown], None]] = {
    "Overview": _overview,
    "Coherence": _coherence,
    "Judges against coherence": _against,
    "Telling apart": _apart,
    "Agreement": _agreement,
    "Prediction": _prediction,
    "Endpoints": endpoints,
    "Span and complexity": complexity,
    "Cost": _cost,
    "Methods": _methods,
    "Take away": _take_away,
}
"""In the order of the contents list; only the one that is chosen is drawn."""

WITH_MODELS: frozenset[Section] = frozenset({"Prediction"})
"""Sections that need the models that predict scores."""
