"""What can go wrong, by kind. Every message says what was expected, what came, and what to do."""

from enum import StrEnum


class NarrativeError(Exception):
    """Base of all errors that a person is told about in one sentence."""


class InvalidInput(NarrativeError, ValueError):
    """A value from outside (a file, an argument, a setting) is not what it must be."""


class NoTrailReason(StrEnum):
    """Why two documents have no trail; the screen offers a different remedy for each."""

    SAME_DOCUMENT = "same document"
    REVERSED = "reversed dates"
    UNDATED = "undated endpoint"
    BARRED = "barred endpoint"
    NO_PATH = "no path"


class NoTrail(NarrativeError):
    """No chain of allowed links leads from the source to the target.

    Parameters
    ----------
    message : str
        One sentence for a person.
    reason : NoTrailReason
        The case, for whoever offers the remedy.
    """

    def __init__(self, message: str, reason: NoTrailReason = NoTrailReason.NO_PATH) -> None:
        super().__init__(message)
        self.reason = reason


class EmbeddingUnavailable(NarrativeError):
    """The model or endpoint that turns text into vectors cannot be used."""


class JudgeUnavailable(NarrativeError):
    """A judge cannot be asked at all: no key, no address, no local model."""


class UnreadableReply(NarrativeError):
    """What a judge answered does not have the form that was asked for, so it has no score."""


class StoreError(NarrativeError):
    """The database cannot be opened, read or written."""


class Cancelled(NarrativeError):
    """A person stopped the work; what was finished is kept."""
