import base64
import quopri
from email.message import EmailMessage

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.mail_files import read_mail_file
from tests.ingest.file_samples import MAIL, PROSE, mail


def test_a_message_gives_subject_sender_and_the_date_with_its_zone() -> None:
    content = read_mail_file(MAIL)
    assert (content.title, content.text) == ("Bridge opens", PROSE)
    assert (content.source, content.author) == ("Ann Lee", "Ann Lee <ann@paper.example>")
    assert content.date == "2021-07-11T09:30:00+02:00"


@pytest.mark.parametrize(
    ("charset", "text"), [("windows-1252", "Café “open”"), ("koi8-r", "Мост открыт"), ("x-no", "Café")]
)
@pytest.mark.parametrize("transfer", ["quoted-printable", "base64", "8bit"])
def test_a_body_is_decoded_as_its_headers_say(charset: str, text: str, transfer: str) -> None:
    raw = text.encode("utf-8" if charset == "x-no" else charset)
    encode = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes, "8bit": bytes}[transfer]
    data = mail(
        "Subject: =?koi8-r?B?7c/T1A==?=",
        f"Content-Type: text/plain; charset={charset}",
        f"Content-Transfer-Encoding: {transfer}",
        body=encode(raw),
    )
    content = read_mail_file(data)
    assert content.text == text
    assert content.title == "Мост"


def multipart(*, plain: str = "", html: str = "") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Report"
    message["From"] = "desk@paper.example"
    message.set_content(plain)
    message.add_alternative(html, subtype="html")
    return message


def test_plain_text_is_preferred_to_html_unless_it_is_blank() -> None:
    assert read_mail_file(multipart(plain="Plain.", html="<p>Rich.</p>").as_bytes()).text == "Plain."
    blank = multipart(plain=" ", html="<style>p {}</style><p>Ri&amp;ch.</p><p>Two.</p>")
    assert "Ri&ch." in read_mail_file(blank.as_bytes()).text


def test_attachments_are_named_and_not_read() -> None:
    message = multipart(plain="See the list.", html="<p>See the list.</p>")
    message.add_attachment(b"secret,1", maintype="text", subtype="csv", filename="prices.csv")
    content = read_mail_file(message.as_bytes())
    assert content.extras == {"attachments": "prices.csv"}
    assert "secret" not in content.text


def test_a_message_in_the_message_follows_with_its_headers() -> None:
    message = multipart(plain="Forwarded.", html="<p>Forwarded.</p>")
    inner = EmailMessage()
    inner["Subject"], inner["From"] = "Bridge", "ann@paper.example"
    inner.set_content(PROSE)
    message.add_attachment(inner)
    text = read_mail_file(message.as_bytes()).text
    assert text.startswith("Forwarded.\n\nFrom: ann@paper.example\nSubject: Bridge\n\n")
    assert text.endswith(PROSE)


def test_a_date_that_is_none_stays_as_it_was_written() -> None:
    assert read_mail_file(mail("Subject: x", "Date: some time in May")).date == "some time in May"


@pytest.mark.parametrize(("data", "reason"), [(b"", "is empty"), (b"just some words", "is no email")])
def test_what_is_no_message_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_mail_file(data)
