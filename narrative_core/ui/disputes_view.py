"""The disagreement explorer: stories that two measures rank most differently, each with both explanations."""

from dataclasses import replace

import streamlit as st

from narrative_core import extraction
from narrative_core.counting import count
from narrative_core.figures.run_marks import made_name
from narrative_core.judgements import Seat, Verdict
from narrative_core.judging.verdicts import sum_up
from narrative_core.records import Link, Story
from narrative_core.reports.judged_pairs import NATS
from narrative_core.reports.sentences import (
    format_list,
    format_strength,
    format_terms,
    format_title,
    quote_title,
    weakest_link_sentence,
)
from narrative_core.reports.verdict_sentences import (
    answers_words,
    measured_link_sentence,
    named_link_sentence,
    score_words,
    spoken_judgement,
)
from narrative_core.run_outcomes import Disputed
from narrative_core.runs import METRIC_WORDS, Made, RunStory, RunSummary
from narrative_core.store.runs import run_judgements
from narrative_core.ui import resources
from narrative_core.ui.comparison_work import Side, SideBySide, rank_words
from narrative_core.ui.run_documents import documents_of, told_story
from narrative_core.ui.run_pair import pair_story
from narrative_core.ui.run_story import show_pair
from narrative_core.ui.words import clamp, html_text, markdown_text

FIRST_SHOWN = 8
_TITLE_LENGTH = 64
_MOST_WEAK = 3


def disputes_view(found: SideBySide, *, key: str) -> None:
    """List the stories that both sides rank most differently, the furthest apart first; each opens in place."""
    st.subheader("Where they disagree most", anchor=False)
    disputes = found.disputes(_kind_choice(found, key))
    if not disputes.stories:
        st.caption("Nothing to list: it takes two stories that both sides have a value of, and rank differently.")
        return
    st.html(
        f"<div class='tl-quiet'>The 1st is the highest of the {disputes.n:,} stories that both have a value of. Open "
        "one to read why each side ranks it so.</div>"
    )
    is_all = st.session_state.get(f"{key}-all", False)
    with st.container(gap="xsmall", key=f"{key}-list"):
        for one in disputes.stories if is_all else disputes.stories[:FIRST_SHOWN]:
            _dispute(found, one, dispute_words(found, one, disputes.n), f"{key}-{one.row}")
    if len(disputes.stories) > FIRST_SHOWN:
        st.toggle(f"All {len(disputes.stories)} that are furthest apart", key=f"{key}-all")


def dispute_words(found: SideBySide, one: Disputed, n: int) -> str:
    """Return how both sides rank a story: "3rd of 200 by weakest link, 180th by gpt-4.1"."""
    return (
        f"{rank_words(one.first_rank, n)} of {n:,} {found.by} {found.first.name}, "
        f"{rank_words(one.second_rank, n)} {found.by} {found.second.name}"
    )


def _kind_choice(found: SideBySide, key: str) -> Made | None:
    kinds = found.kinds
    if len(kinds) < 2:
        return None
    # Between two runs random chronologies are drawn anew, so that most of them differ: trails say more.
    usual = None if found.is_one_run else kinds[0]
    chosen: Made | str = st.segmented_control(
        "Among which stories",
        ["all", *kinds],
        default=usual or "all",
        required=True,
        format_func=lambda kind: "all stories" if kind == "all" else made_name(kind),
        key=f"{key}-kind",
        label_visibility="collapsed",
    )
    return next((kind for kind in kinds if kind == chosen), None)


def _dispute(found: SideBySide, one: Disputed, told: str, key: str) -> None:
    story = found.first.story(one.row)
    documents = documents_of(found.first.table.run.settings.collection)
    ends = [
        clamp(format_title(documents[end]) if end in documents else end, _TITLE_LENGTH)
        for end in (story.document_ids[0], story.document_ids[-1])
    ]
    label = (
        f"**{markdown_text(ends[0])} → {markdown_text(ends[1])}** "
        f":gray[{markdown_text(f'{made_name(story.made)}, {told}')}]"
    )
    opened = st.expander(label, key=key, on_change="rerun")
    if not opened.open:
        return
    with opened:
        for column, side in zip(st.columns(2, gap="large"), (found.first, found.second), strict=True):
            with column:
                _side(side, one.row, is_told=not found.is_one_run)
        if found.is_one_run:
            with st.container(key=f"{key}-story"):
                pair_story(found.first.table, story)
        _way_to_pair(found, one.row, key)


