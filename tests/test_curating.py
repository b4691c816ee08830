import contextlib
import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core import build_stages
from narrative_core.curating import (
    Curated,
    copies_among,
    curate,
    curate_landscape,
    curated_graph,
    keep_curation,
    read_typed_date,
)
from narrative_core.curation import Curation, arrangement_key, curation_key
from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection, describe
from narrative_core.joint import make_joint
from narrative_core.pipeline import build, load, load_coherence, load_graph
from narrative_core.records import Document, Landscape, LandscapeParameters, Topic
from narrative_core.store.collections import list_collections, load_documents
from narrative_core.store.copies import save_copies
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database, open_database
from narrative_core.trails.graph import critical_coherence
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.curation_samples import curations

N = 12
STORED = documents_on_two_themes(N, n_undated=3)
IDS = tuple(document.document_id for document in STORED)
TOPICS = (Topic(0, "moon", ("moon",), 6), Topic(1, "flood", ("flood",), 4), Topic(2, "tax", ("tax",), 1))
FITTED = Landscape(
    landscape_id="land-1",
    positions=np.random.default_rng(1).normal(size=(N, 2)),
    nearest_topic=np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, -1]),
    is_outlier=np.arange(N) % 3 == 0,
    memberships=np.random.default_rng(2).random((N, 3)),
    topics=TOPICS,
    parameters=LandscapeParameters(),
    critical_coherence=0.2,
    median_link=0.5,
    created_at="2024-03-01T12:00:00+00:00",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("curating") / "throughline.duckdb"
    with contextlib.closing(open_database(path)) as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
        save_documents(database, STORED)
        build(database, "news")
        yield database


@pytest.fixture
def news(built: Database) -> Iterator[Database]:
    """A built collection that nothing was decided about."""
    yield built
    save_curation(built, "news", Curation())


def contents(loaded: LoadedCollection) -> tuple[object, ...]:
    """Return all that a loaded collection is made of, as values that can be compared to the last bit."""
    landscape = loaded.landscape
    arrays = (
        loaded.vectors.values,
        loaded.graph.coherence,
        loaded.graph.days,
        landscape.positions,
        landscape.nearest_topic,
        landscape.is_outlier,
        landscape.memberships,
    )
    told = replace(landscape, **dict.fromkeys(("positions", "nearest_topic", "is_outlier", "memberships")))  # type: ignore[arg-type]
    return (
        [None if array is None else array.tobytes() for array in arrays],
        repr(told),
        loaded.documents,
        loaded.graph.floor,
        dict(loaded.row_of),
        loaded.curation,
        dict(loaded.copies),
        dict(loaded.file_dates),
        dict(loaded.term_counts),
        sorted(loaded.stop),
    )


def ordered(curated: Curated) -> list[str]:
    return [document.document_id for document in curated.documents]


def test_without_decisions_everything_stays_where_it_is() -> None:
    curated = curate(STORED, Curation())
    assert curated.documents == STORED
    assert curated.rows.tolist() == list(range(N))
    assert curated.file_dates == {}


def test_a_typed_date_moves_a_document_and_the_words_of_the_file_are_kept() -> None:
    first, second, undated = STORED[0], STORED[1], STORED[N - 1]
    curated = curate(STORED, Curation(dates={first.document_id: "2030", undated.document_id: "2019-01"}))
    assert ordered(curated)[0] == undated.document_id
    assert curated.documents[0].date == dt.date(2019, 1, 1)
    assert (curated.documents[0].date_precision, curated.documents[0].iso_date) == ("month", "2019-01")
    assert ordered(curated)[1] == second.document_id
    assert ordered(curated)[-3] == first.document_id, "later than all, and before the undated ones"
    assert curated.file_dates == {first.document_id: first.date_text, undated.document_id: ""}
    assert curated.documents[-3].date_text == "2030"


def test_decisions_about_documents_that_are_gone_are_passed_over() -> None:
    curated = curate(STORED, Curation(excluded=frozenset({"gone"}), dates={"gone as well": "2019"}))
    assert curated.documents == STORED
    assert curated.file_dates == {}


@settings(max_examples=100, deadline=None)
@given(curations(IDS))
def test_rows_say_where_each_document_came_from_and_the_order_is_by_date(curation: Curation) -> None:
    curated = curate(STORED, curation)
    assert set(ordered(curated)) == set(IDS) - curation.excluded
    assert [STORED[row].document_id for row in curated.rows] == ordered(curated)
    for (row, one), (next_row, two) in pairwise(zip(curated.rows, curated.documents, strict=True)):
        keys = [(document.date is None, document.date or dt.date.min) for document in (one, two)]
        assert keys[0] < keys[1] or (keys[0] == keys[1] and row < next_row)


