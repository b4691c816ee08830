import pytest

from narrative_core.space.document_text import embedding_text


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [("Title", "Text.", "Title\nText."), ("Title", "", "Title"), ("", "Text.", "Text."), ("", "", "")],
)
def test_title_and_text_are_one_string(title: str, text: str, expected: str) -> None:
    assert embedding_text(title, text) == expected
