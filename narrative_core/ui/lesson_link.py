"""The lesson's second part: one link, from two arrows and two lists of shares to its strength."""

from collections.abc import Sequence

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.compass import compass
from narrative_core.records import Topic
from narrative_core.trails.worked_link import WorkedLink, work_out_link
from narrative_core.ui import frame, lesson
from narrative_core.ui.words import html_text

_LEFT, _RIGHT = "lesson-left", "lesson-right"
_DEFAULT_ROWS = (0, 3)
SAME = "These are one and the same document, and a document is not a step from itself: choose two different ones."


def one_link(loaded: LoadedCollection) -> None:
    """Let two documents be chosen and work their link out."""
    ids = [document.document_id for document in loaded.documents]
    for key, row in zip((_LEFT, _RIGHT), _DEFAULT_ROWS, strict=True):
        st.session_state.setdefault(key, ids[row])
    st.html(
        "<div class='lesson-prose'>How strongly do two documents hang together? Choose two and follow the sum. "
        "It is the same in both directions.</div>"
    )
    left, right = st.columns(2, gap="small")
    with left:
        first = lesson.choose(loaded, "One document", _LEFT)
    with right:
        second = lesson.choose(loaded, "Another document", _RIGHT)
    if first == second:
        st.info(SAME)
        return
    vectors = loaded.vectors.values[[first, second]]
    link = work_out_link(
        vectors,
        loaded.landscape.memberships[[first, second]],
        divergence=loaded.landscape.parameters.divergence,
    )
    names = (str(first + 1), str(second + 1))
    wording, topics = st.columns([5, 7], gap="large")
    with wording:
        st.subheader("Wording: the angle between the arrows", anchor=False)
        (ax, ay), (bx, by) = vectors.tolist()
        figure = compass(((ax, ay), (bx, by)), names, mode=frame.mode())
        st.plotly_chart(figure, theme=None, config=lesson.CHART, key="lesson-compass")
        st.html(wording_steps(link, names))
    with topics:
        st.subheader("Topic: the distance between the shares", anchor=False)
        st.html(topic_steps(link, names, loaded.landscape.topics))
    st.subheader("Strength: both together", anchor=False)
    st.html(strength_steps(link))


def wording_steps(link: WorkedLink, names: tuple[str, str]) -> str:
    """Return the way from the angle to S, as HTML."""
    return (
        f"<div class='lesson-prose'>The arrows of {names[0]} and {names[1]} are <b>{link.angle_deg:.0f}°</b> apart. "
        "No angle at all means the same wording; half a turn, 180°, means wording as different as can be. So the "
        "wording similarity, called S, is"
        f"<div class='lesson-sum'>S = 1 − {link.angle_deg:.0f} / 180 = <b>{link.wording_similarity:.3f}</b></div></div>"
    )


def topic_steps(link: WorkedLink, names: tuple[str, str], topics: Sequence[Topic]) -> str:
    """Return the way from the shares to T, as HTML."""
    heads = "".join(f"<th>{html_text(topic.label)}</th>" for topic in topics)
    rows = (
        (names[0], link.shares, link.spread),
        (names[1], link.other_shares, link.other_spread),
        ("both mixed", link.mixture, link.mixture_spread),
    )
    body = "".join(
        f"<tr><td>{html_text(label)}</td>{''.join(f'<td>{share:g}</td>' for share in _rounded(shares))}"
        f"<td>{spread:.3f}</td></tr>"
        for label, shares, spread in rows
    )
    return (
        "<div class='lesson-prose'>Write the topic shares of the two below each other, and below them their mix: "
        "the average of the two."
        f"<table class='lesson-shares'><tr><th></th>{heads}<th>spread</th></tr>{body}</table>"
        "<p>The <b>spread</b> says how widely the shares are scattered over the topics: 0 when all is in one topic, "
        "larger the more even they are. It is minus the sum of share × ln(share), where ln is the key of that name "
        "on a calculator; the field says entropy.</p>"
        "<p>A mix of two equal lists is no more scattered than they are. The more the two differ, the more scattered "
        "is their mix. So what the mix has more than the two have on average tells how different they are; it is "
        "called the Jensen–Shannon divergence, JSD:</p>"
        f"<div class='lesson-sum'>JSD = {link.mixture_spread:.3f} − ({link.spread:.3f} + {link.other_spread:.3f}) / 2 "
        f"= {link.divergence:.3f}</div>"
        "<p>Its square root is a distance, 0 for equal shares. The topic similarity, called T, is what is left of "
        "1:</p>"
        f"<div class='lesson-sum'>T = 1 − √JSD = 1 − {link.distance:.3f} = <b>{link.topic_similarity:.3f}</b></div>"
        "</div>"
    )


def strength_steps(link: WorkedLink) -> str:
    """Return the way from S and T to θ, as HTML."""
    wording, topic = link.wording_similarity, link.topic_similarity
    return (
        "<div class='lesson-prose'>The strength of the link, called coherence and written θ (theta), multiplies the "
        "two and takes the square root. It lies between 0 and 1, and between S and T; if one of them is small, the "
        "other cannot make up for it."
        f"<div class='lesson-sum'>θ = √(S × T) = √({wording:.3f} × {topic:.3f}) = √{wording * topic:.3f} "
        f"= <b>{link.coherence:.3f}</b></div>"
        "<span class='tl-quiet'>Shown to three places; the program keeps all of them, so the last digit of your own "
        "sum may differ by one. The rest of the page shows two places.</span></div>"
    )


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 3) for share in shares]
