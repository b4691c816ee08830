"""A story as a column to read: dated headlines, and between them how strongly they hang together."""

from collections.abc import Sequence

import streamlit as st

from narrative_core.counting import count
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, Story, StoryPair
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    format_strength,
    format_terms,
    gap_between,
    price_sentence,
    request_wishes,
    shorter_draws_sentence,
    sources_sentence,
    weak_label,
    weakest_link_sentence,
)
from narrative_core.reports.steps import copies_words
from narrative_core.story_warnings import StoryWarning, pair_warnings
from narrative_core.ui import state
from narrative_core.ui.hand_edits import edit_switch, is_editing, step_tools
from narrative_core.ui.link_details import link_details, link_note, link_work
from narrative_core.ui.reading_panel import reading_panel
from narrative_core.ui.repair_dialog import popover_generation, show_repair
from narrative_core.ui.words import clamp, html_text, markdown_text

HELP = {
    "weakest": "The strength of the weakest link: a chain is only as strong. The field says bottleneck.",
    "mean": "The average strength of all links.",
    "reliability": "The geometric mean of all link strengths: one weak link pulls it down more than the average.",
}

CHANCE = {
    True: "Documents drawn at random between the same dates, told in date order.",
    False: "Documents drawn at random from the whole collection, told in the order drawn.",
}
NOT_A_PROOF = "A strong chain is close in wording and topic. It does not show that one event led to another."


def trail_column(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Show the trail: what it is worth in words, its numbers, where it is thin, its headlines, and what it is not."""
    with st.container(gap="xxsmall"):
        st.html(_kind("trail", "●", "Trail", counts_sentence(pair.trail)))
        st.html(f"<div class='tl-verdict'>{html_text(comparison_sentence(pair))}</div>")
        _numbers(pair.trail)
        remarks = (weakest_link_sentence(pair.trail), price_sentence(pair), shorter_draws_sentence(pair))
        warnings = pair_warnings(loaded, pair)
        is_said = any(warning.kind == "single source" for warning in warnings)
        for remark in filter(None, (*remarks, "" if is_said else sources_sentence(pair.trail))):
            st.html(f"<div class='tl-quiet'>{html_text(remark)}</div>")
        _warnings(warnings)
        edit_switch(pair)
    _steps(loaded, pair.trail, pair)
    st.html(f"<div class='tl-quiet'>{NOT_A_PROOF}</div>")
    show_repair(loaded, pair)


def _warnings(warnings: Sequence[StoryWarning]) -> None:
    """Show what an editor should check: how many things, of which kinds, and each in a sentence when opened."""
    if not warnings:
        return
    kinds = ", ".join(dict.fromkeys(warning.kind for warning in warnings))
    lines = "".join(f"<li dir='auto'>{html_text(warning.sentence)}</li>" for warning in warnings)
    head = f"⚠ {count(len(warnings), 'thing')} to check before print: {html_text(kinds)}"
    st.html(f"<details class='tl-warnings'><summary>{head}</summary><ul>{lines}</ul></details>")


def chance_column(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Show one random chronology, with the way to another."""
    median = _median_draw(pair)
    which = "the median draw" if pair.draw == median else f"draw {pair.draw + 1}"
    with st.container(gap="xxsmall"):
        st.html(_kind("chance", "○", "Random chronology", f"1 of {pair.drawn}, {which}"))
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xxsmall", wrap=False, key="chance-verdict"
        ):
            st.html("<div class='tl-verdict'>What chance alone would tell</div>")
            if len(pair.trail.documents) > 2:
                _turn("‹", "draw-back", "The draw before", pair.draw - 1)
                _turn("›", "draw-forth", "Another draw", pair.draw + 1)
                if pair.draw != median:
                    _turn("median", "draw-median", "Back to the draw of median strength", median)
        _numbers(pair.baseline)
        remark = CHANCE[pair.request.is_chronological]
        unbound = " Your conditions do not bind it." if request_wishes(pair.request) else ""
        st.html(f"<div class='tl-quiet'>{remark}{unbound}</div>")
    _steps(loaded, pair.baseline, pair)


