import io
import zipfile

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import word_files
from narrative_core.ingest.word_files import read_word_file
from tests.ingest.file_samples import PROSE, docx, zipped


def with_body(inner: str) -> bytes:
    """Return a Word file whose body is that XML."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx("REPLACED"))) as given, zipfile.ZipFile(made, "w") as changed:
        for part in given.infolist():
            data = given.read(part)
            if part.filename == "word/document.xml":
                start, end = data.index(b"<w:body>") + 8, data.index(b"</w:body>")
                data = data[:start] + inner.encode() + data[end:]
            changed.writestr(part, data)
    return made.getvalue()


def test_paragraphs_and_tables_come_in_reading_order() -> None:
    content = read_word_file(
        docx("الجسر", PROSE, title="Bridge", author="Ann Lee", table=(("Year", "Cost"), ("2021", "3")))
    )
    assert content.text == f"الجسر\n{PROSE}\nYear | Cost\n2021 | 3\nAfter the table."
    assert (content.title, content.author) == ("Bridge", "Ann Lee")
    assert content.date == "2021-07-11T09:30:00+00:00"


def test_the_properties_of_a_template_are_nobodys() -> None:
    content = read_word_file(docx(PROSE, author="python-docx"))
    assert (content.author, content.date) == ("", "")


def test_insertions_are_text_and_deletions_are_not() -> None:
    inner = (
        '<w:p><w:r><w:t xml:space="preserve">The bridge </w:t></w:r><w:ins w:id="1" w:author="A"><w:r><w:t>opens'
        '</w:t></w:r></w:ins><w:del w:id="2" w:author="A"><w:r><w:delText>closes</w:delText></w:r></w:del></w:p>'
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a</w:t><w:tab/><w:t>field</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    assert read_word_file(with_body(inner)).text == "The bridge opens\nIn a\tfield"


def test_tables_in_tables_keep_every_word_once() -> None:
    def cell(inner: str) -> str:
        return f"<w:tc>{inner}</w:tc>"

    def words(text: str) -> str:
        return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"

    nested = f"<w:tbl><w:tr>{cell(words('in'))}{cell(words('ner'))}</w:tr></w:tbl>"
    table = f"<w:tbl><w:tr>{cell(words('one') + nested)}{cell(words('two'))}</w:tr></w:tbl>"
    assert read_word_file(with_body(table)).text == "one in | ner | two"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "is encrypted, or an old Word file"),
        (b"some words", "is no .docx file"),
        (docx(PROSE)[:3000], "is no .docx file"),
        (zipped({"a.txt": b"x"}), "cannot be read"),
        (docx(""), "has no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_word_file(data)


def test_a_file_that_unpacks_to_too_much_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_files, "_MAX_UNPACKED", 1_000)
    with pytest.raises(InvalidInput, match="unpacks to"):
        read_word_file(docx(PROSE))


def test_entities_of_xml_are_not_expanded() -> None:
    data = with_body("<w:p><w:r><w:t>&bomb;</w:t></w:r></w:p>")
    with pytest.raises(InvalidInput):
        read_word_file(data)
