"""The documents of a collection, saved as one set in position order."""

from collections.abc import Sequence

import pyarrow as pa

from narrative_core.errors import InvalidInput
from narrative_core.records import Document, LoadReport
from narrative_core.store.bulk import insert_rows
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database
from narrative_core.store.document_rows import document_columns
from narrative_core.store.report_rows import insert_report
from narrative_core.store.tables import Cursor

DOCUMENT_DELETIONS = (
    "DELETE FROM documents WHERE collection = ?",
    "DELETE FROM load_reports WHERE collection = ?",
    "DELETE FROM load_problems WHERE collection = ?",
)


def update_documents(database: Database, name: str, documents: Sequence[Document], report: LoadReport) -> None:
    """Save the documents of a collection and the report of their loading in place of the former ones.

    What hangs on positions (vectors, landscape) is left as it is: save it anew in the same transaction.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    documents : sequence of Document
        All that it has from now on, in position order, each id once.
    report : LoadReport
        What became of every row of the file that was loaded last.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, or a document id repeats.
    """
    require_unique(documents)
    with database.transaction() as cursor:
        require_collection(cursor, name)
        for statement in DOCUMENT_DELETIONS:
            cursor.execute(statement, [name])
        insert_documents(cursor, name, documents)
        insert_report(cursor, name, report)


def require_unique(documents: Sequence[Document]) -> None:
    """Raise `InvalidInput`, naming the document id, where one repeats."""
    seen: set[str] = set()
    for document in documents:
        if document.document_id in seen:
            msg = (
                f"Document ids must be unique in a collection; {document.document_id!r} repeats. Rename one of the two."
            )
            raise InvalidInput(msg)
        seen.add(document.document_id)


def insert_documents(cursor: Cursor, name: str, documents: Sequence[Document]) -> None:
    """Insert the documents of a collection that has none, in position order."""
    insert_rows(
        cursor,
        "INSERT INTO documents (collection, position, document_id, title, text, date, date_text, date_precision,"
        " source, url, extras)"
        " SELECT ?, position, document_id, title, text, date, date_text, date_precision, source, url, extras"
        " FROM incoming",
        pa.table({"position": pa.array(range(len(documents)), pa.int32()), **document_columns(documents)}),
        [name],
    )
