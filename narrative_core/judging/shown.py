"""What a judge sees of a story: a numbered list, a document a line.

Document text is data. Whatever it says, and whatever signs it has, it stays on lines that begin with a number or with
three spaces, so it can end no delimiter and open no section of a prompt.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence

from narrative_core.judgements import Shown, ShownStory
from narrative_core.records import Document

LEAD_WORDS = 40
TITLE_CHARACTERS = 300
_LEAD_CHARACTERS = 600
NO_TITLE = "(no title)"


def shown_text(story: ShownStory) -> str:
    """Return the story as a numbered list of what is shown of it.

    Examples
    --------
    >>> documents = (Document("a", "Rocket\\nlifts off", ""), Document("b", "", "It came back. All are well."))
    >>> print(shown_text(ShownStory(documents, "leads")))
    1. Rocket lifts off
    2. (no title)
       It came back. All are well.
    """
    return "\n".join(
        line for number, document in enumerate(story.documents, 1) for line in _lines(number, document, story.shown)
    )


def title_of(document: Document) -> str:
    """Return the title on one line, cut after 300 characters; "(no title)" where there is none."""
    return _one_line(document.title, TITLE_CHARACTERS) or NO_TITLE


def lead_of(document: Document, n_words: int = LEAD_WORDS) -> str:
    """Return the first words of the text on one line; empty where there is no text."""
    words = document.text[: 40 * n_words].split()
    return _one_line(" ".join(words[:n_words]), _LEAD_CHARACTERS)


def shown_hash(story: ShownStory) -> str:
    """Return a hash of the text that a judge reads, hexadecimal."""
    return _hash(shown_text(story))


def story_hash(documents: Sequence[Document]) -> str:
    """Return a hash of the document ids in order, hexadecimal: the same story has the same, whoever made it."""
    return _hash(json.dumps([document.document_id for document in documents]))


def _lines(number: int, document: Document, shown: Shown) -> Iterable[str]:
    date = f" ({document.iso_date or 'undated'})" if shown == "dates" else ""
    yield f"{number}.{date} {title_of(document)}"
    lead = lead_of(document) if shown == "leads" else ""
    if lead:
        yield f"   {lead}"


def _one_line(text: str, most: int) -> str:
    """Return text without line breaks and control signs, cut with an ellipsis after ``most`` characters."""
    spaced = "".join(sign if sign.isprintable() or sign == "\u200d" else " " for sign in text[: 4 * most])
    line = " ".join(spaced.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
