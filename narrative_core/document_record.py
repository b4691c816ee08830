"""A `Document` as a JSON object and back, exactly as it is: unlike a row of a table it is not interpreted."""

import datetime as dt
from typing import Any, get_args

from narrative_core.errors import InvalidInput
from narrative_core.json_fields import AGAIN, Fields
from narrative_core.records import DatePrecision, Document


def document_json(document: Document) -> dict[str, Any]:
    """Return a document as a JSON object.

    Examples
    --------
    >>> document_json(Document("a", "A ford", "", dt.date(1960, 1, 1), "1960", "year"))["date"]
    '1960-01-01'
    """
    return {
        "id": document.document_id,
        "title": document.title,
        "text": document.text,
        "date": None if document.date is None else document.date.isoformat(),
        "date_as_given": document.date_text,
        "date_precision": document.date_precision,
        "source": document.source,
        "url": document.url,
        "extras": dict(document.extras),
    }


def read_document(told: Fields) -> Document:
    """Return the document of a JSON object.

    Raises
    ------
    InvalidInput
        If a value is not what it must be.
    """
    precision: DatePrecision | None = None
    if not told.is_null("date_precision"):
        precision = told.choice("date_precision", get_args(DatePrecision))
    return Document(
        document_id=told.text("id"),
        title=told.text("title"),
        text=told.text("text"),
        date=None if told.is_null("date") else _date(told),
        date_text=told.text("date_as_given"),
        date_precision=precision,
        source=told.text("source"),
        url=told.text("url"),
        extras=told.texts_by_name("extras"),
    )


def _date(told: Fields) -> dt.date:
    text = told.text("date")
    try:
        date = dt.date.fromisoformat(text)
    except ValueError:
        date = None
    if date is None or date.isoformat() != text:
        raise InvalidInput(f"{told.where}: “date” must be a day as in 2021-07-11, or null; got “{text[:60]}”. {AGAIN}")
    return date
