"""Which addresses of documents may become links."""

from typing import Final
from urllib.parse import urlsplit

LONGEST_SHORT: Final = 64
_ENCODED: Final = str.maketrans({c: f"%{ord(c):02X}" for c in ' <>"`\\^{|}'})


def web_address(url: str) -> str:
    """Return an http or https address ready to be linked, or nothing where the text is anything else.

    Characters that could end a link in HTML or Markdown are percent-encoded; text with control characters is
    no address.

    Examples
    --------
    >>> web_address("https://example.org/a b"), web_address("javascript:alert(1)")
    ('https://example.org/a%20b', '')
    """
    address = url.strip()
    if not address.isprintable():
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_web = parts.scheme.lower() in {"http", "https"} and bool(parts.hostname)
    return address.translate(_ENCODED) if is_web else ""


def short_address(address: str) -> str:
    """Return a linked address as it is printed: without scheme, "www." and what is asked of it, at most 64 characters.

    Examples
    --------
    >>> short_address("https://www.example.org/news/1961/04/gagarin?ref=feed#top")
    'example.org/news/1961/04/gagarin'
    """
    parts = urlsplit(address)
    told = f"{parts.netloc.rpartition('@')[2].removeprefix('www.')}{parts.path}".rstrip("/")
    return told if len(told) <= LONGEST_SHORT else f"{told[: LONGEST_SHORT - 1]}…"
