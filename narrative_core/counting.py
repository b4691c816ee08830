"""Numbers with their nouns."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun, thousands separated; the plural ends in s, or in ies for y after a consonant.

    Examples
    --------
    >>> count(1, "document"), count(1200, "document"), count(2, "day"), count(0, "story")
    ('1 document', '1,200 documents', '2 days', '0 stories')
    """
    if number == 1:
        return f"1 {noun}"
    is_changed = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1] + 'ies' if is_changed else noun + 's'}"
