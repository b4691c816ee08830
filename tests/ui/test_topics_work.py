from dataclasses import replace

import numpy as np

from narrative_core.curating import curate_landscape
from narrative_core.curation import Curation
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, Topic, Vectors
from narrative_core.trails.graph import TrailGraph
from narrative_core.ui.topics_work import topic_rows

FOUND = (Topic(0, "moon · orbit", ("moon", "orbit"), 4), Topic(1, "flood", ("flood",), 2), Topic(2, "tax", (), 1))
NEAREST = np.array([0, 0, 0, 0, 1, 1, 2])
FITTED = Landscape(
    landscape_id="land-1",
    positions=np.zeros((7, 2)),
    nearest_topic=NEAREST,
    is_outlier=np.array([True, False, False, False, False, False, True]),
    memberships=np.array(
        [[0.9, 0, 0], [0.2, 0, 0], [0.7, 0, 0], [0.5, 0, 0], [0.1, 0.6, 0], [0.0, 0.9, 0], [0.1, 0.1, 0.1]]
    ),
    topics=FOUND,
    parameters=LandscapeParameters(),
    critical_coherence=0.2,
    median_link=0.5,
    created_at="",
)


def loaded(curation: Curation = Curation()) -> LoadedCollection:  # noqa: B008  frozen
    documents = tuple(Document(f"d{row}", f"Title {row}", "") for row in range(7))
    landscape = curate_landscape(FITTED, np.arange(7), curation, floor=0.2)
    return LoadedCollection(
        collection=Collection("news", "News"),
        documents=documents,
        vectors=Vectors(np.ones((7, 2), dtype=np.float32), "", ""),
        landscape=landscape,
        graph=TrailGraph(np.zeros((7, 7)), None, 0.0),
        term_counts={},
        stop=(),
        row_of={document.document_id: row for row, document in enumerate(documents)},
        curation=curation,
    )


def ids(documents: tuple[Document, ...]) -> list[str]:
    return [document.document_id for document in documents]


def test_a_topic_knows_its_size_its_outliers_and_what_is_typical_of_it() -> None:
    first, second, third = topic_rows(loaded(), FOUND)
    assert (first.size, first.n_outliers, first.label, first.found) == (4, 1, "moon · orbit", "moon · orbit")
    assert ids(first.typical) == ["d1", "d2", "d3"], "outliers are not typical, however near"
    assert ids(second.typical) == ["d4", "d5"]
    assert ids(third.typical) == ["d6"], "of a topic of outliers, those"


def test_the_documents_that_belong_most_are_typical_and_stand_in_order_of_time() -> None:
    many = replace(loaded(), landscape=replace(FITTED, is_outlier=np.zeros(7, dtype=bool)))
    assert ids(topic_rows(many, FOUND)[0].typical) == ["d0", "d2", "d3"]


def test_a_merged_topic_is_a_part_of_the_other_and_no_row_of_its_own() -> None:
    curation = Curation(
        landscape_id="land-1", topic_labels={1: "Water"}, merged_topics={0: 1}, hidden_topics=frozenset({1})
    )
    water, tax = topic_rows(loaded(curation), FOUND)
    assert (water.topic, water.label, water.found, water.size) == (1, "Water", "flood", 6)
    assert water.parts == ((0, "moon · orbit"),)
    assert ids(water.typical) == ["d2", "d4", "d5"]
    assert (water.is_hidden, tax.is_hidden) == (True, False)


def test_each_topic_of_a_merged_one_has_its_typical_documents_by_turns() -> None:
    curation = Curation(landscape_id="land-1", merged_topics={0: 1})
    merged = loaded(curation)
    memberships = FITTED.memberships.copy()
    memberships[1:4, 0] = (0.95, 0.96, 0.97)
    merged = replace(merged, landscape=replace(merged.landscape, memberships=memberships))
    assert ids(topic_rows(merged, FOUND)[0].typical) == ["d3", "d4", "d5"]
