"""Keys of fields in popovers, which must not bring back what was undone."""

from collections.abc import Hashable
from zlib import crc32


def field_key(name: str, value: Hashable, *, at_rest: Hashable) -> str:
    """Return the key of a field in a popover: another one for each value that it shows.

    A popover that is closed does not take up a new value. With one key for all, the browser would hand in the former
    value at the next click, as if somebody had typed it again; under another key it is a field that nobody touched.

    Parameters
    ----------
    name : str
        The key while the field shows the value at rest.
    value : hashable
        What it shows now.
    at_rest : hashable
        What it shows before anybody touches it.

    Examples
    --------
    >>> field_key("gap", None, at_rest=None), field_key("gap", 30, at_rest=None)
    ('gap', 'gap-2473281379')
    """
    return name if value == at_rest else f"{name}-{crc32(repr(value).encode('utf-8', 'replace'))}"
