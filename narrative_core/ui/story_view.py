"""A story as a column to read: dated headlines, and between them how strongly they hang together."""

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, Link, Story, StoryPair
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    format_strength,
    format_terms,
    gap_between,
    price_sentence,
    request_wishes,
    sources_sentence,
    weak_label,
    weakest_link_sentence,
)
from narrative_core.ui import state
from narrative_core.ui.changes import avoid
from narrative_core.ui.reading_panel import reading_panel
from narrative_core.ui.words import clamp, html_text, markdown_text

HELP = {
    "weakest": "The strength of the weakest link: a chain is only as strong. The field says bottleneck.",
    "mean": "The average strength of all links.",
    "halves": "Wording (S): how alike the two texts are, from the angle between their vectors. Topic (T): how alike "
    "their shares of the topics are. Strength is the square root of their product.",
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
        remarks = (weakest_link_sentence(pair.trail), price_sentence(pair), sources_sentence(pair.trail))
        for remark in filter(None, remarks):
            st.html(f"<div class='tl-quiet'>{html_text(remark)}</div>")
    _steps(loaded, pair.trail, pair)
    st.html(f"<div class='tl-quiet'>{NOT_A_PROOF}</div>")


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
            _headline(story, step, document, is_pinned=document.document_id in pair.request.via)
            if opened == _place(story, step):
                reading_panel(loaded, state.reading() or document.document_id)
            if step < len(story.links):
                _link(story, step, pair.median_link)


def _headline(story: Story, step: int, document: Document, *, is_pinned: bool) -> None:
    letter = "A" if step == 0 else "B" if step == len(story.documents) - 1 else ""
    badge = f"<b>{letter}</b>" if letter else ""
    source = f" · {html_text(clamp(document.source, 40))}" if document.source else ""
    pinned = " · passed through as you wished" if is_pinned and story.kind == "trail" else ""
    st.html(f"<div class='tl-date'>{badge}{html_text(format_date(document))}{source}{pinned}</div>")
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


def _link(story: Story, step: int, median_link: float) -> None:
    link, first, second = story.links[step], story.documents[step], story.documents[step + 1]
    side = "trail" if story.kind == "trail" else "chance"
    with st.container(key=f"link-{story.kind}-{step}", gap="xxsmall"):
        st.html(f"<div class='tl-bar tl-{side}'><i style='width:{100 * link.coherence:.0f}%'></i></div>")
        # Chance is weak nearly everywhere: only its weakest link is worth a sign.
        is_marked = story.kind == "trail" or link.is_weakest
        label = weak_label(link, is_only=len(story.links) == 1, median_link=median_link) if is_marked else ""
        told = [format_strength(link.coherence), label, gap_between(first, second), format_terms(link.shared_terms)]
        with st.popover(markdown_text(" · ".join(part for part in told if part)), type="tertiary", wrap=True):
            _link_details(link, median_link, story, step)


def _link_details(link: Link, median_link: float, story: Story, step: int) -> None:
    wording, topic = format_strength(link.wording_similarity), format_strength(link.topic_similarity)
    st.markdown(
        f"**Strength {format_strength(link.coherence)}** · wording {wording} · topic {topic}", help=HELP["halves"]
    )
    st.caption(f"A typical link of this collection has {format_strength(median_link)}.")
    if link.shared_terms:
        st.markdown(f"Both speak of {markdown_text(format_terms(link.shared_terms))}.")
    else:
        st.markdown("The two share no terms.")
    for end, document in (("first", story.documents[step]), ("second", story.documents[step + 1])):
        is_end = document.document_id in (story.documents[0].document_id, story.documents[-1].document_id)
        if story.kind == "trail" and not is_end:
            st.button(
                f"Avoid “{markdown_text(clamp(document.title, 60))}”",
                key=f"avoid-{step}-{end}",
                type="tertiary",
                icon=":material/block:",
                on_click=avoid,
                args=(document.document_id,),
            )
