"""What a file of prose holds, whatever its format: the common form that every reader of a format hands back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from narrative_core.ingest.plain_text import clean_line

_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class FileContent:
    """The text of a file and what the file says about itself, "" where it says nothing.

    ``date`` is as the file has it, in ISO form where the format fixes one · ``encoding`` is "" where the format fixes
    it · ``extras`` what has no column of its own, such as tags · ``remarks`` what was read with a doubt.
    """

    text: str
    title: str = ""
    date: str = ""
    source: str = ""
    url: str = ""
    author: str = ""
    encoding: str = ""
    extras: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def title_of(content: FileContent, path: str) -> str:
    """Return the title that a file gives itself, else its first line if that is short, else the name of the file.

    Examples
    --------
    >>> title_of(FileContent("Bridge opens\\n\\nThe bridge is open."), "news/b1.txt")
    'Bridge opens'
    >>> title_of(FileContent("The bridge is open. " * 10), "news/b1.txt")
    'b1'
    """
    if title := clean_line(content.title):
        return title
    first = clean_line(content.text.lstrip()[: 4 * _LONGEST_TITLE].partition("\n")[0])
    return first if 0 < len(first) <= _LONGEST_TITLE else PurePosixPath(path).stem
