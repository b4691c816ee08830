"""Which documents of a collection a person wants to see: by words, sources, topics, dates, further columns, state."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.document_query import read_query
from narrative_core.document_search import Hit, Matches, Similar, hits, search
from narrative_core.holdings import NO_TOPIC, Holdings, ListedColumn
from narrative_core.records import Document

State = Literal["all", "undated", "excluded", "copies", "noted", "selected", "placed"]
Order = Literal["best", "oldest", "newest", "title", "source"]
Part = Literal["query", "sources", "topics", "dates", "extras", "similar_to", "state"]

STATES: tuple[State, ...] = get_args(State)
ORDERS: tuple[Order, ...] = get_args(Order)
PAGE: Final = 25
"""Documents on one page of a list."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a person wants to see; a document has to meet all of it.

    ``topics`` by number, −1 for documents without any · ``first`` and ``last`` are days, both included, and leave
    undated documents out · ``extras`` by column the values, or texts that a value contains where a column has
    many · ``state`` "all" is all that is not excluded · ``similar_to`` a document's id, for those most like it.
    """

    query: str = ""
    sources: frozenset[str] = frozenset()
    topics: frozenset[int] = frozenset()
    first: dt.date | None = None
    last: dt.date | None = None
    extras: Mapping[str, frozenset[str]] = field(default_factory=dict)
    state: State = "all"
    similar_to: str = ""

    @property
    def is_ranked(self) -> bool:
        """Whether some documents meet it better than others."""
        return bool(self.query.strip() or self.similar_to)

    def without(self, part: Part) -> "Filter":
        """Return the filter with one part lifted."""
        names = ("first", "last") if part == "dates" else (part,)
        usual = {one.name: getattr(Filter(), one.name) for one in fields(self)}
        return replace(self, **{name: usual[name] for name in names})


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that can be chosen, its name, and how many documents would have it."""

    value: str | int
    label: str
    count: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of one property among the documents that meet all else; ``is_listed``: few enough to choose from."""

    name: str
    values: tuple[FacetValue, ...]
    is_listed: bool = True


@dataclass(frozen=True, slots=True)
class Widening:
    """A filter with one part lifted, and how many documents that finds."""

    part: Part
    filter: Filter
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The documents that meet a filter.

    ``rows`` (n_found,) in the order of the list · ``hits`` are those of the page that was asked for, with what was
    looked for marked · ``sources``, ``topics`` and ``extras`` are facets · ``days`` are the dates of the documents that
    meet all but the range of dates, ``n_undated`` how many further ones have none · ``similar`` is set where documents
    like one were asked for · ``is_partial``: no document has all the words of the query.
    """

    rows: NDArray[np.int64]
    hits: tuple[Hit, ...]
    sources: Facet
    topics: Facet
    extras: tuple[Facet, ...]
    days: tuple[dt.date, ...]
    n_undated: int
    similar: Similar | None = None
    is_partial: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Sifted:
    """Which documents meet each part of a filter that is set, (n,) each, and what ranks them."""

    parts: Mapping[str, NDArray[np.bool_]]
    matches: Matches
    similar: Similar | None

    def all_but(self, name: str = "") -> NDArray[np.bool_]:
        kept: NDArray[np.bool_] = np.logical_and.reduce([mask for part, mask in self.parts.items() if part != name])
        return kept


