import contextlib
import json
from pathlib import Path

import pytest

from narrative_core import build_stages, stability
from narrative_core.__main__ import main
from narrative_core.pipeline import build
from narrative_core.store.database import open_database
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with the built collection "news" and the unbuilt one "olds"."""
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    monkeypatch.setattr(stability, "run_stage", FakeChild(fake_stage))
    path = tmp_path / "throughline.duckdb"
    with contextlib.closing(open_database(path)) as database:
        save_documents(database, documents_on_two_themes(12))
        save_documents(database, documents_on_two_themes(4), "olds")
        build(database, "news")
    return str(path)


def test_each_seed_is_one_object_of_the_json(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", db, "stability", "news", "--seeds", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["collection"] == "news"
    assert [one["seed"] for one in told["seeds"]] == [43, 44]
    assert told["seeds"][0] | {"n_trails": 0} == {
        "seed": 43,
        "n_topics": 2,
        "outlier_share": 0.0,
        "topic_agreement": 1.0,
        "n_trails": 0,
        "trail_agreement": 1.0,
        "strength_difference": 0.0,
    }


def test_words_say_what_the_numbers_mean(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", db, "stability", "news", "--seeds", "1"]) == 0
    told = capsys.readouterr().out
    assert "seed 43: 2 topics, 0% outside" in told
    assert "share 100 % of their inner documents" in told
    assert "can be relied on" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("olds",), "no landscape yet"),
        (("gone",), "no collection named 'gone'"),
        (("toy",), "This map was laid out by hand"),  # shipped, and known to a database that never saw it
        (("news", "--seeds", "0"), "--seeds must be from 1 to 100; got 0"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_sentence(
    db: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert main(["--db", db, "stability", *arguments]) == 2
    assert sentence in capsys.readouterr().err
