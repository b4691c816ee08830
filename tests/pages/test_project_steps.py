"""A project file on the page Collections: told before it is stored, opened under a free name, refused in a sentence."""

from io import BytesIO

from narrative_core.project_file import write_project
from narrative_core.store.collections import list_collections
from narrative_core.store.database import Database
from narrative_core.ui.project_steps import _packed
from tests.pages.screen import COLLECTIONS, keys, open_page, words


def packed(database: Database, name: str) -> bytes:
    target = BytesIO()
    write_project(database, name, target)
    return target.getvalue()


def test_a_project_is_told_and_opened_under_a_free_name(database: Database) -> None:
    screen = open_page(COLLECTIONS)
    field = next(one for one in screen.file_uploader if str(one.key).startswith("import-file"))
    field.upload("toy.zip", packed(database, "toy"), "application/zip").run()
    assert "12 documents, 3 topics" in words(screen)
    screen.button(key="project-go").click().run()
    assert not screen.error
    assert [summary.collection.name for summary in list_collections(database)] == ["spaceflight", "toy", "toy-2"]
    assert list_collections(database)[2].is_built
    assert "open-toy-2" in keys(screen)
    assert "project-go" not in keys(screen)


def test_a_damaged_project_is_one_sentence_and_nothing_is_stored(database: Database) -> None:
    screen = open_page(COLLECTIONS)
    field = next(one for one in screen.file_uploader if str(one.key).startswith("import-file"))
    field.upload("toy.zip", packed(database, "toy")[:5000], "application/zip").run()
    assert "damaged" in screen.error[0].value
    assert len(list_collections(database)) == 2


def test_every_stored_collection_can_be_taken_away(database: Database) -> None:
    screen = open_page(COLLECTIONS)
    files = [str(widget.proto.label) for widget in screen.get("download_button")]
    assert files.count("Project file") == 2
    assert _packed("toy") == packed(database, "toy")
