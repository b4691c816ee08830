"""The feed at an address: fetched once, within limits of size, time and redirects."""

import re
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from narrative_core.errors import InvalidInput
from narrative_core.ingest.source_kinds import recognise

if TYPE_CHECKING:
    import httpx

MAX_FEED_BYTES = 20_000_000
TIMEOUT_S = 20.0
MAX_TOTAL_S = 60.0
MAX_REDIRECTS = 5
N_RETRIES = 2
_GZIP = 16 + zlib.MAX_WBITS
_LINK_TAG = re.compile(rb"<link\b[^>]{0,2000}>", re.IGNORECASE)
_FEED_TYPE = re.compile(rb"application/(?:rss|atom)\+xml", re.IGNORECASE)
_HREF = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{1,1000})""", re.IGNORECASE)


def fetch_feed(url: str, *, client: "httpx.Client | None" = None) -> tuple[bytes, str]:
    """Return the bytes of the feed at an address and a name for it, for `read_source`.

    Parameters
    ----------
    url : str
        http or https.
    client : httpx.Client, optional
        By default one that tries again twice where no connection is made, follows 5 redirects and waits 20 seconds.

    Raises
    ------
    InvalidInput
        If it is no such address, cannot be reached, answers with an error, is larger than 20 MB unpacked, takes more
        than a minute, or is no feed. A page that names its feed is told by the address of that.
    """
    import httpx

    host = _host(url.strip())
    own = client or httpx.Client(
        transport=httpx.HTTPTransport(retries=N_RETRIES),
        timeout=TIMEOUT_S,
        follow_redirects=True,
        max_redirects=MAX_REDIRECTS,
        headers={"Accept": "application/rss+xml, application/atom+xml, application/xml, */*"},
    )
    address, started = _without_password(url.strip()), time.monotonic()
    # A server that sends its head a byte at a time is late for no single read.
    overdue = threading.Timer(MAX_TOTAL_S, own.close)
    overdue.daemon = True
    overdue.start()
    try:
        data, final = _fetch(own, url.strip(), address)
    except httpx.TooManyRedirects as error:
        raise InvalidInput(f"{address} must be a feed; it redirects more than {MAX_REDIRECTS} times.") from error
    except httpx.UnsupportedProtocol as error:
        raise InvalidInput(f"{address} must stay on http or https; it redirects to another protocol.") from error
    except httpx.TimeoutException as error:
        raise InvalidInput(
            f"{address} must answer within {TIMEOUT_S:.0f} seconds; it did not. Try again later."
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
        if time.monotonic() - started >= MAX_TOTAL_S:
            raise InvalidInput(
                f"{address} must send its feed within {MAX_TOTAL_S:.0f} seconds; it did not. Try again later."
            ) from error
        raise InvalidInput(
            f"{address} cannot be reached ({str(error) or type(error).__name__}). Check the address and the network."
        ) from error
    finally:
        overdue.cancel()
        if client is None:
            own.close()
    name = f"{host}.xml"
    _require_feed(data, name, final)
    return data, name


def _host(address: str) -> str:
    """Return the host of an address, after a check of it."""
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web:
        raise InvalidInput(f"the address of a feed must begin with http:// or https://; got “{address[:80]}”.")
    return parts.hostname or ""


def _without_password(address: str) -> str:
    """Return an address as it is told: messages are kept."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _fetch(client: "httpx.Client", url: str, address: str) -> tuple[bytes, str]:
    """Return what is at an address, and where that is after redirects; ``address`` is what messages call it."""
    pieces: list[bytes] = []
    size = 0
    # The library unpacks as often as a server says, without a limit; one gzip is asked for, and unpacked here.
    with client.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as response:
        if not response.is_success:
            raise InvalidInput(
                f"{address} must be a feed; the server answers {response.status_code} {response.reason_phrase}. "
                "Check the address in a browser."
            )
        for piece in _unpacked(response.iter_raw(), response.headers.get("Content-Encoding", ""), address):
            size += len(piece)
            if size > MAX_FEED_BYTES:
                raise InvalidInput(
                    f"a feed may have at most {MAX_FEED_BYTES / 1e6:,.0f} MB; {address} has more. "
                    "Save it as a file and take a part."
                )
            pieces.append(piece)
        return b"".join(pieces), _without_password(str(response.url))


def _unpacked(pieces: Iterable[bytes], encoding: str, address: str) -> Iterator[bytes]:
    """Yield what a server sent, unpacked; a piece that is too large for a feed comes without its end."""
    if encoding.casefold() in ("", "identity"):
        yield from pieces
        return
    if encoding.casefold() not in ("gzip", "x-gzip"):
        raise InvalidInput(f"{address} must send its feed plain or as gzip; it sends “{encoding[:40]}”. Save it.")
    unpacker = zlib.decompressobj(_GZIP)
    try:
        for piece in pieces:
            yield unpacker.decompress(piece, MAX_FEED_BYTES + 1)
    except zlib.error as error:
        raise InvalidInput(f"{address} must send its feed whole; it is damaged ({error}). Try again later.") from error
    if not unpacker.eof:
        raise InvalidInput(f"{address} must send its feed whole; it ends early. Try again later.")


def _require_feed(data: bytes, name: str, final: str) -> None:
    try:
        kind = recognise(data, name).kind
    except InvalidInput:
        kind = None
    if kind == "feed":
        return
    own = [found[0] for found in _LINK_TAG.finditer(data[:500_000]) if _FEED_TYPE.search(found[0])]
    named = next((href[1].decode("utf-8", "replace") for tag in own if (href := _HREF.search(tag))), "")
    remedy = (
        f"The page names its feed: {urljoin(final, named)}."
        if named
        else "Look for “RSS” or “Feed” on the site and give that address."
    )
    raise InvalidInput(f"{final} must be an RSS or Atom feed; it is not. {remedy}")
