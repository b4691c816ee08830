"""One question put to an endpoint, and what became of it: a request, one more to repair the reply, one judgement."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from narrative_core.clock import now_text
from narrative_core.errors import InvalidInput, UnreadableReply
from narrative_core.judgements import Judgement, Mode, Question, ShownStory, Status
from narrative_core.judging.desk import Desk, Request
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.failures import Failure
from narrative_core.judging.prices import cost_usd
from narrative_core.judging.prompts import longest_reply_tokens, prompt_messages, repair_messages, reply_schema
from narrative_core.judging.replies import ReadReply, read_reply
from narrative_core.judging.wire import Completion

_STATUS_OF: dict[str, Status] = {"refused": "refused", "unreadable": "unreadable", "timed out": "timed out"}


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to be put, with the story that it is about.

    ``place`` is its place in the order of asking, from 0 · ``wording`` that of the instruction, "" for the usual one.
    """

    question: Question
    story: ShownStory
    is_explained: bool
    place: int
    wording: str = ""


@dataclass(slots=True)
class Dialogue:
    """A question while it is being asked.

    ``problem`` is what was wrong with the first reply, "" where nothing was or none came · ``n_sent`` counts requests,
    without those that only found out what the endpoint accepts · ``hopeless`` says why no question can be asked.
    """

    ask: Ask
    mode: Mode
    request: Request
    replies: list[str] = field(default_factory=list)
    tokens: list[tuple[int | None, int | None]] = field(default_factory=list)
    problem: str = ""
    n_sent: int = 0
    hopeless: str = ""

    @property
    def token_sums(self) -> tuple[int | None, int | None]:
        """Tokens read and written over all replies that came; ``None`` where one of them does not say."""
        if not self.tokens:
            return None, None
        read, written = zip(*self.tokens, strict=True)
        return _sum(read), _sum(written)


@dataclass(frozen=True, slots=True)
class _End:
    status: Status
    message: str = ""
    said: ReadReply | None = None


def open_dialogue(ask: Ask) -> Dialogue:
    """Return a question, ready to be sent.

    Raises
    ------
    InvalidInput
        If the question is for a judge without a prompt, or its mode has no such wording.
    """
    mode, n_documents = ask.question.mode, len(ask.story.documents)
    if mode is None:
        raise InvalidInput(f"an endpoint is asked in a mode; the question for {ask.question.judge} has none.")
    request = Request(
        ask.question,
        prompt_messages(mode, ask.story, is_explained=ask.is_explained, wording=ask.wording),
        reply_schema(mode, n_documents=n_documents, is_explained=ask.is_explained, wording=ask.wording),
        longest_reply_tokens(mode, n_documents=n_documents, is_explained=ask.is_explained),
    )
    return Dialogue(ask, mode, request)


async def put(desk: Desk, dialogue: Dialogue, *, clock: Callable[[], float] = time.monotonic) -> Judgement:
    """Ask one question and return its judgement.

    Parameters
    ----------
    desk : Desk
        Sends, pays and learns.
    dialogue : Dialogue
        As `open_dialogue` gives it. Its ``hopeless`` is set if no other question can be asked either.
    clock : callable
        Seconds that never run backwards.
    """
    asked_at, began = now_text(), clock()
    try:
        async with asyncio.timeout(desk.endpoint.question_s):
            end = await _converse(desk, dialogue)
    except TimeoutError:
        end = _after_time(desk.endpoint, dialogue)
    finally:
        desk.give_back(dialogue.request)
    ask, said = dialogue.ask, end.said
    input_tokens, output_tokens = dialogue.token_sums
    manner = dialogue.request.manner or desk.manner
    return Judgement(
        question=ask.question,
        status=end.status,
        score=said.score if said else float("nan"),
        criteria=said.criteria if said else (),
        weakest_step=said.weakest_step if said else None,
        explanation=said.explanation if said else "",
        reply=dialogue.replies[-1] if dialogue.replies else "",
        message=end.message,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        seconds=clock() - began,
        cost_usd=cost_usd(desk.purse.price, input_tokens, output_tokens),
        dropped=manner.dropped(ask.question),
        form=manner.form if dialogue.replies else None,
        is_repaired=dialogue.n_sent > 1,
        place=ask.place,
        asked_at=asked_at,
        first_reply=dialogue.replies[0] if len(dialogue.replies) > 1 else "",
        n_documents=len(ask.story.documents),
        is_explained=ask.is_explained,
    )


async def _converse(desk: Desk, dialogue: Dialogue) -> _End:
    answer = await _send(desk, dialogue)
    if isinstance(answer, Failure):
        return _End(_STATUS_OF.get(answer.kind, "failed"), answer.message)
    end = _end(dialogue, answer)
    if end.status != "unreadable":
        return end
    if answer.finish == "length" and not (answer.is_thoughtful and not _was_allowed_to_think(dialogue)):
        return end
    first = dialogue.request
    if answer.finish != "length":
        again = repair_messages(first.messages, answer.text, dialogue.problem)
        dialogue.request = replace(first, messages=again, held_usd=0.0)
    answer = await _send(desk, dialogue)
    if isinstance(answer, Completion):
        return _end(dialogue, answer)
    status: Status = "refused" if answer.kind == "refused" else "unreadable"
    return _End(status, f"{end.message} Asked again: {answer.message}")


async def _send(desk: Desk, dialogue: Dialogue) -> Completion | Failure:
    dialogue.n_sent += 1
    answer = await desk.send(dialogue.request)
    if isinstance(answer, Completion):
        dialogue.replies.append(answer.text or answer.refusal or "")
        dialogue.tokens.append((answer.input_tokens, answer.output_tokens))
    elif answer.kind == "unavailable" or (answer.kind == "unknown" and desk.n_answered == 0):
        dialogue.hopeless = answer.message
    return answer


def _end(dialogue: Dialogue, answer: Completion) -> _End:
    """Return what a completion amounts to."""
    if answer.refusal is not None and (answer.refusal.strip() or not answer.text.strip()):
        return _End("refused", "The model declined to judge the story.")
    if answer.finish == "content_filter":
        return _End("refused", "The endpoint's content filter stopped the reply.")
    if answer.finish == "length":
        dialogue.problem = "it was cut off at the longest length allowed."
        return _End("unreadable", f"The reply cannot be read: {dialogue.problem}")
    n_documents = len(dialogue.ask.story.documents)
    try:
        said = read_reply(answer.text, dialogue.mode, n_documents=n_documents, is_explained=dialogue.ask.is_explained)
    except UnreadableReply as problem:
        dialogue.problem = str(problem)
        return _End("unreadable", f"The reply cannot be read: {problem}")
    return _End("ok", said=said)


def _after_time(endpoint: Endpoint, dialogue: Dialogue) -> _End:
    """Return how a question ends whose time is up: with the reply that it had, if it had one."""
    late = f"{endpoint.host} did not answer within {endpoint.question_s:g} s"
    trace = dialogue.request.trace
    if trace is not None and trace.last_status is not None and trace.last_status >= 400:
        late += f"; the last thing it said was status {trace.last_status}"
    if dialogue.replies:
        return _End("unreadable", f"The reply cannot be read: {dialogue.problem} Asked again: {late}.")
    return _End("timed out", f"{late}.")


def _was_allowed_to_think(dialogue: Dialogue) -> bool:
    return dialogue.request.manner is not None and dialogue.request.manner.thinks


def _sum(counts: tuple[int | None, ...]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
