"""BibTeX: each entry a row, LaTeX read as text."""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from narrative_core.ingest.raw_rows import ReadRows, RowCollector
from narrative_core.ingest.references import BETWEEN, partial_date, reference_rows

_ENTRY = re.compile(r"^[ \t]*@[ \t]*(?P<command>\w+)\s*[{(]", re.MULTILINE)
_NO_KEY = re.compile(r"([{(])\s*,")
_KEYLESS = "no-key"
_NO_ENTRIES = frozenset(["comment", "preamble", "string"])
_STYLES = re.compile(
    r"\\(?:emph|text(?:it|bf|sc|tt|rm|sf|up|sl|md|normal)?|math(?:rm|bf|it|sf|tt|cal)|url|path|mbox|enquote|"
    r"footnotesize|small|large|em|bf|it|sc|rm|tt)(?![a-zA-Z])\s*"
)
_ESCAPED = re.compile(r"\\([%&_#${}~])")
_BRACES = re.compile(r"(?<!\\)[{}]")
_ADDRESSES = frozenset(["url", "doi", "eprint", "file", "howpublished"])
_SOURCES = ("journal", "journaltitle", "booktitle", "publisher", "institution", "school", "organization")
_PEOPLE = frozenset(["author", "editor"])
_BETWEEN_PEOPLE = re.compile(r"(?P<and>\s+and\s+)|(?<!\\)[{}]")

_LONGEST_ABBREVIATION = 1_000
_MOST_EXPANDED = 20_000_000
"""Characters that one entry may have where each of its values is the longest abbreviation."""


