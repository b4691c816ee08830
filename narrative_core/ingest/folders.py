"""A folder of documents with the folders in it; links that lead out of it are not followed."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_kinds import is_left_by_systems
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
from narrative_core.records import Progress


@dataclass(slots=True)
class _Listing:
    """What a folder holds, as far as it has been looked through."""

    root: Path
    files: list[ListedFile] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    n_bytes: int = 0


def read_folder(folder: Path, *, progress: Progress = lambda done, total: None) -> RawTable:
    """Return the documents in a folder as a table, a row for each file, in the order of their paths.

    Hidden files and folders, and those that systems add, are left out and counted. A file that cannot be read is a
    problem, as is a link that leads out of the folder or to another folder.

    Parameters
    ----------
    folder : Path
    progress : callable
        Called with (files done, files) at least every 0.2 s; what it raises, such as `Cancelled`, comes out of here.

    Raises
    ------
    InvalidInput
        If there is no such folder, it has too many or too large files, or not one can be read.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InvalidInput(f"a folder of documents was expected; {folder} {what}. Check the path.")
    listing = _Listing(folder.resolve())
    for entry in _entries(listing, progress):
        _list(entry, listing)
        check_number(len(listing.files), str(folder))
        check_size(listing.n_bytes, str(folder))
    files = sorted(listing.files, key=lambda file: file.path)
    return read_files(files, "folder", str(folder), skipped=sorted(listing.skipped), progress=progress)


def _entries(listing: _Listing, progress: Progress) -> Iterator["os.DirEntry[str]"]:
    """Yield what is no folder; what is hidden and folders that cannot be opened are noted in the listing."""
    waiting = [listing.root]
    while waiting:
        progress(0, max(1, len(listing.files)))
        inside = waiting.pop()
        try:
            entries = list(os.scandir(inside))
        except OSError as error:
            _refuse(inside, f"is a folder that cannot be opened ({error.strerror})", listing)
            continue
        for entry in entries:
            if is_left_by_systems(entry.name):
                listing.skipped.append(_label(Path(entry.path), listing))
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            else:
                yield entry


def _list(entry: "os.DirEntry[str]", listing: _Listing) -> None:
    path = Path(entry.path)
    try:
        target = path.resolve(strict=True)
        status = target.stat()
    except (OSError, RuntimeError) as error:
        _refuse(path, f"cannot be opened ({getattr(error, 'strerror', None) or error})", listing)
        return
    if entry.is_symlink() and not target.is_relative_to(listing.root):
        _refuse(path, "is a link that leads out of the folder, and is not followed: copy the file into it", listing)
    elif stat.S_ISDIR(status.st_mode):
        _refuse(path, "is a link to a folder; its files are read where they are", listing)
    elif not stat.S_ISREG(status.st_mode):
        _refuse(path, "is no regular file", listing)
    else:
        listing.n_bytes += status.st_size
        label = _label(path, listing)
        listing.files.append(ListedFile(label, partial(_content, target), refusal=too_large(status.st_size)))


def _refuse(path: Path, reason: str, listing: _Listing) -> None:
    listing.files.append(ListedFile(_label(path, listing), bytes, refusal=reason))


def _label(path: Path, listing: _Listing) -> str:
    relative = path.relative_to(listing.root).as_posix()
    return safe_path(os.fsencode(relative).decode("utf-8", "replace"))


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"cannot be opened ({error.strerror})") from error
    if reason := too_large(len(data)):
        raise InvalidInput(reason)
    return data
