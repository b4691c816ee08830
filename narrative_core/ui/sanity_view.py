"""Sanity: what is checked and what a sane judge does, and how the judges of a run did."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.figures.run_marks import made_name
from narrative_core.figures.sanity_checks import OUTCOME_MARKS, marked_outcome, sanity_figure
from narrative_core.judgements import JudgeName
from narrative_core.reports.judged_pairs import NATS
from narrative_core.reports.sanity_tables import sanity_tables
from narrative_core.reports.sentences import format_title
from narrative_core.reports.verdict_sentences import format_score
from narrative_core.run_outcomes import (
    CHECK_WORDS,
    DAMAGES,
    OUTCOME_WORDS,
    Check,
    CheckResult,
    Expected,
    Outcome,
    SanityResults,
)
from narrative_core.runs import Made, RunSummary, RunTable
from narrative_core.sanity_results import ALIKE_RHO, EXPECTED, NATS_MARGIN_SD, POINTS_MARGIN
from narrative_core.ui import frame, run_work
from narrative_core.ui.design_results import checks_of
from narrative_core.ui.run_documents import documents_of
from narrative_core.ui.run_figures import figure_view, picture_format
from narrative_core.ui.run_story import show_pair
from narrative_core.ui.run_table_view import table_view
from narrative_core.ui.selection import Key, Picked, stories_of_judge
from narrative_core.ui.words import clamp, html_text, markdown_text

WHAT_IS_CHANGED: Final[Mapping[Check, str]] = {
    "shuffled": "the documents of a trail in random order",
    "reversed": "the documents of a trail from last to first",
    "foreign": "the document that fits a trail least, put between two of its own",
    "doubled": "one document of a trail told twice",
    "criteria": "the same question with its criteria in another order",
    "paraphrase": "the same question in other words",
    "shown": "titles alone, against titles and leads",
}
WHAT_IS_EXPECTED: Final[Mapping[Expected, str]] = {
    "lower": "▼ the score falls",
    "same": f"= the score stays within {POINTS_MARGIN} points",
    "alike": f"≈ stories keep their order, rank correlation over {ALIKE_RHO}",
}
MARGINS_TOLD = (
    "A check passes or fails only where the whole 95% interval says so; else it is undecided: too few stories to tell. "
    f"The margin of reading flow, whose unit has no steps, is {NATS_MARGIN_SD} standard deviations of its scores."
)
MARKS: Final[Mapping[str, str]] = {words: OUTCOME_MARKS[outcome] for outcome, words in OUTCOME_WORDS.items()}
"""What stands before the words of an outcome in a table on the screen."""

FIRST_SHOWN = 8
_TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Moved:
    """A pair whose story was damaged: what a judge gave its trail, and what the damaged story."""

    pair: int
    original: float
    changed: float


def sanity_told() -> None:
    """Say what each check changes, and what a sane judge does."""
    st.markdown(
        "A judge that reads for coherence must mind damage, and must not mind how it is asked. No person has to label "
        "anything: the same stories are damaged by rule, or the same question is put in another way."
    )
    lines = "".join(
        f"<tr><th scope='row' class='word'>{html_text(CHECK_WORDS[check].capitalize())}</th>"
        f"<td class='word'>{html_text(WHAT_IS_CHANGED[check])}</td>"
        f"<td class='word'>{html_text(WHAT_IS_EXPECTED[expected])}</td></tr>"
        for check, expected in EXPECTED.items()
    )
    st.html(
        "<div class='tl-table tl-told' tabindex='0'><table><thead><tr><th scope='col' class='word'>Check</th>"
        "<th scope='col' class='word'>What is changed</th><th scope='col' class='word'>A sane judge</th></tr></thead>"
        f"<tbody>{lines}</tbody></table></div><div class='tl-quiet tl-remark'>{html_text(MARGINS_TOLD)}</div>"
    )


def sanity_results_view(summary: RunSummary) -> None:
    """Show how the judges of a run did: each check by symbol and word, the tables, and the stories behind them."""
    table = run_work.table(summary)
    if not table.stories or not table.seats:
        st.info("This run has no story or no judge, so there is nothing to check. Start another on the page Sanity.")
        return
    if not summary.n_answered:
        st.info("No judge has answered yet. The checks fill as the answers come.")
        return
    results = checks_of(summary)
    st.html("".join(f"<div>{line}</div>" for line in outcome_lines(results)))
    picture = picture_format()
    figure_view(
        sanity_figure(results, mode=frame.mode()),
        key=f"sanity-{summary.run.run_id}",
        picture=picture,
        title="What the changes do to the scores",
        summary=summary,
        finder=lambda key: stories_of_check(key, table),
    )
    _stories(summary, table, results)
    for shown in sanity_tables(results):
        table_view(shown, key=shown.key, summary=summary, marks=MARKS)
    with st.expander("What is checked, and what a sane judge does"):
        sanity_told()


def outcome_lines(results: SanityResults) -> tuple[str, ...]:
    """Return how many checks each judge passes and fails, a line of HTML each."""
    by_judge: dict[str, list[CheckResult]] = {}
    for one in results.checks:
        by_judge.setdefault(one.label, []).append(one)
    return tuple(
        f"<b>{html_text(label)}</b> <span class='tl-quiet'>{html_text(_counted(checks))}</span>"
        for label, checks in by_judge.items()
    )


def stories_of_check(key: Key, table: RunTable) -> Picked | None:
    """Return the stories behind a mark of the figure, [seat, check]: those damaged so, else all that the judge read."""
    match key:
        case (int(seat), str(check)):
            damaged = next((made for known, made in DAMAGES.items() if known == check), "")
            return stories_of_judge((seat, damaged), table)
    return None


def most_moved(table: RunTable, seat: int, made: Made) -> tuple[Moved, ...]:
    """Return the pairs with a score of the trail and of the damaged story, the one whose score rose most first.

    A sane judge's scores fall: what rises, or falls least, is what to read.
    """
    means: NDArray[np.float64] = table.seats[seat].means
    of_trail = {table.stories[row].pair: float(means[row]) for row in table.rows("trail").tolist()}
    moved = [
        Moved(table.stories[row].pair, of_trail[table.stories[row].pair], float(means[row]))
        for row in table.rows(made).tolist()
        if table.stories[row].pair in of_trail
    ]
    known = [one for one in moved if np.isfinite(one.changed - one.original)]
    return tuple(sorted(known, key=lambda one: (one.original - one.changed, one.pair)))


def moved_words(one: Moved, judge: JudgeName) -> str:
    """Return how a score moved, as both read: "8.4 → 7.7, ▼ lower"; what reads alike hardly moves.

    Examples
    --------
    >>> moved_words(Moved(0, 8.4, 7.7), "lexical"), moved_words(Moved(0, 5.62, 5.6), "lexical")
    ('8.4 → 7.7, ▼ lower', '5.6 → 5.6, = hardly moves')
    """
    before, after = format_score(one.original, judge), format_score(one.changed, judge)
    way = "= hardly moves" if before == after else "▼ lower" if one.changed < one.original else "▲ higher"
    return f"{before} → {after}{f' {NATS}' if judge == 'flow' else ''}, {way}"


def _counted(checks: list[CheckResult]) -> str:
    counts = Counter(one.outcome for one in checks)
    outcomes: tuple[Outcome, ...] = ("pass", "fail", "undecided", "not asked")
    named: dict[Outcome, str] = {
        outcome: ", ".join(CHECK_WORDS[one.check] for one in checks if one.outcome == outcome) for outcome in outcomes
    }
    return " · ".join(
        f"{marked_outcome(outcome)} {counts[outcome]}{f' ({named[outcome]})' if outcome == 'fail' else ''}"
        for outcome in outcomes
        if counts[outcome]
    )


def _stories(summary: RunSummary, table: RunTable, results: SanityResults) -> None:
    """List the pairs of one damage and one judge, each opening the trail beside the damaged story."""
    st.subheader("Original and damaged, side by side", anchor=False)
    damages = [made for made in DAMAGES.values() if len(table.rows(made))]
    seats = list(dict.fromkeys(summary.run.settings.seats.index(one.seat) for one in results.checks))
    if not damages or not seats:
        st.caption("No trail of this run could be damaged.")
        return
    with st.container(horizontal=True, gap="medium", key="sanity-stories"):
        made = st.segmented_control(
            "Damage", damages, default=damages[0], required=True, format_func=made_name, key="sanity-damage"
        )
        seat = st.selectbox(
            "Judge", seats, format_func=lambda number: table.seats[number].label, key="sanity-judge", width=320
        )
    moved = most_moved(table, seat, made)
    if not moved:
        st.caption("This judge has not scored such a story and its trail yet.")
        return
    n_rising = sum(one.changed >= one.original for one in moved)
    rising = (
        f"in {n_rising:,} of them the damaged story scores no lower: these stand first"
        if n_rising
        else ("in each the damaged story scores lower; where it falls least stands first")
    )
    st.html(f"<div class='tl-quiet'>{count(len(moved), 'pair')} with both scores; {rising}.</div>")
    is_all = st.session_state.get("sanity-all", False)
    with st.container(gap="xxsmall", key="sanity-pairs"):
        for one in moved if is_all else moved[:FIRST_SHOWN]:
            _pair(summary, table, seat, made, one)
    if len(moved) > FIRST_SHOWN:
        st.toggle(f"All {len(moved):,} pairs", key="sanity-all")


def _pair(summary: RunSummary, table: RunTable, seat: int, made: Made, one: Moved) -> None:
    documents = documents_of(summary.run.settings.collection)
    trail = next(story for story in table.stories if story.pair == one.pair and story.made == "trail")
    ends = [
        clamp(format_title(documents[end]) if end in documents else end, _TITLE_LENGTH)
        for end in (trail.document_ids[0], trail.document_ids[-1])
    ]
    told = moved_words(one, table.seats[seat].seat.judge)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        label = f"{markdown_text(ends[0])} → {markdown_text(ends[1])}"
        if st.button(label, key=f"story-of-list-{one.pair}", type="tertiary", wrap=True):
            show_pair(summary, one.pair, made)
        st.html(f"<div class='tl-quiet'>{html_text(told)}</div>", width="content")
