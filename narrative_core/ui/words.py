"""Text from documents, made safe for where it is shown."""

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:^=@&])")


def markdown_text(text: str) -> str:
    """Return text that Markdown shows as it is: no emphasis, links, icons or formulas come out of a headline.

    Examples
    --------
    >>> markdown_text("A *new* era :rocket:")
    'A \\\\*new\\\\* era \\\\:rocket\\\\:'
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def html_text(text: str) -> str:
    """Return text that HTML shows as it is."""
    return html.escape(text, quote=True)


def clamp(text: str, length: int) -> str:
    """Return text cut at a word before ``length`` characters, with an ellipsis where something is missing.

    Examples
    --------
    >>> clamp("one two three", 9)
    'one two…'
    """
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[:length]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" ,;:–-") + "…"
