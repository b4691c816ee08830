"""The files of a story: all of them can be read by somebody else, and a picture has the size that was asked for."""

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import docx
import networkx as nx
import pytest
from PIL import Image

from narrative_core.curation import Annotations, Curation
from narrative_core.errors import InvalidInput
from narrative_core.extraction import tell
from narrative_core.intake import install_shipped
from narrative_core.pipeline import load
from narrative_core.records import SavedStory, TrailRequest
from narrative_core.reports.map_svg import map_svg
from narrative_core.reports.png import has_font
from narrative_core.store.collections import delete_collection, load_documents
from narrative_core.store.curations import save_curation
from narrative_core.store.database import Database, open_database
from narrative_core.story_files import (
    SIZES,
    PictureKind,
    PictureWish,
    story_files,
    story_picture,
    suggested_name,
    unsaved_story,
)
from narrative_core.story_surroundings import Surroundings, surroundings

ENDS = ("1961-04-12-soviet-pilot", "1998-12-10-cabana-krikalev")
NOW = dt.datetime(2025, 11, 30, 9, 24, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = open_database(tmp_path_factory.mktemp("story") / "stories.duckdb")
    install_shipped(database)
    yield database
    database.close()


@pytest.fixture(scope="module")
def saved(shipped: Database) -> SavedStory:
    loaded = load(shipped, "spaceflight")
    pair = tell(loaded, TrailRequest(*ENDS))
    second = pair.trail.documents[1].document_id
    annotations = Annotations({second: "Check."}, {}, {second: 2})
    return unsaved_story(
        pair,
        collection="spaceflight",
        landscape_id=loaded.landscape.landscape_id,
        annotations=annotations,
        note="First draft.",
        now=NOW,
    )


@pytest.fixture(scope="module")
def around(shipped: Database, saved: SavedStory) -> Surroundings:
    return surroundings(shipped, saved, address="collection=spaceflight&from=a")


def made(saved: SavedStory, around: Surroundings) -> dict[str, bytes]:
    return {file.ending: file.make(saved, around) for file in story_files(around.verdicts)}


def test_every_file_is_read_by_somebody_else(saved: SavedStory, around: Surroundings) -> None:
    files = made(saved, around)
    titles = [document.title for document in saved.pair.trail.documents]
    for ending in (".html", ".md"):
        assert "First draft." in files[ending].decode()
        assert "collection=spaceflight" in files[ending].decode()
    paper = docx.Document(io.BytesIO(files[".docx"]))
    assert [one.text for one in paper.paragraphs if one.style.name == "Heading 3"][: len(titles)] == titles
    assert len(paper.inline_shapes) == (2 if has_font() else 0)
    rows = list(csv.DictReader(io.StringIO(files[".csv"].decode("utf-8-sig"), newline="")))
    assert [row["title"] for row in rows if row["story"] == "trail"] == titles
    assert (rows[1]["note"], rows[1]["copies"]) == ("Check.", "2")
    assert json.loads(files[".json"])["settings"]["Permalink"] == "?collection=spaceflight&from=a"
    for graph in (nx.parse_graphml(files[".graphml"].decode()), nx.read_gexf(io.BytesIO(files[".gexf"]))):
        assert set(titles) <= {facts["label"] for _, facts in graph.nodes(data=True)}


def test_the_files_are_the_same_every_time(saved: SavedStory, around: Surroundings) -> None:
    assert made(saved, around) == made(saved, around)


def test_the_map_and_the_dates_are_those_of_the_collection(saved: SavedStory, around: Surroundings) -> None:
    assert around.sketch is not None
    assert len(around.sketch.trail) == len(saved.pair.trail.documents)
    assert len(around.dates) == len(around.sketch.positions)
    assert set(around.places) == {d.document_id for d in (*saved.pair.trail.documents, *saved.pair.baseline.documents)}
    assert around.names.documents[ENDS[0]].startswith("Soviet pilot")
    assert "Embedding model" in around.settings


@pytest.mark.parametrize("kind", ["map", "profile", "timeline"])
@pytest.mark.parametrize("size", [*SIZES.values(), (1111, 777)])
def test_a_picture_has_exactly_the_size_asked_for(
    saved: SavedStory, around: Surroundings, kind: PictureKind, size: tuple[int, int]
) -> None:
    drawn = ElementTree.fromstring(story_picture(saved, around, PictureWish(kind, *size, "svg")))
    assert (drawn.get("width"), drawn.get("height")) == tuple(map(str, size))
    if has_font():
        image = Image.open(io.BytesIO(story_picture(saved, around, PictureWish(kind, *size))))
        image.load()
        assert image.size == size
        assert "seed" in image.text["Description"]


@pytest.mark.parametrize("step", [0, 1, -1])
def test_a_document_of_the_story_that_was_excluded_since_keeps_its_place_on_its_map(
    shipped: Database, saved: SavedStory, step: int
) -> None:
    told = saved.pair.trail.documents
    own = {document.document_id for document in (*told, *saved.pair.baseline.documents)}
    other = next(one.document_id for one in load_documents(shipped, "spaceflight") if one.document_id not in own)
    before = surroundings(shipped, saved)
    save_curation(shipped, "spaceflight", Curation(excluded=frozenset({told[step].document_id, other})), days={})
    try:
        after = surroundings(shipped, saved)
    finally:
        save_curation(shipped, "spaceflight", Curation(), days={})
    assert before.sketch is not None
    assert after.sketch is not None
    assert len(after.sketch.positions) == len(before.sketch.positions) - 1
    assert [after.sketch.positions[row].tolist() for row in after.sketch.trail if row is not None] == [
        before.sketch.positions[row].tolist() for row in before.sketch.trail if row is not None
    ]
    assert len(after.dates) == len(before.dates) - 2
    assert after.places == before.places
    marks = re.findall(r">(A|B|\d+)<", map_svg(after.sketch))
    assert sorted(marks) == sorted(["A", *map(str, range(2, len(told))), "B"])


def test_a_document_that_is_gone_from_the_collection_leaves_a_gap_in_the_story_on_the_map(
    shipped: Database, saved: SavedStory
) -> None:
    trail = saved.pair.trail
    gone = replace(trail.documents[1], document_id="gone")
    unplaced = replace(saved.pair, trail=replace(trail, documents=(trail.documents[0], gone, *trail.documents[2:])))
    after = surroundings(shipped, replace(saved, pair=unplaced))
    assert after.sketch is not None
    assert [row is None for row in after.sketch.trail] == [document == gone for document in unplaced.trail.documents]


def test_a_story_on_another_map_is_handed_over_without_one(shipped: Database, saved: SavedStory) -> None:
    other = surroundings(shipped, replace(saved, landscape_id="elsewhere"))
    assert other.sketch is None
    assert "Map of the collection" not in made(saved, other)[".html"].decode()
    with pytest.raises(InvalidInput, match="not here any more"):
        story_picture(saved, other, PictureWish("map", 1600, 900))


def test_a_story_without_its_collection_is_still_handed_over(tmp_path: Path, saved: SavedStory) -> None:
    database = open_database(tmp_path / "gone.duckdb")
    install_shipped(database)
    delete_collection(database, "spaceflight", keep_stories=True)
    alone = surroundings(database, saved)
    database.close()
    assert (alone.sketch, alone.dates, dict(alone.places)) == (None, (), {})
    assert all(made(saved, alone).values())


@pytest.mark.parametrize(("width", "height"), [(399, 900), (900, 6001), (0, 0)])
def test_a_size_out_of_bounds_is_refused(saved: SavedStory, around: Surroundings, width: int, height: int) -> None:
    with pytest.raises(InvalidInput, match="between 400 and 6,000 pixels"):
        story_picture(saved, around, PictureWish("profile", width, height))


def test_a_story_that_nobody_saved_is_named_by_its_ends(saved: SavedStory) -> None:
    name = suggested_name(saved.pair)
    assert name.startswith("Soviet pilot Yuri Gagarin becomes the first human in space → Cabana")
    long = replace(saved.pair.trail.documents[0], title="word " * 40)
    trail = replace(saved.pair.trail, documents=(long, *saved.pair.trail.documents[1:]))
    assert suggested_name(replace(saved.pair, trail=trail)).split(" → ")[0] == f"{'word ' * 11}word…"
    assert saved.created_at == "2025-11-30T09:24:00+00:00"
