"""RSS and Atom: each entry a row, its markup left for the documents to be rid of."""

import calendar
import datetime as dt
import email.utils
import io
import re
import sys
from typing import Any

from narrative_core.errors import InvalidInput
from narrative_core.ingest.json_values import paired
from narrative_core.ingest.raw_rows import ReadRows, RowCollector
from narrative_core.ingest.references import BETWEEN, reference_rows


def read_feed(data: bytes, filename: str, *, max_rows: int) -> ReadRows:
    """Return the entries of a feed as rows: title, text, date with its zone, address, author, and the feed as source.

    The text is the content, else the summary. Nothing is fetched, and no entity of the file's own making is expanded.

    Parameters
    ----------
    data : bytes
        The whole file; it says its encoding itself.
    filename : str
        For messages.
    max_rows : int
        More entries than that are refused.

    Raises
    ------
    InvalidInput
        If it is no feed, has no entry, or too many.
    """
    feed = _parsed(data, filename)
    fault = feed.get("bozo_exception")
    if not feed["entries"]:
        what = "a feed without entries" if feed.get("version") else "no feed that can be read"
        raise InvalidInput(
            f"{filename} must be an RSS or Atom feed with entries; it is {what}{f' ({fault})' if fault else ''}."
        )
    source = _text(feed["feed"].get("title"))
    collected = RowCollector(max_rows)
    rows = []
    for entry in feed["entries"]:
        rows.append({"source": source} | _row(entry))
        collected.keep(())
    found = reference_rows(rows, collected)
    notices: tuple[str, ...] = (f"The feed is “{source}”.",) if source else ()
    if fault and not type(fault).__name__.startswith("CharacterEncoding"):
        notices += (f"The feed is damaged ({fault}); {len(rows):,} entries could be read.",)
    return ReadRows(found.columns, collected, notices=notices, encoding=str(feed.get("encoding", "")))


def _parsed(data: bytes, filename: str) -> dict[str, Any]:
    import feedparser

    # Only a stream is never taken for an address or the name of a file.
    stream = io.BytesIO(_REFERENCES.sub(_with_characters, data))
    try:
        feed: dict[str, Any] = feedparser.parse(stream, sanitize_html=False, resolve_relative_uris=False)
    except Exception as error:
        # The library lets through whatever it meets: an encoding that is no name, a place without its coordinates.
        raise InvalidInput(
            f"{filename} cannot be read as a feed: it is damaged ({type(error).__name__}: {error})."
        ) from error
    return feed


def _with_characters(references: re.Match[bytes]) -> bytes:
    """Return references to characters with the two halves of one joined; what names no character becomes U+FFFD."""
    codes = [int(f"0{code.decode().lower()}", 16 if code[:1] in b"xX" else 10) for code in _CODE.findall(references[0])]
    text = paired("".join(chr(code) if code <= sys.maxunicode else "\ufffd" for code in codes))
    return "".join(f"&#{ord(character)};" for character in text).encode()


_REFERENCES = re.compile(rb"(?:&#(?:x[0-9a-f]{1,8}|[0-9]{1,8});)+", re.IGNORECASE)
_CODE = re.compile(rb"&#(\w+);")


def _row(entry: dict[str, Any]) -> dict[str, str]:
    content = "\n\n".join(_text(part.get("value")) for part in entry.get("content", ()))
    summary = _text(entry.get("summary"))
    tags = [_text(tag.get("label") or tag.get("term")) for tag in entry.get("tags", ())]
    published, updated = _date(entry, "published"), _date(entry, "updated")
    identifier, link = _text(entry.get("id")), _text(entry.get("link"))
    row = {
        "id": identifier,
        "title": _text(entry.get("title")),
        "text": content or summary,
        "date": published or updated,
        # The library takes an identifier for the link where there is none, even one that is no address.
        "url": link if link != identifier or link.startswith("http") else "",
        "author": _text(entry.get("author")),
        "tags": BETWEEN.join(filter(None, tags)),
        "summary": summary if content and summary != content else "",
        "updated": updated if published and updated != published else "",
    }
    return {name: value for name, value in row.items() if value}


def _date(entry: dict[str, Any], name: str) -> str:
    """Return a date in ISO form with its zone where it is one of RFC 2822; otherwise as it is written."""
    if name not in entry.keys():  # noqa: SIM118 (asked for itself, the entry gives another date for a missing one)
        return ""
    written = _text(entry.get(name)).strip()
    try:
        return email.utils.parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    parsed = entry.get(f"{name}_parsed")
    if written[:4].isdigit() or not parsed:
        return written
    try:
        return dt.datetime.fromtimestamp(calendar.timegm(parsed), tz=dt.UTC).isoformat()
    except (ValueError, TypeError, OverflowError, OSError):
        return written


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