def find(
    holdings: Holdings,
    wanted: Filter,
    *,
    selection: Sequence[str] = (),
    order: Order = "best",
    first: int = 0,
    limit: int = PAGE,
) -> Found:
    """Return the documents that meet a filter, with the facets that narrow or widen it.

    A facet's own choice does not shrink its own list: the numbers say what another choice would find.

    Parameters
    ----------
    holdings : Holdings
    wanted : Filter
        Values that no document has find nothing.
    selection : sequence of str
        Ids of the documents that are marked, for the state "selected".
    order : {"best", "oldest", "newest", "title", "source"}
        "best" is by date where nothing ranks; undated documents are last in every order by date, those without a
        headline or source last in the order by it.
    first, limit : int
        The page whose hits are wanted.
    """
    sifted = _sift(holdings, wanted, selection)
    rows = _ordered(holdings, np.flatnonzero(sifted.all_but()), sifted, order)
    page = rows[first : first + limit]
    in_range = sifted.all_but("dates")
    dates = [holdings.documents[row].date for row in np.flatnonzero(in_range)]
    return Found(
        rows=rows,
        hits=hits(holdings.shelf.index, read_query(wanted.query), page.tolist(), _scores(holdings, sifted)[page]),
        sources=_column_facet(holdings.shelf.sources, sifted.all_but("sources"), wanted.sources),
        topics=_topic_facet(holdings, sifted.all_but("topics"), wanted.topics),
        extras=tuple(
            _column_facet(column, sifted.all_but(f"extra {column.name}"), wanted.extras.get(column.name, frozenset()))
            for column in holdings.shelf.extras
        ),
        days=tuple(date for date in dates if date is not None),
        n_undated=sum(date is None for date in dates),
        similar=sifted.similar,
        is_partial=sifted.matches.is_partial,
    )


def state_counts(holdings: Holdings, selection: Sequence[str] = ()) -> dict[State, int]:
    """Return how many documents each state has when nothing else is asked for."""
    return {state: int(_in_state(holdings, state, selection).sum()) for state in STATES}


def widenings(holdings: Holdings, wanted: Filter, *, selection: Sequence[str] = ()) -> tuple[Widening, ...]:
    """Return what a filter finds when one part of it is lifted, the most first; what finds nothing is left out."""
    parts: list[Part] = ["query", "sources", "topics", "dates", "extras", "similar_to", "state"]
    tried = [(part, wanted.without(part)) for part in parts if wanted.without(part) != wanted]
    counted = [Widening(part, wider, int(_sift(holdings, wider, selection).all_but().sum())) for part, wider in tried]
    return tuple(sorted((one for one in counted if one.count), key=lambda one: -one.count))


def _sift(holdings: Holdings, wanted: Filter, selection: Sequence[str]) -> _Sifted:
    parts = {"state": _in_state(holdings, wanted.state, selection)}
    matches = search(holdings.shelf.index, read_query(wanted.query))
    if wanted.query.strip():
        parts["query"] = _mask(holdings, matches.rows)
    if wanted.sources:
        parts["sources"] = _chosen(holdings.shelf.sources, wanted.sources)
    if wanted.topics:
        parts["topics"] = np.isin(holdings.topics, list(wanted.topics))
    if wanted.first or wanted.last:
        parts["dates"] = _within(holdings, wanted.first or dt.date.min, wanted.last or dt.date.max)
    for column in holdings.shelf.extras:
        if wanted.extras.get(column.name):
            parts[f"extra {column.name}"] = column.has_any(wanted.extras[column.name])
    unknown = {name for name, values in wanted.extras.items() if values} - {one.name for one in holdings.shelf.extras}
    if unknown:
        parts["extra"] = np.zeros(len(holdings.documents), dtype=bool)
    similar = holdings.similar_to(wanted.similar_to) if wanted.similar_to else None
    if wanted.similar_to:
        parts["similar_to"] = _mask(holdings, similar.rows if similar is not None else np.array([], dtype=np.int64))
    return _Sifted(parts, matches, similar)


def _in_state(holdings: Holdings, state: State, selection: Sequence[str]) -> NDArray[np.bool_]:
    if state == "excluded":
        return holdings.is_excluded
    if state == "all":
        return ~holdings.is_excluded
    if state == "undated":
        is_meant = np.array([document.date is None for document in holdings.documents], dtype=bool)
    else:
        ids: Mapping[State, Iterable[str]] = {
            "copies": holdings.copies,
            "noted": holdings.curation.document_notes,
            "selected": selection,
            "placed": holdings.loaded.placed if holdings.loaded is not None else (),
        }
        is_meant = _mask(holdings, holdings.rows(ids[state]))
    return is_meant & ~holdings.is_excluded


