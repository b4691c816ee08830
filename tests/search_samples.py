"""Small collections to search in."""

import datetime as dt
from collections.abc import Mapping, Sequence

from narrative_core.curation import Curation
from narrative_core.document_index import DocumentIndex, index_documents
from narrative_core.extraction import LoadedCollection
from narrative_core.holdings import Holdings, hold, shelve
from narrative_core.records import Collection, Document


def document(document_id: str, title: str, text: str = "", **given: object) -> Document:
    """Return a document, dated where ``date`` is given."""
    date = given.get("date")
    known = {"date_text": str(date), "date_precision": "day"} if isinstance(date, dt.date) else {}
    return Document(document_id, title, text, **{**known, **given})  # type: ignore[arg-type]


def index_of(*titles: str) -> DocumentIndex:
    """Return the index of documents d0, d1, … with these headlines and no text."""
    return index_documents([document(f"d{row}", title) for row, title in enumerate(titles)])


def holdings_of(
    documents: Sequence[Document],
    curation: Curation | None = None,
    *,
    copies: Mapping[str, str] | None = None,
    loaded: LoadedCollection | None = None,
) -> Holdings:
    """Return documents to look through."""
    shelf = shelve(Collection("town", "The town"), index_documents(documents))
    return hold(shelf, curation or Curation(), copies=copies, loaded=loaded)
