import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent, title_of
from narrative_core.ingest.text_files import read_text_file
from tests.ingest.file_samples import PROSE, pdf


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        ("Café “open” – again", "cp1252", "cp1252"),
        ("Café open", "utf-8-sig", "utf-8-sig"),
        ("Café open", "utf-16", "utf-16"),
        ("افتتح الجسر", "utf-8", "utf-8"),
        ("桥今天重新开放了", "utf-8", "utf-8"),
    ],
)
def test_a_text_file_is_read_in_the_encoding_that_it_has(text: str, encoding: str, named: str) -> None:
    content = read_text_file(text.encode(encoding))
    assert (content.text, content.encoding) == (text, named)


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\0\0\0"])
def test_an_empty_text_file_is_said_to_be_empty(data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^is empty$"):
        read_text_file(data)


@pytest.mark.parametrize("data", [pdf(PROSE), bytes(range(32)) * 20])
def test_binary_data_in_a_text_file_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="is no text but binary data"):
        read_text_file(data)


def test_the_title_is_the_first_line_only_if_that_is_short() -> None:
    assert title_of(FileContent("\n\n Bridge  opens \nText."), "a/b.txt") == "Bridge opens"
    assert title_of(FileContent(PROSE * 3), "a/b.c.txt") == "b.c"
    assert title_of(FileContent(PROSE, title=" Its  own "), "a/b.txt") == "Its own"
