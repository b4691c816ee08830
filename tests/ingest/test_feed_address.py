import gzip
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpcore
import httpx
import pytest
from httpcore._backends.sync import SyncBackend

from narrative_core.errors import InvalidInput
from narrative_core.ingest import feed_address
from narrative_core.ingest.feed_address import fetch_feed
from narrative_core.ingest.sources import read_source
from tests.ingest.source_samples import ROW, rss_bytes

FEED = rss_bytes([ROW])
PAGE = b"<!doctype html><html><head><link rel='alternate' type='application/rss+xml' href='/news.rss'></head></html>"


class Pages(BaseHTTPRequestHandler):
    """Answers some paths."""

    def do_GET(self) -> None:
        answers: dict[str, Callable[[], None]] = {
            "/feed": lambda: self.answer(200, FEED),
            "/page": lambda: self.answer(200, PAGE),
            "/plain": lambda: self.answer(200, b"title,text\na,b"),
            "/moved": lambda: self.answer(301, b"", Location="/feed"),
            "/round": lambda: self.answer(302, b"", Location="/round"),
            "/away": lambda: self.answer(302, b"", Location="ftp://127.0.0.1/feed"),
            "/large": lambda: self.answer(200, FEED + b" " * 3_000_000),
            "/packed": lambda: self.answer(200, gzip.compress(FEED), **{"Content-Encoding": "gzip"}),
            "/bomb": lambda: self.answer(200, gzip.compress(bytes(9_000_000)), **{"Content-Encoding": "gzip"}),
            "/twice": lambda: self.answer(
                200, gzip.compress(gzip.compress(bytes(9_000_000))), **{"Content-Encoding": "gzip, gzip"}
            ),
            "/cut": lambda: self.answer(200, gzip.compress(FEED)[:-12], **{"Content-Encoding": "gzip"}),
            "/no-gzip": lambda: self.answer(200, FEED, **{"Content-Encoding": "gzip"}),
            "/local": lambda: self.answer(302, b"", Location="file:///etc/passwd"),
            "/drip": self.drip,
            "/broken": lambda: self.answer(500, b"no"),
        }
        answers.get(self.path, lambda: self.answer(404, b"none"))()

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def drip(self) -> None:
        """Send the head of an answer a byte at a time, and never its end."""
        try:
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
            for _ in range(200):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.02)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("path", ["/feed", "/moved", "/packed"])
def test_the_feed_at_an_address_is_read_after_redirects_too(site: str, path: str) -> None:
    table = read_source(*fetch_feed(f" {site}{path} "))
    assert (table.kind, table.values("title")) == ("feed", ("Bridge opens",))
    assert table.notices == ("The feed is “Courier”.",)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/nothing", "the server answers 404 Not Found. Check the address in a browser"),
        ("/broken", "the server answers 500"),
        ("/round", "redirects more than 5 times"),
        ("/away", "redirects to another protocol"),
        ("/local", "redirects to another protocol"),
        ("/twice", "plain or as gzip; it sends “gzip, gzip”"),
        ("/cut", "it ends early"),
        ("/no-gzip", "it is damaged"),
        ("/plain", "must be an RSS or Atom feed; it is not. Look for “RSS”"),
        ("/page", r"The page names its feed: http://127\.0\.0\.1:\d+/news\.rss"),
    ],
)
def test_what_is_no_feed_is_told_with_the_remedy(site: str, path: str, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        fetch_feed(site + path)


def test_a_feed_too_large_is_left_before_its_end(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_address, "MAX_FEED_BYTES", 1_000_000)
    for path in ("large", "bomb"):
        with pytest.raises(InvalidInput, match="at most 1 MB"):
            fetch_feed(f"{site}/{path}")


def test_a_server_that_sends_a_byte_at_a_time_is_left_in_the_end(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_address, "MAX_TOTAL_S", 0.2)
    with pytest.raises(InvalidInput, match="must send its feed within 0 seconds"):
        fetch_feed(f"{site}/drip")


def test_a_password_in_an_address_is_sent_and_not_told(site: str) -> None:
    address = site.replace("http://", "http://ann:secret@")
    assert fetch_feed(f"{address}/feed") == (FEED, "127.0.0.1.xml")
    for path in ("/nothing", "/page", "/round"):
        with pytest.raises(InvalidInput) as caught:
            fetch_feed(address + path)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/feed",
        "ftp://example.org/feed",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http://[",
    ],
)
def test_only_addresses_of_the_web_are_fetched(url: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with http:// or https://"):
        fetch_feed(url)


def test_a_connection_that_fails_is_tried_again(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([httpcore.ConnectError("no"), httpcore.ConnectTimeout("late")])
    connect = SyncBackend.connect_tcp

    def failing_twice(backend: SyncBackend, *given: object, **options: object) -> object:
        if (failure := next(failures, None)) is not None:
            raise failure
        return connect(backend, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(SyncBackend, "connect_tcp", failing_twice)
    assert fetch_feed(f"{site}/feed")[0] == FEED


def test_a_server_that_is_not_there_is_told() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        port = server.server_port
    with pytest.raises(InvalidInput, match=r"cannot be reached .* Check the address and the network"):
        fetch_feed(f"http://127.0.0.1:{port}/feed")


def test_a_server_that_never_answers_is_left() -> None:
    def wait(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("")

    with (
        httpx.Client(transport=httpx.MockTransport(wait)) as client,
        pytest.raises(InvalidInput, match="must answer within 20 seconds"),
    ):
        fetch_feed("https://example.org/feed", client=client)
