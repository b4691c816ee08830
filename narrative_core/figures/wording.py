"""Words on figures: clipped titles, dates as they were given, counts, and text that stays text."""

import datetime as dt
import html
import math
import textwrap

from narrative_core.records import Document

_WORD_JOINER = "\u2060"
_HOVER_LIMIT, _HOVER_WIDTH = 64, 40
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clip_text(text: str, limit: int) -> str:
    """``text`` on one line and at most ``limit`` characters long, an ellipsis included.

    >>> clip_text("Sputnik reaches  orbit", 12)
    'Sputnik rea…'
    """
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def plot_text(text: str) -> str:
    """``text`` for plotly, which reads a small HTML: its characters mean themselves.

    >>> plot_text("<b>Q&A</b>")
    '&lt;b&gt;Q&amp;A&lt;/b&gt;'
    """
    return html.escape(text, quote=False)


def tooltip_text(text: str) -> str:
    """``text`` for a deck tooltip: it can open neither a tag nor a ``{field}``, and looks the same.

    The page escapes what it puts into a tooltip, so entities written here would show as entities; where it does not,
    an unescaped title would run. An invisible word joiner after ``<``, ``&`` and ``{`` is right in both cases: what
    follows is no longer a tag name, an entity or a field.
    """
    for opener in "<&{":
        text = text.replace(opener, opener + _WORD_JOINER)
    return text


def date_words(document: Document) -> str:
    """The date of a document to the precision it was given with; "no date" without one."""
    date = document.date
    if date is None:
        return "no date"
    if document.date_precision == "year":
        return f"{date.year}"
    if document.date_precision == "month":
        return f"{_MONTHS[date.month - 1]} {date.year}"
    return _day(date)


def _day(date: dt.date) -> str:
    return f"{date.day} {_MONTHS[date.month - 1]} {date.year}"


def headline(document: Document) -> str:
    """A document as a hover sentence names it: its title on at most two short lines, and its date; safe for plotly."""
    title = clip_text(document.title, _HOVER_LIMIT) or "Untitled"
    lines = textwrap.wrap(f"“{title}” ({date_words(document)})", _HOVER_WIDTH)
    return "<br>".join(plot_text(line) for line in lines)


def strength_words(strength: float) -> str:
    """A coherence with two decimals; "unknown" for nan.

    >>> strength_words(0.7149), strength_words(float("nan"))
    ('0.71', 'unknown')
    """
    return f"{strength:.2f}" if math.isfinite(strength) else "unknown"