@settings(max_examples=100, deadline=None)
@given(curations(IDS))
def test_a_curated_landscape_has_the_rows_of_its_documents_and_counts_them_once(curation: Curation) -> None:
    rows = curate(STORED, curation).rows
    shown = curate_landscape(FITTED, rows, curation, floor=0.3)
    for name in ("positions", "is_outlier", "memberships"):
        assert (getattr(shown, name) == getattr(FITTED, name)[rows]).all()
    assert [topic.topic for topic in shown.topics] == [0, 1, 2]
    for topic in shown.topics:
        assert topic.size == (shown.nearest_topic == topic.topic).sum()
        if topic.topic in curation.merged_topics:
            assert topic.size == 0
            assert topic.label == shown.topics[curation.merged_topics[topic.topic]].label
    assert sum(topic.size for topic in shown.topics) == (FITTED.nearest_topic[rows] >= 0).sum()
    assert ((shown.nearest_topic == -1) == (FITTED.nearest_topic[rows] == -1)).all()


def test_topics_are_named_and_merged_as_a_person_says() -> None:
    curation = Curation(landscape_id="land-1", topic_labels={1: "Water"}, merged_topics={0: 1})
    shown = curate_landscape(FITTED, np.arange(N), curation, floor=0.2)
    assert shown.nearest_topic.tolist() == [1] * 10 + [2, -1]
    assert [(topic.label, topic.size) for topic in shown.topics] == [("Water", 0), ("Water", 10), ("tax", 1)]
    assert shown.memberships is not FITTED.memberships
    assert (shown.memberships == FITTED.memberships).all(), "no link changes its strength"


def test_decisions_about_the_topics_of_another_landscape_do_not_count() -> None:
    curation = Curation(landscape_id="former", topic_labels={1: "Water"}, merged_topics={0: 1})
    shown = curate_landscape(FITTED, np.arange(N), curation, floor=0.2)
    assert shown.topics == TOPICS
    assert (shown.nearest_topic == FITTED.nearest_topic).all()


def random_theta(seed: int, n: int = N) -> np.ndarray:  # type: ignore[type-arg]
    theta = np.random.default_rng(seed).random((n, n))
    theta = (theta + theta.T) / 2
    np.fill_diagonal(theta, 0)
    return theta


@settings(max_examples=50, deadline=None)
@given(curations(IDS), st.integers(0, 9))
def test_links_keep_their_strength_and_the_floor_still_holds_the_documents_together(
    curation: Curation, seed: int
) -> None:
    theta = random_theta(seed)
    curated = curate(STORED, curation)
    graph = curated_graph(curated, theta, critical_coherence(theta))
    assert (graph.coherence == theta[np.ix_(curated.rows, curated.rows)]).all()
    assert graph.floor == pytest.approx(critical_coherence(graph.coherence), abs=1e-9)
    assert graph.days is not None
    assert np.isnan(graph.days).tolist() == [document.date is None for document in curated.documents]


def test_nothing_is_copied_where_all_documents_take_part_in_their_order() -> None:
    theta = random_theta(1)
    assert curated_graph(curate(STORED, Curation()), theta, 0.2).coherence is theta


def test_copies_are_grouped_among_those_that_take_part() -> None:
    originals = dict.fromkeys(IDS[:3], IDS[0]) | dict.fromkeys(IDS[4:6], IDS[4])
    assert copies_among(originals, STORED, frozenset())[IDS[1]] == IDS[:3]
    assert copies_among(originals, STORED, frozenset({IDS[4]})) == dict.fromkeys(IDS[:3], IDS[:3])
    without_two = curate(STORED, Curation(excluded=frozenset(IDS[1:3]))).documents
    assert set(copies_among(originals, without_two, frozenset())) == set(IDS[4:6])


@pytest.mark.parametrize("text", ["", "soon", "03/04/2021", "2021-13-01"])
def test_an_unclear_date_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"not a clear date\. Write it as 2021-07-11, 2021-07 or 2021"):
        read_typed_date(text)


def test_nothing_is_kept_of_a_curation_with_an_unclear_date(news: Database) -> None:
    with pytest.raises(InvalidInput, match="not a clear date"):
        keep_curation(news, "news", Curation(excluded=frozenset({IDS[0]}), dates={IDS[1]: "soon"}))
    assert load_curation(news, "news") == Curation()


def test_two_documents_must_stay(news: Database) -> None:
    with pytest.raises(InvalidInput, match=r"leave 1 of 12 documents, and a story needs at least 2\. Exclude fewer"):
        keep_curation(news, "news", Curation(excluded=frozenset(IDS[:-1])))
    keep_curation(news, "news", Curation(excluded=frozenset(IDS[:-2])))
    assert len(load(news, "news").documents) == 2


