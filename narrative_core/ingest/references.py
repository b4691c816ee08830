"""References of a bibliography as rows: the parts of a document under their plain names, then all other fields."""

from collections.abc import Mapping, Sequence

from narrative_core.ingest.dates import parse_date
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, check_shape, distinct_names

PARTS = ("id", "title", "text", "date", "source", "url", "author", "type")
BETWEEN = "; "


def reference_rows(references: Sequence[Mapping[str, str]], collected: RowCollector) -> ReadRows:
    """Return references as rows: the ``PARTS`` that any of them has, then their other fields as they first appear.

    Raises
    ------
    InvalidInput
        If they have too many fields.
    """
    others = dict.fromkeys(name for reference in references for name in reference if name not in PARTS)
    used = [name for name in PARTS if any(reference.get(name) for reference in references)]
    names = [*used, *others]
    check_shape(len(references), len(names))
    collected.rows = [tuple(reference.get(name, "") for name in names) for reference in references]
    return ReadRows(distinct_names(names), collected)


def partial_date(year: str, month: str, day: str = "") -> str:
    """Return a date in ISO form, as exactly as year, month and day say; "" where they do not make one.

    Examples
    --------
    >>> partial_date("2021", "July"), partial_date("2021", "7", "11"), partial_date("2021", "11 July")
    ('2021-07', '2021-07-11', '2021-07-11')
    >>> partial_date("2021", "Spring")
    ''
    """
    if month.isdigit():
        written = [f"{year}-{month}-{day}" if day else f"{year}-{month}"]
    else:
        written = [f"{day} {month} {year}".strip(), f"{month} {year}", f"{month}, {year}"]
    for text in written:
        if parsed := parse_date(text, "iso"):
            return parsed.date.isoformat()[: {"year": 4, "month": 7}.get(parsed.precision, 10)]
    return ""
