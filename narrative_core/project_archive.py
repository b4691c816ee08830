"""A project file that is opened: a zip unpacked into a folder, with nothing in it believed unseen.

The archive may come from anybody. Members are the files that a bundle can have, and only those are unpacked, each under
its own name and no further than its checksum and its size allow. What else is in it is left out and named. No path, no
link and no member twice is accepted, nor an archive that unpacks to far more than it is.
"""

import hashlib
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from narrative_core.bundle_files import MOST_BYTES
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import parse_object

MANIFEST: Final = "manifest.json"
KIND: Final = "throughline-project"
FORMAT: Final = 1
"""Number in the manifest; a project file of a later one is not read."""

MOST_MEMBERS: Final = 100
MOST_ARCHIVE_BYTES: Final = 2_000_000_000
"""Size of the archive, and of all members together when they are unpacked."""

MOST_RATIO, UNSUSPICIOUS_BYTES = 200, 10_000_000
"""How many times its packed size a member may have, unless it is small; text packs to a third, rarely to a tenth."""

_END: Final = struct.Struct("<4s4H2LH")
_LOCAL: Final = struct.Struct("<4s4xH8xL4xHH")
_BLOCK: Final = 1 << 20
_DAMAGED: Final = "It is damaged, or it was not downloaded whole; get it again."
_NOT_OURS: Final = "Open one that was downloaded from Throughline."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a project file says of itself.

    ``name`` and ``title`` of its collection · ``program`` the version that wrote it · ``counts`` by what is counted ·
    ``sizes`` and ``hashes`` (SHA-256, hexadecimal) of its members · ``ignored`` names of what else is in the archive.
    """

    name: str
    title: str
    program: str
    counts: Mapping[str, int]
    sizes: Mapping[str, int]
    hashes: Mapping[str, str]
    ignored: tuple[str, ...] = ()


def read_manifest(source: bytes | Path) -> Manifest:
    """Return what a project file says of itself; its members are not read.

    Parameters
    ----------
    source : bytes or Path

    Raises
    ------
    InvalidInput
        If it is no project file, is of a later version, or its members are not those that it names.
    """
    with _opened(source) as archive:
        return _manifest(archive)


def unpack(source: bytes | Path, folder: Path) -> Manifest:
    """Write the members of a project file to a folder, each as it was packed, and return what it says of itself.

    Parameters
    ----------
    source : bytes or Path
    folder : Path
        An empty one.

    Raises
    ------
    InvalidInput
        As `read_manifest`, and if a member is not the one that was packed.
    """
    with _opened(source) as archive:
        manifest = _manifest(archive)
        for name, expected in manifest.hashes.items():
            digest = hashlib.sha256()
            with archive.open(name) as member, (folder / name).open("wb") as file:
                while block := member.read(_BLOCK):
                    digest.update(block)
                    file.write(block)
            if digest.hexdigest() != expected:
                raise InvalidInput(f"{name} in the project file is not what was packed (another checksum). {_DAMAGED}")
    return manifest


def is_project_file(source: bytes | Path) -> bool:
    """Return whether a file is a zip that says it is a project; whether it is sound, `read_manifest` tells.

    One that was cut off has no directory any more; its first member then says what it was.

    Examples
    --------
    >>> is_project_file(b"id,title,date")
    False
    """
    try:
        with _opened(source) as archive:
            entry = archive.getinfo(MANIFEST)
            _require_honest(entry)
            return f'"{KIND}"'.encode() in archive.read(entry)
    except InvalidInput:
        return _begins_as_project(source)


def _begins_as_project(source: bytes | Path) -> bool:
    """Return whether the first member of an archive is the manifest of a project, without its directory."""
    try:
        with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
            head = file.read(_LOCAL.size)
            if len(head) < _LOCAL.size:
                return False
            mark, method, n_packed, n_name, n_extra = _LOCAL.unpack(head)
            name = file.read(n_name)
            file.seek(n_extra, 1)
            packed = file.read(min(n_packed, MOST_BYTES[MANIFEST]))
        if mark != b"PK\x03\x04" or name != MANIFEST.encode():
            return False
        if method == zipfile.ZIP_DEFLATED:
            packed = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, MOST_BYTES[MANIFEST])
        return f'"{KIND}"'.encode() in packed
    except (OSError, zlib.error):
        return False


@contextmanager
def _opened(source: bytes | Path) -> Iterator[zipfile.ZipFile]:
    """Yield an archive whose entries have been checked; what goes wrong with it is one sentence."""
    try:
        with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
            _check_end(file)
            with zipfile.ZipFile(file) as archive:
                _check_entries(archive.infolist())
                yield archive
    except InvalidInput:
        raise
    except OSError as error:
        raise InvalidInput(
            f"The project file cannot be read ({error.strerror or 'it ends early'}). {_DAMAGED}"
        ) from error
    except (
        zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, struct.error,
        OverflowError, KeyError, IndexError,
    ) as error:  # fmt: skip
        raise InvalidInput(f"The project file cannot be read as a zip. {_DAMAGED}") from error


def _check_end(file: BinaryIO) -> None:
    """Refuse a file whose last bytes are no end of a small archive, before its directory is read into memory."""
    size = file.seek(0, 2)
    if size > MOST_ARCHIVE_BYTES:
        most = f"at most {MOST_ARCHIVE_BYTES / 1e6:,.0f} MB; it has {size / 1e6:,.0f} MB"
        raise InvalidInput(f"A project file may have {most}. Open the folder of an export instead.")
    if size < _END.size:
        raise InvalidInput(f"The project file has {size} bytes, too few for a zip. {_DAMAGED}")
    file.seek(max(size - _END.size - 20, 0))
    tail = file.read()
    mark, _, _, _, n_entries, directory_bytes, _, _ = _END.unpack(tail[-_END.size :])
    if mark != b"PK\x05\x06":
        raise InvalidInput(f"The project file does not end as a zip does. {_DAMAGED}")
    if tail.startswith(b"PK\x06\x07") or n_entries > MOST_MEMBERS or directory_bytes > 1_000 * MOST_MEMBERS:
        raise InvalidInput(f"A project file has at most {MOST_MEMBERS} members; this one has more. {_NOT_OURS}")


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    seen: set[str] = set()
    for entry in entries:
        name = entry.orig_filename
        if not _stays_inside(name):
            raise InvalidInput(
                f"The project file has a member with a path that leads elsewhere, {name[:80]!r}. {_NOT_OURS}"
            )
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise InvalidInput(f"{name[:80]!r} in the project file is a link or a device, no file. {_NOT_OURS}")
        if entry.flag_bits & 0x1:
            raise InvalidInput(
                f"{name[:80]!r} in the project file is encrypted. Unpack it and pack it without a password."
            )
        plain = unicodedata.normalize("NFC", name).casefold()
        if plain in seen:
            raise InvalidInput(f"The project file has two members named {name[:80]!r}. {_NOT_OURS}")
        seen.add(plain)


def _stays_inside(name: str) -> bool:
    parts = re.split(r"[/\\]", name)
    is_absolute = parts[0] == "" or re.match(r"[A-Za-z]:", name) is not None
    return bool(name) and not is_absolute and ".." not in parts and "\0" not in name


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    entries = {entry.filename: entry for entry in archive.infolist()}
    if MANIFEST not in entries:
        raise InvalidInput(f"The zip has no {MANIFEST}, so it is no project file. {_NOT_OURS}")
    _require_honest(entries[MANIFEST])
    told = parse_object(archive.read(MANIFEST), f"{MANIFEST} in the project file")
    if told.told.get("kind") != KIND:
        raise InvalidInput(f"The zip is no project file: its {MANIFEST} is of another kind. {_NOT_OURS}")
    if (number := told.whole("format", least=1)) > FORMAT:
        raise InvalidInput(
            f"The project file is of format {number}; this version of Throughline reads {FORMAT}. Update the program."
        )
    members = told.inner("members")
    known = {name: members.inner(name) for name in members.told if name in MOST_BYTES and name != MANIFEST}
    for name, member in known.items():
        if name not in entries:
            raise InvalidInput(f"{name} is missing from the project file. {_DAMAGED}")
        _require_honest(entries[name])
        if entries[name].file_size != member.whole("size", most=MOST_ARCHIVE_BYTES):
            raise InvalidInput(f"{name} in the project file has another size than was packed. {_DAMAGED}")
    if sum(entries[name].file_size for name in known) > MOST_ARCHIVE_BYTES:
        raise InvalidInput(f"The project file unpacks to more than {MOST_ARCHIVE_BYTES / 1e6:,.0f} MB. {_NOT_OURS}")
    counts = told.inner("counts")
    return Manifest(
        name=told.text("name", is_blank_allowed=False),
        title=told.text("title"),
        program=told.text("program"),
        counts={name: counts.whole(name) for name in counts.told},
        sizes={name: entries[name].file_size for name in known},
        hashes={name: member.text("sha256") for name, member in known.items()},
        ignored=tuple(name for name in entries if name not in known and name != MANIFEST),
    )


def _require_honest(entry: zipfile.ZipInfo) -> None:
    """Refuse a member that says it is, or would become, larger than such a file is."""
    require_size(entry.filename, entry.file_size)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InvalidInput(f"{entry.filename} in the project file is packed in a way that is not read. {_NOT_OURS}")
    if entry.file_size > max(MOST_RATIO * entry.compress_size, UNSUSPICIOUS_BYTES):
        size = f"{entry.file_size / 1e6:,.0f} MB, over {MOST_RATIO} times its packed size"
        raise InvalidInput(f"{entry.filename} in the project file would unpack to {size}. {_NOT_OURS}")


def require_size(name: str, size: int) -> None:
    """Raise `InvalidInput` where a member is larger than such a file is."""
    if size > MOST_BYTES[name]:
        most = f"{MOST_BYTES[name] / 1e6:,.0f} MB; it has {size / 1e6:,.0f} MB"
        raise InvalidInput(
            f"{name} of a project file may have at most {most}. Export the collection to a folder instead."
        )
