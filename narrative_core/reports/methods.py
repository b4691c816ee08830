"""The methods box: how a story was found, what it rests on, and what its numbers do not prove."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from narrative_core.counting import count
from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory, StoryPair, TrailRequest
from narrative_core.reports.judge_methods import judges_asked, judges_in_words
from narrative_core.reports.sentences import (
    MONTHS,
    comparison_sentence,
    format_list,
    format_strength,
    plain_line,
    request_wishes,
)


@dataclass(frozen=True, slots=True)
class MethodParagraph:
    """One paragraph of the methods box under its heading."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One line of the table of what made a story."""

    name: str
    value: str


def method_paragraphs(saved: SavedStory, *, verdicts: Sequence[Verdict] = ()) -> tuple[MethodParagraph, ...]:
    """Return the methods box in words: strength, trail, random chronologies, weak links, and what is not proved.

    Where judges were asked, how they were stands before what is not proved.
    """
    pair = saved.pair
    asked = judges_in_words(verdicts)
    return (
        MethodParagraph("What a strength is", _strength()),
        _hand_made() if pair.request.is_edited else MethodParagraph("How the trail was found", _search(pair)),
        MethodParagraph("What chance would tell", _chance(pair)),
        MethodParagraph("Which links are called weak", _weak(pair)),
        *([MethodParagraph("How the judges were asked", asked)] if asked else []),
        MethodParagraph("What these numbers do not prove", _limits(pair)),
    )


def method_parameters(
    saved: SavedStory, *, settings: Mapping[str, str] | None = None, verdicts: Sequence[Verdict] = ()
) -> tuple[Parameter, ...]:
    """Return what made the story, line by line, enough to ask for it again.

    Parameters
    ----------
    saved : SavedStory
    settings : mapping, optional
        Further lines that the story does not carry (embedding model, landscape settings), name to value.
    verdicts : sequence of Verdict
        What judges say of the story; a line a judge.
    """
    pair, request = saved.pair, saved.pair.request
    rows = {
        "Collection": saved.collection,
        "Landscape": saved.landscape_id,
        "From (A)": request.source,
        "To (B)": request.target,
        **_conditions(request),
        "Trail": _measures(pair.trail.bottleneck, pair.trail.mean, pair.trail.reliability),
        "Random chronology shown": _measures(pair.baseline.bottleneck, pair.baseline.mean, pair.baseline.reliability),
        "Random chronologies": f"{pair.drawn:,} drawn, {pair.beaten:,} weaker than the trail",
        "Seed": str(pair.seed),
        "Median link of the collection": format_strength(pair.median_link),
        "Saved": format_moment(saved.created_at),
        "Story": saved.story_id,
        "Version": f"{saved.version:,}",
    }
    rows |= dict(settings or {})
    rows |= {f"Judge {number}": asked for number, asked in enumerate(judges_asked(verdicts), start=1)}
    return tuple(Parameter(plain_line(name), plain_line(value) or "–") for name, value in rows.items())


def _conditions(request: TrailRequest) -> dict[str, str]:
    """Return what was asked of a search; of a story made by hand nothing was."""
    if request.is_edited:
        return {"Order": "as a person put it", "Made": "by hand"}
    gap, length = request.maximum_gap_days, request.maximum_length
    return {
        "Passing through": ", ".join(request.via) or "no chosen document",
        "Avoiding": ", ".join(request.avoid) or "no document",
        "Avoiding sources": ", ".join(request.avoid_sources) or "no source",
        "Avoiding topics": ", ".join(f"number {topic + 1}" for topic in request.avoid_topics) or "no topic",
        "Longest gap allowed": "any" if gap is None else count(gap, "day"),
        "Most documents allowed": "any number" if length is None else f"{length:,}",
        "Order": "by date" if request.is_chronological else "any",
        "Made": "by search",
    }


def format_moment(moment: str) -> str:
    """Return an ISO moment as "30 November 2025, 09:24 UTC"; any other text as it is.

    Examples
    --------
    >>> format_moment("2025-11-30T09:24:07+00:00"), format_moment("yesterday")
    ('30 November 2025, 09:24 UTC', 'yesterday')
    """
    try:
        when = dt.datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}, {when:%H:%M} {when.tzname() or ''}".rstrip()


def _measures(bottleneck: float, mean: float, reliability: float) -> str:
    return (
        f"weakest link {format_strength(bottleneck)}, mean {format_strength(mean)}, "
        f"geometric mean {format_strength(reliability)}"
    )


def _strength() -> str:
    return (
        "The strength of a link says how well two documents hang together. It joins two comparisons: how alike their "
        "wording is (the angle between their embeddings, from 1 for the same direction to 0 for opposite ones) and how "
        "alike their topics are (1 less the distance between the shares that the collection's topics have in them). "
        "The strength is the square root of the product of the two: it lies between 0 and 1, and it is high only where "
        "both are high."
    )


def _hand_made() -> MethodParagraph:
    return MethodParagraph(
        "How the story was made",
        "A person chose its documents and put them in this order; nothing was searched. Its links are measured as "
        "those of any trail, and it is compared with random chronologies in the same way. Documents may follow each "
        "other against the order of their dates.",
    )


def _search(pair: StoryPair) -> str:
    order = (
        "No link leads back in time; documents of one day may follow each other in either order, a partial date counts "
        "as its first day, and documents without a date are left out."
        if pair.request.is_chronological
        else "The order of dates was not enforced: links may lead back in time."
    )
    wishes = request_wishes(pair.request)
    asked = f" It was asked for {format_list(wishes)}." if wishes else ""
    return (
        "A chain is judged by its weakest link. Of all chains from A to B in the collection, the trail is one whose "
        f"weakest link is as strong as it can be.{asked} {order} Of several copies of one text, it tells at most one."
    )


def _chance(pair: StoryPair) -> str:
    if pair.drawn == 0:
        return f"{comparison_sentence(pair)}."
    median = sorted(pair.draw_bottlenecks)[(pair.drawn - 1) // 2]
    is_median = pair.draw_bottlenecks[pair.draw] == median if 0 <= pair.draw < pair.drawn else False
    shown = "whose weakest link is the median of all draws" if is_median else "that was picked for display"
    among = "dated between A and B" if pair.request.is_chronological else "of the collection"
    told = "in date order" if pair.request.is_chronological else "in the order drawn"
    return (
        "A random chronology has the endpoints and the length of the trail; the documents in between are drawn by "
        f"chance from those {among} and told {told}. Seed {pair.seed} gave {count(pair.drawn, 'draw')}; draw "
        f"{pair.draw + 1:,}, {shown}, is the one told. Weakest link is compared with weakest link. "
        f"{comparison_sentence(pair)}."
    )


def _weak(pair: StoryPair) -> str:
    if not math.isfinite(pair.median_link):
        return "The weakest link of each story. The collection has no median link strength to compare the others with."
    return (
        "The weakest link of each story, and every link below "
        f"{format_strength(pair.median_link)}, the median link strength of trails sampled across the collection."
    )


def _limits(pair: StoryPair) -> str:
    return (
        "A coherent trail is not a causal claim: that one document follows another and resembles it does not mean that "
        "one event led to the other. It is not a complete account: it is one chain among many, and what the collection "
        "does not hold it cannot tell. The strengths depend on the collection, on the embeddings that stand for the "
        "texts, and on the fitted landscape with its seed; another model, another landscape or a few more documents "
        "can give another trail. The random chronologies depend on their own seed"
        f" ({pair.seed}); beating them means that the trail hangs together better than chance, not that it is true."
    )
