"""A scripted server on 127.0.0.1 that speaks as llama.cpp's or as an endpoint does, and a server object around it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any] | None
"""Status and what is sent as JSON (bytes as they are); ``None`` cuts the connection without an answer."""


@dataclass
class Script:
    """What a server was asked, and what it answers to a path and a request."""

    answer: Callable[[str, dict[str, Any]], Reply]
    address: str = ""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    model: str = "scripted"
    version: str = "1"
    context_tokens: int = 64

    def asked(self, path: str) -> list[dict[str, Any]]:
        """Return the requests to one path."""
        return [request for asked_path, request in self.requests if asked_path == path]


@contextmanager
def scripted_server(answer: Callable[[str, dict[str, Any]], Reply]) -> Iterator[Script]:
    """Yield a script whose ``address`` is being served."""
    script = Script(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append((self.path, request))
            reply = script.answer(self.path, request)
            if reply is None:
                self.close_connection = True
                return
            status, body = reply
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    script.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


START = 1
"""The token of the start of a text in the scripted language."""


def letters_as_tokens(path: str, request: dict[str, Any]) -> Reply:
    """Answer as llama.cpp does: a letter is a token; after n others, token t has log-probability −(n + t / 1000)."""
    if path == "/tokenize":
        return 200, {"tokens": [START] * request["add_special"] + [ord(letter) for letter in request["content"]]}
    if request["n_predict"] == 0:
        return 200, {"content": ""}
    token = request["logit_bias"][0][0]
    return 200, {"completion_probabilities": [{"id": token, "logprob": -(len(request["prompt"]) + token / 1000)}]}
