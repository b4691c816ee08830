import os
import signal
import subprocess
import sys
import threading

import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.ingest import file_worker
from narrative_core.ingest.bounded_reader import BoundedReader
from narrative_core.ingest.file_content import FileContent
from tests.ingest.file_samples import PROSE, endless_pdf, pdf


def silent() -> None:
    """Go on."""


def cancel() -> None:
    raise Cancelled("stopped")


def test_one_child_reads_many_files() -> None:
    with BoundedReader() as reader:
        assert reader.read(pdf(PROSE), "PDF", tick=silent).text == PROSE
        child = reader._process
        assert reader.read(b"Text.", "text", tick=silent).text == "Text."
        assert reader._process is child
    assert child is not None
    assert child.poll() is not None


def test_a_reason_comes_back_in_the_words_of_the_reader() -> None:
    with BoundedReader() as reader, pytest.raises(InvalidInput, match=r"^has 1 page and no text"):
        reader.read(pdf(""), "PDF", tick=silent)


def test_a_file_that_takes_too_long_is_left_and_the_next_one_is_read() -> None:
    with BoundedReader(timeout_s=0.01) as reader, pytest.raises(InvalidInput, match="takes longer than"):
        reader.read(endless_pdf(), "PDF", tick=silent)
    with BoundedReader() as reader:
        reader._timeout_s = 0.01
        with pytest.raises(InvalidInput, match="takes longer than"):
            reader.read(endless_pdf(), "PDF", tick=silent)
        reader._timeout_s = 60
        assert reader.read(b"Text.", "text", tick=silent).text == "Text."


def test_a_cancel_ends_the_child() -> None:
    with BoundedReader() as reader:
        reader.read(b"Text.", "text", tick=silent)
        child = reader._process
        with pytest.raises(Cancelled):
            reader.read(endless_pdf(), "PDF", tick=cancel)
        assert child is not None
        assert child.poll() is not None


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_child_that_dies_is_a_problem_of_one_file() -> None:
    with BoundedReader() as reader:
        reader.read(b"Text.", "text", tick=silent)

        def kill() -> None:
            assert reader._process is not None
            os.kill(reader._process.pid, signal.SIGKILL)

        with pytest.raises(InvalidInput, match="its reader ended"):
            reader.read(endless_pdf(), "PDF", tick=kill)
        assert reader.read(b"Text.", "text", tick=silent).text == "Text."


def test_files_are_read_from_any_thread() -> None:
    texts: list[str] = []

    def work() -> None:
        with BoundedReader() as reader:
            texts.append(reader.read(b"Text.", "text", tick=silent).text)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["Text.", "Text."]


def test_lone_surrogates_do_not_reach_the_parent() -> None:
    with BoundedReader() as reader:
        mail = b"Subject: x\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n+2AA-"
        reader.read(mail, "email", tick=silent).text.encode()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound the address space")
def test_the_child_may_not_take_all_memory() -> None:
    code = "from narrative_core.ingest import file_worker as w; w._bound_memory(); bytearray(w.MAX_MEMORY)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MemoryError" in ended.stderr


def test_a_file_that_needs_too_much_memory_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def swallow(data: bytes) -> FileContent:
        raise MemoryError

    monkeypatch.setattr(file_worker, "_READERS", {"text": swallow})
    assert "needs more memory than the 2 GB" in file_worker.answer("text", b"")["reason"]


def test_a_file_with_neither_text_nor_title_has_no_text() -> None:
    assert file_worker.answer("email", b"From: a@b.example\r\n\r\n") == {"reason": "has no text"}
