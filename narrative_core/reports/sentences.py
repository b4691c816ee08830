"""The words for dates, strengths and comparisons, one wording for reports and screen.

Every function is pure and returns plain text: whoever puts it into HTML or Markdown escapes it there. What is called a
sentence and stands as a label (counts, comparison) has no full stop; what is read as running text has one.
"""

import datetime as dt
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from narrative_core.bidi import isolated
from narrative_core.counting import count
from narrative_core.records import DatePrecision, Document, Link, Story, StoryPair, TrailRequest
from narrative_core.time_axis import duration_words, months_words

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
LONGEST_QUOTE: Final = 110
_COARSENESS: Final[dict[DatePrecision, int]] = {"day": 0, "month": 1, "year": 2}
_INVISIBLE: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def format_title(document: Document) -> str:
    """Return the headline on one line, without control characters; an untitled document is named by its id.

    Examples
    --------
    >>> format_title(Document("d7", " ", ""))
    'Untitled (d7)'
    """
    return plain_line(document.title) or f"Untitled ({plain_line(document.document_id)})"


def plain_line(text: str) -> str:
    """Return text on one line: white space collapsed, control and direction-changing characters taken out."""
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp", "Cs"} else c for c in text)
    return " ".join(_INVISIBLE.sub("", visible).split())


def quote_title(document: Document) -> str:
    """Return the headline in quotation marks, cut at a word after about 110 characters.

    A headline written from right to left is isolated (U+2068 … U+2069), so that it cannot reorder the sentence around
    it.
    """
    title = format_title(document)
    if len(title) > LONGEST_QUOTE:
        kept = title[:LONGEST_QUOTE]
        kept = kept.rsplit(" ", 1)[0] if kept.rfind(" ") > LONGEST_QUOTE // 2 else kept
        title = f"{kept.rstrip(' ,;:.-–—')}…"
    return f"“{isolated(title)}”"


def format_date(document: Document) -> str:
    """Return the date as precisely as it was given.

    Examples
    --------
    >>> format_date(Document("d1", "", "", dt.date(1961, 4, 1), "1961-04", "month"))
    'April 1961'
    >>> format_date(Document("d1", "", ""))
    'no date'
    """
    date = document.date
    if date is None:
        return "no date"
    if document.date_precision == "year":
        return str(date.year)
    month = MONTHS[date.month - 1]
    return f"{month} {date.year}" if document.date_precision == "month" else f"{date.day} {month} {date.year}"


def format_span(first: dt.date | None, last: dt.date | None, *, precision: DatePrecision = "day") -> str:
    """Return the time from ``first`` to ``last``: "12 years", "3 months", "5 days".

    Two dates that ``precision`` cannot tell apart give "one day", "one month" or "one year"; a missing date gives
    "an unknown time".
    """
    if first is None or last is None:
        return "an unknown time"
    return _elapsed(min(first, last), max(first, last), precision) or f"one {precision}"


def format_gap(days: int | None) -> str:
    """Return the time between two documents: "same day", "4 days", "3 months", "4 years".

    A negative gap, possible where a trail is not chronological, is said as "4 days back"; ``None`` is "time unknown".
    """
    if days is None:
        return "time unknown"
    if days == 0:
        return "same day"
    return duration_words(days) if days > 0 else f"{duration_words(-days)} back"


def gap_between(first: Document, second: Document) -> str:
    """Return the time between two documents, no more precise than the less precise of their dates.

    Two documents dated "1961" are of the "same year", which `format_gap` could only call the same day.
    """
    if first.date is None or second.date is None:
        return format_gap(None)
    precision = _coarser(first, second)
    if precision == "day":
        return format_gap((second.date - first.date).days)
    elapsed = _elapsed(min(first.date, second.date), max(first.date, second.date), precision)
    if not elapsed:
        return f"same {precision}"
    return elapsed if first.date <= second.date else f"{elapsed} back"


def format_strength(strength: float) -> str:
    """Return a strength with two decimals; one that is not known as "unknown"."""
    return f"{strength:.2f}" if math.isfinite(strength) else "unknown"


