from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core import pipeline, stability
from narrative_core.curation import Curation
from narrative_core.records import TrailRequest
from narrative_core.store.collections import load_collection
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_topics
from narrative_core.store.stability import load_seed_agreements
from narrative_core.ui import resources, topics_work
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.pages.screen import CABANA, GAGARIN, field, keys, open_app, open_page, words

TOPICS = "pages/explore/topics.py"


def opened(screen: AppTest, *topics: int) -> AppTest:
    """Open topics in the list, by number from 0, as a click on their lines does."""
    for topic in topics:
        screen.session_state[f"topic-row-{topic}"] = True
    return screen.run()


def lines(screen: AppTest) -> list[str]:
    """Return the line of each topic."""
    return [str(one.label) for one in screen.expander]


def spaceflight() -> str:
    found = resources.summary("spaceflight")
    assert found is not None
    return found.landscape_id or ""


def wait_for(kind: str) -> None:
    job = topics_work.latest(kind, "spaceflight")
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=60)


def test_all_topics_are_listed_with_size_and_what_is_outside(database: Database) -> None:
    screen = open_page(TOPICS)
    found = load_topics(database, "spaceflight")
    assert not screen.exception
    assert len(lines(screen)) == len(found) == 12
    assert (
        lines(screen)[1]
        == "**2** **computer · web · system** :gray[company, World, language, software, program…] :gray[42 documents]"
    )
    assert "110 of 338 documents (33%) lie outside every topic" in words(screen)


def test_an_open_topic_shows_its_words_and_typical_documents(database: Database) -> None:
    screen = opened(open_page(TOPICS), 3)
    assert "Words that tell it from the others: Jupiter · Venus · asteroid" in words(screen)
    assert "Galileo reaches Jupiter and drops a probe into its clouds" in words(screen)


def test_a_topic_is_renamed_in_place_and_the_name_can_be_taken_back(database: Database) -> None:
    screen = opened(open_page(TOPICS), 3)
    field(screen.text_input, "name-3").set_value("Visits to planets").run()
    assert lines(screen)[3].startswith("**4** **Visits to planets**")
    assert load_curation(database, "spaceflight").topic_labels == {3: "Visits to planets"}
    assert "found-3" in keys(screen), "it stays open"
    screen.button(key="undo-topics").click().run()
    assert lines(screen)[3].startswith("**4** **Jupiter · Venus · asteroid**")
    screen.button(key="redo-topics").click().run()
    assert lines(screen)[3].startswith("**4** **Visits to planets**")
    screen.button(key="found-3").click().run()
    assert load_curation(database, "spaceflight") == Curation()


def test_topics_are_merged_and_parted_and_no_link_changes_its_strength(database: Database) -> None:
    request = TrailRequest(GAGARIN, CABANA)
    before = resources.told("spaceflight", spaceflight(), request)
    screen = opened(open_page(TOPICS), 3)
    screen.selectbox(key="into-3").set_value(11).run()
    screen.button(key="merge-3").click().run()
    assert len(lines(screen)) == 11
    assert "**12** **Voyager · Saturn · rings**" in lines(screen)[-1]
    assert "50 documents" in lines(screen)[-1]
    assert "with 1 other" in lines(screen)[-1]
    assert "Holds topic 4, Jupiter · Venus · asteroid" in words(screen)
    after = resources.told("spaceflight", spaceflight(), request)
    assert after.trail.links == before.trail.links
    summary = resources.summary("spaceflight")
    assert summary is not None
    assert summary.n_topics == 11
    screen.button(key="part-3").click().run()
    assert len(lines(screen)) == 12
    assert load_curation(database, "spaceflight") == Curation()


def test_a_hidden_topic_is_off_the_map_and_the_page_says_so(database: Database) -> None:
    screen = opened(open_page(TOPICS), 3)
    screen.button(key="hide-3").click().run()
    assert "not on the map" in lines(screen)[3]
    assert "1 topic with 37 documents not on the map; trails use them all the same." in words(screen)
    drawn = screen.get("deck_gl_json_chart")[0].proto.json
    assert "Jupiter · Venus" not in drawn
    screen.button(key="show-3").click().run()
    assert load_curation(database, "spaceflight") == Curation()


def test_the_documents_of_a_topic_are_a_click_away(database: Database) -> None:
    screen = opened(open_page(TOPICS), 3)
    screen.button(key="see-3").click().run()
    assert screen.query_params["topic"] == "4"
    screen = open_page(TOPICS)
    screen.button(key="see-outside").click().run()
    assert screen.query_params["topic"] == "none"


