"""A document as columns; the same ones in a collection and in a saved story."""

import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from narrative_core.records import Document


def document_columns(documents: Sequence[Document]) -> dict[str, pa.Array]:
    """Return the fields of documents as Arrow columns of the same names, extras as JSON text.

    Examples
    --------
    >>> columns = document_columns([Document("d1", "A title", "A text", extras={"place": "Oslo"})])
    >>> columns["extras"].to_pylist()
    ['{"place": "Oslo"}']
    """
    text = pa.large_string()
    return {
        "document_id": pa.array([document.document_id for document in documents], text),
        "title": pa.array([document.title for document in documents], text),
        "text": pa.array([document.text for document in documents], text),
        "date": pa.array([document.date for document in documents], pa.date32()),
        "date_text": pa.array([document.date_text for document in documents], text),
        "date_precision": pa.array([document.date_precision for document in documents], text),
        "source": pa.array([document.source for document in documents], text),
        "url": pa.array([document.url for document in documents], text),
        "extras": pa.array([json.dumps(dict(document.extras), ensure_ascii=False) for document in documents], text),
    }


def document_from_row(row: Sequence[Any]) -> Document:
    """Return the document of a row (document_id, title, text, date, date_text, date_precision, source, url, extras)."""
    document_id, title, text, date, date_text, date_precision, source, url, extras = row
    return Document(
        document_id=document_id,
        title=title,
        text=text,
        date=date,
        date_text=date_text,
        date_precision=date_precision,
        source=source,
        url=url,
        extras=json.loads(extras),
    )
