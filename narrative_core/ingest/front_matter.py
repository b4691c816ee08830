"""The block of "key: value" lines that may stand before the text of a Markdown file.

It is a small part of YAML, read without YAML: tags such as ``!!python/object`` are text like any other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_FENCE = re.compile(r"---[ \t]*")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*")
_ENTRY = re.compile(r"([^\s:#\-][^:\n]{0,79}?)[ \t]*:(?:[ \t]+(.*)|[ \t]*)")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_BLOCK_MARKS = frozenset(["|", ">", "|-", ">-", "|+", ">+"])
_MAX_LINES = 500


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values by their keys in lower case, a list as "a, b"; ``body`` is the text below."""

    values: Mapping[str, str]
    body: str


def split_front_matter(text: str) -> FrontMatter:
    r"""Return the front matter of a text apart from its body; a text without one is all body.

    Examples
    --------
    >>> split_front_matter("---\ntitle: 'Bridge: open'\ntags:\n  - town\n  - bridge\n---\nThe bridge is open.")
    FrontMatter(values={'title': 'Bridge: open', 'tags': 'town, bridge'}, body='The bridge is open.')
    """
    lines = text.split("\n", _MAX_LINES)
    if not _FENCE.fullmatch(lines[0].rstrip("\r")):
        return FrontMatter({}, text)
    end = next((i for i, line in enumerate(lines[1:], start=1) if _END.fullmatch(line.rstrip("\r"))), None)
    # Without one entry the two lines of hyphens are rules across the page, and what stands between them is text.
    if end is None or not (values := _read_entries(lines[1:end])):
        return FrontMatter({}, text)
    return FrontMatter(values, "\n".join(lines[end + 1 :]))


def _read_entries(lines: list[str]) -> dict[str, str]:
    values: dict[str, list[str]] = {}
    key = ""
    is_list = False
    lists: set[str] = set()
    for line in (given.rstrip() for given in lines):
        if entry := _ENTRY.fullmatch(line):
            key = _unquoted(entry[1]).casefold()
            given = (entry[2] or "").strip()
            is_list = given.startswith("[") and given.endswith("]")
            values[key] = _inline_list(given) if is_list else [_unquoted(given)] if given not in _BLOCK_MARKS else []
            if is_list:
                lists.add(key)
        elif key and (item := _ITEM.fullmatch(line)):
            values[key].append(_unquoted(item[1]))
            lists.add(key)
        elif key and line[:1] in (" ", "\t") and line.strip():
            values[key].append(line.strip())
    return {
        key: (", " if key in lists else " ").join(part for part in parts if part)
        for key, parts in values.items()
        if key
    }


def _inline_list(given: str) -> list[str]:
    return [_unquoted(part) for part in given[1:-1].split(",")]


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.split(r"\s#", value, maxsplit=1)[0].rstrip()
