"""Bytes to text: which encoding a file is in, decided by evidence and named."""

import codecs
import unicodedata
from dataclasses import dataclass

from charset_normalizer import from_bytes

from narrative_core.errors import InvalidInput

_SAMPLE_BYTES = 1 << 16
_REPLACEMENT = "\ufffd"
_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_CODE_PAGES = ["cp1250", "cp1251", "cp1256", "koi8_r", "mac_roman", "cp932", "gb18030", "big5", "euc_kr"]
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PAR1", "a Parquet file"),
    (b"\x93NUMPY", "a numpy array"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
)
_SAVE_AS = "Save the table as CSV (UTF-8), JSON lines, Parquet or an Excel workbook (.xlsx) and try again."


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file without its byte order mark, and the encoding it was read in.

    Bytes that the encoding cannot read became U+FFFD and are counted in ``n_unreadable``.
    """

    text: str
    encoding: str
    n_unreadable: int = 0


def decode(data: bytes, filename: str, *, encoding: str | None = None) -> DecodedText:
    """Return the text of a file.

    The byte order mark decides; then the zeros of UTF-16; then whether the bytes are valid UTF-8 (a few damaged ones in
    a file that is otherwise UTF-8 do not change that). What remains is cp1252, unless its characters make no Western
    words: then the code page that charset-normalizer finds most plausible.

    Parameters
    ----------
    data : bytes
    filename : str
        For messages.
    encoding : str, optional
        Overrides the detection.

    Raises
    ------
    InvalidInput
        If the file is empty or binary, or ``encoding`` is unknown.

    Examples
    --------
    >>> decode("Café".encode("cp1252"), "menu.csv")
    DecodedText(text='Café', encoding='cp1252', n_unreadable=0)
    """
    if not data.strip():
        raise InvalidInput(f"{filename} must hold a table; it is empty. Choose another file.")
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise InvalidInput(f"{filename} must be a table of text; it is {what}. {_SAVE_AS}")
    try:
        decoded = _read_as(data, encoding or _detect(data))
    except LookupError as error:
        raise InvalidInput(f"the encoding must be one that Python knows, such as utf-8 or cp1252: {error}.") from error
    _refuse_binary(decoded.text, filename)
    if not decoded.text.strip():
        raise InvalidInput(f"{filename} must hold a table; it is empty. Choose another file.")
    return decoded


def opening(data: bytes) -> str:
    """Return the first 64 KB of a file as text, whatever it is, to tell its kind by."""
    start = data[:_SAMPLE_BYTES]
    return start.decode(_detect(start), errors="replace").removeprefix("\ufeff")


def _detect(data: bytes) -> str:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name
    sample = data[:_SAMPLE_BYTES]
    half = max(1, len(sample) // 2)
    for name, zeros in (("utf-16-le", sample[1::2].count(0)), ("utf-16-be", sample[0::2].count(0))):
        if zeros > 0.4 * half:
            return name
    return "utf-8" if _is_utf8(data) else _detect_code_page(data)


def _is_utf8(data: bytes) -> bool:
    """Whether the multi-byte characters that are valid UTF-8 by far outnumber the bytes that are not."""
    text = data.decode("utf-8", errors="replace")
    n_bad = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode())
    n_foreign = len(text) - len(text.encode("ascii", "ignore"))
    return n_bad == 0 or n_foreign - n_bad > 4 * n_bad


def _detect_code_page(data: bytes) -> str:
    # Short lines of English say little about the code page, and detectors then name exotic ones: cp1252 is believed
    # unless what it yields cannot be Western text.
    sample = b"".join(line for line in data.splitlines(keepends=True) if not line.isascii())[:_SAMPLE_BYTES]
    if _is_western(sample.decode("cp1252", errors="replace")):
        return "cp1252"
    best = from_bytes(sample, cp_isolation=_OTHER_CODE_PAGES).best()
    return best.encoding if best is not None else "cp1252"


def _is_western(text: str) -> bool:
    """Whether non-ASCII characters are scattered through ASCII words, and few of them are symbols inside words."""
    foreign = [i for i, character in enumerate(text) if character > "\x7f"]
    inside = sum(unicodedata.category(text[i])[0] in "SNC" or text[i] in "¿¡§¶" for i in foreign if _is_inside(text, i))
    n_visible = sum(not character.isspace() for character in text)
    return len(foreign) < 0.3 * n_visible and inside <= 0.1 * len(foreign)


def _is_inside(text: str, i: int) -> bool:
    return text[i - 1 : i].isalpha() and text[i + 1 : i + 2].isalpha()


def _read_as(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, errors="replace")
    n_unreadable = 0
    if _REPLACEMENT in text:
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            n_unreadable = text.count(_REPLACEMENT)
    return DecodedText(text.removeprefix("\ufeff"), encoding, n_unreadable)


def _refuse_binary(text: str, filename: str) -> None:
    sample = text[:_SAMPLE_BYTES]
    n_controls = sum(unicodedata.category(c) == "Cc" and c not in "\t\n\r\f\v" for c in sample)
    if n_controls > 0.1 * len(sample):
        raise InvalidInput(
            f"{filename} must be a table of text; {100 * n_controls / len(sample):.0f} % of its characters are control "
            f"codes, so it is a binary file. {_SAVE_AS}"
        )
