"""Which documents of a collection are copies of each other: looked for once, and kept until its documents change."""

from collections.abc import Sequence

from narrative_core.ingest.near_duplicates import group_copies
from narrative_core.records import Document
from narrative_core.store.copies import load_copies, save_copies
from narrative_core.store.database import Database


def find_copies(documents: Sequence[Document]) -> dict[str, str]:
    """Return, for each document of a group of copies, the id of the first of the group; see `group_copies`.

    Parameters
    ----------
    documents : sequence of Document
        In position order.

    Examples
    --------
    >>> report = "The dyke at the ford broke in the night and the whole town was under water by six, police said."
    >>> find_copies([Document("a", "Flood", report), Document("b", "Wet", report), Document("c", "Fair", "It opens.")])
    {'a': 'a', 'b': 'a'}
    """
    ids = [document.document_id for document in documents]
    return {ids[position]: ids[group[0]] for group in group_copies(documents) for position in group}


def known_copies(database: Database, name: str, documents: Sequence[Document]) -> dict[str, str]:
    """Return the groups of copies of a collection, looked for where they are not known yet.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    documents : sequence of Document
        All that are stored, in position order.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    stored = load_copies(database, name)
    if stored is not None:
        return stored
    found = find_copies(documents)
    save_copies(database, name, found)
    return found
