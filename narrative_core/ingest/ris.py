"""RIS: each reference from TY to ER a row."""

import re
from collections.abc import Iterable
from itertools import pairwise

from narrative_core.ingest.raw_rows import ReadRows, RowCollector
from narrative_core.ingest.references import BETWEEN, reference_rows

_START = re.compile(r"^TY {1,2}- ", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: |$)", re.MULTILINE)
_LISTS = frozenset(["A1", "A2", "A3", "A4", "AU", "KW", "N1", "UR"])
"""Tags of lists, whose further lines are further items."""

_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("id", ("id", "accession_number")),
    ("type", ("type_of_reference",)),
    ("title", ("title", "primary_title", "short_title")),
    ("text", ("abstract", "notes_abstract")),
    ("date", ("date", "year", "publication_year")),
    ("source", ("journal_name", "alternate_title3", "secondary_title", "alternate_title2", "publisher")),
    ("url", ("urls", "doi")),
    ("author", ("authors", "first_authors")),
)


def read_ris(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    r"""Return the references of a RIS file as rows.

    The abstract is the text, the journal or book the source, the first address or else the DOI the address; the most
    exact of the dates is the date. All other fields are columns, repeated ones joined with "; ". A reference that
    cannot be read is a problem and costs no other.

    Parameters
    ----------
    text : str
    max_rows : int
        More references than that are refused.
    delimiter : str, optional
        Not used: RIS has none.

    Raises
    ------
    InvalidInput
        If there are too many references.

    Examples
    --------
    >>> read_ris("TY  - JOUR\nTI  - Bridge\nDA  - 2021/07//\nER  - \n", max_rows=9).collected.rows
    [('Bridge', '2021/07', 'JOUR')]
    """
    del delimiter
    collected = RowCollector(max_rows)
    references: list[dict[str, str]] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    starts = [found.start() for found in _START.finditer(lines)]
    for start, end in pairwise([*starts, len(lines)]):
        _collect(lines[start:end], references, collected)
    return reference_rows(references, collected)


def _collect(record: str, references: list[dict[str, str]], collected: RowCollector) -> None:
    import rispy

    # The library asks for two blanks and for an end; files of other programs have one, or were cut off.
    written = _TAG.sub(r"\1  - ", record)
    ended = written if re.search(r"^ER  - ", written, re.MULTILINE) else f"{written.rstrip()}\nER  - \n"
    try:
        parsed = rispy.loads(_joined_lines(ended), enforce_list_tags=False, delimiter_tags_mapping={})
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        collected.reject(f"not a RIS reference that can be read: {error}")
        return
    if not parsed or len(parsed[0]) < 2:
        collected.reject("a RIS reference without a field")
        return
    references.append(_reference(parsed[0]))
    collected.keep((), "" if ended is written else "the reference has no end (ER); read up to the next one")


def _joined_lines(record: str) -> str:
    """Return a reference with each field on one line; the library takes a line at a time, and longer for each."""
    fields: list[list[str]] = []
    for line in record.split("\n"):
        if not fields or line[2:5] == "  -" or fields[-1][0][:2] in _LISTS:
            fields.append([line])
        else:
            fields[-1].append(line.strip())
    return "\n".join(" ".join(lines) for lines in fields)


def _reference(parsed: dict[str, object]) -> dict[str, str]:
    unknown = parsed.pop("unknown_tag", {})
    fields = {name: _joined(value) for name, value in parsed.items()}
    if isinstance(unknown, dict):
        fields |= {f"tag {tag}": _joined(value) for tag, value in unknown.items()}
    reference: dict[str, str] = {}
    dates = [name for name in ("date", "year", "publication_year") if fields.get(name)]
    for name in dates:
        fields[name] = _date(fields[name])
    best = max(dates, key=lambda name: fields[name].count("/"), default="")
    for part, names in _PARTS:
        found = best if part == "date" else next((name for name in names if fields.get(name)), "")
        if found:
            reference[part] = fields.pop(found)
    urls = reference.get("url", "").split(BETWEEN)
    if len(urls) > 1:
        reference["url"], fields["further addresses"] = urls[0], BETWEEN.join(urls[1:])
    return reference | {name: value for name, value in fields.items() if value}


def _joined(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    return BETWEEN.join(str(item).strip() for item in value) if isinstance(value, Iterable) else str(value)


def _date(written: str) -> str:
    """Return a date such as ``2021/07//Summer`` without the fields that say nothing, and without what is no date."""
    found = re.match(r"(\d{4})(?:/(\d{1,2}))?(?:/(\d{1,2}))?(?:/|$)", written)
    return "/".join(part for part in found.groups() if part) if found else written
