"""What of a document is embedded, labelled and searched for terms."""


def embedding_text(title: str, text: str) -> str:
    """Title and text as the one string that stands for a document.

    Examples
    --------
    >>> embedding_text("Lift-off", "The rocket rose.")
    'Lift-off\\nThe rocket rose.'
    >>> embedding_text("", "  No title. ")
    'No title.'
    """
    return f"{title}\n{text}".strip()
