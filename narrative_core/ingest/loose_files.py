"""Documents that were handed over as files: one, several at once, or the files of a folder."""

from collections.abc import Sequence
from functools import partial

from narrative_core.ingest.file_kinds import lies_with_systems
from narrative_core.ingest.file_table import ListedFile, check_number, read_files, safe_path, too_large
from narrative_core.ingest.sizes import refuse_too_large
from narrative_core.ingest.tables import RawTable
from narrative_core.records import Progress


def read_loose_files(
    files: Sequence[tuple[str, bytes]], name: str, *, progress: Progress = lambda done, total: None
) -> RawTable:
    """Return the documents in files as a table, a row for each file, in the order of their paths.

    Hidden files and those that systems add are left out and counted. A file that cannot be read is a problem, as are
    tables and archives among the documents.

    Parameters
    ----------
    files : sequence of (path, bytes)
        The path is a label, "/" between its parts. A folder that holds all of them is left off.
    name : str
        What the files are together, for messages.
    progress : callable
        Called with (files done, files) at least every 0.2 s; what it raises, such as `Cancelled`, comes out of here.

    Raises
    ------
    InvalidInput
        If there are too many files, they are too large, or not one can be read.
    """
    check_number(len(files), name)
    refuse_too_large(sum(len(data) for _, data in files), "files", name)
    common = common_folder([path for path, _ in files])
    named = [(safe_path(path).removeprefix(f"{common}/"), data) for path, data in files]
    skipped = [path for path, _ in named if lies_with_systems(path)]
    listing = [
        ListedFile(path, partial(bytes, data), refusal=too_large(len(data)))
        for path, data in sorted(named)
        if not lies_with_systems(path)
    ]
    return read_files(listing, "files", name, skipped=sorted(skipped), progress=progress)


def common_folder(paths: Sequence[str]) -> str:
    """Return the folder that holds all files, "" where there is none.

    Examples
    --------
    >>> common_folder(["news/a.txt", "news/may/b.txt"]), common_folder(["a.txt", "news/b.txt"]), common_folder([])
    ('news', '', '')
    """
    tops = {top if below else "" for top, _, below in (safe_path(path).partition("/") for path in paths)}
    return tops.pop() if len(tops) == 1 else ""