def test_what_was_excluded_and_restored_is_the_same_to_the_last_bit(news: Database) -> None:
    save_copies(news, "news", dict.fromkeys(IDS[:4], IDS[0]))
    before = contents(load(news, "news"))
    landscape_id = load(news, "news").landscape.landscape_id
    decided = Curation(
        excluded=frozenset(IDS[2:5]),
        dates={IDS[0]: "2031", IDS[-1]: "2019"},
        standalone=frozenset({IDS[0]}),
        landscape_id=landscape_id,
        topic_labels={0: "Rockets"},
        merged_topics={1: 0},
    )
    keep_curation(news, "news", decided)
    changed = load(news, "news")
    assert contents(changed) != before
    assert (len(changed.documents), changed.documents[0].document_id) == (N - 3, IDS[-1])
    assert changed.copies == {}, "one of four excluded twice over, one on its own: a single one is no group"
    keep_curation(news, "news", Curation())
    assert contents(load(news, "news")) == before


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_all_arrays_of_a_loaded_collection_fit_its_documents_whatever_was_decided(
    built: Database, data: st.DataObject
) -> None:
    landscape_id = list_collections(built)[0].landscape_id or ""
    curation = data.draw(curations(IDS, n_topics=2, landscape_id=landscape_id))
    whole = load(built, "news", curation=Curation())
    keep_curation(built, "news", curation)
    loaded, (summary,) = load(built, "news"), list_collections(built)
    save_curation(built, "news", Curation())
    for document in loaded.documents:
        row, stored = loaded.row_of[document.document_id], whole.row_of[document.document_id]
        assert (loaded.vectors.values[row] == whole.vectors.values[stored]).all()
        assert (loaded.landscape.positions[row] == whole.landscape.positions[stored]).all()
    undated = sum(document.date is None for document in loaded.documents)
    outliers = int(loaded.landscape.is_outlier.sum())
    n_topics = len(loaded.landscape.topics) - len(curation.merged_topics)
    assert (summary.n_documents, summary.n_undated, summary.n_outliers) == (len(loaded.documents), undated, outliers)
    assert (summary.n_topics, summary.n_excluded) == (n_topics, len(curation.excluded))


def test_a_graph_at_hand_gives_the_same_collection(news: Database) -> None:
    curation = Curation(excluded=frozenset(IDS[1:3]))
    theta = load_coherence(news, "news")
    graph = load_graph(news, "news", curation, coherence=theta)
    given_graph = load(news, "news", curation=curation, graph=graph)
    assert given_graph.graph is graph
    assert contents(given_graph) == contents(load(news, "news", curation=curation))


def test_a_link_is_as_strong_as_before_when_others_are_excluded_and_topics_merged(news: Database) -> None:
    before = load(news, "news")
    landscape_id = before.landscape.landscape_id
    decided = Curation(excluded=frozenset(IDS[3:6]), landscape_id=landscape_id, merged_topics={1: 0})
    after = load(news, "news", curation=decided)
    ends = (IDS[0], IDS[2])
    (one,), (two,) = (describe(which, which.rows(ends), kind="trail").links for which in (before, after))
    assert (one.coherence, one.wording_similarity, one.topic_similarity) == (
        two.coherence,
        two.wording_similarity,
        two.topic_similarity,
    )


def test_a_mixture_is_made_of_what_takes_part(news: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    save_documents(news, STORED[:4], "other")
    keep_curation(news, "news", Curation(excluded=frozenset({IDS[0]}), dates={IDS[1]: "1999"}))
    name = make_joint(news, "news", "other", progress=lambda stage, done, total: None)
    mixed = load_documents(news, name)
    assert len(mixed) == N - 1 + 4
    assert (mixed[0].document_id, mixed[0].iso_date) == (f"news/{IDS[1]}", "1999")


def test_keys_differ_where_the_collection_does() -> None:
    excluded, named = Curation(excluded=frozenset("a")), Curation(landscape_id="land-1", topic_labels={0: "Water"})
    noted = Curation(document_notes={"a": "Check."}, link_notes={("a", "b"): "Why?"})
    assert curation_key(noted) == curation_key(Curation()) == arrangement_key(named) == ""
    assert len({curation_key(one) for one in (Curation(), excluded, named, Curation(standalone=frozenset("a")))}) == 4
    assert arrangement_key(excluded) == arrangement_key(replace(excluded, standalone=frozenset("b"))) != ""


def test_documents_that_are_undated_keep_the_order_of_the_file() -> None:
    stored = tuple(Document(name, "", "") for name in "abcd")
    assert ordered(curate(stored, Curation(dates={"c": "2019"}))) == ["c", "a", "b", "d"]
