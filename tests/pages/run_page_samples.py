"""A run of the small town, stored with made-up answers: nobody is asked."""

from collections.abc import Sequence

import numpy as np

from narrative_core import pipeline
from narrative_core.experiments import plan_run, start_run
from narrative_core.judgements import Judgement, Question, Seat
from narrative_core.panel import lexical_seat
from narrative_core.runs import Design, RunSettings, RunStory, Stratum
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements
from tests.pages.page_samples import save_built, town_documents

MODEL = Seat("openai", "gpt-4.1", "api.example.org", "simple", 2)
N_DOCUMENTS = 13


def save_town(database: Database, titles: Sequence[str] = ()) -> None:
    """Store a collection whose trails go over every second document: those between speak of something else."""
    names = titles or [f"Day {row}: the river stands at mark {row}" for row in range(N_DOCUMENTS)]
    documents = town_documents([10 * row for row in range(N_DOCUMENTS)], names)
    save_built(database, documents, angles=[5 * row + 70 * (row % 2) for row in range(N_DOCUMENTS)])


def save_town_run(
    database: Database,
    *,
    n_pairs: int = 8,
    n_answers: int | None = None,
    n_unreadable: int = 0,
    has_judges: bool = True,
    design: Design = "trails",
    name: str = "A run",
    explanation: str = "The river rises from one mark to the next.",
) -> str:
    """Store a run of `save_town` and return its id; ``n_answers`` questions have an answer, by default all.

    The score of an answer is 1 + 9 times the story's weakest link, and its weakest link is the one that is named; the
    first ``n_unreadable`` have no score.
    """
    loaded = pipeline.load(database, "town")
    seats = (MODEL, lexical_seat(loaded)) if has_judges else ()
    shares: dict[Stratum, float] = {"within short": 0.5, "within long": 0.5}
    planned = plan_run(database, loaded, RunSettings("town", n_pairs, seats, design=design, shares=shares), name=name)
    start_run(database, planned)
    story_of = {(story.pair, story.made): story for story in planned.stories}
    question_of = {ask.question.question_id: ask.question for ask in planned.asks}
    told = {
        asked.question_id: _answer(question_of[asked.question_id], story_of[asked.pair, asked.made], explanation)
        for asked in planned.questions
    }
    answers = list(told.values())[:n_answers]
    lost = [Judgement(one.question, "unreadable", message="No score could be read.") for one in answers[:n_unreadable]]
    save_judgements(database, "town", [*lost, *answers[n_unreadable:]])
    return planned.run.run_id


def _answer(question: Question, story: RunStory, explanation: str) -> Judgement:
    weakest = min(story.strengths)
    return Judgement(
        question,
        "ok",
        1 + 9 * weakest,
        weakest_step=int(np.argmin(story.strengths)),
        explanation=explanation,
        seconds=1.0,
        n_documents=len(story.document_ids),
    )