def read_bibtex(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    r"""Return the entries of a BibTeX file as rows.

    The abstract is the text, journal or book title the source, ``url`` or else ``doi`` the address; year, month and day
    make a date as exact as they are. All other fields are columns under their own names. ``@string`` is resolved;
    ``@comment`` and ``@preamble`` are no entries. An entry that cannot be read is a problem and costs no other.

    Parameters
    ----------
    text : str
    max_rows : int
        More entries than that are refused.
    delimiter : str, optional
        Not used: BibTeX has none.

    Raises
    ------
    InvalidInput
        If there are too many entries.

    Examples
    --------
    >>> read_bibtex(r"@article{a1, title={S{\~a}o Paulo}, year=2021, month=jul}", max_rows=9).collected.rows
    [('a1', 'São Paulo', '2021-07', 'article')]
    """
    del delimiter
    collected = RowCollector(max_rows)
    references: list[dict[str, str]] = []
    macros = _Abbreviations(_months())
    for chunk in _entries(text):
        n_values = chunk.count("#") + chunk.count("=")
        if n_values * macros.longest > _MOST_EXPANDED:
            collected.reject(f"not a BibTeX entry that can be read: {n_values:,} values, each perhaps an abbreviation")
            continue
        fields, faults = _parse(chunk, macros)
        if fields is None:
            collected.reject(f"not a BibTeX entry that can be read: {faults[0] if faults else 'it is empty'}")
        elif fields:
            references.append(_reference(fields))
            collected.keep((), "; ".join(faults))
    return reference_rows(references, collected)


def _entries(text: str) -> Iterator[str]:
    """Yield each entry and each ``@string``, cut at the line on which the next one begins."""
    for start, end in pairwise([*(found.start() for found in _ENTRY.finditer(text)), len(text)]):
        chunk = text[start:end]
        if (found := _ENTRY.match(chunk)) and found["command"].casefold() not in _NO_ENTRIES - {"string"}:
            yield chunk


class _Abbreviations(dict[str, str]):
    """What ``@string`` stands for, whatever its letters; one of more than 1,000 characters is none.

    An abbreviation may be made of others, twice of one say: a few lines would otherwise be longer than any memory.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        super().__init__()
        self.longest = 0
        self._refused: set[str] = set()
        for name, words in known.items():
            self[name] = words

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.casefold())

    def __setitem__(self, name: str, words: str) -> None:
        if len(words) > _LONGEST_ABBREVIATION:
            self._refused.add(name.casefold())
        if name.casefold() in self._refused:
            self.pop(name.casefold(), None)
            return
        self.longest = max(self.longest, len(words))
        super().__setitem__(name.casefold(), words)


def _months() -> Mapping[str, str]:
    from pybtex.database.input.bibtex import month_names

    names: Mapping[str, str] = month_names
    return names


def _parse(chunk: str, macros: _Abbreviations) -> tuple[dict[str, str] | None, list[str]]:
    """Return the fields of an entry and its faults: ``None`` where it cannot be read, none of them for a string."""
    from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro
    from pybtex.scanner import PybtexSyntaxError

    faults: list[str] = []
    is_lost = False

    def is_undefined(error: PybtexSyntaxError) -> bool:
        return isinstance(error, UndefinedMacro)

    def note(error: PybtexSyntaxError) -> None:
        nonlocal is_lost
        is_lost = is_lost or not is_undefined(error)
        reason = str(error).rpartition(": ")[2]
        faults.append(f'"{reason}" is an abbreviation that the file does not define' if is_undefined(error) else reason)

    parser: Any = LowLevelParser(_NO_KEY.sub(rf"\1{_KEYLESS},", chunk, count=1), macros=macros, handle_error=note)
    try:
        entries = [*parser]
    except (PybtexSyntaxError, ValueError, IndexError, RecursionError) as error:
        return None, [str(error)]
    if is_lost or not entries:
        return None, faults
    command, body = entries[0]
    if command.casefold() in _NO_ENTRIES:
        return {}, []
    key, values = body
    fields = {"type": command.casefold(), "id": "" if key == _KEYLESS else key}
    for name, parts in values:
        field = name.casefold()
        fields.setdefault(f"field {field}" if field in fields else field, "".join(parts))
    return fields, faults


def _reference(fields: dict[str, str]) -> dict[str, str]:
    """Return an entry with its fields decoded and the parts of a document under their names."""
    decoded = {name: _decoded(name, value) for name, value in fields.items()}
    take: Callable[[str], str] = lambda name: decoded.pop(name, "")  # noqa: E731
    reference = {"id": take("id"), "type": take("type"), "title": take("title"), "text": take("abstract")}
    reference["source"] = take(next((name for name in _SOURCES if decoded.get(name)), ""))
    reference["url"] = take("url" if decoded.get("url") else "doi")
    reference["date"] = _take_date(decoded)
    return reference | decoded


def _take_date(fields: dict[str, str]) -> str:
    """Remove what the date is made of, and return it; a month that is none stays a field of its own."""
    if fields.get("date"):
        return fields.pop("date")
    year, month, day = (fields.get(name, "") for name in ("year", "month", "day"))
    if month and (date := partial_date(year, month, day)):
        for name in ("year", "month", "day"):
            fields.pop(name, None)
        return date
    return fields.pop("year", "")


def _decoded(name: str, value: str) -> str:
    """Return the text of a field: accents and symbols as characters, commands of style and braces left out."""
    line = " ".join(value.split())
    if name in _ADDRESSES:
        return _BRACES.sub("", _ESCAPED.sub(r"\1", _STYLES.sub("", line)))
    if name in _PEOPLE:
        return BETWEEN.join(map(_latex, _people(line)))
    return _latex(line)


def _people(line: str) -> Iterator[str]:
    """Yield the names between the "and" that stand in no braces."""
    depth = start = 0
    for found in _BETWEEN_PEOPLE.finditer(line):
        if found["and"] is None:
            depth = max(0, depth + (1 if found[0] == "{" else -1))
        elif not depth:
            yield line[start : found.start()]
            start = found.end()
    yield line[start:]


def _latex(written: str) -> str:
    import latexcodec  # noqa: F401 (registers the codec)

    plain = _STYLES.sub("", written)
    if "\\" in plain or "~" in plain or "--" in plain:
        try:
            plain = codecs.decode(plain, "ulatex")  # type: ignore[call-overload]
        except (ValueError, TypeError):
            plain = _ESCAPED.sub(r"\1", plain)
    return _BRACES.sub("", plain).strip()