def _median_draw(pair: StoryPair) -> int:
    by_strength = sorted(range(pair.drawn), key=pair.draw_bottlenecks.__getitem__)
    return by_strength[(pair.drawn - 1) // 2] if by_strength else pair.draw


def _kind(side: str, mark: str, name: str, told: str) -> str:
    return (
        f"<div class='tl-{side} tl-head'><span class='mark'>{mark}</span><span class='kind'>{name}</span>"
        f"<span class='tl-quiet'>{html_text(told)}</span></div>"
    )


def _turn(label: str, key: str, told: str, draw: int) -> None:
    st.button(label, key=key, help=told, type="tertiary", on_click=state.show_draw, args=(draw,))


def open_place(pair: StoryPair | None) -> str:
    """Return the step under which the reading panel is open, empty where it is not in a story on show."""
    place = state.reading_place()
    shown = (
        [_place(story, step) for story in (pair.trail, pair.baseline) for step in range(len(story.documents))]
        if pair
        else []
    )
    return place if state.reading() is not None and place in shown else ""


def _place(story: Story, step: int) -> str:
    return f"step-{story.kind}-{step}"


def _numbers(story: Story) -> None:
    numbers = {"weakest": story.bottleneck, "mean": story.mean, "reliability": story.reliability}
    words = {"weakest": "weakest link", "mean": "mean", "reliability": "reliability"}
    told = " · ".join(
        f"<span title='{html_text(HELP[name])}'>{words[name]} <b>{format_strength(value)}</b></span>"
        for name, value in numbers.items()
    )
    st.html(f"<div class='tl-quiet'>{told}</div>")


def _steps(loaded: LoadedCollection, story: Story, pair: StoryPair) -> None:
    opened = open_place(pair)
    with st.container(key=f"story-{story.kind}", gap="xxsmall"):
        for step, document in enumerate(story.documents):
            _headline(story, step, document, told=_beside(loaded, story, document, pair))
            if opened == _place(story, step):
                reading_panel(loaded, state.reading() or document.document_id)
            if story.kind == "trail" and is_editing():
                step_tools(story.documents, step)
            if step < len(story.links):
                _link(story, step, pair)


def _headline(story: Story, step: int, document: Document, *, told: str) -> None:
    letter = "A" if step == 0 else "B" if step == len(story.documents) - 1 else ""
    badge = f"<b>{letter}</b>" if letter else ""
    source = f" · {html_text(clamp(document.source, 40))}" if document.source else ""
    st.html(f"<div class='tl-date'>{badge}{html_text(format_date(document))}{source}{told}</div>")
    place = _place(story, step)
    is_open = state.reading() == document.document_id and state.reading_place() == place
    st.button(
        markdown_text(clamp(document.title, 160)) or "untitled",
        key=place,
        type="tertiary",
        on_click=state.read,
        args=(None if is_open else document.document_id, place),
        help=None if len(document.title) <= 160 else markdown_text(document.title),
        wrap=True,
    )


def _beside(loaded: LoadedCollection, story: Story, document: Document, pair: StoryPair) -> str:
    """Return what is to be said beside the date of a step, as HTML: a wish, its copies, the note on it."""
    told = []
    if document.document_id in pair.request.via and story.kind == "trail" and not pair.request.is_edited:
        told.append("passed through as you wished")
    if copies := copies_words(len(loaded.copies.get(document.document_id, ())) - 1):
        told.append(f"<span title='Nearly the same text'>{copies}</span>")
    note = state.desk().curation.document_notes.get(document.document_id, "")
    noted = f"<span class='tl-note' dir='auto'>✎ {html_text(clamp(note, 160))}</span>" if note else ""
    return "".join(f" · {words}" for words in told) + noted


def _link(story: Story, step: int, pair: StoryPair) -> None:
    link, first, second = story.links[step], story.documents[step], story.documents[step + 1]
    side = "trail" if story.kind == "trail" else "chance"
    with st.container(key=f"link-{story.kind}-{step}", gap="xxsmall"):
        st.html(f"<div class='tl-bar tl-{side}'><i style='width:{100 * link.coherence:.0f}%'></i></div>")
        # Chance is weak nearly everywhere: only its weakest link is worth a sign.
        is_marked = story.kind == "trail" or link.is_weakest
        label = weak_label(link, is_only=len(story.links) == 1, median_link=pair.median_link) if is_marked else ""
        told = [format_strength(link.coherence), label, gap_between(first, second), format_terms(link.shared_terms)]
        label = markdown_text(" · ".join(part for part in told if part))
        key = f"open-{story.kind}-{step}-{popover_generation()}"
        with st.popover(label, type="tertiary", wrap=True, key=key):
            link_details(link, pair)
            if story.kind == "trail":
                link_work(pair, step)
        note = link_note((link.source, link.target))
        if note:
            st.html(f"<div class='tl-note' dir='auto'>✎ {html_text(clamp(note, 200))}</div>")
