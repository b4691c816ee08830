"""From what a chart says was clicked to what was meant: pure functions, tested without a browser."""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.reports.tables import format_number
from narrative_core.runs import MADE_WORDS, Made, RunTable

Key = tuple[str | int | float, ...]
"""What a mark of a figure of a run carries as its ``customdata``."""

_MADE: tuple[Made, ...] = get_args(Made)
_FINE = 0.0099


@dataclass(frozen=True, slots=True)
class Picked:
    """The stories that a click means: their rows in the run's table, ascending, and what they are, in words.

    ``is_one``: the mark is a single story, so that it can be opened at once.
    """

    rows: tuple[int, ...]
    words: str
    is_one: bool = False


def picked_document(event: Mapping[str, Any] | None, known: Mapping[str, int], *, generation: int = 0) -> str | None:
    """Return the id of the document that was clicked on the map, ``None`` where none was.

    Parameters
    ----------
    event : mapping, optional
        The chart's state: ``{"selection": {"objects": {layer id: [row, …]}}}``.
    known : mapping of str to int
        Document ids of the collection; a row of another collection's map is no pick.
    generation : int
        That of the layer on show: what is still selected in an older one is a click that was dealt with.

    Examples
    --------
    >>> picked_document({"selection": {"objects": {"documents-3": [{"id": "d7"}]}}}, {"d7": 0}, generation=3)
    'd7'
    """
    layers = _selection(event).get("objects") or {}
    rows = layers.get(f"documents-{generation}" if generation else "documents") or []
    return next((str(row["id"]) for row in rows if row.get("id") in known), None)


def picked_stop(event: Mapping[str, Any] | None, known: Container[str], *, generation: int) -> str | None:
    """Return the id of the document whose mark was clicked on the time axis, ``None`` where none was.

    Parameters
    ----------
    event : mapping, optional
        The chart's state; the ``customdata`` of a mark is the document's id and a generation.
    known : container of str
        Document ids of the collection.
    generation : int
        That of the marks on show: what is still selected among older ones is a click that was dealt with.

    Examples
    --------
    >>> clicked = {"selection": {"points": [{"customdata": ["d7", 3]}]}}
    >>> picked_stop(clicked, {"d7"}, generation=3), picked_stop(clicked, {"d7"}, generation=4)
    ('d7', None)
    """
    for point in _selection(event).get("points") or []:
        data = point.get("customdata")
        values = list(data.values()) if isinstance(data, Mapping) else data
        match values:
            case [str(document_id), number] if number == generation and document_id in known:
                return document_id
    return None


def picked_length(event: Mapping[str, Any] | None) -> int | None:
    """Return the trail length that was clicked on the length-against-strength curve, ``None`` where none was.

    Examples
    --------
    >>> picked_length({"selection": {"points": [{"customdata": [5]}]}})
    5
    """
    for point in _selection(event).get("points") or []:
        value = point.get("customdata")
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = value[0] if value else None
        elif isinstance(value, Mapping):
            value = next(iter(value.values()), None)
        if isinstance(value, int | float) and 2 <= value < math.inf:
            return int(value)
    return None


def picked_key(event: Mapping[str, Any] | None) -> Key:
    """Return the ``customdata`` of the mark that was clicked in a figure of a run, empty where none was.

    Examples
    --------
    >>> picked_key({"selection": {"points": [{"customdata": [3, "trail"]}]}})
    (3, 'trail')
    """
    for point in _selection(event).get("points") or []:
        found = point.get("customdata")
        if isinstance(found, Mapping):
            found = list(found.values())
        if isinstance(found, list | tuple) and found and all(isinstance(part, str | int | float) for part in found):
            return tuple(found)
    return ()


def stories_of_mark(key: Key, table: RunTable, measures: Mapping[str, NDArray[np.float64]]) -> Picked | None:
    """Return the stories of a point, bar, box or cell; ``None`` where the key names none.

    Parameters
    ----------
    key : tuple
        Of a point [pair, made] · of a bar [low, high, made], whose stories have ``low`` ≤ measure < ``high`` · of a
        box [quartile, quartile, made], which stands for all stories made so · of a cell [low, high, low, high] of two
        measures.
    table : RunTable
    measures : mapping of str to array (n_stories,)
        What bars are of, one, or cells, two, by name; none for boxes.
    """
    match key:
        case (int(pair), str(made)):
            rows = [row for row, story in enumerate(table.stories) if story.pair == pair and story.made == made]
            return _picked(rows, f"pair {pair + 1:,}", is_one=True)
        case (low, high, str(made)) if made in _MADE:
            rows = table.rows(made).tolist()
            inside, words = _inside(measures, [(low, high)])
            return _picked([row for row in rows if inside is None or inside[row]], _joined(MADE_WORDS[made], words))
        case (low, high, other_low, other_high) if len(measures) == 2:
            inside, words = _inside(measures, [(low, high), (other_low, other_high)])
            return _picked([] if inside is None else np.flatnonzero(inside).tolist(), words)
    return None


