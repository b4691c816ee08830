"""One message of mail: subject, sender, date and the words, its attachments named but not read."""

from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import default as default_policy
from email.utils import parseaddr
from typing import cast

from narrative_core.errors import InvalidInput
from narrative_core.ingest.encodings import decode
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.html_files import decode_html
from narrative_core.ingest.markup import strip_markup
from narrative_core.ingest.plain_text import clean_line

_EXPECTED = ("From", "To", "Subject", "Date", "Message-ID", "Received")
_MAX_NESTED = 5


def read_mail_file(data: bytes) -> FileContent:
    """Return the text of an .eml file, its subject as title, its sender as source and author, its date with the zone.

    The plain text is preferred to the HTML. Messages in the message follow its text, with their headers; attachments
    are named in the extra "attachments".

    Raises
    ------
    InvalidInput
        If the file is empty or no message; the message is the end of a sentence that begins with the file's name.
    """
    if not data.strip():
        raise InvalidInput("is empty")
    message = message_from_bytes(data, policy=default_policy)
    if not any(_header(message, name) for name in _EXPECTED):
        raise InvalidInput("is no email: it has neither a sender nor a subject nor a date")
    attachments: list[str] = []
    text = _text(message, attachments, depth=0)
    sender = _header(message, "From")
    name, address = parseaddr(sender)
    return FileContent(
        text,
        title=_header(message, "Subject"),
        date=_date(message),
        source=name or address or sender,
        author=sender,
        extras={"attachments": ", ".join(attachments)} if attachments else {},
        remarks=() if text else ("has no text of its own",),
    )


def _text(message: EmailMessage, attachments: list[str], depth: int) -> str:
    """Return the words of a message; the names of what is attached are added to ``attachments``."""
    plain: list[str] = []
    html: list[str] = []
    nested: list[str] = []
    for part in _parts(message):
        kind = part.get_content_type()
        if kind == "message/rfc822":
            nested += _nested(part, attachments, depth)
        elif part.get_filename() or part.get_content_disposition() == "attachment" or not kind.startswith("text/"):
            attachments.append(clean_line(part.get_filename() or f"{kind} without a name"))
        elif kind == "text/html":
            html.append(strip_markup(_decoded(part)).strip())
        else:
            plain.append(_decoded(part).replace("\r\n", "\n").strip())
    words = [words for words in (plain if any(plain) else html) if words]
    return "\n\n".join(words + nested)


def _parts(message: EmailMessage) -> list[EmailMessage]:
    """Return the parts of a message that hold no parts, those of the messages inside it left out."""
    parts: list[EmailMessage] = []
    waiting: list[EmailMessage] = [message]
    while waiting:
        part = waiting.pop()
        payload = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            waiting += [cast(EmailMessage, inner) for inner in reversed(payload)]
        else:
            parts.append(part)
    return parts


def _nested(part: EmailMessage, attachments: list[str], depth: int) -> list[str]:
    payload = part.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else None
    if not isinstance(inner, EmailMessage):
        return []
    if depth >= _MAX_NESTED:
        attachments.append(_header(inner, "Subject") or "a message without a subject")
        return []
    head = [f"{name}: {value}" for name in ("From", "Date", "Subject") if (value := _header(inner, name))]
    return ["\n".join(head) + "\n\n" + _text(inner, attachments, depth + 1)]


def _decoded(part: EmailMessage) -> str:
    payload = Message.get_payload(part, decode=True)
    if not isinstance(payload, bytes) or not payload.strip():
        return ""
    charset = part.get_content_charset()
    if charset is None and part.get_content_type() == "text/html":
        return decode_html(payload).text
    try:
        return payload.decode(charset or "utf-8")
    except (LookupError, UnicodeError):
        return decode(payload, "the message").text


def _header(message: EmailMessage, name: str) -> str:
    value = message.get(name)
    return clean_line(str(value)) if value is not None else ""


def _date(message: EmailMessage) -> str:
    """Return the date of a message in ISO form with its zone, as written where it is no date."""
    moment = getattr(message.get("Date"), "datetime", None)
    return moment.isoformat() if moment is not None else _header(message, "Date")
