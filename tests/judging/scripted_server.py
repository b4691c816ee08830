"""A chat endpoint on 127.0.0.1 that does what a test tells it: answers, refuses, hangs, drips, hangs up.

In a thread for tests that look at what was asked; as a process of its own, with a fixed latency, for those that measure
(``python -m tests.judging.scripted_server --latency 0.25``): there it takes no time from the program that it measures.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

HIGH_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came in; ``headers`` by their names in lower case, ``at`` in seconds of `time.monotonic`."""

    body: dict[str, Any]
    headers: Mapping[str, str]
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """What is done with a request.

    *answer* after ``wait_s`` · *hang* until the client leaves · *cut* the connection instead of an answer, or *halve*
    the answer and cut · *drip* a blank every ``wait_s`` and never come to an end.
    """

    status: int = 200
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    act: Literal["answer", "hang", "cut", "halve", "drip"] = "answer"
    wait_s: float = 0.0


Script = Callable[[Asked], Step]


def completion(
    text: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    usage: Mapping[str, Any] | None = HIGH_USAGE,
    message: Mapping[str, Any] | None = None,
) -> Step:
    """Return an answer with one choice; ``message`` adds to it or takes the place of what is in it."""
    told = {"role": "assistant", "content": text, "refusal": refusal, **(message or {})}
    choices = [{"index": 0, "message": told, "finish_reason": finish}]
    return answer(
        {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": choices, "usage": usage}
    )


def called(arguments: str) -> Step:
    """Return an answer that calls the function with ``arguments``."""
    call = {"id": "f", "type": "function", "function": {"name": "give_judgement", "arguments": arguments}}
    return completion(None, finish="tool_calls", message={"tool_calls": [call]})


def answer(said: object, status: int = 200, **headers: str) -> Step:
    """Return an answer in JSON; an underscore in the name of a header is a hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status, json.dumps(said).encode(), named)


def error(
    status: int, message: str = "no", *, param: str | None = None, code: str | None = None, **headers: str
) -> Step:
    """Return an error as OpenAI words it. Unless a header says otherwise the client may ask again at once."""
    said = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}
    return answer(said, status, **(headers or {"retry_after_ms": "1"}))


class ScriptedServer:
    """``script`` decides on each request; ``asked`` are those that came, ``n_left`` clients left without an answer.

    ``most_busy`` requests were under way at one time. ``held_s`` is how long each answer took.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.n_left = self.most_busy = 0
        self._busy: set[int] = set()
        self.held_s: list[float] = []
        self.was_asked = threading.Event()
        self.port = 0

    @property
    def n_busy(self) -> int:
        """Requests that have not been answered yet; one stops to count before its answer can be read."""
        return len(self._busy)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [asked.body for asked in self.asked]

    async def serve(self, started: Callable[[], None], stopped: asyncio.Event) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started()
        await stopped.wait()
        server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._serve_one(reader, writer):
                    pass
        finally:
            writer.close()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        began = time.perf_counter()
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:] if line)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        if head[0].startswith("GET"):
            return await self._write(writer, answer({"held_s": self.held_s, "most_busy": self.most_busy}))
        asked = Asked(json.loads(content), headers, time.monotonic())
        self.asked.append(asked)
        self._busy.add(id(asked))
        self.most_busy = max(self.most_busy, self.n_busy)
        self.was_asked.set()
        try:
            return await self._do(self.script(asked), reader, writer, id(asked))
        finally:
            self._busy.discard(id(asked))
            self.held_s.append(time.perf_counter() - began)

    async def _do(self, step: Step, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: int) -> bool:
        match step.act:
            case "answer":
                if step.wait_s:
                    await asyncio.sleep(step.wait_s)
                self._busy.discard(request)
                return await self._write(writer, step)
            case "hang":
                await reader.read(1)
                self.n_left += 1
            case "halve":
                writer.write(_head(step) + step.content[: len(step.content) // 2])
                await writer.drain()
            case "drip":
                writer.write(_head(step))
                while not reader.at_eof() and not writer.is_closing():
                    writer.write(b" ")
                    await writer.drain()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1), step.wait_s)
                self.n_left += 1
            case "cut":
                pass
        return False

    async def _write(self, writer: asyncio.StreamWriter, step: Step) -> bool:
        writer.write(_head(step) + step.content)
        await writer.drain()
        return True


def _head(step: Step) -> bytes:
    length = 10**6 if step.act == "drip" else len(step.content)
    headers = {"content-type": "application/json", "content-length": str(length), **step.headers}
    lines = [f"HTTP/1.1 {step.status} Told", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@contextmanager
def scripted(script: Script) -> Iterator[ScriptedServer]:
    """Run a server in a thread."""
    server, ready = ScriptedServer(script), threading.Event()
    loop, stopped = asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        await server.serve(ready.set, stopped)
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait(5)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(5)
        loop.close()


@dataclass(frozen=True, slots=True)
class SlowServer:
    """A server in a process of its own."""

    url: str

    def held_s(self) -> list[float]:
        """Return how long the server itself took for each answer, in seconds."""
        with urllib.request.urlopen(self.url) as told:
            held: list[float] = json.load(told)["held_s"]
        return held


@contextmanager
def slow_server(latency_s: float, reply: str) -> Iterator[SlowServer]:
    """Run a server in a process of its own that gives the same reply after a fixed time."""
    command = [sys.executable, "-m", "tests.judging.scripted_server", "--latency", str(latency_s), "--reply", reply]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield SlowServer(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, required=True)
    parser.add_argument("--reply", required=True)
    options = parser.parse_args()
    told = completion(options.reply)
    step = Step(content=told.content, wait_s=options.latency)
    server = ScriptedServer(lambda asked: step)

    def tell() -> None:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()

    async def serve() -> None:
        await server.serve(tell, asyncio.Event())

    asyncio.run(serve())


if __name__ == "__main__":
    main()
