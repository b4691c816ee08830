"""A story as a column to read: dated headlines, and between them how strongly they hang together."""

import streamlit as st

from narrative_core.records import Document, Link, Story, StoryPair
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    format_strength,
    format_terms,
    gap_between,
    price_sentence,
    weak_label,
    weakest_link_sentence,
)
from narrative_core.ui import state
from narrative_core.ui.words import clamp, html_text, markdown_text

HELP = {
    "weakest": "The strength of the weakest link: a chain is only as strong. The field says bottleneck.",
    "mean": "The average strength of all links.",
    "reliability": "The geometric mean of all link strengths: one weak link pulls it down more than the average.",
}


def trail_column(pair: StoryPair) -> None:
    """Show the trail: what it is worth in words, its numbers, its headlines."""
    with st.container(gap="xxsmall"):
        st.html(_kind("trail", "●", "Trail", counts_sentence(pair.trail)))
        st.html(f"<div class='tl-verdict'>{html_text(comparison_sentence(pair))}</div>")
        _numbers(pair.trail)
        price = price_sentence(pair)
        if price:
            st.html(f"<div class='tl-quiet'>{html_text(price)}</div>")
    _steps(pair.trail, pair.median_link)


def chance_column(pair: StoryPair) -> None:
    """Show one random chronology, with the way to another."""
    which = "the median draw" if pair.draw == _median_draw(pair) else f"draw {pair.draw + 1}"
    with st.container(gap="xxsmall"):
        st.html(_kind("chance", "○", "Random chronology", f"1 of {pair.drawn}, {which}"))
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xxsmall", wrap=False, key="chance-verdict"
        ):
            st.html("<div class='tl-verdict'>What chance alone would tell</div>")
            if len(pair.trail.documents) > 2:
                _turn("‹", "draw-back", "The draw before", pair.draw - 1)
                _turn("›", "draw-forth", "Another draw", pair.draw + 1)
        _numbers(pair.baseline)
    _steps(pair.baseline, pair.median_link)


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


def weakest_sentence(pair: StoryPair) -> None:
    """Say where the story is thin."""
    st.html(f"<div class='tl-quiet'>⚠ {html_text(weakest_link_sentence(pair.trail))}</div>")


def _numbers(story: Story) -> None:
    numbers = {"weakest": story.bottleneck, "mean": story.mean, "reliability": story.reliability}
    words = {"weakest": "weakest link", "mean": "mean", "reliability": "reliability"}
    told = " · ".join(
        f"<span title='{html_text(HELP[name])}'>{words[name]} <b>{format_strength(value)}</b></span>"
        for name, value in numbers.items()
    )
    st.html(f"<div class='tl-quiet'>{told}</div>")


def _steps(story: Story, median_link: float) -> None:
    with st.container(key=f"story-{story.kind}", gap="xxsmall"):
        for step, document in enumerate(story.documents):
            _headline(story, step, document)
            if step < len(story.links):
                _link(story, step, median_link)


def _headline(story: Story, step: int, document: Document) -> None:
    letter = "A" if step == 0 else "B" if step == len(story.documents) - 1 else ""
    badge = f"<b>{letter}</b>" if letter else ""
    source = f" · {html_text(clamp(document.source, 40))}" if document.source else ""
    st.html(f"<div class='tl-date'>{badge}{html_text(format_date(document))}{source}</div>")
    st.button(
        markdown_text(clamp(document.title, 160)) or "untitled",
        key=f"step-{story.kind}-{step}",
        type="tertiary",
        on_click=state.read,
        args=(document.document_id,),
        help=None if len(document.title) <= 160 else markdown_text(document.title),
        wrap=True,
    )


def _link(story: Story, step: int, median_link: float) -> None:
    link, first, second = story.links[step], story.documents[step], story.documents[step + 1]
    side = "trail" if story.kind == "trail" else "chance"
    with st.container(key=f"link-{story.kind}-{step}", gap="xxsmall"):
        st.html(f"<div class='tl-bar tl-{side}'><i style='width:{100 * link.coherence:.0f}%'></i></div>")
        label = weak_label(link, is_only=len(story.links) == 1, median_link=median_link)
        told = [format_strength(link.coherence), label, gap_between(first, second), format_terms(link.shared_terms)]
        with st.popover(markdown_text(" · ".join(part for part in told if part)), type="tertiary", wrap=True):
            _link_details(link, median_link, story, step)


def _link_details(link: Link, median_link: float, story: Story, step: int) -> None:
    st.markdown(f"**Strength {format_strength(link.coherence)}**, made of two halves:")
    left, right = st.columns(2)
    left.metric(
        "Wording", format_strength(link.wording_similarity), help="How alike the two texts are (angular similarity, S)."
    )
    right.metric("Topic", format_strength(link.topic_similarity), help="How alike their shares of the topics are (T).")
    st.caption(
        "Strength is the square root of wording × topic. "
        f"A typical link of this collection has {format_strength(median_link)}."
    )
    if link.shared_terms:
        st.markdown(f"Both speak of {markdown_text(format_terms(link.shared_terms))}.")
    else:
        st.markdown("The two share no terms.")
    for end, document in (("first", story.documents[step]), ("second", story.documents[step + 1])):
        is_end = document.document_id in (story.documents[0].document_id, story.documents[-1].document_id)
        if story.kind == "trail" and not is_end:
            st.button(
                f"Avoid the {end}: {markdown_text(clamp(document.title, 50))}",
                key=f"avoid-{step}-{end}",
                type="tertiary",
                icon=":material/block:",
                on_click=avoid,
                args=(document.document_id,),
            )


def avoid(document_id: str) -> None:
    """Ban a document from the trail."""
    request = state.request()
    if request is not None and document_id not in request.avoid:
        via = tuple(pin for pin in request.via if pin != document_id)
        state.change_request(avoid=(*request.avoid, document_id), via=via)


def pin(document_id: str) -> None:
    """Make the trail pass through a document."""
    request = state.request()
    if request is not None and document_id not in request.via:
        ban = tuple(other for other in request.avoid if other != document_id)
        state.change_request(via=(*request.via, document_id), avoid=ban)
