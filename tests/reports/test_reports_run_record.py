import json
import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.estimates import Estimate
from narrative_core.records import Document
from narrative_core.reports.run_record import run_json
from narrative_core.reports.tables import Column, EstimateCell, Row, Table
from narrative_core.runs import RunStory
from tests.run_samples import FLOW, NAN, SIMPLE, sample_table, seat_scores, table_of

STORY = RunStory(0, "trail", ("a", "b"), (0.1 + 0.2,), "extremes", NAN, 0.75, 0.5, "s0")
TABLE = table_of([STORY], [seat_scores(SIMPLE, [[4, NAN, 6]]), seat_scores(FLOW, [NAN], n_unasked=1)])


def record(documents: dict[str, Document] | None = None, tables: tuple[Table, ...] = ()) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run_json(TABLE, tables, documents or {}))
    return told


def test_numbers_are_unrounded_and_unknown_ones_null() -> None:
    told = record()
    assert told["stories"][0]["strengths"] == [0.1 + 0.2]
    assert told["stories"][0]["metrics"]["span"] is None
    assert told["stories"][0]["metrics"]["variance"] is None
    first, second = told["judges"]
    assert first["scores"] == [[4.0, None, 6.0]]
    assert second["scores"] == [[None]]
    assert second["n_unasked"] == 1
    assert first["label"] == "gpt-4.1 · simple · titles"
    assert first["mode"] == "simple"


def test_a_run_can_be_asked_for_again_from_its_settings() -> None:
    settings, run = record()["run"]["settings"], TABLE.run
    assert settings["seed"] == run.settings.seed
    assert settings["shares"] == dict(run.settings.shares)
    assert settings["cutoffs"]["short"] == run.settings.cutoffs.short
    assert [(judge["judge"], judge["n_agents"]) for judge in settings["judges"]] == [("openai", 3), ("flow", 1)]


def test_only_documents_of_the_stories_are_told_and_none_of_their_text() -> None:
    documents = {name: Document(name, f"Title {name}", "not ours to pass on") for name in ("a", "z")}
    assert record(documents)["documents"] == {"a": {"title": "Title a", "date": ""}}
    assert "not ours" not in run_json(TABLE, (), documents)


def test_a_table_is_told_unrounded() -> None:
    columns = (Column("d", "Cohen's d", "Effect size.", "estimate"),)
    table = Table("contrasts", "Contrasts", columns, (Row((EstimateCell(Estimate(1 / 3, NAN, NAN, 7)),)),), "", 7)
    (told,) = record(tables=(table,))["tables"]
    assert told["rows"][0]["values"]["d"] == {"value": 1 / 3, "low": None, "high": None, "n": 7}


@given(st.integers(0, 2**20))
def test_every_score_comes_back(seed: int) -> None:
    table = sample_table(3, seed=seed, missing=0.3)
    told = json.loads(run_json(table, (), {}))
    for judge, scores in zip(told["judges"], table.seats, strict=True):
        read = np.array([[math.nan if one is None else one for one in row] for row in judge["scores"]], dtype=float)
        np.testing.assert_array_equal(read, scores.scores)
