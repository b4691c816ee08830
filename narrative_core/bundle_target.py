"""Where an export goes: it is written beside what is there, and takes its place only when it is whole.

What no export wrote is not replaced, and what a person put beside an earlier export stays.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from narrative_core.bundle import read_collection
from narrative_core.bundle_files import MOST_BYTES
from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_kinds import is_left_by_systems
from narrative_core.json_fields import parse_object
from narrative_core.project_archive import MANIFEST, is_project_file

_NAMES: Final = frozenset(MOST_BYTES) - {MANIFEST}
"""Files of an earlier export; a manifest is none of a folder's."""

_MOST_STORY_BYTES: Final = 50_000_000


def story_file(story_id: str) -> str:
    """Return the name of a story's file; an id that could lead to another folder, as one from elsewhere may, is hashed.

    Examples
    --------
    >>> story_file("1f0c9a")
    '1f0c9a.json'
    >>> story_file("../letters")
    '60754ea84c53ef3d.json'
    """
    is_plain = re.fullmatch(r"[\w-]{1,100}", story_id) is not None
    return f"{story_id if is_plain else hashlib.sha256(story_id.encode()).hexdigest()[:16]}.json"


@contextmanager
def export_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write an export to; once the block has ended well, it is the folder of that name.

    Of an earlier export there its files and its stories go, and no others.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    InvalidInput
        If the folder has files and is no earlier export, or it cannot be written, or a file is too large to be read
        again. What was there is then as it was.
    """
    target = folder.resolve()
    _require_folder(target)
    with _beside(target) as beside:
        new = beside / "new"
        new.mkdir()
        yield new
        _require_readable(new, target)
        if target.exists():
            _swap(new, target, beside / "old")
        else:
            new.rename(target)


@contextmanager
def export_file(path: Path) -> Iterator[Path]:
    """Yield where to write a project file; once the block has ended well, it is the file of that name.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InvalidInput
        If something else than an earlier project file is there, or it cannot be written. What was there is then as it
        was.
    """
    target = path.resolve()
    if target.exists() and not is_project_file(target):
        raise InvalidInput(f"{target} is there already and is no project file, so it would be lost. Name a new file.")
    with _beside(target) as beside:
        yield beside / target.name
        (beside / target.name).replace(target)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Yield a folder on the disk of the target, which is gone afterwards; what the system refuses is one sentence."""
    home = target if target.is_dir() else target.parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home, prefix=".throughline-") as beside:
            yield Path(beside)
    except OSError as error:
        raise InvalidInput(
            f"{target} cannot be written ({error.strerror or error}); what was there is as it was. Name another place."
        ) from error


def _require_folder(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InvalidInput(f"{target} is a file. Name a folder, or a file that ends in .zip.")
    found = sorted(path.name for path in target.iterdir() if not is_left_by_systems(path.name))
    if found and not _is_export(target):
        raise InvalidInput(
            f"{target} has files ({found[0]}) and is no earlier export with a collection.json that can be read, so "
            "they might be lost. Name a new folder."
        )


def _is_export(folder: Path) -> bool:
    try:
        return read_collection(folder, folder.name) is not None
    except InvalidInput:
        return False


def _require_readable(folder: Path, target: Path) -> None:
    for path in sorted(folder.iterdir()):
        size, most = path.stat().st_size, MOST_BYTES.get(path.name)
        if most is not None and size > most:
            raise InvalidInput(
                f"{path.name} of {target} would have {size / 1e6:,.0f} MB, and {most / 1e6:,.0f} MB is the most that "
                "can be read again, so nothing is written. Copy the database file instead, which holds everything."
            )


def _swap(new: Path, target: Path, old: Path) -> None:
    """Put the files of an export in place of those of an earlier one; where one cannot be moved, all go back.

    The earlier ones go first: files of two exports never stand side by side.
    """
    coming = [path.relative_to(new) for path in sorted(new.rglob("*")) if path.is_file()]
    with ExitStack() as undo:
        for name in _former(target):
            _move(target / name, old / name)
            undo.callback(_move, old / name, target / name)
        for name in coming:
            _move(new / name, target / name)
            undo.callback(_move, target / name, new / name)
        undo.pop_all()


def _former(folder: Path) -> list[Path]:
    """Return the files that an earlier export wrote, as paths in its folder."""
    files = [path for path in folder.iterdir() if path.name in _NAMES and (path.is_symlink() or path.is_file())]
    stories = [path for path in folder.glob("stories/*.json") if _is_story(path)]
    return [path.relative_to(folder) for path in sorted([*files, *stories])]


def _is_story(path: Path) -> bool:
    """Return whether a file is a story as an export names it; a copy under another name is a person's own."""
    if not path.is_file() or path.stat().st_size > _MOST_STORY_BYTES:
        return False
    try:
        told = parse_object(path.read_bytes(), path.name).told
    except InvalidInput:
        return False
    return told.get("format") == "throughline-story" and path.name == story_file(str(told.get("story_id")))


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
