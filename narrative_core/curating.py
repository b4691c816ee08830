"""A person's decisions about a collection: kept in the store, and laid over what was imported and fitted."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput
from narrative_core.ingest.dates import ParsedDate, parse_date
from narrative_core.records import Document, Landscape, Topic
from narrative_core.store.curations import count_left, save_curation
from narrative_core.store.database import Database
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers

ROUNDING = 1e-12
"""How far θ may lie below its value on the machine that built the landscape and still count as equal."""

FEWEST_DOCUMENTS = 2
"""Documents that cannot be excluded: fewer make no story."""


@dataclass(frozen=True, slots=True, eq=False)
class Curated:
    """The documents that take part, in position order, with typed dates in place of those in the file.

    ``rows`` (n,) are their positions among all stored documents · ``file_dates`` gives, by id, how the file words a
    date that was replaced.
    """

    documents: tuple[Document, ...]
    rows: NDArray[np.intp]
    file_dates: Mapping[str, str]


def read_typed_date(text: str) -> ParsedDate:
    """Return a date as a person typed it: a day, a month or a year, day and month told apart.

    Raises
    ------
    InvalidInput
        If it is no date, or day and month cannot be told apart.

    Examples
    --------
    >>> read_typed_date("March 2021").date.isoformat()
    '2021-03-01'
    """
    parsed = parse_date(text, "mixed")
    if parsed is None:
        raise InvalidInput(f"“{text[:40]}” is not a clear date. Write it as 2021-07-11, 2021-07 or 2021.")
    return parsed


def keep_curation(database: Database, name: str, curation: Curation) -> None:
    """Save the decisions about a collection in place of the former ones.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, a typed date is none, or hardly a document would be left.
    """
    days = {document_id: read_typed_date(text).date for document_id, text in curation.dates.items()}
    if curation.excluded:
        require_left(*count_left(database, name, curation.excluded))
    save_curation(database, name, curation, days=days)


def curate(documents: Sequence[Document], curation: Curation) -> Curated:
    """Return the documents that take part, as they were decided on.

    A typed date counts with the precision that it was typed with, and its wording takes the place of the file's. What
    was decided about a document that there is none of is passed over.

    Parameters
    ----------
    documents : sequence of Document
        All that are stored, in position order.
    curation : Curation

    Examples
    --------
    >>> first, second = Document("a", "", "", dt.date(2020, 1, 1), "1 Jan 2020"), Document("b", "", "")
    >>> found = curate([first, second], Curation(dates={"b": "2019"}))
    >>> [document.iso_date for document in found.documents], found.rows.tolist()
    (['2019', '2020-01-01'], [1, 0])
    """
    file_dates: dict[str, str] = {}
    kept: list[tuple[int, Document]] = []
    for row, document in enumerate(documents):
        if document.document_id in curation.excluded:
            continue
        typed = curation.dates.get(document.document_id)
        if typed is not None:
            file_dates[document.document_id] = document.date_text
            kept.append((row, _dated(document, typed)))
        else:
            kept.append((row, document))
    if file_dates:
        kept.sort(key=lambda one: (one[1].date is None, one[1].date or dt.date.min, one[0]))
    rows = np.array([row for row, _ in kept], dtype=np.intp)
    return Curated(tuple(document for _, document in kept), rows, file_dates)


def curated_graph(curated: Curated, coherence: NDArray[np.float64], floor: float) -> TrailGraph:
    """Return the chronological graph of the documents that take part.

    Parameters
    ----------
    curated : Curated
    coherence : ndarray, shape (n, n)
        θ of all stored documents; no link changes its strength.
    floor : float
        Critical coherence of all stored documents. Where some are excluded, it is found anew among the others: what
        held the others together may be gone.

    Notes
    -----
    O(m²) time and memory for m documents that take part; nothing is copied where all do, in the stored order.
    """
    days = day_numbers([document.date for document in curated.documents])
    rows, n = curated.rows, len(coherence)
    if np.array_equal(rows, np.arange(n)):
        return TrailGraph(coherence, days, floor - ROUNDING)
    among = coherence[np.ix_(rows, rows)]
    return TrailGraph(among, days, (floor if len(rows) == n else critical_coherence(among)) - ROUNDING)


def curate_landscape(landscape: Landscape, rows: NDArray[np.intp], curation: Curation, *, floor: float) -> Landscape:
    """Return a landscape with the documents that take part, and its topics as they were named and merged.

    Topics keep their numbers, and the columns of ``memberships`` stay as they were fitted, so that no link changes its
    strength. A topic that was merged into another has the other's name and no document of its own.

    Parameters
    ----------
    landscape : Landscape
        As fitted, one row a stored document.
    rows : array (m,) of int
        Positions of the documents that take part.
    curation : Curation
        Decisions about the topics of another landscape do not count.
    floor : float
        Critical coherence among these documents.
    """
    told = curation.on_landscape(landscape.landscape_id)
    n_topics = len(landscape.topics)
    # A document without any topic has −1, which finds the last entry.
    shown = np.array([*(told.shown_topic(topic) for topic in range(n_topics)), -1], dtype=np.int64)
    nearest = shown[landscape.nearest_topic[rows]]
    sizes = np.bincount(nearest[nearest >= 0], minlength=n_topics)
    return replace(
        landscape,
        positions=landscape.positions[rows],
        nearest_topic=nearest,
        is_outlier=landscape.is_outlier[rows],
        memberships=landscape.memberships[rows],
        topics=tuple(_named(topic, landscape.topics, told, int(sizes[topic.topic])) for topic in landscape.topics),
        critical_coherence=floor,
    )


def copies_among(
    originals: Mapping[str, str], documents: Sequence[Document], standalone: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Return, for each document of a group of copies, the ids of the whole group in position order.

    Parameters
    ----------
    originals : mapping of str to str
        By document id, the first document of its group.
    documents : sequence of Document
        Those that take part; a group with fewer than two of them is none.
    standalone : frozenset of str
        Documents that were taken out of their group.

    Examples
    --------
    >>> documents = [Document(name, "", "") for name in "abc"]
    >>> copies_among(dict.fromkeys("abc", "a"), documents, frozenset("b"))
    {'a': ('a', 'c'), 'c': ('a', 'c')}
    """
    groups: dict[str, list[str]] = {}
    for document in documents:
        original = originals.get(document.document_id)
        if original is not None and document.document_id not in standalone:
            groups.setdefault(original, []).append(document.document_id)
    return {one: tuple(group) for group in groups.values() if len(group) > 1 for one in group}


def require_left(n_left: int, n: int) -> None:
    """Raise `InvalidInput`, with the numbers, where so few of ``n`` documents take part that there can be no story."""
    if n_left < min(FEWEST_DOCUMENTS, n):
        raise InvalidInput(
            f"That would leave {n_left} of {n:,} documents, and a story needs at least {FEWEST_DOCUMENTS}. Exclude "
            "fewer, or restore others first."
        )


def _dated(document: Document, typed: str) -> Document:
    parsed = read_typed_date(typed)
    return replace(document, date=parsed.date, date_text=typed, date_precision=parsed.precision)


def _named(topic: Topic, topics: Sequence[Topic], curation: Curation, size: int) -> Topic:
    shown = curation.shown_topic(topic.topic)
    found = topics[shown].label if 0 <= shown < len(topics) else topic.label
    return replace(topic, label=curation.topic_labels.get(shown, found), size=size)
