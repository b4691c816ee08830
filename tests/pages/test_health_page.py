"""The page Health: state first, each remedy a step, the network on a button alone."""

import pytest

from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from tests.pages.page_samples import save_unbuilt, town_documents
from tests.pages.screen import HEALTH, keys, open_page, words
from tests.space.fake_endpoint import FakeEndpoint


def test_the_sample_is_ready_and_no_network_is_asked() -> None:
    screen = open_page(HEALTH)
    assert not screen.exception
    assert not screen.error
    told = words(screen)
    assert "Everything that is needed is here." in told
    assert "338 documents, all on the map and dated." in told
    assert "Whether it answers was not asked" not in told
    assert "health-ask" not in keys(screen)


def test_an_empty_store_says_where_to_begin(database: Database) -> None:
    for name in ("spaceflight", "toy"):
        delete_collection(database, name)
    screen = open_page(HEALTH)
    assert not screen.error
    assert "No collection is stored yet. Add your documents on the page Collections." in words(screen)


def test_an_unbuilt_collection_leads_to_its_build_and_to_its_undated_documents(database: Database) -> None:
    save_unbuilt(database, town_documents([0, 3, None]))
    screen = open_page(HEALTH)
    assert "1 to put right" in words(screen)
    assert "3 of 3 documents without a vector, and no map yet." in words(screen)
    assert "1 document without a date" in words(screen)
    screen.button(key="health-go-town-1").click().run()
    assert "undated" in screen.query_params["state"]
    assert "town" in screen.query_params["collection"]
    assert "Headline 0" not in words(screen)


def test_an_endpoint_is_asked_on_a_button(endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key")
    screen = open_page(HEALTH)
    assert "Whether it answers was not asked." in words(screen)
    screen.button(key="health-ask").click().run()
    assert "answers." in words(screen)
    assert "secret" not in words(screen)


def test_a_broken_endpoint_is_one_sentence_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    screen = open_page(HEALTH)
    screen.button(key="health-ask").click().run()
    assert not screen.error
    assert "127.0.0.1:9 cannot be reached." in words(screen)
    assert "Check the address" in words(screen)