def stories_of_judge(key: Key, table: RunTable) -> Picked | None:
    """Return the stories behind a number of a judge or of a metric; ``None`` where the key names none.

    Parameters
    ----------
    key : tuple
        [judge, what] with the judge's position, −1 for none: the stories that it scored; where ``what`` is a way of
        making stories, of those only · [judge, low, high]: the stories with a mean score in that band.
    table : RunTable
    """
    match key:
        case (int(seat), *rest) if -1 <= seat < len(table.seats):
            scores = table.seats[seat].means if seat >= 0 else None
            words = f"stories that {table.seats[seat].label} scored" if seat >= 0 else "all stories"
            is_meant = np.ones(len(table.stories), dtype=bool) if scores is None else np.isfinite(scores)
            match rest:
                case [str(made)] if made in _MADE:
                    is_meant &= np.isin(np.arange(len(is_meant)), table.rows(made))
                    words = _joined(words if seat >= 0 else "", MADE_WORDS[made])
                case [int(low) | float(low), int(high) | float(high)] if scores is not None:
                    inside, told = _inside({"mean score": scores}, [(low, high)])
                    is_meant &= is_meant if inside is None else inside
                    words = _joined(words, told)
            return _picked(np.flatnonzero(is_meant).tolist(), words)
    return None


def stories_of_row(
    link: tuple[int, Made | None], table: RunTable, *, band: tuple[float, float] | None = None
) -> Picked | None:
    """Return the stories behind a row of a table: those that a judge scored, or that were made in one way, or all.

    With ``band``, only those whose mean score of the judge lies in it.
    """
    seat, made = link
    if band is not None:
        return stories_of_judge((seat, *band), table)
    return stories_of_judge((seat, made or ""), table)


def stories_of_topics(
    key: Key, table: RunTable, ends: NDArray[np.int64], labels: Sequence[str], *, shown: Sequence[int] = ()
) -> Picked | None:
    """Return the trails whose ends lie in two topics; ``None`` where the key names none.

    Parameters
    ----------
    key : tuple
        [topic of the source, topic of the target]; one that is no position in ``labels`` is any of those not ``shown``.
    table : RunTable
    ends : array (n_pairs, 2)
        Topics of the source and of the target of each pair.
    labels : sequence of str
    shown : sequence of int
        Topics with a row of their own.
    """
    match key:
        case (int(source), int(target)):
            rows = [
                row
                for row in table.rows("trail").tolist()
                if _is_topic(ends[table.stories[row].pair, 0], source, labels, shown)
                and _is_topic(ends[table.stories[row].pair, 1], target, labels, shown)
            ]
            names = [labels[topic] if 0 <= topic < len(labels) else "other topics" for topic in (source, target)]
            return _picked(rows, f"from {names[0]} to {names[1]}")
    return None


def _is_topic(topic: int, wanted: int, labels: Sequence[str], shown: Sequence[int]) -> bool:
    return topic == wanted if 0 <= wanted < len(labels) else topic not in shown


def _inside(
    measures: Mapping[str, NDArray[np.float64]], bounds: Sequence[tuple[Any, Any]]
) -> tuple[NDArray[np.bool_] | None, str]:
    """Return which stories lie within bounds of every measure, the highest value with the last, and the bounds."""
    if len(measures) != len(bounds):
        return None, ""
    inside, words = None, []
    for (name, values), (low, high) in zip(measures.items(), bounds, strict=True):
        is_last = high >= np.nanmax(values, initial=-math.inf)
        found = (values >= low) & ((values < high) | (is_last & (values == high)))
        inside = found if inside is None else inside & found
        words.append(_bounds_words(name, low, high))
    return inside, ", ".join(words)


def _bounds_words(name: str, low: float, high: float) -> str:
    """Return bounds as the figures say them, with as many decimals as tell them apart."""
    if isinstance(low, int) and high == low + 1:
        return f"{low} {name}"
    is_whole = float(low).is_integer() and float(high).is_integer()
    digits = 0 if is_whole else 2 if high - low >= _FINE else 4
    return f"{name} from {format_number(low, digits)} to {format_number(high, digits)}"


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _picked(rows: Sequence[int], words: str, *, is_one: bool = False) -> Picked | None:
    return Picked(tuple(rows), words[:1].upper() + words[1:], is_one) if rows else None


def _selection(event: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return (event or {}).get("selection") or {}
