"""The directory of a zip archive, looked at before it is opened: opening makes an object of each entry."""

DIRECTORY_ENTRY = b"PK\x01\x02"
MAX_LISTED = 400_000
"""Entries up to which an archive is opened. Archives inside of it have entries too, hence the wide bound."""


def count_entries(data: bytes) -> int:
    """Return how many entries an archive lists at most; those of archives in it are counted too."""
    return data.count(DIRECTORY_ENTRY)


def is_openable(data: bytes) -> bool:
    """Whether an archive lists so few entries that it can be opened."""
    return count_entries(data) <= MAX_LISTED
