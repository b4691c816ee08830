"""The lesson's third part: the water rises, weak links go under, and at one level A and B part."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import streamlit as st

from narrative_core.counting import count
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.toy_matrix import coherence_heatmap
from narrative_core.figures.water_level import outline_cells, water_level_figure
from narrative_core.records import Document
from narrative_core.reports.sentences import format_strength, format_title
from narrative_core.trails.water_level import WaterLevel, water_level
from narrative_core.ui import frame, lesson
from narrative_core.ui.words import html_text

LEVEL = "lesson-level"
_FIRST_LEVEL = 0.3


def introduction() -> None:
    """Say what the water does."""
    st.html(
        "<div class='lesson-prose'>Think of every link as a bridge whose height is its strength, and let the water "
        "rise. The weak ones go under first. As long as A and B are joined by a chain of bridges above the water, "
        "there is a way. The chain that holds out longest is the trail.</div>"
    )


def water(loaded: LoadedCollection, ends: lesson.Endpoints) -> None:
    """Show the links above a level that the person sets, and say whether A still leads to B."""
    graph = replace(loaded.graph, floor=0.0)
    st.session_state.setdefault(LEVEL, _FIRST_LEVEL)
    bar, button = st.columns([8, 2], vertical_alignment="bottom", gap="medium")
    with button:
        bottleneck = water_level(graph, ends.source, ends.target, 1.0).strength
        st.button(
            "Up to the last link",
            key="lesson-last",
            on_click=_raise_to,
            args=(last_level(bottleneck),),
            help="The highest level at which A still leads to B",
            width="stretch",
        )
    with bar:
        level = st.slider(
            "Water level",
            0.0,
            1.0,
            step=0.01,
            key=LEVEL,
            help="Links weaker than the level are under water. The field calls the level a threshold.",
        )
    now = water_level(graph, ends.source, ends.target, level)
    st.html(
        f"<div class='lesson-prose lesson-now'><div class='tl-verdict'>{html_text(water_verdict(now))}</div>"
        f"{html_text(water_sentence(now, loaded.documents))}</div>"
    )
    arcs, matrix = st.columns([6, 7], gap="large")
    with arcs:
        st.subheader("Links above the water", anchor=False)
        st.plotly_chart(_arcs(loaded, now, ends), theme=None, config=lesson.CHART, key="lesson-arcs")
        st.html(
            "<div class='tl-quiet'>Each arc is a link and leads to the same day or a later one. Blue: the shortest "
            "chain from A to B. Hollow: no chain of links above the water leads there from A.</div>"
        )
    with matrix:
        st.subheader("Strength of every pair", anchor=False)
        with st.container(key="lesson-matrix"):
            figure = coherence_heatmap(
                [format_title(document) for document in loaded.documents],
                graph.strengths_among(range(graph.n_documents)),
                floor=level,
                mode=frame.mode(),
            )
            # The square has every pair twice: its count would differ from the one in the sentence.
            figure.update_layout(title_text="", margin_t=28, height=430)
            outline_cells(figure, list(itertools.pairwise(now.chain)), mode=frame.mode())
            st.plotly_chart(figure, theme=None, config=lesson.CHART, key="lesson-square")


def water_verdict(now: WaterLevel) -> str:
    """Return whether A and B still hang together, as a label."""
    above = f"{len(now.links)} of {count(now.n_links, 'link')} above the water"
    return f"At level {now.level:.2f}, {above}: " + ("A and B have parted" if now.has_parted else "A still leads to B")


def water_sentence(now: WaterLevel, documents: Sequence[Document]) -> str:
    """Return which chain is left, and which link goes under next or went under last."""
    first, second = (lesson.name(documents[row], row) for row in now.weakest)
    strength = format_strength(now.strength)
    if now.has_parted:
        return (
            f"No chain of links above the water leads from A to B. The last link that held them together, from {first} "
            f"to {second}, went under at {strength}. It is the weakest link of the trail."
        )
    if len(now.chain) == 2:
        way = f"The shortest chain is the direct link; its strength is {strength}."
    else:
        way = (
            f"The shortest chain has {count(len(now.chain), 'document')}; its weakest link, from {first} to {second}, "
            f"has a strength of {strength}."
        )
    if now.is_last:
        return f"{way} No other chain holds out longer: when this link goes under, A and B part."
    return f"{way} When this link goes under, a stronger chain is still left."


def last_level(bottleneck: float) -> float:
    """Return the highest level of the slider at which a bottleneck is still above the water.

    Examples
    --------
    >>> last_level(0.6337), last_level(0.29), last_level(1.0)
    (0.63, 0.29, 1.0)
    """
    # Not floor alone: 0.29 × 100 is 28.999….
    return next(level / 100 for level in range(math.ceil(100 * bottleneck), -1, -1) if level / 100 <= bottleneck)


def _arcs(loaded: LoadedCollection, now: WaterLevel, ends: lesson.Endpoints) -> go.Figure:
    return water_level_figure(
        loaded.documents,
        now.links,
        loaded.graph.strengths_among(range(loaded.graph.n_documents)),
        chain=now.chain,
        endpoints=(ends.source, ends.target),
        reached=now.reached,
        fallen=now.weakest if now.has_parted else None,
        mode=frame.mode(),
    )


def _raise_to(level: float) -> None:
    st.session_state[LEVEL] = level
