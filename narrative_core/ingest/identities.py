"""One identifier per document."""

from collections.abc import Iterable


class Identifiers:
    """Identifiers given out so far.

    Parameters
    ----------
    given : iterable of str
        All identifiers of the file. A made one is never among them, so that later rows keep theirs.
    """

    def __init__(self, given: Iterable[str]) -> None:
        self._reserved = frozenset(given)
        self._owners: dict[str, int] = {}
        self._suffixes: dict[str, int] = {}

    def claim(self, given: str, row: int) -> str:
        """Return the identifier of the document in ``row``: the given one if free, "given-2" and so on if not.

        Without a given one it is "d" and the row number.
        """
        if given and given not in self._owners:
            self._owners[given] = row
            return given
        wanted = given or f"d{row:05d}"
        if not given and wanted not in self._reserved:
            return wanted
        return self._next_free(wanted)

    def owner(self, identifier: str) -> int:
        """Return the row that has a given identifier."""
        return self._owners[identifier]

    def _next_free(self, stem: str) -> str:
        suffix = self._suffixes.get(stem, 1) + 1
        while f"{stem}-{suffix}" in self._reserved:
            suffix += 1
        self._suffixes[stem] = suffix
        return f"{stem}-{suffix}"
