from dataclasses import replace

from narrative_core.annotating import annotate
from narrative_core.curation import Annotations, Curation
from narrative_core.extraction import tell
from narrative_core.records import TrailRequest
from tests.builders import build_collection, symmetric

LOADED = build_collection(range(4), theta=symmetric(4, [0.9, 0.1, 0.1, 0.9, 0.1, 0.9]), floor=0.05)


def test_a_story_takes_the_notes_and_copies_of_its_own_documents_and_links() -> None:
    curation = Curation(
        document_notes={"d1": "Ask her.", "elsewhere": "No."},
        link_notes={("d0", "d1"): "Why?", ("d1", "d0"): "The other way.", ("d0", "d3"): "Not told."},
    )
    group = ("d2", "x", "y")
    pair = tell(LOADED, TrailRequest("d0", "d3"), draws=3)
    beside = annotate(replace(LOADED, curation=curation, copies=dict.fromkeys(group, group)), pair)
    assert beside == Annotations({"d1": "Ask her."}, {("d0", "d1"): "Why?"}, {"d2": 2})


def test_notes_on_the_desk_stand_in_place_of_those_that_were_loaded() -> None:
    loaded = replace(LOADED, curation=Curation(document_notes={"d1": "Old."}))
    pair = tell(loaded, TrailRequest("d0", "d3"), draws=3)
    assert annotate(loaded, pair, Curation(document_notes={"d2": "New."})).document_notes == {"d2": "New."}


def test_the_random_chronology_is_annotated_too() -> None:
    pair = tell(LOADED, TrailRequest("d0", "d3", maximum_length=2), draws=3)
    other = replace(pair, baseline=tell(LOADED, TrailRequest("d0", "d2"), draws=3).baseline)
    assert annotate(LOADED, other, Curation(document_notes={"d1": "Chance."})).document_notes == {"d1": "Chance."}
