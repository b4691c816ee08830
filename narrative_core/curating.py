"""A person's decisions about a collection: kept in the store, and laid over what was imported and fitted."""

from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput
from narrative_core.ingest.dates import ParsedDate, parse_date
from narrative_core.store.curations import save_curation
from narrative_core.store.database import Database


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
        If there is no collection of that name, or a typed date is none.
    """
    days = {document_id: read_typed_date(text).date for document_id, text in curation.dates.items()}
    save_curation(database, name, curation, days=days)
