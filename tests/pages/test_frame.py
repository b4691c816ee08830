"""The frame of every page where the page cannot even begin."""

from narrative_core.store.database import Database
from tests.pages.screen import open_app


def test_a_page_whose_database_fails_says_so_in_one_sentence_and_nothing_else(database: Database) -> None:
    screen = open_app()
    database.close()
    screen.run()
    assert len(screen.error) == 1
    assert len(screen.exception) == 0
