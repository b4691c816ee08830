"""A zip archive of documents, read without writing anything to disk and without believing what it says of itself."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_kinds import lies_with_systems
from narrative_core.ingest.file_table import (
    MAX_FILE_BYTES,
    ListedFile,
    check_number,
    check_size,
    read_files,
    safe_path,
    too_large,
)
from narrative_core.ingest.tables import RawTable
from narrative_core.ingest.zip_directory import count_entries, is_openable
from narrative_core.records import Progress

MAX_ARCHIVE_BYTES = 1_000_000_000
MAX_RATIO = 200
"""How many times its packed size a file may be; prose is packed to a third or a tenth of it."""

_SMALL = 5_000_000
_CHUNK = 1 << 20
_LOCAL_HEADER = 30
_IS_UTF8 = 0x800
_IS_ENCRYPTED = 0x1
_READABLE_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


def read_archive(data: bytes, filename: str, *, progress: Progress = lambda done, total: None) -> RawTable:
    """Return the documents in a zip archive as a table, a row for each file.

    Hidden files and those that systems add are left out and counted. A file that cannot be read is a problem: one of
    another format, a table, an archive in the archive, encrypted, damaged, a link, or one that unpacks to far more than
    its size. Paths are labels; nothing is written.

    Parameters
    ----------
    data : bytes
        The whole archive.
    filename : str
        For messages.
    progress : callable
        Called with (files done, files) at least every 0.2 s; what it raises, such as `Cancelled`, comes out of here.

    Raises
    ------
    InvalidInput
        If it is no zip archive, too large, has too many files, unpacks to too much, its files lie over each other, or
        not one can be read.
    """
    if len(data) > MAX_ARCHIVE_BYTES:
        raise InvalidInput(
            f"an archive may have at most {MAX_ARCHIVE_BYTES / 1e6:,.0f} MB; {filename} has {len(data) / 1e6:,.0f} MB. "
            "Split it."
        )
    if not is_openable(data):
        check_number(count_entries(data), filename)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGE as error:
        raise InvalidInput(
            f"{filename} must be a zip archive; it cannot be opened as one ({error}). Pack the files again."
        ) from error
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        check_number(len(entries), filename)
        check_size(sum(entry.file_size for entry in entries), filename)
        _refuse_overlaps(entries, filename)
        kept = [entry for entry in entries if not _is_left_by_systems(entry)]
        skipped = [safe_path(_name(entry)) for entry in entries if _is_left_by_systems(entry)]
        files = [_listed(archive, entry) for entry in kept]
        return read_files(files, "zip", filename, skipped=skipped, progress=progress)


def _refuse_overlaps(entries: list[zipfile.ZipInfo], filename: str) -> None:
    """Raise where two files share their bytes, as in archives that are made to unpack without end."""
    in_order = sorted(entries, key=lambda entry: entry.header_offset)
    for entry, following in pairwise(in_order):
        if entry.header_offset + _LOCAL_HEADER + entry.compress_size > following.header_offset:
            raise InvalidInput(
                f"{filename} must be a proper zip archive; in it {safe_path(_name(following))} lies over "
                f"{safe_path(_name(entry))}, as in archives made to do harm. Ask where it comes from."
            )


def _is_left_by_systems(entry: zipfile.ZipInfo) -> bool:
    return lies_with_systems(safe_path(_name(entry)))


def _listed(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> ListedFile:
    name = _name(entry)
    path = safe_path(name)
    parts = name.replace("\\", "/").split("/")
    leads_out = ".." in parts or parts[0] == "" or parts[0][1:] == ":"
    remark = (
        f'is called "{name[:200]}" in the archive, which leads out of it; kept under this name' if leads_out else ""
    )
    load: Callable[[], bytes] = partial(_unpacked, archive, entry)
    return ListedFile(path, load, refusal=_refusal(entry), remark=remark)


def _refusal(entry: zipfile.ZipInfo) -> str:
    """Return why an entry is not opened, as the end of a sentence, "" where it is."""
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if mode == stat.S_IFLNK:
        return "is a link to another file, and links in archives are not followed: pack the file itself"
    if mode not in (0, stat.S_IFREG):
        return "is no regular file"
    if entry.flag_bits & _IS_ENCRYPTED:
        return "is encrypted: unpack the archive with its password, and import the files"
    if entry.compress_type not in _READABLE_METHODS:
        return "is packed in a way that is not read (not by the usual deflate): pack it again as an ordinary zip"
    if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(1, entry.compress_size):
        return (
            f"unpacks to {entry.file_size / max(1, entry.compress_size):,.0f} times its size, as in archives made to "
            f"do harm (more than {MAX_RATIO} times): import it unpacked if you trust it"
        )
    return too_large(entry.file_size)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of an entry, never more than may be read."""
    pieces: list[bytes] = []
    size = 0
    try:
        with archive.open(entry) as file:
            while piece := file.read(_CHUNK):
                size += len(piece)
                if size > MAX_FILE_BYTES:
                    raise InvalidInput(too_large(size))
                pieces.append(piece)
    except InvalidInput:
        raise
    except _DAMAGE as error:
        raise InvalidInput(f"is damaged in the archive ({str(error)[:120]}): pack it again") from error
    if size != entry.file_size:
        raise InvalidInput(f"is damaged in the archive (it ends after {size:,} of {entry.file_size:,} bytes)")
    return b"".join(pieces)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry: many programs write UTF-8 without saying so, which then reads as code page 437."""
    name = entry.orig_filename
    if entry.flag_bits & _IS_UTF8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name
