"""Runs of the small town of every design, stored with made-up answers, as the research pages show them."""

from collections.abc import Callable
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from narrative_core import pipeline
from narrative_core.experiments import plan_run, start_run
from narrative_core.judgements import Judgement, Question, Seat
from narrative_core.panel import lexical_seat
from narrative_core.records import Collection, LoadReport
from narrative_core.runs import RunSettings, RunStory, Stratum
from narrative_core.store.collections import load_documents, save_collection
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.terms import load_term_counts, save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from tests.pages.screen import html_pieces, html_tags, markdown_pieces
from tests.pages.test_hostile_titles import MARKUP

MODEL = Seat("openai", "gpt-4.1", "api.example.org", "standard", 2)
SHARES: dict[Stratum, float] = {"within short": 0.5, "within long": 0.5}

ScoreOf = Callable[[RunStory, Question], float]


def by_weakest_link(story: RunStory, question: Question) -> float:
    """A score that goes with the weakest link, with the shape of the story, and a little with the agent."""
    return 1 + 8 * min(story.strengths) + 0.5 * question.agent


def town_settings(database: Database, **changes: object) -> RunSettings:
    """Settings of a run of the town before a prompted judge and the lexical reader."""
    seats = (MODEL, lexical_seat(pipeline.load(database, "town")))
    return replace(RunSettings("town", 6, seats, shares=SHARES), **changes)  # type: ignore[arg-type]


def save_run_of(
    database: Database,
    settings: RunSettings,
    *,
    name: str = "A run",
    score_of: ScoreOf = by_weakest_link,
    n_answers: int | None = None,
    explanation: str = "The river rises from one mark to the next.",
) -> str:
    """Store a run with these settings, the first ``n_answers`` of its questions answered, and return its id."""
    loaded = pipeline.load(database, settings.collection)
    planned = plan_run(database, loaded, settings, name=name)
    start_run(database, planned)
    story_of = {(story.pair, story.made): story for story in planned.stories}
    question_of = {ask.question.question_id: ask.question for ask in planned.asks}
    answers: dict[str, Judgement] = {}
    for asked in planned.questions:
        question, story = question_of[asked.question_id], story_of[asked.pair, asked.made]
        answers[asked.question_id] = Judgement(
            question,
            "ok",
            score_of(story, question),
            weakest_step=0,
            explanation=explanation,
            seconds=1.0,
            n_documents=len(story.document_ids),
        )
    save_judgements(database, settings.collection, list(answers.values())[:n_answers])
    return planned.run.run_id


def save_joint_town(database: Database) -> str:
    """Store a built collection as if it were the joint one of the town and of another, and return its name."""
    documents = load_documents(database, "town")
    other = Collection("other", "The other town", "reports")
    save_collection(database, other, documents[:3], LoadReport(3, 3, 0, 0, 0))
    name = "other+town"
    marked = [
        replace(document, extras={"from collection": ("town", "other")[row % 2]})
        for row, document in enumerate(documents)
    ]
    save_collection(
        database, Collection(name, "Both towns", "reports"), marked, LoadReport(len(marked), len(marked), 0, 0, 0)
    )
    landscape, vectors = load_landscape(database, "town"), load_vectors(database, "town")
    assert landscape is not None
    assert vectors is not None
    save_vectors(database, name, vectors)
    save_term_counts(database, name, load_term_counts(database, "town"))
    save_landscape(database, name, replace(landscape, landscape_id="by-hand-both"))
    return name


def assert_shown_as_text(screen: AppTest) -> None:
    """Check that nothing of what other people wrote became markup."""
    assert [found.value for found in screen.exception] == []
    assert [piece for piece in markdown_pieces(screen) if MARKUP.search(piece)] == []
    for piece in html_pieces(screen):
        assert not html_tags(piece) & {"img", "script", "a", "@onerror", "@href", "@src"}
