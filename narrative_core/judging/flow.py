"""Reading flow: how much easier a title is to predict after the document before it. No prompt, no key, deterministic.

A link's gain is log p(next title | previous document) − mean over foils of log p(next title | foil), a mean over the
tokens of the title, in nats per token. *Foils* are a few fixed documents of the collection: against them, what any
document of the collection would have told of the next one counts for nothing. exp(gain) is by what factor the previous
document, rather than another, makes the next title's words likely. A story's score is the mean gain of its links; the
smallest names the weakest link.

Without foils the gain is over the title by itself, at the start of a text. That number is larger, tells less, and is
not comparable; `flow_version` keeps the two apart.

Before the title, the model reads what is shown of the previous document: its title, and with "leads" the beginning of
its text. Dates are not read: a small model makes nothing of them, so "dates" is the same as "titles".
docs/reading-flow.md says what was tried and how well each way tells trails from random chronologies.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from narrative_core.errors import Cancelled, JudgeUnavailable, NarrativeError
from narrative_core.judgements import CriterionScore, Judgement, Question, Shown, ShownStory, Status
from narrative_core.judging.scorers import Scorer
from narrative_core.judging.shown import LEAD_WORDS, lead_of, title_of
from narrative_core.records import Document

METHOD = "mean over links of the mean log-probability a token of the next title, after the previous document less foils"
N_FOILS = 4
BREAK = "\n\n"
"""Stands between two documents."""
LOOK_S = 0.1
LONGEST_S = 600.0
_TITLE_IN_WORDS = 90


@dataclass(frozen=True, slots=True)
class Link:
    """What one link read like: mean log-probabilities in nats per token, the tokens they are over, the foils used.

    ``otherwise`` is after the foils, or of the title by itself where there are none.
    """

    after: float
    otherwise: float
    n_tokens: int
    n_foils: int

    @property
    def gain(self) -> float:
        """By how much the title is easier to predict after the previous document, in nats per token."""
        return self.after - self.otherwise


def choose_foils(documents: Iterable[Document], n: int = N_FOILS) -> tuple[Document, ...]:
    """Return the foils of a collection: ``n`` of its documents with different titles, the same ones every time.

    They are those whose ids have the smallest hashes: as good as drawn at random, without a seed that must be kept,
    and independent of the order of the documents. Fewer if there are not so many; none if there are fewer than three,
    since a link whose ends are the only foils would have nothing to be measured against.

    Examples
    --------
    >>> documents = [Document(str(number), f"Title {number}", "") for number in range(9)]
    >>> choose_foils(documents, 2) == choose_foils(documents[::-1], 2)
    True
    """
    titled = [document for document in documents if document.title.strip()]
    titled.sort(key=lambda document: (_hash("foil " + document.document_id), document.document_id))
    by_title: dict[str, Document] = {}
    for document in titled:
        if len(by_title) >= max(n, 3):
            break
        by_title.setdefault(title_of(document), document)
    return tuple(by_title.values())[:n] if len(by_title) > 2 else ()


def flow_version(scorer: Scorer, foils: Sequence[Document] = ()) -> str:
    """Return a hash of all that decides the number beside the story: method, foils, model and path.

    The release of the engine is not in it, or a newer one would make every recorded score that of another judge; it
    is kept with the raw numbers.
    """
    texts = [[document.document_id, read_text(document, "leads")] for document in foils]
    return _hash(json.dumps([METHOD, LEAD_WORDS, texts, scorer.model, scorer.path]))


def judge_flow(
    story: ShownStory,
    question: Question,
    scorer: Scorer,
    *,
    heartbeat: Callable[[], None],
    foils: Sequence[Document] = (),
    timeout_s: float = LONGEST_S,
) -> Judgement:
    """Return the reading-flow judgement of a story.

    ``score`` is the mean gain, ``link_scores`` the gains, ``weakest_step`` the first smallest; ``criteria`` are the
    mean and the minimum; ``reply`` is the raw numbers as JSON; ``input_tokens`` counts the tokens whose probability
    was asked for.

    Parameters
    ----------
    story : ShownStory
    question : Question
        Goes into the judgement as it is; its ``prompt_hash`` is to be `flow_version` of the same scorer and foils.
    scorer : Scorer
    heartbeat : callable
        Called about ten times a second while the model reads. What it raises, `Cancelled` above all, comes out of here.
    foils : sequence of Document
        As `choose_foils` gives them. One that is an end of a link, or has the title of one, is left out for that link.
    timeout_s : float
        After it the judgement is "timed out".

    Notes
    -----
    A model that fails gives a "failed" judgement, one that does not answer "timed out", neither with a score. A story
    with fewer than two documents has no link to read and is "failed".
    """
    started = time.monotonic()
    if len(story.documents) < 2:
        return Judgement(question, "failed", message="A story of one document has no link to read.", cost_usd=0.0)
    status: Status = "failed"
    try:
        links = _attended(lambda stop: _read(story, foils, scorer, stop), heartbeat, timeout_s)
        return _judgement(question, story.documents, links, scorer, time.monotonic() - started)
    except (Cancelled, JudgeUnavailable):
        raise
    except TimeoutError as error:
        status, message = "timed out", str(error)
    except NarrativeError as error:
        message = str(error)
    except OSError as error:
        message = f"The local model failed: {error.strerror or error}."
    return Judgement(question, status, message=message, seconds=time.monotonic() - started, cost_usd=0.0)


def read_text(document: Document, shown: Shown) -> str:
    """Return what the model reads of a document before a title.

    Examples
    --------
    >>> read_text(Document("a", "Rocket lifts off", "It came back."), "leads")
    'Rocket lifts off\\nIt came back.'
    """
    lead = lead_of(document) if shown == "leads" else ""
    return f"{title_of(document)}\n{lead}" if lead else title_of(document)


def _read(story: ShownStory, foils: Sequence[Document], scorer: Scorer, stop: threading.Event) -> list[Link]:
    titles = [title_of(document) for document in story.documents]
    links = list(pairwise(titles))
    after = [
        _mean(scorer, read_text(previous, story.shown) + BREAK, title, stop)
        for previous, title in zip(story.documents, titles[1:], strict=False)
    ]
    otherwise: list[list[float]] = [[] for _ in links]
    # Context by context: a scorer need not read the same one again.
    for foil in foils:
        for link, means in zip(links, otherwise, strict=True):
            if title_of(foil) not in link:
                means.append(_mean(scorer, read_text(foil, story.shown) + BREAK, link[1], stop)[0])
    return [
        Link(mean, float(np.mean(means or [_mean(scorer, "", title, stop)[0]])), n_tokens, len(means))
        for (mean, n_tokens), means, title in zip(after, otherwise, titles[1:], strict=True)
    ]


def _mean(scorer: Scorer, context: str, title: str, stop: threading.Event) -> tuple[float, int]:
    """The mean log-probability of a title's tokens, and how many they are."""
    if stop.is_set():
        raise Cancelled("The story was given up.")
    values = scorer.log_probabilities(context, title)
    return float(np.mean(values)), len(values)


