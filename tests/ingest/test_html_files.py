import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.html_files import decode_html, read_html_file
from tests.ingest.file_samples import HTML, PROSE


def test_a_page_gives_its_article_and_what_it_says_of_itself() -> None:
    content = read_html_file(HTML)
    assert "The café at the bridge & the ferry" in content.text
    assert "do not read" not in content.text
    assert "Home News" not in content.text
    assert (content.title, content.date, content.author) == ("Bridge opens", "2021-07-11", "Ann Lee")
    assert (content.source, content.url) == ("The Town Paper", "https://paper.example/bridge")


def test_no_date_is_guessed_from_the_text() -> None:
    page = f"<html><body><article><p>On 3 May 2019 it rained. {PROSE}</p><p>{PROSE}</p></article></body></html>"
    assert read_html_file(page.encode()).date == ""


def test_a_page_without_an_article_gives_all_that_it_shows() -> None:
    content = read_html_file(b"<title>T</title><script>x</script><nav>Menu</nav>")
    assert content.text == "Menu"
    assert content.remarks


@pytest.mark.parametrize("data", [b"<html><script>x()</script></html>", b"<p> </p>"])
def test_a_page_that_shows_nothing_says_so(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="shows no text"):
        read_html_file(data)


@pytest.mark.parametrize("charset", ["koi8-r", "windows-1251", "utf-8", "no-such-charset"])
def test_a_page_is_read_as_it_says_of_itself_where_that_is_possible(charset: str) -> None:
    encoding = "utf-8" if charset == "no-such-charset" else charset
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}"><p>Мост открыт</p>'
    assert "Мост открыт" in decode_html(page.encode(encoding)).text


def test_a_page_that_is_wrong_about_itself_is_read_by_its_bytes() -> None:
    assert "café" in decode_html('<meta charset="utf-8"><p>The café is open'.encode("cp1252")).text
    assert "“open”" in decode_html('<meta charset="iso-8859-1"><p>“open”'.encode("cp1252")).text


def test_a_page_with_an_xml_declaration_is_read() -> None:
    page = f'<?xml version="1.0" encoding="utf-8"?><html><body><article><p>{PROSE}</p></article></body></html>'
    assert PROSE in read_html_file(page.encode()).text


def test_arabic_and_chinese_pages_are_read() -> None:
    page = "<article><p>افتتح الجسر الجديد اليوم.</p><p>桥今天重新开放了。</p></article>"
    text = read_html_file(page.encode()).text
    assert "افتتح الجسر الجديد اليوم." in text
    assert "桥今天重新开放了。" in text
