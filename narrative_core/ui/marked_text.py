"""Text of documents with what was looked for marked: as HTML, and as Markdown where a button shows it."""

from collections.abc import Sequence

from narrative_core.document_query import Snippet, Span
from narrative_core.ui.words import html_text, markdown_text


def marked_html(text: str, spans: Sequence[Span]) -> str:
    """Return text that HTML shows as it is, with spans of it in ``<mark>``.

    Examples
    --------
    >>> marked_html("a <b> c", [(2, 5)])
    'a <mark>&lt;b&gt;</mark> c'
    """
    return "".join(
        f"<mark>{html_text(piece)}</mark>" if is_marked else html_text(piece)
        for piece, is_marked in _pieces(text, spans)
    )


def marked_markdown(text: str, spans: Sequence[Span]) -> str:
    """Return text that Markdown shows as it is, with spans of it on a coloured ground.

    White space at the ends of a piece is kept outside the colour, and no piece begins a new line.
    """
    return "".join(
        f":blue-background[{markdown_text(piece)}]" if is_marked else _spaced(piece)
        for piece, is_marked in _pieces(text, spans)
        if piece
    )


def snippet_html(snippet: Snippet) -> str:
    """Return a piece of a text with what was looked for marked, and dots where the text goes on."""
    lead = "… " if snippet.first else ""
    goes_on = "" if snippet.is_whole or not snippet.text else " …"
    return f"{lead}{marked_html(snippet.text, snippet.spans)}{goes_on}"


def _spaced(piece: str) -> str:
    lead = " " if piece[:1].isspace() else ""
    end = " " if piece[-1:].isspace() and piece.strip() else ""
    return f"{lead}{markdown_text(piece)}{end}"


def _pieces(text: str, spans: Sequence[Span]) -> list[tuple[str, bool]]:
    pieces, at = [], 0
    for first, last in spans:
        pieces += [(text[at:first], False), (text[first:last], True)]
        at = last
    return [*pieces, (text[at:], False)]
