"""What models cost. A person can add to the table; a model that is not in it has no price, which is not the price 0.

Notes
-----
List prices of single requests, without discounts for cached input or batches, so a bill can be lower.
"""

import re
from collections.abc import Sequence
from typing import Final

from narrative_core.judgements import Price

_APRIL: Final = "OpenAI's list price as quoted by aumiqx.com (OpenAI API pricing guide), April 2026"
_MARCH: Final = "OpenAI's list price as quoted by deploybase.ai (OpenAI pricing), March 2026"
_JUNE_2025: Final = "platform.openai.com/docs/pricing as quoted by the package openai_responses 0.4.1, 3 June 2025"

DEFAULT_PRICES: Final[tuple[Price, ...]] = (
    Price("gpt-4.1", 2.00, 8.00, _APRIL),
    Price("gpt-4.1-mini", 0.40, 1.60, _APRIL),
    Price("gpt-4.1-nano", 0.10, 0.40, _APRIL),
    Price("gpt-4o", 2.50, 10.00, _APRIL),
    Price("gpt-4o-2024-05-13", 5.00, 15.00, _JUNE_2025),
    Price("gpt-4o-mini", 0.15, 0.60, _APRIL),
    Price("gpt-5", 1.25, 10.00, _MARCH),
    Price("gpt-5-mini", 0.25, 2.00, _MARCH),
    Price("gpt-5-nano", 0.05, 0.40, _MARCH),
    Price("o4-mini", 1.10, 4.40, _MARCH),
)
"""US dollars per million tokens. Prices change: the source says when each was read."""

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def price_of(prices: Sequence[Price], model: str) -> Price | None:
    """Return the price of a model, the first that names it; ``None`` if none does.

    A name with a date at its end ("gpt-4.1-2025-04-14") has the price of the name without, unless it is in the table
    itself.

    Examples
    --------
    >>> price_of(DEFAULT_PRICES, "gpt-4.1-2025-04-14").output_usd
    8.0
    """
    for name in (model, _DATED.sub("", model)):
        for price in prices:
            if price.model == name:
                return price
    return None


def cost_usd(price: Price | None, input_tokens: int | None, output_tokens: int | None) -> float:
    """Return what tokens cost in US dollars; nan where the price or one of the counts is unknown.

    Examples
    --------
    >>> cost_usd(Price("m", 2.0, 8.0), 1_000_000, 500_000)
    6.0
    """
    if price is None or input_tokens is None or output_tokens is None:
        return float("nan")
    return (input_tokens * price.input_usd + output_tokens * price.output_usd) / 1_000_000