def _attended(
    work: Callable[[threading.Event], list[Link]], heartbeat: Callable[[], None], timeout_s: float
) -> list[Link]:
    """The result of work that a thread does while this one keeps calling ``heartbeat``."""
    stop, is_over = threading.Event(), threading.Event()
    result: Future[list[Link]] = Future()

    def run() -> None:
        try:
            result.set_result(work(stop))
        except BaseException as error:  # noqa: BLE001 -- it is raised again where the result is read
            result.set_exception(error)
        finally:
            is_over.set()

    until = time.monotonic() + timeout_s
    # A daemon: a question that was given up must not keep the program from ending.
    threading.Thread(target=run, daemon=True, name="reading flow").start()
    try:
        heartbeat()
        while not is_over.wait(LOOK_S):
            heartbeat()
            if time.monotonic() > until:
                raise TimeoutError(f"The local model had not read the story after {timeout_s:g} s.")
        return result.result()
    finally:
        stop.set()


def _judgement(
    question: Question, documents: Sequence[Document], links: Sequence[Link], scorer: Scorer, seconds: float
) -> Judgement:
    gains = tuple(link.gain for link in links)
    weakest = int(np.argmin(gains))
    mean, smallest = float(np.mean(gains)), gains[weakest]
    raw = [
        {"after": link.after, "otherwise": link.otherwise, "tokens": link.n_tokens, "foils": link.n_foils}
        for link in links
    ]
    return Judgement(
        question,
        "ok",
        score=mean,
        criteria=(CriterionScore("mean", mean), CriterionScore("minimum", smallest)),
        link_scores=gains,
        weakest_step=weakest,
        explanation=_in_words(documents, links, mean),
        reply=json.dumps({"unit": "nats per token", "engine": scorer.version, "path": scorer.path, "links": raw}),
        input_tokens=sum(link.n_tokens * (1 + max(1, link.n_foils)) for link in links),
        output_tokens=0,
        seconds=seconds,
        cost_usd=0.0,
    )


def _in_words(documents: Sequence[Document], links: Sequence[Link], mean: float) -> str:
    weakest = min(range(len(links)), key=lambda place: links[place].gain)
    smallest = links[weakest].gain
    before, after = (_short(title_of(document)) for document in documents[weakest : weakest + 2])
    other = "another document of the collection does" if any(link.n_foils for link in links) else "nothing before it"
    return (
        f"On average, reading a document makes the words of the next title {_factor(mean)} as reading {other} "
        f"({mean:+.2f} nats per token). The weakest link: reading “{before}” makes the words of “{after}” "
        f"{_factor(smallest)} ({smallest:+.2f})."
    )


def _factor(gain: float) -> str:
    """A gain as a factor of likelihood.

    Examples
    --------
    >>> _factor(0.5), _factor(-0.5), _factor(0.001)
    ('1.65 times as likely', 'only 0.61 times as likely', 'just as likely')
    """
    factor = f"{np.exp(gain):.2f}"
    if factor == "1.00":
        return "just as likely"
    return f"{factor} times as likely" if gain > 0 else f"only {factor} times as likely"


def _short(title: str) -> str:
    return title if len(title) <= _TITLE_IN_WORDS else title[: _TITLE_IN_WORDS - 1].rstrip() + "…"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
