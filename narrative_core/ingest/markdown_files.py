"""A Markdown file: its front matter as columns, its words without the marks."""

import re

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.front_matter import split_front_matter
from narrative_core.ingest.text_files import decode_prose

_PARTS = {
    "title": ("title", "headline"),
    "date": ("date", "published", "pubdate", "publishdate", "created"),
    "source": ("source", "publication", "outlet", "publisher"),
    "url": ("url", "link", "canonical", "canonical_url", "permalink"),
    "author": ("author", "authors", "byline"),
    "tags": ("tags", "keywords", "categories"),
}
_MAX_EXTRAS = 40

_FENCE = re.compile(r" {0,3}(```+|~~~+)[^`]*")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULES = ({"-"}, {"="}, {"*"}, {"_"})
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:[ \t]+\S+.*")
_QUOTE = re.compile(r"(?: {0,3}>[ \t]?)+")
_BULLET = re.compile(r"([ \t]*)[*+-][ \t]+(?:\[[ xX]\][ \t]+)?")

_COMMENT = re.compile(r"<!--.{0,10000}?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]\n]{0,1000})\](?:\([^()\s]{0,2000}(?:[ \t]+\"[^\"\n]{0,500}\")?\)|\[[^\]\n]{0,200}\])")
_LINK = re.compile(
    r"\[([^\[\]\n]{0,1000})\]"
    r"(?:\((?:<[^<>\n]{0,2000}>|(?:[^()\s]|\([^()\s]{0,200}\)){0,2000}?)(?:[ \t]+[\"'][^\"'\n]{0,500}[\"'])?\)"
    r"|\[[^\]\n]{0,200}\])"
)
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>")
_CODE = re.compile(r"(`{1,2})([^`\n]{1,500})\1")
_CODE_SET_ASIDE = re.compile(r"\0(\d+)\0")
_STRONG = re.compile(
    r"(?<!\\)\*\*(?=\S)([^\n*]{1,2000}?)(?<=[^\s\\])\*\*|(?<![\w\\])__(?=\S)([^\n_]{1,2000}?)(?<=[^\s\\])__(?!\w)"
    r"|(?<!\\)~~(?=\S)([^\n~]{1,2000}?)(?<=[^\s\\])~~"
)
_EMPHASIS = re.compile(
    r"(?<!\\)\*(?=\S)([^\n*]{1,2000}?)(?<=[^\s\\])\*|(?<![\w\\])_(?=\S)([^\n_]{1,2000}?)(?<=[^\s\\])_(?!\w)"
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,50}\](?!:)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def read_markdown_file(data: bytes) -> FileContent:
    """Return the text of a .md file, the first heading or the front matter's title as its title.

    Raises
    ------
    InvalidInput
        If the file is empty or no text; the message is the end of a sentence that begins with the file's name.
    """
    decoded = decode_prose(data)
    front = split_front_matter(decoded.text.replace("\r\n", "\n"))
    values = dict(front.values)
    parts = {part: _take(values, keys) for part, keys in _PARTS.items()}
    tags = parts.pop("tags")
    title = parts.pop("title") or first_heading(front.body)
    text = plain_markdown(front.body)
    if not text and not title:
        raise InvalidInput("has no text")
    others = [(f"front matter {key}", value) for key, value in values.items() if value]
    remarks: tuple[str, ...] = ()
    if len(others) > _MAX_EXTRAS:
        remarks = (f"has {len(others):,} more keys in its front matter; the first {_MAX_EXTRAS} are kept",)
    extras = dict(([("tags", tags)] if tags else []) + others[:_MAX_EXTRAS])
    return FileContent(text, title=title, **parts, encoding=decoded.encoding, extras=extras, remarks=remarks)


def first_heading(text: str) -> str:
    r"""Return the words of the first heading, "" where there is none.

    Examples
    --------
    >>> first_heading("Intro.\n\n## The *bridge* ##\n")
    'The bridge'
    """
    fence = ""
    before = ""
    for line in text.split("\n"):
        if mark := _FENCE.fullmatch(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence:
            if heading := _HEADING.fullmatch(line):
                return _plain_words(heading[2])
            if before.strip() and _UNDERLINE.fullmatch(line):
                return _plain_words(before.strip())
        before = "" if fence or mark else line
    return ""


def plain_markdown(text: str) -> str:
    r"""Return Markdown as the words that a reader sees: links by their words, images by their description.

    Code stays as it is, list items begin with "- ", tables stay in rows with " | " between the cells.

    Examples
    --------
    >>> plain_markdown("# Bridge\n\nThe **bridge** is [open](https://a.example/x_y), not *closed*.\n* one\n")
    'Bridge\n\nThe bridge is open, not closed.\n- one'
    """
    lines: list[str] = []
    fence = ""
    for line in _COMMENT.sub("", text).split("\n"):
        mark = _FENCE.fullmatch(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif fence:
            lines.append(line)
        elif not (_DEFINITION.fullmatch(line) or _is_rule(line)):
            lines.append(_plain_line(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _is_rule(line: str) -> bool:
    """Whether a line is drawn, not written: a rule, the underline of a heading, the rule of a table's head."""
    marks = set("".join(line.split()))
    return marks in _RULES or ("-" in marks and "|" in marks and marks <= set("|-:"))


def _plain_line(line: str) -> str:
    line = _QUOTE.sub("", line, count=1) if line.lstrip(" ").startswith(">") else line
    if heading := _HEADING.fullmatch(line):
        line = heading[2]
    elif bullet := _BULLET.match(line):
        line = f"{bullet[1]}- {line[bullet.end() :]}"
    elif line.strip().startswith("|") and line.strip().endswith("|"):
        line = line.strip().strip("|").strip()
    return _plain_words(line)


def _plain_words(line: str) -> str:
    codes: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        codes.append(found[2])
        return f"\0{len(codes) - 1}\0"

    line = _CODE.sub(set_aside, line.replace("\0", ""))
    for shape in (_IMAGE, _LINK, _ADDRESS):
        line = shape.sub(r"\1", line)
    line = _FOOTNOTE.sub("", _TAG.sub("", line))
    # What is emphasised inside of strong words ("**a *b* c**") hides these from the first round.
    for shape in (_STRONG, _EMPHASIS, _STRONG):
        line = shape.sub(lambda found: found[found.lastindex or 0], line)
    line = _ESCAPED.sub(r"\1", line)
    return _CODE_SET_ASIDE.sub(lambda found: codes[int(found[1])], line).rstrip()


def _take(values: dict[str, str], keys: tuple[str, ...]) -> str:
    """Take the first of the keys that says something out of the values."""
    return next((values.pop(key) for key in keys if values.get(key)), "")
