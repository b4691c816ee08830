import io
import random
import struct
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.ingest import archives, file_table
from narrative_core.ingest.archives import read_archive
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.file_worker import answer
from narrative_core.ingest.tables import RawTable
from narrative_core.ingest.understanding import understand
from tests.ingest.file_samples import HTML, MAIL, PROSE, docx, encrypted_pdf, endless_pdf, pdf, zipped

SUFFIXES = (".txt", ".md", ".html", ".pdf", ".docx", ".eml")


def reason_of(table: RawTable, path: str) -> str:
    (reason,) = [problem.reason for problem in table.problems if problem.reason.startswith(f"{path} ")]
    return reason


def with_entry(change: Callable[[zipfile.ZipInfo], None], data: bytes = PROSE.encode()) -> bytes:
    """Return an archive of a good file and one whose entry was changed."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good.txt", PROSE)
        entry = zipfile.ZipInfo("odd.txt")
        entry.compress_type = zipfile.ZIP_DEFLATED
        change(entry)
        archive.writestr(entry, data)
    return made.getvalue()


def test_every_format_is_a_row_and_the_rest_are_problems() -> None:
    files = {
        "news/a.txt": b"Bridge opens\n\nText.",
        "b.md": b"---\ndate: 2021-07-12\ntags: [town]\n---\n# Heading\n\nText.",
        "c.html": HTML,
        "d.pdf": pdf(PROSE),
        "e.docx": docx(PROSE, title="Word"),
        "f.eml": MAIL,
        "g.csv": b"a,b\n1,2\n",
        "h.zip": zipped({"x.txt": b"x"}),
        "i.pdf": encrypted_pdf("secret"),
        "j": b"x",
        "k.pdf": pdf(PROSE)[:100],
        ".DS_Store": b"x",
        "__MACOSX/._a.txt": b"x",
    }
    table = read_archive(zipped(files), "news.zip")
    assert table.kind == "zip"
    assert table.values("id") == ("news/a.txt", "b.md", "c.html", "d.pdf", "e.docx", "f.eml")
    assert table.values("title") == ("Bridge opens", "Heading", "Bridge opens", PROSE, "Word", "Bridge opens")
    assert table.values("kind") == ("text", "Markdown", "HTML", "PDF", "Word", "email")
    assert table.values("folder")[:2] == ("news", "")
    assert table.values("tags")[1] == "town"
    assert "a table among documents" in reason_of(table, "g.csv")
    assert "is not opened" in reason_of(table, "h.zip")
    assert "is encrypted; remove the password" in reason_of(table, "i.pdf")
    assert "no ending" in reason_of(table, "j")
    assert reason_of(table, "k.pdf")
    assert table.notices == ("2 hidden files were left out (.DS_Store, __MACOSX/._a.txt).",)
    assert table.n_read == len(files) - 2


def test_the_table_becomes_documents_without_a_choice() -> None:
    table = read_archive(zipped({"c.html": HTML, "f.eml": MAIL}), "news.zip")
    loaded = build_documents(table, detect_columns(table))
    assert [str(document.date) for document in loaded.documents] == ["2021-07-11", "2021-07-11"]
    assert {document.document_id for document in loaded.documents} == {"c.html", "f.eml"}
    assert {document.source for document in loaded.documents} == {"The Town Paper", "Ann Lee"}


def test_columns_that_no_file_fills_are_left_out() -> None:
    table = read_archive(zipped({"a.txt": b"Text."}), "news.zip")
    assert table.columns == ("id", "title", "text", "file", "kind")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../etc/a.txt", "etc/a.txt"),
        ("/home/a.txt", "home/a.txt"),
        ("..\\a.txt", "a.txt"),
        ("C:\\x\\a.txt", "x/a.txt"),
    ],
)
def test_a_path_that_leads_out_is_a_label_and_is_reported(name: str, path: str) -> None:
    table = read_archive(zipped({name: PROSE.encode()}), "odd.zip")
    assert table.values("id") == (path,)
    assert "leads out of it" in table.remarks[0].reason


def test_a_file_that_unpacks_to_far_more_than_its_size_is_not_opened() -> None:
    table = read_archive(zipped({"bomb.txt": b"a" * 6_000_000, "good.txt": b"Text."}), "bomb.zip")
    assert table.values("id") == ("good.txt",)
    assert "times its size" in reason_of(table, "bomb.txt")


def test_a_file_larger_than_its_archive_says_is_damaged() -> None:
    data = zipped({"bomb.txt": random.Random(1).randbytes(9_000), "good.txt": b"Text."})
    place = data.index(b"PK\x01\x02") + 24
    table = read_archive(data[:place] + struct.pack("<L", 10) + data[place + 4 :], "lying.zip")
    assert table.values("id") == ("good.txt",)
    assert "is damaged in the archive" in reason_of(table, "bomb.txt")


def test_files_that_lie_over_each_other_are_refused() -> None:
    data = zipped({"a.txt": PROSE.encode(), "b.txt": PROSE.encode()})
    second = data.rindex(b"PK\x01\x02") + 42
    overlapping = data[:second] + struct.pack("<L", 0) + data[second + 4 :]
    with pytest.raises(InvalidInput, match="lies over"):
        read_archive(overlapping, "bomb.zip")


def test_sizes_and_numbers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({f"{i}.txt": b"Text." for i in range(3)})
    monkeypatch.setattr(file_table, "MAX_FILES", 2)
    with pytest.raises(InvalidInput, match=r"at most 2 files can be read at a time; x\.zip has 3"):
        read_archive(data, "x.zip")
    monkeypatch.setattr(file_table, "MAX_FILES", 9)
    monkeypatch.setattr(file_table, "MAX_TOTAL_BYTES", 14)
    with pytest.raises(InvalidInput, match="MB together"):
        read_archive(data, "x.zip")
    monkeypatch.setattr(file_table, "MAX_TOTAL_BYTES", 15)
    monkeypatch.setattr(file_table, "MAX_TOTAL_CHARACTERS", 30)
    with pytest.raises(InvalidInput, match="million characters; the first 2 of 3 files"):
        read_archive(data, "x.zip")
    monkeypatch.setattr(archives, "MAX_ARCHIVE_BYTES", 100)
    with pytest.raises(InvalidInput, match="an archive may have at most"):
        read_archive(data, "x.zip")


def test_a_single_file_and_the_length_of_its_path_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_table, "MAX_FILE_BYTES", 50)
    table = read_archive(zipped({"a.txt": b"x" * 51, "b" * 1_500 + ".txt": b"Text.", "c.txt": b"Text."}), "x.zip")
    assert table.values("id") == ("c.txt",)
    assert "more than the" in reason_of(table, "a.txt")
    assert "has a name of 1,504 characters" in table.problems[1].reason


def test_links_and_devices_in_an_archive_are_not_followed() -> None:
    def link(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = 0o120777 << 16

    def pipe(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = 0o010644 << 16

    assert "is a link" in reason_of(read_archive(with_entry(link, b"/etc/passwd"), "x.zip"), "odd.txt")
    assert "is no regular file" in reason_of(read_archive(with_entry(pipe), "x.zip"), "odd.txt")


def test_entries_that_are_encrypted_or_packed_in_rare_ways_are_reported() -> None:
    data = bytearray(zipped({"odd.txt": PROSE.encode(), "good.txt": b"Text."}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted: unpack" in reason_of(read_archive(bytes(data), "x.zip"), "odd.txt")

    def rare(entry: zipfile.ZipInfo) -> None:
        entry.compress_type = zipfile.ZIP_BZIP2

    assert "in a way that is not read" in reason_of(read_archive(with_entry(rare), "x.zip"), "odd.txt")


def test_damage_inside_is_a_problem_of_one_file() -> None:
    data = bytearray(zipped({"odd.txt": PROSE.encode(), "good.txt": b"Text."}, zipfile.ZIP_STORED))
    data[data.index(PROSE.encode())] ^= 1
    table = read_archive(bytes(data), "x.zip")
    assert table.values("id") == ("good.txt",)
    assert "is damaged in the archive" in reason_of(table, "odd.txt")


@pytest.mark.parametrize("name", ["Größe.txt", "جسر.txt", "桥.txt"])
def test_names_are_read_whether_or_not_they_are_marked_as_utf_8(name: str) -> None:
    data = bytearray(zipped({name: b"Text."}))
    assert read_archive(bytes(data), "x.zip").values("id") == (name,)
    data[data.index(b"PK\x03\x04") + 7] &= 0xF7
    data[data.index(b"PK\x01\x02") + 9] &= 0xF7
    assert read_archive(bytes(data), "x.zip").values("id") == (name,)


def test_names_in_code_page_437_are_read() -> None:
    data = zipped({"Gr_sse.txt": b"Text."}).replace(b"Gr_sse", "Grösse".encode("cp437"))
    assert read_archive(data, "x.zip").values("id") == ("Grösse.txt",)


def test_two_files_of_one_name_are_two_documents() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", "One.")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.txt", "Two.")
    table = read_archive(made.getvalue(), "x.zip")
    assert table.values("text") == ("One.", "Two.")
    assert len({one.document_id for one in build_documents(table, detect_columns(table)).documents}) == 2


def test_a_zip64_archive_is_read() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive, archive.open("a.txt", "w", force_zip64=True) as file:
        file.write(b"Text.")
    assert read_archive(made.getvalue(), "x.zip").values("text") == ("Text.",)


@pytest.mark.parametrize(
    "data", [b"", b"words", zipped({"a.txt": b"Text."})[:-30]], ids=["empty", "no archive", "cut off"]
)
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="must be a zip archive"):
        read_archive(data, "x.zip")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "it has no files"),
        ({".x": b"x"}, "but 1 hidden"),
        ({"a.csv": b"a,b"}, "^a.csv is a table among documents: import it by itself.$"),
    ],
)
def test_an_archive_without_a_readable_document_is_refused(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_archive(zipped(files), "x.zip")


def test_progress_counts_files_and_can_stop_the_work() -> None:
    seen: list[tuple[int, int]] = []
    read_archive(zipped({"a.txt": b"Text.", "b.txt": b"Text."}), "x.zip", progress=lambda *at: seen.append(at))
    assert (seen[0], seen[-1]) == ((0, 2), (2, 2))
    assert sorted(seen) == seen

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        read_archive(zipped({"a.txt": b"Text.", "b.pdf": endless_pdf()}), "x.zip", progress=stop)


@settings(deadline=None, max_examples=60)
@given(
    start=st.sampled_from([b"", b"%PDF-1.4\n", HTML, MAIL, pdf(PROSE), b"---\n", b"PK\x03\x04"]),
    tail=st.binary(max_size=300),
)
@pytest.mark.parametrize("file_format", ["text", "Markdown", "HTML", "PDF", "Word", "email"])
def test_random_bytes_are_read_or_reported_but_never_raise(file_format: str, start: bytes, tail: bytes) -> None:
    assert set(answer(file_format, start + tail)) in ({"content"}, {"reason"})  # type: ignore[arg-type]


def broken(data: bytes, cuts: list[int], flips: list[int]) -> bytes:
    """Return bytes with some changed and perhaps the end cut off."""
    changed = bytearray(data)
    for place in flips:
        changed[place % len(changed)] ^= 1 + place % 255
    return bytes(changed[: cuts[0] % len(changed)] if cuts else changed)


@pytest.mark.slow
@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(
    sample=st.sampled_from(
        [("PDF", pdf(PROSE, PROSE)), ("Word", docx(PROSE, table=(("a", "b"),))), ("email", MAIL), ("HTML", HTML)]
    ),
    cuts=st.lists(st.integers(0, 100_000), max_size=1),
    flips=st.lists(st.integers(0, 100_000), max_size=20),
)
def test_broken_files_are_read_or_reported_but_never_raise(
    sample: tuple[str, bytes], cuts: list[int], flips: list[int]
) -> None:
    assert set(answer(sample[0], broken(sample[1], cuts, flips))) in ({"content"}, {"reason"})  # type: ignore[arg-type]


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(
    files=st.dictionaries(
        st.tuples(st.text("abc./\\_ é", min_size=1, max_size=8), st.sampled_from([*SUFFIXES, ".csv", ".jpg", ""])),
        st.binary(max_size=40),
        max_size=6,
    )
)
def test_files_in_are_rows_and_problems_and_hidden_ones(files: dict[tuple[str, str], bytes]) -> None:
    named = {stem + suffix: data for (stem, suffix), data in files.items() if not (stem + suffix).endswith(("/", "\\"))}
    table = read_archive(zipped({**named, "sure/good.txt": b"Text."}), "x.zip")
    n_hidden = int(table.notices[0].split()[0]) if table.notices else 0
    assert len(table.rows) + len(table.problems) + n_hidden == len(named) + 1


@settings(deadline=None, max_examples=60)
@given(
    flips=st.lists(st.integers(0, 10_000), min_size=1, max_size=12), cuts=st.lists(st.integers(1, 10_000), max_size=1)
)
def test_a_broken_archive_is_read_or_refused(flips: list[int], cuts: list[int]) -> None:
    data = zipped({"a.csv": PROSE.encode(), "b.csv": PROSE.encode()})
    with pytest.raises(InvalidInput):  # Tables are no documents, so that a whole one is refused as well.
        read_archive(broken(data, cuts, flips), "x.zip")


def test_an_article_about_html_keeps_what_it_is_about() -> None:
    files = {
        "a.html": b"<html><body><p>Write &lt;b&gt;bold&lt;/b&gt; in a page, the teacher said.</p></body></html>",
        "b.md": b"# The `<b>` tag\n\nWrite `<b>bold</b>` to the page.",
        "c.txt": b"<p>A page &amp; saved as text.</p>",
    }
    table = read_archive(zipped(files), "news.zip")
    loaded = build_documents(table, detect_columns(table))
    texts = {document.document_id: document.text for document in loaded.documents}
    assert "<b>bold</b> in a page" in texts["a.html"]
    assert "Write <b>bold</b> to the page." in texts["b.md"]
    assert texts["c.txt"] == "A page & saved as text."
    assert [problem.reason for problem in loaded.report.problems] == ["c.txt has HTML, which is left out of the text"]
    assert not understand(table, detect_columns(table)).has_markup