def format_list(items: Sequence[str], *, most: int = 5) -> str:
    """Return items as English lists them: "satellite, orbit and moon"; beyond ``most`` the rest are counted.

    Examples
    --------
    >>> format_list(["a", "b", "c"]), format_list(["a", "b", "c"], most=2)
    ('a, b and c', 'a, b and 1 more')
    """
    shown = [*items[:most], *([f"{len(items) - most:,} more"] if len(items) > most else [])]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def format_terms(terms: Sequence[str]) -> str:
    """Return the shared terms of a link as a list, or "no shared terms"."""
    return format_list([isolated(plain_line(term)) for term in terms]) or "no shared terms"


def counts_sentence(story: Story) -> str:
    """Return how many documents a story has and over how long: "8 documents over 12 years"."""
    documents = count(len(story.documents), "document")
    dated = sorted((d for d in story.documents if d.date is not None), key=lambda d: d.date or dt.date.min)
    undated = len(story.documents) - len(dated)
    if not dated:
        return f"{documents}, none with a date"
    first, last = dated[0], dated[-1]
    span = format_span(first.date, last.date, precision=_coarser(first, last))
    within = "within" if span.startswith("one ") else "over"
    return f"{documents} {within} {span}{f', {undated:,} without a date' if undated else ''}"


def comparison_sentence(pair: StoryPair) -> str:
    """Return how the trail stands among random chronologies: "Stronger than 197 of 200 random chronologies"."""
    if alone := _nothing_to_compare(pair):
        return alone
    everyone = "the one random chronology" if pair.drawn == 1 else f"all {pair.drawn:,} random chronologies"
    if pair.beaten == pair.drawn:
        return f"Stronger than {everyone}"
    if pair.beaten:
        return f"Stronger than {pair.beaten:,} of {pair.drawn:,} random chronologies"
    if all(strength == pair.trail.bottleneck for strength in pair.draw_bottlenecks):
        return f"Exactly as strong as {everyone}"
    return f"Not stronger than {everyone if pair.drawn == 1 else f'any of {pair.drawn:,} random chronologies'}"


def shorter_draws_sentence(pair: StoryPair) -> str:
    """Return that the random chronologies are shorter than a story made by hand; empty where they are as long."""
    told, drawn = len(pair.trail.documents), len(pair.baseline.documents)
    if not 2 < drawn < told:
        return ""
    return f"Its random chronologies have {drawn:,} documents: no more lie between the ends."


def weakest_link_sentence(story: Story) -> str:
    """Return which link is the weakest, how strong it is, the time between and what its documents share."""
    link = story.weakest_link
    step = story.links.index(link)
    first, second = story.documents[step], story.documents[step + 1]
    which = "only" if len(story.links) == 1 else "weakest"
    return (
        f"The {which} link is from {quote_title(first)} to {quote_title(second)} "
        f"({format_strength(link.coherence)}): {_apart(gap_between(first, second))}, {_shared(link)}."
    )


def link_sentence(link: Link, first: Document, second: Document) -> str:
    """Return one link in words: "Strength 0.83: 4 years later, sharing satellite and orbit."."""
    gap = gap_between(first, second)
    when = f"{gap} later" if gap[0].isdigit() and not gap.endswith(" back") else _apart(gap)
    return f"Strength {format_strength(link.coherence)}: {when}, {_shared(link)}."


def weak_label(link: Link, *, is_only: bool = False, median_link: float = math.nan) -> str:
    """Return "⚠ weakest link", "⚠ weak link" or nothing; the only link of a story is weak only if below the median."""
    if is_only:
        return "⚠ weak link" if link.coherence < median_link else ""
    return "⚠ weakest link" if link.is_weakest else "⚠ weak link" if link.is_weak else ""


