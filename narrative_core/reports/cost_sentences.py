"""What judging took and what it is about to take, in words: answers, tokens, seconds, money."""

import math
from collections.abc import Sequence
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import Forecast, Verdict
from narrative_core.reports.verdict_sentences import each_judgement

_MINUTE_S, _HOUR_S = 60.0, 3600.0
UNKNOWN_TIME: Final = "time not known before the first answer"


def format_seconds(seconds: float) -> str:
    """Return a time as precisely as one wants to know it; nan is "unknown time".

    Examples
    --------
    >>> [format_seconds(seconds) for seconds in (0.04, 3.42, 41.6, 700, 9000)]
    ['under 0.1 s', '3.4 s', '42 s', '12 min', '2.5 h']
    """
    if not math.isfinite(seconds):
        return "unknown time"
    if seconds < 0.05:
        return "under 0.1 s" if seconds else "no time"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 1.5 * _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < 1.5 * _HOUR_S else f"{seconds / _HOUR_S:.1f} h"


def format_usd(usd: float) -> str:
    """Return an amount of US dollars to two digits that count; nan is "price unknown".

    Examples
    --------
    >>> [format_usd(usd) for usd in (0.0, 0.00002, 0.00213, 0.128, 1234.5)]
    ['no cost', 'under $0.0001', '$0.0021', '$0.13', '$1,234.50']
    """
    if not math.isfinite(usd):
        return "price unknown"
    if usd < 0.0001:
        return "under $0.0001" if usd > 0 else "no cost"
    return f"${usd:.4f}" if usd < 0.00995 else f"${usd:,.2f}"


def use_words(verdicts: Sequence[Verdict]) -> str:
    """Return what the answers of a seat took: "1,240 tokens read, 310 written · 3.4 s of answering · $0.0041".

    Time and money are sums over its answers, each once; agents answer at the same time, so a person waited less. What
    some answers do not tell is said. Empty where nothing was answered.
    """
    judgements = each_judgement(verdicts)
    if not judgements:
        return ""
    is_prompted = judgements[0].question.mode is not None
    total_s = math.fsum(judgement.seconds for judgement in judgements)
    seconds = f"{format_seconds(total_s)} of {'answering' if is_prompted else 'reading'}"
    told = [j for j in judgements if j.input_tokens is not None and j.output_tokens is not None]
    read, written = sum(j.input_tokens or 0 for j in told), sum(j.output_tokens or 0 for j in told)
    if not is_prompted:
        return f"{read:,} tokens read · {seconds}" if read else seconds
    tokens = f"{read:,} tokens read, {written:,} written" if told else "tokens not told"
    if 0 < len(told) < len(judgements):
        tokens += f" (told by {len(told):,} of {len(judgements):,} answers)"
    priced = [judgement.cost_usd for judgement in judgements if math.isfinite(judgement.cost_usd)]
    cost = format_usd(math.fsum(priced)) if priced else "price unknown"
    if 0 < len(priced) < len(judgements):
        cost = f"at least {cost}"
    return f"{tokens} · {seconds} · {cost}"


def forecast_sentence(forecasts: Sequence[Forecast]) -> str:
    """Return what some seats are about to take together.

    "18 answers to get, 2 are known already and free. About 14,000 tokens, about 20 s, about $0.12." An unknown price
    leaves the tokens alone, an unknown time is said to be unknown.
    """
    n_calls, n_reused = sum(f.n_calls for f in forecasts), sum(f.n_reused for f in forecasts)
    if not n_calls:
        if not n_reused:
            return ""
        known = "The one answer is" if n_reused == 1 else f"All {n_reused:,} answers are"
        return f"{known} known already: nothing is asked, and it is free."
    known = f", {n_reused:,} {'is' if n_reused == 1 else 'are'} known already and free" if n_reused else ""
    asked = [forecast for forecast in forecasts if forecast.n_calls]
    parts = [part for part in (_tokens(asked), _seconds(asked), _money(asked)) if part]
    told = ", ".join(parts)
    return f"{count(n_calls, 'answer')} to get{known}. {told[:1].upper()}{told[1:]}."


def replay_sentence(forecast: Forecast) -> str:
    """Return what a judge that cannot be asked from here can still show: answers that are stored."""
    total = forecast.n_calls + forecast.n_reused
    if not forecast.n_reused:
        return f"None of its {count(total, 'answer')} is stored, and it cannot be asked from here."
    if not forecast.n_calls:
        return f"{'Its one answer is' if total == 1 else f'All its {total:,} answers are'} stored, and free."
    return f"{forecast.n_reused:,} of its {total:,} answers are stored, and free; the rest cannot be asked from here."


def _tokens(asked: Sequence[Forecast]) -> str:
    tokens = sum(forecast.input_tokens + forecast.output_tokens for forecast in asked)
    return f"about {count(_rounded(tokens), 'token')}" if tokens else ""


def _seconds(asked: Sequence[Forecast]) -> str:
    # Words alone take no time that one would notice, whether they were counted here before or not.
    asked = [forecast for forecast in asked if forecast.seat.judge != "lexical"]
    if not asked:
        return "instant"
    known = [forecast.seconds for forecast in asked if math.isfinite(forecast.seconds)]
    if not known:
        return UNKNOWN_TIME
    words = f"about {format_seconds(math.fsum(known))}"
    n_unknown = len(asked) - len(known)
    return words if not n_unknown else f"{words} and more, as {count(n_unknown, 'judge')} never answered yet"


def _money(asked: Sequence[Forecast]) -> str:
    # A judge without a prompt is free, unless another host reads for it and has a price that is not known.
    paid = [forecast for forecast in asked if forecast.seat.mode is not None or not math.isfinite(forecast.cost_usd)]
    if not paid:
        return "no cost"
    known = [forecast.cost_usd for forecast in paid if math.isfinite(forecast.cost_usd)]
    if len(known) < len(paid):
        return "price unknown"
    usd = math.fsum(known)
    return f"about {format_usd(usd)}" if usd >= 0.0001 else format_usd(usd)


def _rounded(number: int) -> int:
    """Return a number to two digits that count: a forecast is no more exact."""
    size: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / size) * size
