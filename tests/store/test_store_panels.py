import pytest
from store_samples import HOSTILE, save_sample

from narrative_core.judgements import Seat
from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from narrative_core.store.panels import list_seats, save_panel

FLOW = Seat("flow", "gemma", shown="leads", is_explained=False)
PROMPTED = Seat("openai", "gpt-4.1", "api.openai.com", "standard", 5)
READER = Seat("lexical", "")


def test_the_seats_of_a_trail_come_back_each_once_the_latest_panel_first(database: Database) -> None:
    save_panel(database, "news", ("trail", "one draw"), [FLOW, READER], ["q2", "q1"])
    save_panel(database, "news", ("trail", "another draw"), [PROMPTED, FLOW], ["q3"])
    assert list_seats(database, "news", "trail") == (PROMPTED, FLOW, READER)


@pytest.mark.parametrize(("collection", "trail"), [("papers", "trail"), ("news", "one draw"), ("news", HOSTILE)])
def test_another_collection_or_story_has_other_seats(database: Database, collection: str, trail: str) -> None:
    save_panel(database, "news", ("trail", "one draw"), [FLOW], [])
    assert list_seats(database, collection, trail) == ()


def test_the_order_of_asking_is_kept(database: Database) -> None:
    save_panel(database, "news", ("a", "b"), [PROMPTED], ["third", "first", "second"], now="2024-03-01T12:00:00+00:00")
    with database.reading() as cursor:
        rows = cursor.execute("SELECT question_ids, asked_at, ordinal FROM panels").fetchall()
    assert rows == [(["third", "first", "second"], "2024-03-01T12:00:00+00:00", 1)]


def test_hostile_names_come_back_as_they_are(database: Database) -> None:
    seat = Seat("openai", HOSTILE, HOSTILE, None, 1, "dates", is_explained=False)
    save_panel(database, HOSTILE, (HOSTILE, HOSTILE), [seat], [HOSTILE])
    assert list_seats(database, HOSTILE, HOSTILE) == (seat,)


def test_a_deleted_collection_leaves_no_panel(database: Database) -> None:
    save_sample(database, "news")
    save_panel(database, "news", ("a", "b"), [FLOW], [])
    save_panel(database, "papers", ("a", "b"), [FLOW], [])
    delete_collection(database, "news")
    assert list_seats(database, "news", "a") == ()
    assert list_seats(database, "papers", "a") == (FLOW,)