def price_sentence(pair: StoryPair) -> str:
    """Return what the wishes of the request (pins, bans, gap, length) cost in strength; empty where there were none.

    Of a story made by hand, it is how far the weakest link is from that of the trail that is found.
    """
    if pair.request.is_edited:
        return _price_by_hand(pair)
    wishes = request_wishes(pair.request)
    if not wishes:
        return ""
    subject = format_list(wishes)
    subject = subject[0].upper() + subject[1:]
    free, paid = pair.unconstrained_bottleneck, pair.trail.bottleneck
    if not math.isfinite(free):
        return f"{subject}: there is no trail without these wishes to compare the weakest link with."
    verb = "lower" if len(wishes) > 1 else "lowers"
    if free <= paid:
        return f"{subject} {'cost' if len(wishes) > 1 else 'costs'} nothing: the weakest link stays at {paid:.2f}."
    lost = round(free, 2) - round(paid, 2)
    by = f"by {lost:.2f}, from {free:.2f} to {paid:.2f}" if lost > 0 else f"by less than 0.01, to {paid:.2f}"
    return f"{subject} {verb} the weakest link {by}."


def request_wishes(request: TrailRequest) -> tuple[str, ...]:
    """Return the wishes of a request in words: "passing through 1 chosen document", "avoiding 2 documents".

    A story made by hand has none: nothing is searched that they could bind.
    """
    if request.is_edited:
        return ()
    wishes = []
    if request.via:
        wishes.append(f"passing through {count(len(request.via), 'chosen document')}")
    if request.avoid:
        wishes.append(f"avoiding {count(len(request.avoid), 'document')}")
    if request.avoid_sources:
        wishes.append(f"avoiding {count(len(request.avoid_sources), 'source')}")
    if request.avoid_topics:
        wishes.append(f"avoiding {count(len(request.avoid_topics), 'topic')}")
    if request.maximum_gap_days is not None:
        wishes.append(f"allowing no gap over {count(request.maximum_gap_days, 'day')}")
    if request.maximum_length is not None:
        wishes.append(f"using at most {count(request.maximum_length, 'document')}")
    return tuple(wishes)


def sources_sentence(story: Story) -> str:
    """Return a remark where one source tells more than half of a story of three or more documents; else empty."""
    named = Counter(plain_line(document.source) for document in story.documents if document.source.strip())
    total = len(story.documents)
    if not named or total < 3:
        return ""
    source, told = named.most_common(1)[0]
    if told == total:
        return f"All {total:,} documents come from one source, {source}."
    return f"{told:,} of {count(total, 'document')} come from one source, {source}." if told * 2 > total else ""


def _nothing_to_compare(pair: StoryPair) -> str:
    """Return why there is no chance that a trail could be compared with; empty where there is."""
    if len(pair.trail.documents) == 2:
        return "With two documents there is only one chronology, so nothing random to compare with"
    if len(pair.baseline.documents) == 2:
        return "No other document lies between the ends, so there is nothing random to compare with"
    return "" if pair.drawn else "No random chronology was drawn to compare with"


def _price_by_hand(pair: StoryPair) -> str:
    free, paid = pair.unconstrained_bottleneck, pair.trail.bottleneck
    if not math.isfinite(free):
        return "Made by hand: no trail is found between the two ends to compare the weakest link with."
    if format_strength(free) == format_strength(paid):
        return f"Made by hand, at no cost: the weakest link is {paid:.2f}, as in the trail that is found."
    than = "weaker" if paid < free else "stronger"
    return f"Made by hand: its weakest link is {paid:.2f}, {than} than the {free:.2f} of the trail that is found."


def _shared(link: Link) -> str:
    return f"sharing {format_terms(link.shared_terms)}" if link.shared_terms else "with no shared terms"


def _apart(gap: str) -> str:
    if gap.startswith("same "):
        return f"{'on' if gap == 'same day' else 'in'} the {gap}"
    if gap.endswith(" back"):
        return f"going {gap}"
    return "an unknown time apart" if gap == format_gap(None) else f"{gap} apart"


def _coarser(first: Document, second: Document) -> DatePrecision:
    return max((first.date_precision or "day", second.date_precision or "day"), key=_COARSENESS.__getitem__)


def _elapsed(earlier: dt.date, later: dt.date, precision: DatePrecision) -> str:
    if precision == "day":
        return duration_words((later - earlier).days)
    years = later.year - earlier.year
    if precision == "year":
        return count(years, "year") if years else ""
    return months_words(12 * years + later.month - earlier.month)
