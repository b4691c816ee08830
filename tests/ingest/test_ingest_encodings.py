import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.encodings import decode

ENGLISH = "title,text\nThe bridge,It’s a “new” bridge – and it cost 5 € more than planned\n"
GERMAN = "title;text\nÜber die Brücke;Die Stadt plant eine größere Brücke über den Fluß, schöner als früher\n"
FRENCH = "titre,texte\nÉté,L'école a été fermée à l'aube ; le maire était déjà là\n"
POLISH = "title;text\nMost;Miasto planuje większy i ładniejszy most przez rzekę, źródło środków jest jeszcze nieznane\n"
RUSSIAN = "title;text\nМост;Город планирует новый мост через реку, больше и красивее прежнего\n"
JAPANESE = "title;text\n橋;町は川に新しい橋を計画しています。もっと大きく美しい橋です\n"


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, FRENCH, ENGLISH * 40])
def test_western_text_that_is_not_utf_8_is_read_as_cp1252(text: str) -> None:
    decoded = decode(text.encode("cp1252"), "n.csv")
    assert (decoded.text, decoded.encoding, decoded.n_unreadable) == (text, "cp1252", 0)


@pytest.mark.parametrize(("text", "encoding"), [(POLISH * 5, "cp1250"), (RUSSIAN, "cp1251"), (JAPANESE * 3, "cp932")])
def test_text_that_makes_no_western_words_is_read_in_its_own_code_page(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding), "n.csv")
    assert (decoded.text, decoded.encoding) == (text, encoding)


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, POLISH, RUSSIAN, JAPANESE])
def test_valid_utf_8_is_never_taken_for_anything_else(text: str) -> None:
    assert decode(text.encode(), "n.csv").encoding == "utf-8"


def test_one_damaged_byte_does_not_turn_a_utf_8_file_into_another_encoding() -> None:
    data = (GERMAN * 5).encode() + b"end \xff\n"
    decoded = decode(data, "n.csv")
    assert (decoded.encoding, decoded.n_unreadable) == ("utf-8", 1)
    assert decoded.text.startswith(GERMAN)


@pytest.mark.parametrize("text", ["a \ufffd b", "\ufffd" * 30])
def test_a_replacement_character_that_was_in_the_file_is_no_damage(text: str) -> None:
    decoded = decode(text.encode(), "n.csv")
    assert (decoded.text, decoded.encoding, decoded.n_unreadable) == (text, "utf-8", 0)


def test_a_given_encoding_is_used() -> None:
    assert decode(GERMAN.encode("cp850"), "n.csv", encoding="cp850").text == GERMAN


def test_an_image_is_refused_as_an_image() -> None:
    with pytest.raises(InvalidInput, match="an image"):
        decode(b"\x89PNG\r\n\x1a\n", "n.csv")
