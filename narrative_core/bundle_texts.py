"""Which texts the vectors of a bundle were made from, as ``embedded.csv``: a hash for each document.

``documents.csv`` is there to be read and changed; this tells when it no longer says what its vectors stand for.
"""

import csv
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from narrative_core.bundle_files import place, read_rows, require_ids
from narrative_core.errors import InvalidInput
from narrative_core.ingest.plain_text import clean_line, clean_text
from narrative_core.json_fields import AGAIN
from narrative_core.records import Document
from narrative_core.space.document_text import embedding_text

EMBEDDED: Final = "embedded.csv"
"""There where there are vectors; a bundle of an earlier version has none."""

_COLUMNS: Final = ("id", "text_sha256")


def embedded_csv(documents: Sequence[Document]) -> str:
    """Return the hash of what is embedded of each document, as CSV, in position order."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    writer.writerows((document.document_id, _hash_of(document)) for document in documents)
    return file.getvalue()


def require_embedded_texts(folder: Path, documents: Sequence[Document]) -> None:
    """Check that the texts of a bundle are those that its vectors were made from, where it says which those are.

    Parameters
    ----------
    folder : Path
    documents : sequence of Document
        Those of the bundle, in position order.

    Raises
    ------
    InvalidInput
        If a title or text was changed since the export, or the file is damaged or of other documents.
    """
    rows, where = read_rows(folder / EMBEDDED), place(folder / EMBEDDED)
    if rows is None:
        return
    if rows[0] != _COLUMNS:
        raise InvalidInput(f"{where} must have the columns {', '.join(_COLUMNS)}. {AGAIN}")
    require_ids([row[0] for row in rows[1:]], [document.document_id for document in documents], where)
    pairs = zip(documents, rows[1:], strict=True)
    changed = [document.document_id for document, (_, told) in pairs if told != _hash_of(document)]
    if changed:
        raise InvalidInput(
            f"{folder.absolute().name} has {len(changed):,} of {len(documents):,} titles or texts changed since the "
            f"export (the first is “{changed[0][:60]}”), and its vectors and map are of the former ones. Import its "
            "documents.csv itself: with --update where the collection is, or as a new collection that is then built."
        )


def _hash_of(document: Document) -> str:
    """Return the hash of a document's text as it is kept: what cleaning leaves out makes no other text."""
    text = embedding_text(clean_line(document.title), clean_text(document.text))
    return hashlib.sha256(text.encode()).hexdigest()
