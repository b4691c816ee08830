"""A project file that is written: the files of a bundle as a zip, with their checksums.

What `project_archive` would refuse is not written: a member that packs too well to be believed is stored as it is.
"""

import hashlib
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from narrative_core import __version__
from narrative_core.bundle_files import MOST_BYTES
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import json_bytes
from narrative_core.project_archive import (
    FORMAT,
    KIND,
    MANIFEST,
    MOST_ARCHIVE_BYTES,
    MOST_RATIO,
    UNSUSPICIOUS_BYTES,
    require_size,
)

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
_BLOCK: Final = 1 << 20


def pack(folder: Path, target: BinaryIO, *, name: str, title: str, counts: Mapping[str, int]) -> None:
    """Write the bundle files of a folder as a project file; the same files give the same bytes.

    Parameters
    ----------
    folder : Path
    target : binary file
        To be written from where it stands.
    name, title : str
        Of the collection.
    counts : mapping of str to int
        What whoever opens it is told before.

    Raises
    ------
    InvalidInput
        If the files are too large for one archive.
    """
    found = [folder / member for member in sorted(MOST_BYTES) if member != MANIFEST and (folder / member).is_file()]
    for path in found:
        require_size(path.name, path.stat().st_size)
    if (total := sum(path.stat().st_size for path in found)) > MOST_ARCHIVE_BYTES:
        size = f"{total / 1e6:,.0f} MB, and a project file may have {MOST_ARCHIVE_BYTES / 1e6:,.0f} MB"
        raise InvalidInput(f"The collection has {size}. Export it to a folder instead.")
    members = {path.name: {"size": path.stat().st_size, "sha256": _hash_of(path)} for path in found}
    told = {
        "kind": KIND,
        "format": FORMAT,
        "program": __version__,
        "name": name,
        "title": title,
        "counts": dict(sorted(counts.items())),
        "members": members,
    }
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(_entry(MANIFEST, zipfile.ZIP_DEFLATED), json_bytes(told))
        for path in found:
            entry = _entry(path.name, _method(path))
            entry.file_size = path.stat().st_size
            with path.open("rb") as source, archive.open(entry, "w") as member:
                while block := source.read(_BLOCK):
                    member.write(block)


def _entry(name: str, method: int) -> zipfile.ZipInfo:
    """Return an entry that says nothing of when and where it was packed."""
    entry = zipfile.ZipInfo(name, _EARLIEST)
    entry.create_system, entry.external_attr = 3, (stat.S_IFREG | 0o644) << 16
    entry.compress_type = method
    return entry


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _method(path: Path) -> int:
    """Return how a member is packed: stored where it is an array, or would look like one that is made to do harm."""
    size = path.stat().st_size
    if path.suffix == ".npy":
        return zipfile.ZIP_STORED
    if size <= UNSUSPICIOUS_BYTES or size <= MOST_RATIO * _packed_size(path):
        return zipfile.ZIP_DEFLATED
    return zipfile.ZIP_STORED


def _packed_size(path: Path) -> int:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    size = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            size += len(packer.compress(block))
    return size + len(packer.flush())
