"""A list of documents as a table for a spreadsheet."""

from collections.abc import Iterable, Mapping, Sequence

from narrative_core.records import Document
from narrative_core.reports.table_formats import rows_csv

_COLUMNS = ("id", "title", "date", "date as given", "source", "url", "topic", "copies", "note")


def documents_csv(
    documents: Sequence[Document],
    *,
    topics: Mapping[str, str] | None = None,
    copies: Mapping[str, int] | None = None,
    notes: Mapping[str, str] | None = None,
) -> str:
    """Return documents with all that is known of them but their texts, one row each (RFC 4180).

    Parameters
    ----------
    documents : sequence of Document
        In the order of the rows; their further columns stand last, in the order in which they first occur.
    topics, copies, notes : mapping by document id, optional
        The name of the topic, the number of further copies of the same text, and the note; missing ones are empty.

    Returns
    -------
    str
        Texts that a spreadsheet would run as a formula are preceded by an apostrophe.

    Examples
    --------
    >>> documents_csv([Document("d1", "=1+1", "", extras={"desk": "sports"})], copies={"d1": 2}).splitlines()[1]
    "d1,'=1+1,,,,,,2,,sports"
    """
    extras = list(dict.fromkeys(name for document in documents for name in document.extras))
    # A further column may be called what one of ours is called; both are kept, and told apart.
    names = [f"{name} (file)" if name in _COLUMNS else name for name in extras]
    return rows_csv(
        [*_COLUMNS, *names], _rows(documents, extras, topics=topics or {}, copies=copies or {}, notes=notes or {})
    )


def _rows(
    documents: Sequence[Document],
    extras: Sequence[str],
    *,
    topics: Mapping[str, str],
    copies: Mapping[str, int],
    notes: Mapping[str, str],
) -> Iterable[Sequence[object]]:
    for document in documents:
        one = document.document_id
        yield (
            one,
            document.title,
            document.iso_date,
            document.date_text,
            document.source,
            document.url,
            topics.get(one, ""),
            copies.get(one),
            notes.get(one, ""),
            *(document.extras.get(name, "") for name in extras),
        )
