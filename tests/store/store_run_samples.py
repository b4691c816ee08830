"""A made-up run with replies of every kind, for the tests of the store."""

from collections.abc import Iterator

import numpy as np

from narrative_core.judgements import Judgement, Question, Seat, Status
from narrative_core.runs import Cutoffs, Made, Run, RunSettings, RunStory, StratumCount
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements
from narrative_core.store.runs import RunQuestion, save_run

PROMPTED = Seat("openai", "gpt-4.1", "api.example.org", "standard", 3)
READER = Seat("lexical", "", shown="leads", is_explained=False, version="1")
SEATS = (PROMPTED, READER)
LABELS = ("GPT-4.1 standard", "Lexical reader")
NAN = float("nan")


def run(run_id: str = "run-1", collection: str = "news", *, created_at: str = "2026-03-01T12:00:00+00:00") -> Run:
    settings = RunSettings(
        collection=collection,
        n_pairs=8,
        seats=SEATS,
        seed=2**127,
        shares={"within short": 0.25, "extremes": 0.75},
        cutoffs=Cutoffs(0.2, 0.7, 0.05, 0.15),
        divergence="base2",
        endpoints_of="run-0",
    )
    return Run(
        run_id,
        "The first run",
        settings,
        "land-1",
        "base2",
        0.1 + 0.2,
        NAN,
        "glove",
        created_at,
        (StratumCount("within short", 2, 2, 1), StratumCount("extremes", 6, 5, 4)),
        {"umap": "0.5", "throughline": "0.1"},
    )


def stories(n_pairs: int = 8, seed: int = 5) -> tuple[RunStory, ...]:
    """Return a trail and a random chronology a pair, in the order in which a run has them."""
    rng = np.random.default_rng(seed)
    made: tuple[Made, ...] = ("trail", "baseline")
    return tuple(
        RunStory(
            pair,
            kind,
            tuple(f"d{step + 1}" for step in range(n_links + 1)),
            tuple(rng.uniform(0.2, 0.9, n_links).tolist()),
            "extremes" if pair else None,
            NAN if pair == 3 else float(10 * n_links),
            0.8,
            NAN,
            f"story {pair} {kind}",
        )
        for pair in range(n_pairs)
        for kind in made
        for n_links in [int(rng.integers(1, 7))]
    )


def asked(told: tuple[RunStory, ...], seats: tuple[Seat, ...] = SEATS) -> Iterator[tuple[RunQuestion, Question]]:
    """Yield each question of a run as the run and as the judgement has it."""
    for one in told:
        for place, seat in enumerate(seats):
            for agent in range(seat.n_agents):
                temperature = 0.3 + agent / 10 if seat.mode else None
                question = Question(
                    seat.judge, seat.model, seat.endpoint, seat.mode, agent, temperature, None, one.story_hash,
                    seat.shown, "text", f"prompt {place}",
                )  # fmt: skip
                yield RunQuestion(one.pair, one.made, place, agent, question.question_id), question


def judgement(question: Question, rng: np.random.Generator, *, n_documents: int = 3) -> Judgement | None:
    """Return one of the ways in which a question can end, ``None`` where it was not asked yet."""
    status: Status = rng.choice(["ok"] * 10 + ["unreadable", "refused", "timed out", "failed"])  # type: ignore[assignment]
    if rng.random() < 0.05:
        return None
    is_ok = status == "ok"
    return Judgement(
        question,
        str(status),  # type: ignore[arg-type]
        score=float(rng.integers(2, 20)) / 2 if is_ok else NAN,
        weakest_step=int(rng.integers(0, n_documents - 1)) if is_ok and rng.random() < 0.9 else None,
        reply=f"reply {question.question_id[:6]}" if status in ("ok", "unreadable") else "",
        message="" if is_ok else f"It was {status}.",
        input_tokens=None if rng.random() < 0.05 else int(rng.integers(50, 90)),
        output_tokens=int(rng.integers(5, 9)),
        seconds=float(rng.uniform(0.5, 2)),
        cost_usd=NAN if question.judge == "lexical" else 0.25,
        asked_at=f"2026-03-01T12:0{rng.integers(0, 3)}:07+00:00",
    )


def save_answered_run(
    database: Database, one: Run | None = None, n_pairs: int = 8, seed: int = 7
) -> tuple[tuple[RunStory, ...], dict[RunQuestion, Judgement | None]]:
    """Save a run whose questions ended in every way, and return its stories and what became of each question."""
    one, told, rng = one or run(), stories(n_pairs), np.random.default_rng(seed)
    n_documents = {(story.pair, story.made): len(story.document_ids) for story in told}
    ended = {
        question: judgement(put, rng, n_documents=n_documents[question.pair, question.made])
        for question, put in asked(told)
    }
    save_run(database, one, LABELS, told, tuple(ended))
    save_judgements(database, one.settings.collection, [said for said in ended.values() if said is not None])
    return told, ended
