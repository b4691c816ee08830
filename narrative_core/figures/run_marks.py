"""What the figures of a run share: marks of judges and of stories, axis words, hover sentences, the legend, the n line.

Every figure of a run reads the same way: one legend line on top where marks need names, axes in words with their unit,
and a quiet last line that says how many stories there are and how many of them are not drawn, and why.
"""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.figures.theme import (
    Mode,
    base_layout,
    baseline_colour,
    ink,
    note,
    quiet,
    topic_colour,
    trail_colour,
)
from narrative_core.figures.wording import clip_text, plot_text, strength_words
from narrative_core.judgements import Seat
from narrative_core.runs import MADE_WORDS, Made, RunTable, SeatScores

N_SEAT_MARKS = 8
_SEAT_RANKS: Mapping[Mode, tuple[int, ...]] = {"light": (5, 4, 7, 0, 6, 1, 8, 3), "dark": (3, 4, 2, 1, 6, 0, 7, 5)}
"""Topic colours by rank, those that stand out most from the page first."""

_SEAT_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon2")

_MADE_SYMBOLS: Mapping[Made, str] = {
    "trail": "circle",
    "baseline": "circle-open",
    "alternating": "diamond",
    "mixed": "diamond-open",
    "shuffled": "square-open",
    "reversed": "triangle-left-open",
    "foreign": "x-thin-open",
    "doubled": "triangle-up-open",
}
_MADE_RANKS: Mapping[Mode, Mapping[Made, int]] = {
    "light": {"alternating": 5, "mixed": 4, "shuffled": 4, "reversed": 5, "foreign": 6, "doubled": 7},
    "dark": {"alternating": 3, "mixed": 4, "shuffled": 4, "reversed": 3, "foreign": 9, "doubled": 2},
}
_MADE_DASHES: Mapping[Made, str] = {
    "trail": "solid",
    "baseline": "dash",
    "alternating": "longdash",
    "mixed": "dot",
    "shuffled": "dash",
    "reversed": "dot",
    "foreign": "dashdot",
    "doubled": "longdash",
}
_MADE_NAMES: Mapping[Made, str] = {
    **MADE_WORDS,
    "alternating": "alternating",
    "mixed": "mixed at random",
    "shuffled": "shuffled",
    "reversed": "reversed",
    "foreign": "foreign document",
    "doubled": "document doubled",
}
_LABEL_LIMIT, _HOVER_LIMIT = 44, 50
_LINE_LIMIT, _LINE_PX = 64, 14
_BOTTOM_PX = 50


def seat_colour(number: int, mode: Mode) -> str:
    """Colour of the judge at ``number`` of the run, from 0; the ninth begins again."""
    return topic_colour(_SEAT_RANKS[mode][number % N_SEAT_MARKS], mode)


def seat_symbol(number: int) -> str:
    """Plotly symbol of the judge at ``number`` of the run, from 0; the ninth begins again.

    >>> seat_symbol(0), seat_symbol(1), seat_symbol(8)
    ('circle', 'square', 'circle')
    """
    return _SEAT_SYMBOLS[number % N_SEAT_MARKS]


def made_colour(made: Made, mode: Mode) -> str:
    """Colour of a story by how it was made: the trail blue, the random chronology orange, on every page."""
    if made == "trail":
        return trail_colour(mode)
    return baseline_colour(mode) if made == "baseline" else topic_colour(_MADE_RANKS[mode][made], mode)


def made_symbol(made: Made) -> str:
    """Plotly symbol of a story by how it was made: ● for the trail, ○ for the random chronology."""
    return _MADE_SYMBOLS[made]


def made_name(made: Made) -> str:
    """How a story was made, short enough for a legend on a phone; beside a trail the rest goes without saying.

    >>> made_name("baseline"), made_name("doubled")
    ('random chronology', 'document doubled')
    """
    return _MADE_NAMES[made]


def is_hollow(made: Made) -> bool:
    """Whether the marks of such stories are an outline, as ○ is; bars and boxes then are so too."""
    return made_symbol(made).endswith("open")


def made_dash(made: Made) -> str:
    """Plotly dash of a line by how its stories were made: solid for the trail, dashed for the random chronology."""
    return _MADE_DASHES[made]


def kinds_made(table: RunTable) -> tuple[Made, ...]:
    """How the stories of a run were made, in the order of `MADE_WORDS`; a kind without a story is left out."""
    present = {story.made for story in table.stories}
    return tuple(made for made in MADE_WORDS if made in present)


def is_in_nats(seat: Seat) -> bool:
    """Whether a judge scores in nats per token instead of from 1 to 10: two units never share an axis."""
    return seat.judge == "flow"


def score_title(seat: Seat) -> str:
    """What a judge's axis says.

    >>> score_title(Seat("lexical", "")), score_title(Seat("flow", ""))
    ('score, 1 to 10', 'gain, nats per token')
    """
    return "gain, nats per token" if is_in_nats(seat) else "score, 1 to 10"


def score_words(seat: Seat, score: float) -> str:
    """A judge's score with its unit; "no score" for nan.

    >>> score_words(Seat("lexical", ""), 7.31), score_words(Seat("flow", ""), 0.118)
    ('7.3', '0.12 nats per token')
    """
    if not math.isfinite(score):
        return "no score"
    return f"{score:.2f} nats per token" if is_in_nats(seat) else f"{score:.1f}"


