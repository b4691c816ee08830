"""An embeddings endpoint on 127.0.0.1 that answers as a test tells it."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def good(texts: list[str]) -> Reply:
    data = [{"object": "embedding", "index": i, "embedding": vector_of(text)} for i, text in enumerate(texts)]
    # Backwards: the order of an answer is that of its indices, not of its items.
    return 200, {"object": "list", "model": "m", "data": data[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}


class FakeEndpoint:
    """``answer`` makes the reply; ``bodies`` and ``keys`` are what was asked.

    When it ``is_silent`` it does not answer, and ``hung_up`` is set when the client has left. ``sends_on_to`` is the
    address that it names as another one, where it does.
    """

    def __init__(self) -> None:
        self.answer: Callable[[list[str]], Reply] = good
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.is_silent = False
        self.sends_on_to = ""
        self.was_asked = threading.Event()
        self.hung_up = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.bodies.append(body)
                endpoint.keys.append(self.headers["Authorization"])
                endpoint.was_asked.set()
                if endpoint.is_silent:
                    with suppress(OSError):
                        self.connection.recv(1)
                    endpoint.hung_up.set()
                    self.close_connection = True
                    return
                status, reply = endpoint.answer(body["input"])
                payload = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.send_header("retry-after-ms", "1")
                if endpoint.sends_on_to:
                    self.send_header("Location", endpoint.sends_on_to)
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: object) -> None:
                pass

        return Handler
