"""Which addresses of documents may become links."""

from typing import Final
from urllib.parse import urlsplit

_TRACKING: Final = ("utm_", "fbclid=", "gclid=", "mc_cid=", "mc_eid=")
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


def paper_address(address: str) -> str:
    """Return a linked address as it is printed on paper, from where it can be typed: whole, but for what is of no use.

    Left out are "https://", a name and password before the host, and parameters that only say where a reader came from.

    Examples
    --------
    >>> paper_address("https://www.example.org/article.php?id=17&utm_source=feed#top")
    'www.example.org/article.php?id=17#top'
    """
    parts = urlsplit(address)
    query = "&".join(one for one in parts.query.split("&") if not one.lower().startswith(_TRACKING))
    told = parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query).geturl()
    return told.removeprefix("https://").rstrip("/")
