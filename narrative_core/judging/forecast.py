"""What a seat is about to cost, before it is asked."""

import math
from collections.abc import Sequence

from narrative_core.judgements import Forecast, MeasuredUse, Price, Seat
from narrative_core.judging.asking import CONCURRENCY, Ask
from narrative_core.judging.prices import cost_usd
from narrative_core.judging.prompts import longest_reply_tokens, prompt_messages, reply_schema
from narrative_core.judging.tokens import expected_request_tokens


def forecast(
    seat: Seat,
    asks: Sequence[Ask],
    *,
    price: Price | None = None,
    use: MeasuredUse | None = None,
    n_reused: int = 0,
    concurrency: int = CONCURRENCY,
) -> Forecast:
    """Return the calls, tokens, seconds and money that questions are about to take.

    Parameters
    ----------
    seat : Seat
        Who is asked.
    asks : sequence of Ask
        What has to be asked, without what is known already.
    price : Price, optional
        Of the model. Without it the money is nan, and the tokens are told alone.
    use : MeasuredUse, optional
        What former judgements of this model at this endpoint in this mode took on average.
    n_reused : int
        How many further questions are known already.
    concurrency : int
        How many are asked at a time.

    Notes
    -----
    The input comes from the text of each request, since stories differ in length. Where there are measurements, the
    output is their mean a call; before that it is what is allowed at most, so a first forecast is high. The seconds are
    nan until one call was measured. A request that repairs a reply is not foreseen, but is in the means. A judge
    without a prompt has no tokens and costs nothing.
    """
    n = len(asks)
    if seat.mode is None:
        return Forecast(seat, n, n_reused, 0, 0, _seconds(n, use, 1), 0.0)
    input_tokens = sum(_input_tokens(ask) for ask in asks)
    if use is not None and use.n_tokens and math.isfinite(use.output_tokens):
        output_tokens = math.ceil(n * use.output_tokens)
    else:
        output_tokens = sum(_longest_reply(ask) for ask in asks)
    cost = cost_usd(price, input_tokens, output_tokens) if n else 0.0
    return Forecast(seat, n, n_reused, input_tokens, output_tokens, _seconds(n, use, concurrency), cost)


def _input_tokens(ask: Ask) -> int:
    mode = ask.question.mode
    if mode is None:
        return 0
    n_documents = len(ask.story.documents)
    schema = reply_schema(mode, n_documents=n_documents, is_explained=ask.is_explained, wording=ask.wording)
    messages = prompt_messages(mode, ask.story, is_explained=ask.is_explained, wording=ask.wording)
    return expected_request_tokens([message.content for message in messages], schema)


def _longest_reply(ask: Ask) -> int:
    mode = ask.question.mode
    if mode is None:
        return 0
    return longest_reply_tokens(mode, n_documents=len(ask.story.documents), is_explained=ask.is_explained)


def _seconds(n_calls: int, use: MeasuredUse | None, concurrency: int) -> float:
    """Return the seconds of all rounds; nan where no call was measured."""
    if not n_calls:
        return 0.0
    if use is None or not use.n:
        return float("nan")
    return math.ceil(n_calls / concurrency) * use.seconds
