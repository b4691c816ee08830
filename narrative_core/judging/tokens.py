"""How many tokens a text is, without the tokenizer of the model that counts them.

Two figures, since two things hang on it: what is *expected* (will it fit, what may it cost), and what it can be *at
most* (a budget that must hold).
"""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

_MESSAGE_TOKENS = 16
"""For what a chat template puts around a message; common ones take 3 to 8."""

_FRAME_TOKENS = 32


def expected_tokens(text: str) -> int:
    """Return an estimate of the tokens of a text that is more often too high than too low.

    A third of the ASCII bytes and half of the others. English prose has about four bytes a token with the tokenizers of
    current models, and a Chinese character, three bytes, takes up to 1.2. A text of digits alone, or in a script that a
    tokenizer hardly knows, can take more.

    Examples
    --------
    >>> expected_tokens("Flood reaches the old town"), expected_tokens("洪水到达老城")
    (9, 9)
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    n_other = most_tokens(text) - n_ascii
    return math.ceil(n_ascii / 3 + n_other / 2)


def most_tokens(text: str) -> int:
    """Return the number of tokens that a text cannot exceed: its bytes.

    Every token of a byte-level vocabulary stands for at least one byte, and one that falls back to bytes has no
    smaller piece either.
    """
    return len(text.encode("utf-8", "replace"))


def expected_request_tokens(contents: Iterable[str], schema: Mapping[str, Any]) -> int:
    """Return the expected tokens of a request: its messages and the schema of its reply."""
    texts = [*contents, _written(schema)]
    return sum(expected_tokens(text) + _MESSAGE_TOKENS for text in texts)


def most_request_tokens(contents: Iterable[str], schema: Mapping[str, Any]) -> int:
    """Return the number of tokens that a request cannot exceed."""
    texts = [*contents, _written(schema)]
    return sum(most_tokens(text) + _MESSAGE_TOKENS for text in texts) + _FRAME_TOKENS


def _written(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)
