"""The lesson's last part: the trail, what a shorter one costs, what chance would tell, and what none of it proves."""

from collections.abc import Sequence

import streamlit as st

from narrative_core.counting import count
from narrative_core.errors import NoTrail
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.length_curve import length_curve_figure
from narrative_core.figures.wording import strength_words
from narrative_core.records import CurvePoint, Story, StoryPair, TrailRequest
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    format_strength,
    format_title,
    gap_between,
    weak_label,
    weakest_link_sentence,
)
from narrative_core.ui import frame, lesson, resources, state
from narrative_core.ui.words import html_text

NOT_PROVEN = (
    "A coherent trail shows that each step is close to the one before it in wording and topic, and not earlier. It "
    "does not show that one event caused the next, that the reports are true, or that no other story could be told."
)


def answer(loaded: LoadedCollection, ends: lesson.Endpoints) -> None:
    """Show the trail between the endpoints beside a random chronology, and its length against its strength."""
    source, target = (loaded.documents[row].document_id for row in (ends.source, ends.target))
    request = TrailRequest(source, target)
    try:
        pair = resources.told(lesson.TOY, loaded.landscape.landscape_id, request)
    except NoTrail:
        st.info(no_trail_sentence(loaded.landscape.critical_coherence))
        return
    trail, chance = st.columns(2, gap="large")
    with trail:
        st.html(_trail_html(pair, loaded))
    with chance:
        if len(pair.trail.documents) > 2:
            st.html(_chance_html(pair, loaded))
    st.subheader("What a longer trail buys", anchor=False)
    _curve(pair)
    st.subheader("What it does not prove", anchor=False)
    st.html(f"<div class='lesson-prose'>{NOT_PROVEN}</div>")
    if st.button("Open this trail on the map", key="lesson-open", icon=":material/timeline:"):
        state.choose_collection(lesson.TOY)
        state.choose_request(request)
        st.switch_page("pages/explore/explore.py")


def no_trail_sentence(critical_coherence: float) -> str:
    """Return why endpoints that hang together under water have no trail."""
    return (
        f"Throughline leaves out links weaker than {format_strength(critical_coherence)}, because all documents hang "
        "together without them; but with links that lead only forward in time, none of those left takes A to B."
    )


def curve_sentences(curve: Sequence[CurvePoint]) -> list[str]:
    """Return each point of the curve in words."""
    return [
        f"At most {count(point.length, 'document')}: the weakest link can be {strength_words(point.bottleneck)}."
        for point in curve
    ]


def _trail_html(pair: StoryPair, loaded: LoadedCollection) -> str:
    return (
        "<div class='tl-trail tl-head'><span class='mark'>●</span><span class='kind'>Trail</span>"
        f"<span class='tl-quiet'>{html_text(counts_sentence(pair.trail))}</span></div>"
        f"<div class='tl-verdict'>{html_text(comparison_sentence(pair))}</div>"
        f"<div class='tl-quiet'>{html_text(weakest_link_sentence(pair.trail))}</div>"
        f"{_story_html(pair.trail, pair.median_link, loaded)}"
    )


def _chance_html(pair: StoryPair, loaded: LoadedCollection) -> str:
    return (
        "<div class='tl-chance tl-head'><span class='mark'>○</span><span class='kind'>Random chronology</span>"
        f"<span class='tl-quiet'>1 of {pair.drawn}, its median draw</span></div>"
        "<div class='tl-verdict'>As many documents, drawn by chance and put in date order</div>"
        f"<div class='tl-quiet'>{html_text(weakest_link_sentence(pair.baseline))}</div>"
        f"{_story_html(pair.baseline, pair.median_link, loaded)}"
    )


def _story_html(story: Story, median_link: float, loaded: LoadedCollection) -> str:
    side = "trail" if story.kind == "trail" else "chance"
    parts = []
    for step, document in enumerate(story.documents):
        letter = "A" if step == 0 else "B" if step == len(story.documents) - 1 else ""
        badge = f"<b>{letter}</b>" if letter else ""
        number = loaded.row_of[document.document_id] + 1
        parts.append(
            f"<li><div class='tl-date'>{badge}{number} · {html_text(format_date(document))}</div>"
            f"<div class='title'>{html_text(format_title(document))}</div>"
        )
        if step < len(story.links):
            link = story.links[step]
            label = weak_label(link, is_only=len(story.links) == 1, median_link=median_link)
            gap = gap_between(document, story.documents[step + 1])
            told = " · ".join(part for part in (format_strength(link.coherence), label, gap) if part)
            bar = f"<div class='tl-bar tl-{side}'><i style='width:{100 * link.coherence:.0f}%'></i></div>"
            parts.append(f"<div class='link'>{bar}{html_text(told)}</div>")
        parts.append("</li>")
    return f"<ol class='lesson-story tl-{side}'>{''.join(parts)}</ol>"


def _curve(pair: StoryPair) -> None:
    curve = pair.curve or ()
    plot, words = st.columns([6, 5], gap="large", vertical_alignment="center")
    with plot:
        figure = length_curve_figure(
            curve,
            chosen_length=len(pair.trail.documents),
            chosen_bottleneck=pair.trail.bottleneck,
            canonical_length=len(pair.trail.documents),
            canonical_bottleneck=pair.trail.bottleneck,
            mode=frame.mode(),
        )
        points = figure.data[0]
        # On this page a click does nothing, so the hover must not invite one.
        points.hovertext = curve_sentences(
            [CurvePoint(length, bottleneck) for length, bottleneck in zip(points.x, points.y, strict=True)]
        )
        st.plotly_chart(figure, theme=None, config=lesson.CHART, key="lesson-curve")
    with words:
        rows = "".join(
            f"<tr><td>{point.length}</td><td>{strength_words(point.bottleneck)}</td></tr>" for point in curve
        )
        st.html(
            "<div class='lesson-prose'><p>As the water rises, short chains break and longer ones remain. Each step of "
            f"the curve is a length that allows a stronger chain than all shorter ones.</p>"
            f"<table class='lesson-shares'><tr><th>documents, at most</th><th>weakest link, at best</th></tr>{rows}"
            "</table></div>"
        )
