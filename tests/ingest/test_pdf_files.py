import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import pdf_files
from narrative_core.ingest.pdf_files import iso_date, join_broken_words, read_pdf_file
from tests.ingest.file_samples import PROSE, encrypted_pdf, pdf


def test_pages_and_metadata_are_read() -> None:
    info = {"Title": "Bridge opens", "Author": "Ann Lee", "CreationDate": "D:20210711093000+02'00'"}
    content = read_pdf_file(pdf("Page one,\nthe jour-\nnalist wrote.", "Page two.", info=info))
    assert content.text == "Page one,\nthe journalist wrote.\n\nPage two."
    assert (content.title, content.author) == ("Bridge opens", "Ann Lee")
    assert content.date == "2021-07-11T09:30:00+02:00"
    assert content.remarks == ()


@pytest.mark.parametrize("title", ["draft3.docx", "Untitled", "untitled document", "Microsoft Word - final.doc"])
def test_a_title_that_a_program_put_there_is_none(title: str) -> None:
    assert read_pdf_file(pdf(PROSE, info={"Title": title})).title == ""


def test_a_scanned_file_is_told_how_many_pages_it_has() -> None:
    with pytest.raises(InvalidInput, match=r"^has 2 pages and no text: it seems to be scanned; run text recognition"):
        read_pdf_file(pdf("", ""))


def test_pages_without_text_among_others_are_named() -> None:
    assert "(2-3, 5)" in read_pdf_file(pdf(PROSE, "", "", PROSE, "")).remarks[0]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_an_encrypted_file_needs_its_password_removed(algorithm: str) -> None:
    with pytest.raises(InvalidInput, match=r"^is encrypted; remove the password and import it again$"):
        read_pdf_file(encrypted_pdf("secret", algorithm=algorithm))


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_file_that_anyone_may_open_is_read_although_it_is_encrypted(algorithm: str) -> None:
    assert read_pdf_file(encrypted_pdf("", algorithm=algorithm)).text == PROSE


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"words", "is no PDF"),
        (b"%PDF-1.4\n", "is damaged"),
        (pdf(PROSE)[:120], "damaged|can be read"),
    ],
)
def test_what_is_no_whole_pdf_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_pdf_file(data)


def test_pages_and_characters_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_files, "MAX_PAGES", 2)
    with pytest.raises(InvalidInput, match="has 3 pages, more than the 2"):
        read_pdf_file(pdf("a", "b", "c"))
    monkeypatch.setattr(pdf_files, "MAX_CHARACTERS", 10)
    with pytest.raises(InvalidInput, match="more than the 10 characters"):
        read_pdf_file(pdf(PROSE))


@pytest.mark.parametrize(
    ("given", "iso"),
    [
        ("D:2021", "2021"),
        ("D:202107", "2021-07"),
        ("D:20210711", "2021-07-11"),
        ("D:20210711093015Z", "2021-07-11T09:30:15+00:00"),
        ("D:20210711093015-05'30", "2021-07-11T09:30:15-05:30"),
        ("D:2021071109", "2021-07-11T09:00:00"),
        ("11 July 2021", "11 July 2021"),
        ("", ""),
    ],
)
def test_dates_of_metadata_become_iso_as_exactly_as_they_are_given(given: str, iso: str) -> None:
    assert iso_date(given) == iso


def test_only_a_small_letter_on_the_next_line_joins_a_word() -> None:
    assert join_broken_words("co-\nop Jean-\nPaul 1-\n2 a\u00ad\nb") == "coop Jean-\nPaul 1-\n2 ab"
