import threading
from dataclasses import replace

import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.judgements import Judgement, Question
from narrative_core.store.database import Database
from narrative_core.store.judgement_writer import JudgementWriter
from narrative_core.store.judgements import list_judgements

QUESTION = Question("openai", "m", "host", "simple", 0, 0.5, 1, "story", "titles", "shown", "prompt")


def answered(agent: int, score: float = 5.0) -> Judgement:
    return Judgement(replace(QUESTION, agent=agent), "ok", score, reply="{}", place=agent)


def agents(database: Database) -> list[int]:
    return [judgement.question.agent for judgement in list_judgements(database, "news")]


def test_all_that_was_handed_over_is_saved_on_leaving(database: Database) -> None:
    with JudgementWriter(database, "news") as writer:
        for agent in range(300):
            writer.save(answered(agent))
    assert agents(database) == list(range(300))


def test_it_is_saved_also_when_the_work_is_stopped(database: Database) -> None:
    with pytest.raises(Cancelled), JudgementWriter(database, "news") as writer:
        writer.save(answered(0))
        raise Cancelled("stopped")
    assert agents(database) == [0]


def test_a_failure_to_save_is_raised_by_whoever_hands_over_next_or_leaves(database: Database) -> None:
    with pytest.raises(InvalidInput), JudgementWriter(database, "news") as writer:
        writer.save(replace(answered(0), reply="\ud800"))
    with pytest.raises(InvalidInput), JudgementWriter(database, "news") as writer:
        writer.save(replace(answered(0), reply="\ud800"))
        for agent in range(1, 100_000):
            writer.save(answered(agent))
    assert agents(database) == []


def test_a_save_is_in_the_file_soon_and_not_at_the_end_alone(database: Database) -> None:
    with JudgementWriter(database, "news") as writer:
        writer.save(answered(0))
        pause = threading.Event()
        for _ in range(500):
            if agents(database):
                break
            pause.wait(0.02)
        assert agents(database) == [0]
        writer.save(answered(1))
    assert agents(database) == [0, 1]


def test_a_failure_to_save_is_told_also_when_the_work_is_stopped(database: Database) -> None:
    with pytest.raises(InvalidInput), JudgementWriter(database, "news") as writer:
        writer.save(replace(answered(0), reply="\ud800"))
        raise Cancelled("stopped")
