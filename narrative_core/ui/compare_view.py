"""Compare: what stands side by side, how far it differs, and where it disagrees most."""

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import streamlit as st

from narrative_core.counting import count
from narrative_core.figures.comparison_figure import difference_figure, paired_scatter
from narrative_core.judgements import Seat
from narrative_core.reports.comparison_tables import comparison_tables
from narrative_core.reports.tables import Table
from narrative_core.run_comparison import measure_unit, measure_words
from narrative_core.runs import METRIC_WORDS, RunSummary
from narrative_core.ui import frame, run_work, state
from narrative_core.ui.comparison_work import (
    Measure,
    SideBySide,
    between,
    measures_of_all,
    measures_within,
    names_apart,
    within,
)
from narrative_core.ui.disputes_view import disputes_view
from narrative_core.ui.run_cards import going_on
from narrative_core.ui.run_differences import differences_sentence
from narrative_core.ui.run_figures import PictureFormat, figure_view, picture_format
from narrative_core.ui.run_table_view import table_view
from narrative_core.ui.selection import stories_of_judge, stories_of_mark
from narrative_core.ui.variants_view import take_added, variants_of, variants_view
from narrative_core.ui.words import clamp, html_text, markdown_text

WITHIN, BETWEEN = "Two measures of one run", "Two runs or more"
MOST_OTHERS = 3
NO_RUN = (
    "Here two judges, or a judge and the mathematics, or two runs stand side by side: how far they differ, and which "
    "stories they rank most differently. That needs a run."
)
_NAME_LENGTH = 80


def compare_view() -> None:
    """Show what can be compared, and the comparison that is chosen."""
    found = run_work.runs()
    if not found:
        st.info(NO_RUN)
        st.page_link("pages/research/new_run.py", label="Start a run", icon=":material/science:")
        return
    with st.container(horizontal=True, gap="large", key="compare-controls"):
        way = st.segmented_control(
            "What is compared", [WITHIN, BETWEEN], default=WITHIN, required=True, key="compare-way"
        )
        picture = picture_format()
    if state.run() and state.run() not in {summary.run.run_id for summary in found}:
        st.warning(
            f"There is no run “{markdown_text(state.run())}” here; it may have been deleted. This is about another.",
            icon=":material/search_off:",
        )
    if way == BETWEEN:
        _runs(found, picture)
    else:
        _measures(found, picture)


def _measures(found: Sequence[RunSummary], picture: PictureFormat) -> None:
    run, left, right = st.columns([5, 3, 3], gap="medium")
    with run:
        summary = _chosen_run(found, "Run")
    table = run_work.table(summary)
    options = measures_within(table)
    key = summary.run.run_id
    words = {one: _capital(measure_words(table, one)) for one in options}
    first = left.selectbox("First", options, format_func=words.__getitem__, key=f"compare-first-{key}")
    rest = [one for one in options if one != first]
    place = next((number for number, one in enumerate(rest) if isinstance(one, Seat)), 0)
    second = right.selectbox("Second", rest, place, format_func=words.__getitem__, key=f"compare-second-{key}")
    going_on(summary)
    if not table.seats:
        st.caption("This run has no judge, so only the strengths of its stories can be compared.")
    _side_by_side(within(summary, first, second), f"within-{key}", picture)


def _runs(found: Sequence[RunSummary], picture: PictureFormat) -> None:
    left, middle, right = st.columns([4, 4, 3], gap="medium")
    with left:
        first = _chosen_run(found, "First run")
    key = first.run.run_id
    rest = {summary.run.run_id: summary for summary in found if summary.run.run_id != key}
    take_added(f"compare-others-{key}", _usual_others(first, list(rest.values())), rest, MOST_OTHERS)
    with middle:
        chosen = st.multiselect(
            "Against",
            list(rest),
            max_selections=MOST_OTHERS,
            format_func=lambda run_id: _run_label(rest[run_id]),
            key=f"compare-others-{key}",
            placeholder="Choose one run or more" if rest else "There is no other run yet",
            help="Stories match by their first and last document and by how they were made: runs with the same "
            "endpoint pairs compare pair by pair.",
        )
    others = [rest[run_id] for run_id in chosen]
    tables = [run_work.table(summary) for summary in (first, *others)]
    options = measures_of_all(tables)
    words = {one: _capital(measure_words(tables[0], one)) for one in options}
    measure = right.selectbox(
        "By",
        options,
        format_func=words.__getitem__,
        key=f"compare-by-{key}",
        help="The strength or the length of the stories, or a judge that all of these runs have asked in the same way.",
    )
    for summary in (first, *others):
        going_on(summary)
    if not others:
        st.info("Choose a run to compare with, or make the same run with another comparison of topics below.")
    for number, other in enumerate(others):
        _against(first, other, measure, f"between-{number}-{other.run.run_id}", picture)
    variants_view(first, found, f"compare-others-{key}")


