import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from narrative_core.build_stages import Stages
from narrative_core.intake import install_builtin
from narrative_core.pipeline import load
from narrative_core.placing import Rows, document_rows, place_arrivals, placed_notice, placing_key
from narrative_core.space.clustering import Clustering, cluster
from narrative_core.space.placement import Fitted, place_in_topics, place_on_map
from narrative_core.space.projection import lay_out, project
from narrative_core.store.database import Database, open_database
from narrative_core.store.project_rows import Placement


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


def no_progress(stage: str, done: int, total: int) -> None:
    pass


def test_a_new_order_alone_moves_rows_and_changes_none(database: Database) -> None:
    install_builtin(database, "toy")
    toy = load(database, "toy")
    ids = [document.document_id for document in toy.documents]
    rows = document_rows(ids, ids[::-1], frozenset())
    stages = Stages(database, "toy", "key", no_progress)
    placement = Placement(None, np.arange(12) == 0)
    placed = place_arrivals(toy.landscape, placement, toy.vectors.values[::-1], rows, stages)
    assert placed is not None
    for name in ("positions", "nearest_topic", "is_outlier", "memberships"):
        np.testing.assert_array_equal(getattr(placed.landscape, name), getattr(toy.landscape, name)[::-1])
    assert placed.landscape.topics == toy.landscape.topics
    assert placed.placement.is_placed.tolist() == [False] * 11 + [True]
    assert placed.landscape.notices == (*toy.landscape.notices, *placed_notice(1))


def test_notices_on_arrivals_take_the_place_of_earlier_ones(database: Database) -> None:
    install_builtin(database, "toy")
    toy = load(database, "toy")
    earlier = replace(toy.landscape, notices=("Something else.", *placed_notice(1234)))
    rows = Rows(np.arange(12), np.zeros(12, np.bool_))
    stages = Stages(database, "toy", "key", no_progress)
    placed = place_arrivals(earlier, Placement(None, np.zeros(12, np.bool_)), toy.vectors.values, rows, stages)
    assert placed is not None
    assert placed.landscape.notices == ("Something else.",)


def test_where_nothing_stays_there_is_no_landscape(database: Database) -> None:
    install_builtin(database, "toy")
    toy = load(database, "toy")
    rows = Rows(np.arange(12), np.ones(12, np.bool_))
    stages = Stages(database, "toy", "key", no_progress)
    empty = Placement(None, np.zeros(12, np.bool_))
    assert place_arrivals(toy.landscape, empty, toy.vectors.values, rows, stages) is None


def test_the_key_is_another_one_for_another_vector_order_or_landscape(database: Database) -> None:
    install_builtin(database, "toy")
    toy = load(database, "toy")
    rows = Rows(np.arange(12), np.zeros(12, np.bool_))
    keys = {
        placing_key(toy.landscape, toy.vectors.values, rows),
        placing_key(toy.landscape, -toy.vectors.values, rows),
        placing_key(toy.landscape, toy.vectors.values, replace(rows, before=np.arange(12)[::-1])),
        placing_key(toy.landscape, toy.vectors.values, replace(rows, is_arriving=np.ones(12, np.bool_))),
        placing_key(replace(toy.landscape, landscape_id="another"), toy.vectors.values, rows),
    }
    assert len(keys) == 5


def test_every_document_of_the_toy_goes_with_one_of_those_it_resembles_most(database: Database) -> None:
    install_builtin(database, "toy")
    toy = load(database, "toy")
    landscape, vectors = toy.landscape, toy.vectors.values
    for row in range(12):
        kept = np.flatnonzero(np.arange(12) != row)
        topics = Clustering(landscape.nearest_topic[kept], landscape.is_outlier[kept], landscape.memberships[kept])
        fitted = Fitted(vectors[kept], landscape.positions[kept], None, topics)
        found = place_in_topics(fitted, vectors[[row]], landscape.parameters).topics
        nearest = (vectors[kept] @ vectors[row]).argsort()[-2:]
        assert found.nearest_topic[0] in topics.nearest_topic[nearest]
        (place,) = place_on_map(fitted, vectors[[row]], fitted.positions, landscape.parameters)
        of_topic = fitted.positions[topics.nearest_topic == found.nearest_topic[0]]
        # The place of a document that is alone there is taken: 0.2 is beyond a hundredth of the map.
        assert (place >= of_topic.min(axis=0) - 0.2).all()
        assert (place <= of_topic.max(axis=0) + 0.2).all()


@pytest.mark.slow
def test_briefs_on_spaceflight_arrive_in_the_topic_of_those_they_resemble(database: Database) -> None:
    install_builtin(database, "spaceflight")
    loaded = load(database, "spaceflight")
    vectors, parameters = loaded.vectors.values, loaded.landscape.parameters
    is_held = np.zeros(len(vectors), np.bool_)
    is_held[np.random.default_rng(0).choice(len(vectors), 30, replace=False)] = True
    projection = project(vectors[~is_held], parameters)
    topics = cluster(projection, parameters)
    fitted = Fitted(vectors[~is_held], lay_out(vectors[~is_held], parameters), projection, topics)
    found = place_in_topics(fitted, vectors[is_held], parameters).topics
    nearest = (vectors[is_held] @ vectors[~is_held].T).argsort(axis=1)[:, -5:]
    neighbours = topics.nearest_topic[nearest]
    assert (neighbours == found.nearest_topic[:, np.newaxis]).any(axis=1).mean() > 0.9
    assert abs(found.is_outlier.mean() - topics.is_outlier.mean()) < 0.25
    placed = place_on_map(fitted, vectors[is_held], fitted.positions, parameters)
    apart = np.linalg.norm(placed[:, np.newaxis] - fitted.positions, axis=2)
    near = np.take_along_axis(apart, nearest, axis=1).mean()
    assert near < 0.4 * apart.mean()
