"""What the questions of one round share: the client, the money, and what was learnt of the model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from narrative_core.errors import NarrativeError
from narrative_core.judgements import Capabilities, Price, Question
from narrative_core.judging.capabilities import Manner, learn, learn_context, manner_for, request_body
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.failures import Failure, too_long_to_ask
from narrative_core.judging.prices import cost_usd
from narrative_core.judging.prompts import Message
from narrative_core.judging.tokens import expected_request_tokens, most_request_tokens
from narrative_core.judging.wire import Completion, Trace, complete

if TYPE_CHECKING:
    import openai


class OverBudget(NarrativeError):
    """A request could cost more than is left."""


@dataclass(slots=True)
class Purse:
    """A budget in US dollars that holds whatever happens; ``limit_usd`` is ``None`` where there is none.

    What a request can cost at most is held back before it is sent. What it did cost is paid once it is known; what
    may have been charged without being told (a reply that was lost) is paid in full.
    """

    price: Price | None = None
    limit_usd: float | None = None
    spent_usd: float = 0.0
    held_usd: float = 0.0

    def affords(self, usd: float) -> bool:
        """Return whether so much more can be held."""
        return self.limit_usd is None or self.spent_usd + self.held_usd + usd <= self.limit_usd

    def hold(self, usd: float) -> None:
        """Hold money back.

        Raises
        ------
        OverBudget
            If it is not there.
        """
        if not self.affords(usd):
            raise OverBudget("The budget leaves no room for a further request.")
        self.held_usd += usd


@dataclass(slots=True)
class Request:
    """A question as it is sent, and what came of it so far.

    ``held_usd`` of the purse is set aside for the next sending · ``manner`` and ``trace`` are those of the last one,
    ``None`` before the first.
    """

    question: Question
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    longest_reply: int
    held_usd: float = 0.0
    manner: Manner | None = None
    trace: Trace | None = None

    def expected_tokens(self, manner: Manner) -> int:
        """Return about how many tokens it takes, the longest reply included."""
        contents = [message.content for message in self.messages]
        return expected_request_tokens(contents, self.schema) + manner.reply_tokens(self.longest_reply)

    def most_tokens(self) -> int:
        """Return the tokens that it cannot exceed, without the reply."""
        return most_request_tokens([message.content for message in self.messages], self.schema)


@dataclass(slots=True)
class Desk:
    """Where requests are sent from. ``n_answered`` counts completions."""

    client: "openai.AsyncOpenAI"
    endpoint: Endpoint
    purse: Purse
    capabilities: Capabilities
    n_answered: int = 0
    manner: Manner = field(init=False)

    def __post_init__(self) -> None:
        self.manner = manner_for(self.endpoint, self.capabilities)

    @property
    def is_bounded(self) -> bool:
        """Whether the cost of a request has a limit at all: without one on the reply it has none."""
        return bool(self.manner.limits)

    def worst_usd(self, request: Request, manner: Manner | None = None) -> float:
        """Return what a request can cost at most; 0 where there is no budget."""
        if self.purse.limit_usd is None:
            return 0.0
        manner = manner or self.manner
        if not manner.limits:
            return float("inf")
        return cost_usd(self.purse.price, request.most_tokens(), manner.reply_tokens(request.longest_reply))

    def set_aside(self, request: Request, usd: float) -> None:
        """Hold so much for a request that ``usd`` is set aside for it.

        Raises
        ------
        OverBudget
            If it is not there.
        """
        self.purse.hold(usd - request.held_usd)
        request.held_usd = usd

    def give_back(self, request: Request) -> None:
        """Hold nothing any more for a request."""
        self.purse.held_usd -= request.held_usd
        request.held_usd = 0.0

    async def send(self, request: Request) -> Completion | Failure:
        """Send a request, without the parts that the endpoint turns out to reject, and learn what it takes."""
        manner = self.manner
        while True:
            request.manner = manner
            answer = await self._send_in(request, manner)
            lesser = self._lesser(manner, answer)
            if lesser is None:
                break
            manner = lesser
        if isinstance(answer, Completion):
            self.n_answered += 1
            thinks = manner.thinks or self.manner.thinks or answer.is_thoughtful
            self.manner = replace(manner, thinks=thinks)
            self.capabilities = learn(self.capabilities, manner, request.question)
        elif answer.context_tokens is not None:
            self.capabilities = learn_context(self.capabilities, answer.context_tokens)
        return answer

    async def _send_in(self, request: Request, manner: Manner) -> Completion | Failure:
        context_tokens = self.capabilities.context_tokens
        if context_tokens is not None and (n_tokens := request.expected_tokens(manner)) > context_tokens:
            return too_long_to_ask(self.endpoint, n_tokens, context_tokens)
        worst = self.worst_usd(request, manner)
        try:
            self.set_aside(request, worst)
        except OverBudget as over:
            if not manner.limits:
                self.manner = manner
            return Failure("failed", str(over))
        body = request_body(
            self.endpoint.model,
            manner,
            request.messages,
            request.schema,
            question=request.question,
            longest_reply=request.longest_reply,
        )
        trace = request.trace = Trace(before_repeat=lambda: self._pay_lost(worst))
        answer: Completion | Failure | None = None
        try:
            answer = await complete(self.client, self.endpoint, body, trace)
        except OverBudget as over:
            answer = Failure("failed", f"{self.endpoint.host} did not answer. {over}", is_billed=True)
        finally:
            self.give_back(request)
            if self.purse.limit_usd is not None:
                self.purse.spent_usd += self.unpaid_usd(answer, worst, trace)
        return answer

    def _pay_lost(self, worst: float) -> None:
        """Pay for an attempt that got no answer, before it is made again."""
        if not self.purse.affords(worst):
            raise OverBudget("The budget leaves no room for a further request.")
        self.purse.spent_usd += worst

    def unpaid_usd(self, answer: Completion | Failure | None, worst: float, trace: Trace) -> float:
        """Return what is to be paid for a request beside the attempts that were lost on the way, which are paid.

        Parameters
        ----------
        answer : Completion, Failure or None
            What came of it; ``None`` if it was broken off.
        worst : float
            What each attempt can cost at most.
        trace : Trace
            Its attempts.
        """
        if isinstance(answer, Completion):
            cost = cost_usd(self.purse.price, answer.input_tokens, answer.output_tokens)
            return worst if math.isnan(cost) else cost
        if answer is None:
            return worst if trace.is_open else 0.0
        if answer.kind == "unknown" and trace.last_status is None:
            # No connection was ever made, so the attempts before this one cost nothing either.
            return -worst * trace.n_lost
        return worst if answer.is_billed else 0.0

    def _lesser(self, manner: Manner, answer: Completion | Failure) -> Manner | None:
        """Return what to try after an answer; ``None`` if it is final."""
        if isinstance(answer, Completion):
            return None
        if answer.kind == "rejected" and answer.part is not None:
            return manner.without(answer.part)
        # An objection to nothing in particular is most often one to the form, as long as no form is known to work.
        if answer.is_vague and self.capabilities.form is None:
            return manner.without("form")
        return None