def test_topics_are_named_again_without_some_words_and_given_names_stay(database: Database) -> None:
    landscape_id = spaceflight()
    save_curation(database, "spaceflight", Curation(landscape_id=landscape_id, topic_labels={0: "Living in orbit"}))
    screen = open_page(TOPICS)
    area = next(one for one in screen.text_area if "leave out" in one.label)
    area.set_value("Jupiter\nVenus").run()
    screen.button(key="relabel-spaceflight").click().run()
    wait_for(topics_work.NAMING)
    screen.run()
    assert load_collection(database, "spaceflight").stop_words == ("Jupiter", "Venus")
    assert not any("Jupiter" in line or "Venus" in line for line in lines(screen))
    assert lines(screen)[0].startswith("**1** **Living in orbit**")
    assert spaceflight() == landscape_id


def test_the_languages_whose_common_words_are_left_out_are_named(database: Database) -> None:
    assert "The common words of English are left out already" in words(open_page(TOPICS))


def test_a_check_with_other_seeds_is_run_and_told_in_words(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stability, "run_stage", FakeChild(fake_stage))
    monkeypatch.setattr(stability, "N_PAIRS", 10)
    screen = open_page(TOPICS)
    screen.button(key="check-stability").click().run()
    wait_for(topics_work.CHECK)
    screen.run()
    assert not screen.exception
    assert len(load_seed_agreements(database, "spaceflight", spaceflight())) == 3
    told = words(screen)
    assert "With 3 other seeds, trails between the same two documents share" in told
    assert "Compare with three more seeds" in told


def test_a_map_that_was_laid_out_by_hand_has_no_other_seed() -> None:
    screen = open_app(collection="toy").switch_page(TOPICS).run()
    assert "This map was laid out by hand" in words(screen)
    assert "check-stability" not in keys(screen)


def test_a_check_that_failed_says_why(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    child = FakeChild(fake_stage, breaking="cluster")
    monkeypatch.setattr(stability, "run_stage", child)
    screen = open_page(TOPICS)
    screen.button(key="check-stability").click().run()
    wait_for(topics_work.CHECK)
    screen.run()
    assert "The step cluster failed on purpose" in words(screen)
    assert "check-stability" in keys(screen)


def test_a_collection_without_a_map_says_where_to_build_one(database: Database) -> None:
    save_documents(database, documents_on_two_themes(12), "mine")
    screen = open_app(collection="mine").switch_page(TOPICS).run()
    assert "Mine has no map yet. Topics are found when its 12 documents are placed on one." in words(screen).replace(
        "*", ""
    )


def test_an_unknown_collection_is_named(database: Database) -> None:
    screen = open_app(collection="gone").switch_page(TOPICS).run()
    assert "There is no collection “gone” here" in words(screen)


def test_an_exclusion_shows_at_once_and_only_the_graph_is_laid_out_anew(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[str] = []
    original = pipeline.load_coherence

    def counting(*given: Any) -> Any:  # noqa: ANN401
        computed.append("all pairs")
        return original(*given)

    monkeypatch.setattr(pipeline, "load_coherence", counting)
    landscape_id = spaceflight()
    whole = resources.loaded("spaceflight", landscape_id)
    save_curation(database, "spaceflight", Curation(excluded=frozenset({GAGARIN})))
    without = resources.loaded("spaceflight", landscape_id)
    assert GAGARIN not in without.row_of
    assert len(without.documents) == len(whole.documents) - 1
    save_curation(database, "spaceflight", Curation(landscape_id=landscape_id, topic_labels={0: "Orbit"}))
    renamed = resources.loaded("spaceflight", landscape_id)
    assert renamed.landscape.topics[0].label == "Orbit"
    assert renamed.graph is whole.graph
    save_curation(database, "spaceflight", Curation(document_notes={GAGARIN: "Check."}))
    noted = resources.loaded("spaceflight", landscape_id)
    assert noted.curation.document_notes == {GAGARIN: "Check."}
    assert noted.graph is whole.graph
    assert computed == ["all pairs"]


def test_many_topics_can_be_read_in_groups_of_kin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("narrative_core.ui.topics_list.SHOWN", 3)
    screen = open_page(TOPICS)
    groups = [expander.label for expander in screen.expander]
    screen.segmented_control(key="topics-order").set_value("kin").run()
    assert screen.exception[0:] == []
    told = [
        expander.label for expander in screen.expander if "topic" in expander.label and "document" in expander.label
    ]
    assert 1 < len(told) <= 8
    assert told != groups
    assert "nothing is merged" in words(screen)