def _against(first: RunSummary, second: RunSummary, measure: Measure, key: str, picture: PictureFormat) -> None:
    names = names_apart([first.run, second.run])
    st.header(markdown_text(f"{names[0]} against {names[1]}"), anchor=False)
    found = between(first, second, measure)
    told = f"{differences_sentence(first.run, second.run)} {matching_sentence(found)}"
    st.html(f"<div class='tl-quiet'>{html_text(told)}</div>")
    if not len(found.first.rows):
        st.info(
            "Stories match by their first and last document and by how they were made, and these runs share none. Make "
            "one of them anew with the endpoint pairs of the other: New run, “How endpoints are drawn”."
        )
        return
    _side_by_side(found, key, picture)


def matching_sentence(found: SideBySide) -> str:
    """Return how many stories of two runs match, and how many only one of them has."""
    n = len(found.first.rows)
    alone = [len(side.table.stories) - n for side in (found.first, found.second)]
    sides = zip(alone, ("first", "second"), strict=True)
    left_out = " and ".join(f"{number:,} of the {which}" for number, which in sides if number)
    if not n:
        return f"None of their stories match: {alone[0]:,} of the first, {alone[1]:,} of the second."
    matched = "1 story matches" if n == 1 else f"{n:,} stories match"
    if not any(alone):
        return f"{'The only story matches' if n == 1 else f'All {n:,} stories match'}."
    has, is_ = ("has", "is") if sum(alone) == 1 else ("have", "are")
    return f"{matched}; {left_out} {has} no counterpart and {is_} left out."


def _side_by_side(found: SideBySide, key: str, picture: PictureFormat) -> None:
    if not found.n_ranked:
        st.info("No story has both values yet: this fills as the answers come.")
        return
    table, summary = found.first.table, found.first.summary
    if found.unit == "standard deviations":
        st.caption(
            "The two have different units, so both are standardised over these stories. Over all stories the "
            "difference is then 0; by kind it says which stories the first rates higher than the second does."
        )
    differences, association = _tables(found)
    left, right = st.columns(2, gap="large")
    with left:
        table_view(differences, key=f"{key}-differences")
        figure_view(
            difference_figure(found.found, unit=found.unit, mode=frame.mode()),
            key=f"{key}-figure",
            picture=picture,
            title="Differences by how stories were made",
            summary=summary,
            finder=lambda mark: stories_of_judge(mark, table),
        )
    with right:
        figure_view(
            _scatter(found),
            key=f"{key}-scatter",
            picture=picture,
            title="Story by story: a click on a point opens its pair",
            summary=summary,
            finder=lambda mark: stories_of_mark(mark, table, {}),
        )
        table_view(association, key=f"{key}-association")
    disputes_view(found, key=f"{key}-disputes")


def _tables(found: SideBySide) -> tuple[Table, Table]:
    """Return the differences and the correlation under titles that say in short what is compared."""
    differences, association = comparison_tables(found.found)
    first, second = found.first.name, found.second.name
    scale = "" if found.is_one_unit else ", both standardised"
    if found.is_one_run:
        titles = f"{first} less {second}{scale}", f"how {first} and {second} go together"
    else:
        told = measure_words(found.first.table, found.first.measure)
        titles = f"{told}: {first} less {second}", f"{told}: how {first} and {second} go together"
    return replace(differences, title=_capital(titles[0])), replace(association, title=_capital(titles[1]))


def _scatter(found: SideBySide) -> go.Figure:
    stories = [found.first.table.stories[row] for row in found.first.rows.tolist()]
    told = measure_words(found.first.table, found.first.measure)
    labels = [
        f"{side.name}, {measure_unit(side.measure)}" if found.is_one_run else f"{told} {found.by} {side.name}"
        for side in (found.first, found.second)
    ]
    return paired_scatter(
        found.first.values,
        found.second.values,
        [story.made for story in stories],
        [story.pair for story in stories],
        (labels[0], labels[1]),
        is_one_unit=found.is_one_unit,
        mode=frame.mode(),
    )


def _chosen_run(found: Sequence[RunSummary], label: str) -> RunSummary:
    by_id = {summary.run.run_id: summary for summary in found}
    present = state.run() if state.run() in by_id else found[0].run.run_id
    chosen = st.selectbox(
        label, list(by_id), list(by_id).index(present), format_func=lambda one: _run_label(by_id[one])
    )
    if chosen != state.run():
        state.choose_run(chosen)
    return by_id[chosen]


def _usual_others(first: RunSummary, rest: Sequence[RunSummary]) -> list[str]:
    """Return what a run is compared with until a person chooses: its variants, else the newest of its kind."""
    variants = [summary.run.run_id for summary in variants_of(first, rest)]
    alike = [
        summary.run.run_id
        for summary in rest
        if summary.run.settings.collection == first.run.settings.collection
        and summary.run.settings.design == first.run.settings.design
    ]
    return variants[:MOST_OTHERS] or alike[:1]


def _run_label(summary: RunSummary) -> str:
    n = count(summary.n_stories, "story")
    judges = count(len(summary.run.settings.seats), "judge")
    return f"{clamp(summary.run.name, _NAME_LENGTH)} · {n}, {judges} · {run_work.origin_words(summary.run)}"


def _capital(words: str) -> str:
    """Return words that begin a title; the name of a judge stays as it is."""
    is_name = not words.startswith(("how ", *METRIC_WORDS.values()))
    return words if is_name else words[:1].upper() + words[1:]