def _mask(holdings: Holdings, rows: Sequence[int] | NDArray[np.int64]) -> NDArray[np.bool_]:
    mask = np.zeros(len(holdings.documents), dtype=bool)
    mask[np.asarray(rows, dtype=np.int64)] = True
    return mask


def _chosen(column: ListedColumn, wanted: frozenset[str]) -> NDArray[np.bool_]:
    """Return which documents have one of some values exactly, however many values there are; shape (n,)."""
    chosen = np.array([value in wanted for value in (*column.values, "")], dtype=bool)
    has: NDArray[np.bool_] = chosen[column.codes]
    return has


def _within(holdings: Holdings, first: dt.date, last: dt.date) -> NDArray[np.bool_]:
    dates = (document.date for document in holdings.documents)
    return np.array([date is not None and first <= date <= last for date in dates], dtype=bool)


def _scores(holdings: Holdings, sifted: _Sifted) -> NDArray[np.float64]:
    """Return what each document is ranked by, shape (n,): its likeness, else its score; 0 where nothing ranks."""
    scores = np.zeros(len(holdings.documents))
    scores[sifted.matches.rows] = sifted.matches.scores
    if sifted.similar is not None:
        scores[:] = 0
        scores[sifted.similar.rows] = sifted.similar.likeness
    return scores


def _ordered(holdings: Holdings, rows: NDArray[np.int64], sifted: _Sifted, order: Order) -> NDArray[np.int64]:
    place = np.empty(len(holdings.documents), dtype=np.int64)
    place[holdings.order] = np.arange(len(place))
    if order == "best" and ("query" in sifted.parts or sifted.similar is not None):
        ranked = sifted.similar.rows if sifted.similar is not None else sifted.matches.rows
        place[ranked] = np.arange(len(ranked)) - len(ranked)
    if order in ("title", "source"):
        by_date = rows[np.argsort(place[rows], kind="stable")].tolist()
        return np.array(sorted(by_date, key=lambda row: _name(holdings.documents[row], order)), dtype=np.int64)
    if order == "newest":
        is_undated = np.array([holdings.documents[row].date is None for row in rows], dtype=bool)
        return rows[np.lexsort((-place[rows], is_undated))]
    return rows[np.argsort(place[rows], kind="stable")]


def _name(document: Document, order: Order) -> tuple[bool, str]:
    name = document.title if order == "title" else document.source
    return not name.strip(), name.casefold().lstrip(" \"'“”‘’«»„¿¡…([")


def _column_facet(column: ListedColumn, mask: NDArray[np.bool_], chosen: frozenset[str]) -> Facet:
    counts = np.bincount(column.codes[mask], minlength=len(column.values) + 1)
    values = [
        FacetValue(value, value, int(count), value in chosen)
        for value, count in zip(column.values, counts, strict=False)
        if count or value in chosen
    ]
    missing = [FacetValue(value, value, 0, is_chosen=True) for value in sorted(chosen - set(column.values))]
    ranked = sorted([*values, *missing], key=lambda one: (-one.count, one.label))
    return Facet(column.name, tuple(ranked), column.is_listed)


def _topic_facet(holdings: Holdings, mask: NDArray[np.bool_], chosen: frozenset[int]) -> Facet:
    if not holdings.topic_labels:
        return Facet("topic", ())
    counts = Counter(holdings.topics[mask].tolist())
    values = [
        FacetValue(topic, holdings.topic_labels.get(topic, ""), counts[topic], topic in chosen)
        for topic in sorted(counts.keys() | chosen)
    ]
    # No topic is none of them, and last.
    return Facet("topic", tuple(sorted(values, key=lambda one: (one.value == NO_TOPIC, -one.count))))
