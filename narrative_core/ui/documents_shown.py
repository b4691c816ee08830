"""What the page of documents shows now, and how a part of it asks for other documents."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from narrative_core import desk_edits
from narrative_core.document_filters import Filter, Found, find
from narrative_core.document_query import Query, read_query
from narrative_core.holdings import Holdings
from narrative_core.records import Document
from narrative_core.ui import state, workbench


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the page shows: the collection, what is looked for, and what that finds. ``page`` counts from 1."""

    holdings: Holdings
    wanted: Filter
    found: Found
    selection: tuple[str, ...]
    page: int
    page_key: str

    @property
    def query(self) -> Query:
        """What is looked for in words."""
        return read_query(self.wanted.query)


def ids_met(view: View) -> frozenset[str]:
    """Return the documents that meet all that is looked for but the state."""
    found = find(view.holdings, replace(view.wanted, state="all"), limit=0)
    return frozenset(view.holdings.ids(found.rows))


def change_filter(**changes: object) -> None:
    """Change parts of what is looked for."""
    wanted = replace(state.document_filter(), **changes)  # type: ignore[arg-type]
    chosen = {name: values for name, values in wanted.extras.items() if values}
    state.choose_documents(replace(wanted, extras=chosen))


def mark(ids: tuple[str, ...]) -> None:
    """Select documents, and show them as a list."""
    workbench.edit(f"Selected {count_words(len(ids))}", partial(desk_edits.select, document_ids=ids))
    change_filter(state="selected")


def count_words(number: int) -> str:
    """Return a number of documents in words.

    Examples
    --------
    >>> count_words(1), count_words(1200)
    ('one document', '1,200 documents')
    """
    return "one document" if number == 1 else f"{number:,} documents"


def days_words(wanted: Filter) -> str:
    """Return a range of days in words.

    Examples
    --------
    >>> import datetime as dt
    >>> days_words(Filter(first=dt.date(2020, 1, 1)))
    'from 2020-01-01'
    """
    first, last = wanted.first, wanted.last
    if first and last:
        return f"{first}" if first == last else f"{first} to {last}"
    return f"from {first}" if first else f"until {last}"


def documents_of(view: View, document_ids: Iterable[str]) -> list[Document]:
    """Return documents by id, in that order."""
    return [view.holdings.documents[row] for row in view.holdings.rows(document_ids)]