def _way_to_pair(found: SideBySide, place: int, key: str) -> None:
    sides = [found.first] if found.is_one_run else [found.first, found.second]
    with st.container(horizontal=True, gap="small"):
        for number, side in enumerate(sides):
            told = "" if found.is_one_run else f" {found.by} {clamp(side.name, 40)}"
            label = f"Open the pair{markdown_text(told)}"
            if st.button(label, key=f"{key}-pair-{number}", icon=":material/open_in_full:"):
                story = side.story(place)
                show_pair(side.summary, story.pair, story.made)


def _side(side: Side, place: int, *, is_told: bool) -> None:
    """Say why one side ranks a story as it does: its weak links, or what the judge says."""
    run_story = side.story(place)
    story = _story_with_terms(side.summary, run_story)
    st.html(f"<div class='tl-head'><span class='kind'>{html_text(side.name)}</span></div>")
    if isinstance(side.measure, Seat):
        _judge_says(side, side.measure, run_story, story)
    else:
        value = run_story.metrics[side.measure]
        told = format_strength(value) if side.measure in ("minimum", "average") else f"{value:,.0f}"
        st.html(
            f"<div><span class='tl-score'>{told}</span> "
            f"<span class='tl-quiet'>{html_text(METRIC_WORDS[side.measure])}</span></div>"
        )
        lines = weak_link_lines(story, side.table.run.median_link)
        st.html("".join(f"<div class='tl-said' dir='auto'>{html_text(line)}</div>" for line in lines))
    if is_told:
        pair_story(side.table, run_story)


def weak_link_lines(story: Story, median_link: float) -> tuple[str, ...]:
    """Return the weak links of a story in words: the weakest, then the others below the median link of the run."""
    weakest = story.weakest_link
    others = [
        (step, link) for step, link in enumerate(story.links) if link is not weakest and link.coherence < median_link
    ]
    lines = [weakest_link_sentence(story)]
    n = len(others) + (weakest.coherence < median_link)
    if n:
        below = f"{'is' if n == 1 else 'are'} below {format_strength(median_link)}, the median link of trails here."
        lines.append(f"{n:,} of {count(len(story.links), 'link')} {below}")
    others.sort(key=lambda other: other[1].coherence)
    lines += [_link_line(story, step, link) for step, link in others[:_MOST_WEAK]]
    return tuple(lines)


def _link_line(story: Story, step: int, link: Link) -> str:
    first, second = story.documents[step], story.documents[step + 1]
    return (
        f"{quote_title(first)} → {quote_title(second)} ({format_strength(link.coherence)}): "
        f"{format_terms(link.shared_terms)}."
    )


def _judge_says(side: Side, seat: Seat, run_story: RunStory, story: Story) -> None:
    verdict = _verdict(side, seat, run_story)
    unit = NATS if verdict.seat.judge == "flow" else "of 10"
    answers = answers_words(verdict) if verdict.seat.mode is not None and verdict.n_asked else ""
    told = " · ".join(filter(None, [unit if verdict.n_ok else "", answers]))
    st.html(
        f"<div><span class='tl-score'>{html_text(score_words(verdict))}</span> "
        f"<span class='tl-quiet'>{html_text(told)}</span></div>"
    )
    if not verdict.n_asked:
        return
    spoken = spoken_judgement(verdict)
    lines = [named_link_sentence(verdict, story), measured_link_sentence(verdict, story)]
    lines.append(spoken.explanation if spoken is not None else _no_score(verdict))
    st.html("".join(f"<div class='tl-said' dir='auto'>{html_text(line)}</div>" for line in lines if line))


def _no_score(verdict: Verdict) -> str:
    ended = format_list([f"{n:,} {status}" for status, n in verdict.counts.items() if n])
    return f"No score came of it: {ended}. {verdict.judgements[0].message}".strip()


def _verdict(side: Side, seat: Seat, story: RunStory) -> Verdict:
    number = [scores.seat for scores in side.table.seats].index(seat)
    given = [
        judgement
        for asked, judgement in run_judgements(resources.database(), side.summary.run.run_id, story.pair)
        if asked.seat == number and asked.made == story.made
    ]
    return sum_up(seat, "baseline" if story.made == "baseline" else "trail", given)


def _story_with_terms(summary: RunSummary, story: RunStory) -> Story:
    """Return a story as it is read, with the terms that its documents share where their collection can say them."""
    settings = summary.run.settings
    told = told_story(story, documents_of(settings.collection))
    stored = resources.summary(settings.collection)
    if stored is None or not stored.is_built:
        return told
    loaded = resources.loaded(settings.collection, stored.landscape_id or "")
    if not all(document_id in loaded.row_of for document_id in story.document_ids):
        return told
    described = extraction.describe(loaded, loaded.rows(story.document_ids), kind=told.kind)
    links = zip(told.links, described.links, strict=True)
    return replace(told, links=tuple(replace(link, shared_terms=other.shared_terms) for link, other in links))
