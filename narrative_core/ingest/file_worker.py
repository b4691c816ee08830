"""The child in which files of strangers are read: what hangs or swallows memory in here does not hold up the page.

A request on standard input is a line of JSON with the format and the size, then that many bytes; the answer on standard
output is a line of JSON with the content of the file or the reason why there is none. The child ends when its standard
input does, that is, also when the parent dies.
"""

import contextlib
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.file_kinds import FileFormat
from narrative_core.ingest.html_files import read_html_file
from narrative_core.ingest.json_values import paired
from narrative_core.ingest.mail_files import read_mail_file
from narrative_core.ingest.markdown_files import read_markdown_file
from narrative_core.ingest.pdf_files import read_pdf_file
from narrative_core.ingest.text_files import read_text_file
from narrative_core.ingest.word_files import read_word_file

MAX_MEMORY = 2_000_000_000
"""Bytes of address space; more are refused to the child by the system, where the system can do that."""

_INSTALL = "Install it with: pip install -r requirements.txt"
_READERS: Mapping[FileFormat, Callable[[bytes], FileContent]] = {
    "text": read_text_file,
    "Markdown": read_markdown_file,
    "HTML": read_html_file,
    "PDF": read_pdf_file,
    "Word": read_word_file,
    "email": read_mail_file,
}


def answer(file_format: FileFormat, data: bytes) -> dict[str, Any]:
    """Return {"content": the fields of `FileContent`} or {"reason": why there is none}, whatever the bytes are.

    Examples
    --------
    >>> answer("text", b" ")
    {'reason': 'is empty'}
    """
    try:
        content = _READERS[file_format](data)
    except InvalidInput as error:
        return {"reason": str(error)}
    except MemoryError:
        return {"reason": f"needs more memory than the {MAX_MEMORY / 1e9:,.0f} GB that one file may have: split it"}
    except ImportError as error:
        missing = str(error).partition("\n")[0].rstrip(".")
        return {"reason": f"cannot be read as {file_format}: a package is not installed ({missing}). {_INSTALL}"}
    except Exception as error:  # noqa: BLE001  a library may raise anything at what a stranger's file holds
        return {"reason": f"cannot be read as {file_format}: it is damaged ({type(error).__name__})"}
    if not content.text.strip() and not content.title.strip():
        return {"reason": "has no text"}
    return {"content": asdict(content)}


def serve() -> None:
    """Answer requests until the parent closes standard input."""
    # Libraries print: the pipe to the parent is kept apart from what they say.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _bound_memory()
    requests: queue.Queue[tuple[FileFormat, bytes]] = queue.Queue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    while True:
        file_format, data = requests.get()
        said = paired(json.dumps(answer(file_format, data), ensure_ascii=False))
        replies.write(said.encode() + b"\n")
        replies.flush()


def _receive(requests: "queue.Queue[tuple[FileFormat, bytes]]") -> None:
    try:
        while line := sys.stdin.buffer.readline():
            header = json.loads(line)
            requests.put((header["format"], sys.stdin.buffer.read(header["size"])))
    finally:
        os._exit(0)  # Also in the midst of a file: nobody waits for it any more.


def _bound_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # Not every system can.
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        bound = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


if __name__ == "__main__":
    serve()