def seat_label(scores: SeatScores) -> str:
    """The short name of a judge, clipped and safe for plotly."""
    return plot_text(clip_text(scores.label, _LABEL_LIMIT))


def story_point(table: RunTable, row: int) -> list[int | str]:
    """The ``customdata`` of a point that is a story: [pair, made], from which a click finds it."""
    story = table.stories[row]
    return [story.pair, story.made]


def story_words(table: RunTable, row: int) -> str:
    """What the hover says of the story at ``row``; pairs count from 1 for a person."""
    return stories_words(table, [row])[0]


def stories_words(table: RunTable, rows: Sequence[int]) -> list[str]:
    """`story_words` of many rows; each judge's means are computed once."""
    judges = [(seat_label(seat), seat.seat, seat.means, seat.sds) for seat in table.seats]
    sentences = []
    for row in rows:
        story = table.stories[row]
        weakest, mean = min(story.strengths), math.fsum(story.strengths) / len(story.strengths)
        lines = [
            f"Pair {story.pair + 1:,}, {MADE_WORDS[story.made]} of {count(len(story.document_ids), 'document')}:",
            f"weakest link {strength_words(weakest)}, mean link {strength_words(mean)}.",
        ]
        for label, seat, means, sds in judges:
            deviation = f" ± {sds[row]:.{2 if is_in_nats(seat) else 1}f}" if math.isfinite(sds[row]) else ""
            number, space, unit = score_words(seat, means[row]).partition(" ")
            told = f"{number}{deviation}{space}{unit}."
            lines.append(f"{label}:{'<br>' if len(label) + len(told) > _HOVER_LIMIT else ' '}{told}")
        sentences.append("<br>".join(lines))
    return sentences


def legend_top(mode: Mode) -> dict[str, Any]:
    """Layout options of the one legend line on top, left, without a frame; it wraps where the figure is narrow.

    Clicks on it do nothing: hiding half of the data would leave the numbers in the text untrue.
    """
    legend = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "bgcolor": "rgba(0,0,0,0)",
        "borderwidth": 0,
        "font": {"size": 12, "color": ink(mode)},
        "itemclick": False,
        "itemdoubleclick": False,
        "itemsizing": "trace",
        "traceorder": "normal",
    }
    return {"showlegend": True, "legend": legend}


def colour_bar(title: str, mode: Mode, **options: object) -> dict[str, Any]:
    """A thin colour bar on the right with its title in words along it; ``options`` are plotly's and win."""
    return {
        "title": {"text": title, "side": "right", "font": {"size": 12, "color": quiet(mode)}},
        "thickness": 8,
        "outlinewidth": 0,
        "len": 1,
        "x": 1.02,
        "xpad": 0,
        "ypad": 0,
        "ticks": "",
        "tickfont": {"size": 11, "color": quiet(mode)},
        "nticks": 5,
    } | options


def n_line(words: str, mode: Mode) -> dict[str, Any]:
    """Layout options of the quiet last line of a figure, which says n; ``<br>`` begins a new line, and so does length.

    It stands where plotly has the title, at the bottom: so it keeps its place at every width. The margin below grows
    with its lines. ``words`` are safe for plotly.
    """
    lines = [line for part in words.split("<br>") for line in textwrap.wrap(part, _LINE_LIMIT, break_long_words=False)]
    n_lines = max(len(lines), 1)
    title = {
        "text": "<br>".join(lines),
        "font": {"size": 11, "color": quiet(mode)},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 0,
        "yref": "container",
        "yanchor": "bottom",
        "pad": {"b": 6 + (n_lines - 1) * _LINE_PX, "l": 8, "t": 0},
    }
    return {"title": title, "margin": {"l": 52, "r": 16, "t": 30, "b": _BOTTOM_PX + n_lines * _LINE_PX, "pad": 0}}


def n_words(n: int, noun: str, skipped: Mapping[str, int] | None = None) -> str:
    """How many are drawn, and how many are not, by reason; a reason that none has is left out.

    >>> n_words(200, "story", {"without a score": 3}), n_words(1, "story", {"without a score": 0})
    ('n = 200 stories; 3 without a score', 'n = 1 story')
    """
    reasons = [f"; {number:,} {reason}" for reason, number in (skipped or {}).items() if number]
    return f"n = {count(n, noun)}" + "".join(reasons)


def empty_figure(sentence: str, mode: Mode, *, height: int = 160) -> go.Figure:
    """A figure without data: one quiet sentence in its middle, no axes; ``sentence`` is plain text."""
    figure = go.Figure()
    figure.update_layout(base_layout(mode, height=height))
    hidden = {"visible": False, "fixedrange": True, "range": [0, 1]}
    words = "<br>".join(textwrap.wrap(plot_text(sentence), 46))
    figure.update_layout(
        xaxis=hidden,
        yaxis=hidden,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=[note(words, mode, x=0.5, y=0.5, xref="paper", yref="paper", xanchor="center", align="center")],
    )
    return figure
