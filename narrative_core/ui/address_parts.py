"""How ids and numbers are written into an address, and what of one is taken."""


def join_ids(ids: tuple[str, ...]) -> str:
    """Return ids as one text; the sign between them is escaped where an id has it.

    Examples
    --------
    >>> join_ids(("a", "b~c"))
    'a~b%7Ec'
    """
    return "~".join(document_id.replace("%", "%25").replace("~", "%7E") for document_id in ids)


def split_ids(joined: str, most: int) -> tuple[str, ...]:
    """Return the ids of such a text, each once, at most so many.

    Examples
    --------
    >>> split_ids("a~b%7Ec~a", 200)
    ('a', 'b~c')
    """
    parts = (part.replace("%7E", "~").replace("%25", "%") for part in joined.split("~") if part)
    return tuple(dict.fromkeys(parts))[:most]


def whole_number(text: str, most: int) -> int | None:
    """Return a number from 1 to ``most``; ``None`` for anything else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return int(text) if is_number and 0 < int(text) <= most else None
