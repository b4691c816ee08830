"""A plain text file, in whatever encoding it is."""

from contextlib import suppress

from narrative_core.errors import InvalidInput
from narrative_core.ingest.encodings import DecodedText, decode
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.markup import has_markup, strip_markup


def read_text_file(data: bytes) -> FileContent:
    """Return the text of a .txt file, without HTML where it is a page that was saved as text.

    Raises
    ------
    InvalidInput
        If the file is empty or no text; the message is the end of a sentence that begins with the file's name.

    Examples
    --------
    >>> read_text_file("Café".encode("cp1252"))
    FileContent(text='Café', title='', date='', source='', url='', author='', encoding='cp1252', extras={}, remarks=())
    """
    decoded = decode_prose(data)
    if not has_markup(decoded.text):
        return FileContent(decoded.text, encoding=decoded.encoding)
    remarks = ("has HTML, which is left out of the text",)
    return FileContent(strip_markup(decoded.text), encoding=decoded.encoding, remarks=remarks)


def decode_prose(data: bytes, *, encoding: str | None = None) -> DecodedText:
    """Return the text of a file of prose; `decode` with the words for it.

    Parameters
    ----------
    data : bytes
    encoding : str, optional
        What the file says of itself; believed where all bytes can be read so.

    Raises
    ------
    InvalidInput
        If the file is empty or no text.
    """
    if not data.strip(b" \t\r\n\f\v\0"):
        raise InvalidInput("is empty")
    if encoding is not None:
        # A file that is wrong about itself is common: the bytes decide then.
        with suppress(UnicodeError, LookupError):
            return DecodedText(data.decode(encoding).removeprefix("\ufeff"), encoding)
    try:
        return decode(data, "the file")
    except InvalidInput as error:
        raise InvalidInput(
            "is no text but binary data: give it the ending of its format (.pdf, .docx) if that is what it is"
        ) from error
