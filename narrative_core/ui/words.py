"""Text from documents, made safe for where it is shown."""

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:^=@&])")
_LINK_OR_ICON = re.compile(r"(?<=:)(?=material|//)|(?<=www)(?=\.)|(?<=@)|(?<=[-<=])(?=[-=>])")
_WORD_JOINER = "\u2060"


def markdown_text(text: str) -> str:
    """Return text that Markdown shows as it is: no emphasis, links, icons or formulas come out of a headline.

    Addresses, icon names and arrows are found after the backslashes are gone, so an invisible word joiner breaks them.

    Examples
    --------
    >>> markdown_text("A *new* era :rocket:")
    'A \\\\*new\\\\* era \\\\:rocket\\\\:'
    """
    return _MARKDOWN.sub(r"\\\1", _LINK_OR_ICON.sub(_WORD_JOINER, " ".join(text.split())))


def sentence(message: str) -> str:
    """Return an error's message as a sentence: it begins with a capital, unless with the name of a file or host.

    Examples
    --------
    >>> sentence("a file may have at most 200 MB."), sentence("news.csv is empty.")
    ('A file may have at most 200 MB.', 'news.csv is empty.')
    """
    first = message.split(" ", 1)[0]
    return message[:1].upper() + message[1:] if first.isalpha() else message


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
    # A script without spaces has one here and there, beside a name or a number: the cut is not moved that far.
    return (cut.rsplit(" ", 1)[0] if cut.rfind(" ") > length // 2 else cut).rstrip(" ,;:–-") + "…"
