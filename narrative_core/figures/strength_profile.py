"""Strength of every link along both stories, the weakest named."""

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.figures.scales import spread, value_range
from narrative_core.figures.theme import (
    BASELINE_SYMBOL,
    TRAIL_SYMBOL,
    Mode,
    axis,
    background,
    base_layout,
    baseline_colour,
    css,
    note,
    quiet,
    trail_colour,
)
from narrative_core.figures.wording import headline, strength_words
from narrative_core.records import Story

_SYMBOLS = {"trail": ("circle", "triangle-down"), "baseline": ("circle-open", "triangle-down-open")}
_DASHES = {"trail": "solid", "baseline": "dash"}
_NAMES = {"trail": f"{TRAIL_SYMBOL} trail", "baseline": f"{BASELINE_SYMBOL} random"}
_LINE_SHARE = 0.085


def strength_profile(trail: Story, baseline: Story | None, *, median_link: float, mode: Mode = "light") -> go.Figure:
    """Strength of each link by step, trail solid and baseline dashed; one trace a story, named by its kind.

    Parameters
    ----------
    trail, baseline : Story
        Steps count links: step 1 leads from the first document to the second.
    median_link : float
        Strength of a typical link in the collection, drawn as a thin line; nan leaves it out.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Each point's ``customdata`` is its link: [source id, target id].
    """
    stories = [trail] if baseline is None else [trail, baseline]
    low, high = value_range([link.coherence for story in stories for link in story.links] + [median_link])
    n_steps = max((len(story.links) for story in stories), default=1)
    figure = go.Figure([_trace(story, mode) for story in reversed(stories)])
    figure.update_layout(base_layout(mode, title=_title(trail, baseline)))
    figure.update_layout(
        xaxis=axis("step along the story", mode, range=[0.6, n_steps + 0.4], tickformat=",d", **_step_ticks(n_steps)),
        yaxis=axis("strength of the link", mode, range=[low, high], nticks=5, tickformat=".2f"),
        margin_r=98,
    )
    if math.isfinite(median_link):
        figure.add_hline(y=median_link, line={"color": quiet(mode), "width": 1, "dash": "dot"}, layer="below")
    figure.update_layout(
        annotations=_weakest_notes(stories, mode) + _end_notes(stories, median_link, (low, high), mode)
    )
    return figure


def _trace(story: Story, mode: Mode) -> go.Scatter:
    plain, weakest = _SYMBOLS[story.kind]
    colour = _colour(story, mode)
    return go.Scatter(
        x=list(range(1, len(story.links) + 1)),
        y=[link.coherence for link in story.links],
        mode="lines+markers",
        name=story.kind,
        customdata=[[link.source, link.target] for link in story.links],
        hovertext=_sentences(story),
        hoverinfo="text",
        line={"color": colour, "width": 2.5 if story.kind == "trail" else 2, "dash": _DASHES[story.kind]},
        marker={
            "color": colour,
            "opacity": 1,
            "symbol": [weakest if link.is_weakest else plain for link in story.links],
            "size": [13 if link.is_weakest else 8 for link in story.links],
            "line": {"width": 2 if story.kind == "baseline" else 0, "color": colour},
        },
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
    )


def _colour(story: Story, mode: Mode) -> str:
    return trail_colour(mode) if story.kind == "trail" else baseline_colour(mode)


def _sentences(story: Story) -> list[str]:
    steps = zip(story.links, story.documents, story.documents[1:], strict=False)
    return [
        f"Step {step} of {len(story.links)}, {'the weakest link' if link.is_weakest else 'strength'} "
        f"{strength_words(link.coherence)}:<br>from {headline(source)}<br>to {headline(target)}."
        for step, (link, source, target) in enumerate(steps, start=1)
    ]


def _title(trail: Story, baseline: Story | None) -> str:
    sentence = f"Weakest link {strength_words(trail.bottleneck)}"
    return sentence if baseline is None else f"{sentence}, at random {strength_words(baseline.bottleneck)}"


def _step_ticks(n_steps: int) -> dict[str, Any]:
    every = max(1, math.ceil(n_steps / 10))
    return {"tickmode": "linear", "tick0": 1, "dtick": every}


def _weakest_notes(stories: Sequence[Story], mode: Mode) -> list[dict[str, Any]]:
    notes = []
    for story in stories:
        step, link = next((i, link) for i, link in enumerate(story.links, start=1) if link.is_weakest)
        is_first, is_last = step == 1 < len(story.links), step == len(story.links) > 1
        notes.append(
            note(
                f"weakest {strength_words(link.coherence)}",
                mode,
                x=step,
                y=link.coherence,
                yshift=-11,
                yanchor="top",
                xanchor="left" if is_first else "right" if is_last else "center",
                xshift=-8 if is_first else 8 if is_last else 0,
                font={"size": 12, "color": _colour(story, mode)},
                bgcolor=css(background(mode), 0.75),
                borderpad=1,
            )
        )
    return notes


def _end_notes(
    stories: Sequence[Story], median_link: float, window: tuple[float, float], mode: Mode
) -> list[dict[str, Any]]:
    """Direct labels in the right margin, each beside the end of its line, pushed apart where they would touch."""
    labels = [(story.links[-1].coherence, _NAMES[story.kind], _colour(story, mode)) for story in stories]
    if math.isfinite(median_link):
        labels.append((median_link, "typical link in<br>this collection", quiet(mode)))
    line = _LINE_SHARE * (window[1] - window[0])
    heights = spread([value for value, _, _ in labels], [line * (1 + text.count("<br>")) for _, text, _ in labels])
    return [
        note(text, mode, xref="paper", x=1, xshift=6, y=height, font={"size": 12, "color": colour})
        for (_, text, colour), height in zip(labels, heights, strict=True)
    ]
