"""What stands around a saved story and is not part of it: what its collection, its map and the judges know."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from narrative_core.curating import Curated, curate, curate_landscape
from narrative_core.findings import saved_verdicts
from narrative_core.judgements import Verdict
from narrative_core.judging.prompts import DEFAULT_NOUN
from narrative_core.records import CollectionSummary, Landscape, SavedStory, StoryPair
from narrative_core.reports.graphml_report import MapPlace
from narrative_core.reports.map_svg import MapSketch
from narrative_core.reports.wish_lines import NO_NAMES, Names
from narrative_core.store.collections import list_collections, load_documents
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape
from narrative_core.store.vectors import load_vectors
from narrative_core.story_warnings import saved_warnings


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the files of a story need beside it.

    ``dates`` are those of the documents of its collection · ``sketch`` is its map, ``None`` where the collection has
    another landscape by now or is gone; a document of the story that was excluded since is still there · ``places``
    are those of its documents there.
    """

    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    names: Names = NO_NAMES
    dates: tuple[dt.date, ...] = ()
    sketch: MapSketch | None = None
    places: Mapping[str, MapPlace] = field(default_factory=dict)


def surroundings(database: Database, saved: SavedStory, *, address: str = "") -> Surroundings:
    """Return what the files of a story need beside it.

    Parameters
    ----------
    database : Database
    saved : SavedStory
    address : str
        The part of the address behind "?" that opens the same request.
    """
    summary = _summary(database, saved.collection)
    verdicts = saved_verdicts(database, saved, summary.collection.noun if summary else DEFAULT_NOUN)
    warnings = tuple(warning.sentence for warning in saved_warnings(saved))
    settings = {"Permalink": f"?{address}"} if address else {}
    if summary is None:
        return Surroundings(verdicts, warnings, settings)
    curation = load_curation(database, saved.collection)
    stored = load_documents(database, saved.collection)
    dates = tuple(document.date for document in curate(stored, curation).documents if document.date is not None)
    titles = {document.document_id: document.title for document in stored}
    landscape = load_landscape(database, saved.collection)
    if landscape is None or landscape.landscape_id != saved.landscape_id:
        return Surroundings(verdicts, warnings, settings, Names(titles, collection=summary.collection.title), dates)
    told = {document.document_id for story in (saved.pair.trail, saved.pair.baseline) for document in story.documents}
    # What was excluded since has no part in new stories; the map of this one has all its documents.
    curated = curate(stored, replace(curation, excluded=curation.excluded - told))
    shown = curate_landscape(landscape, curated.rows, curation, floor=landscape.critical_coherence)
    hidden = curation.on_landscape(landscape.landscape_id).hidden_topics
    return Surroundings(
        verdicts,
        warnings,
        {**_settings(database, saved.collection, landscape), **settings},
        Names(titles, {topic.topic: topic.label for topic in shown.topics}, summary.collection.title),
        dates,
        _sketch(saved.pair, curated, shown, hidden),
        _places(saved.pair, curated, shown),
    )


def _summary(database: Database, name: str) -> CollectionSummary | None:
    return next((found for found in list_collections(database) if found.collection.name == name), None)


def _settings(database: Database, name: str, landscape: Landscape) -> dict[str, str]:
    """Return what else made the numbers: embedding model, landscape settings, library versions."""
    vectors = load_vectors(database, name)
    parameters = ", ".join(f"{key} {value}" for key, value in asdict(landscape.parameters).items())
    return {
        **({"Embedding model": f"{vectors.model}, {vectors.version}"} if vectors else {}),
        "Landscape settings": parameters,
        "Made with": ", ".join(f"{key} {version}" for key, version in landscape.versions.items()) or "unknown",
    }


def _sketch(pair: StoryPair, curated: Curated, landscape: Landscape, hidden: frozenset[int]) -> MapSketch:
    """Return the map with both stories; a document of theirs that the collection has no more has no place on it."""
    rows = {document.document_id: row for row, document in enumerate(curated.documents)}
    trail, baseline = (
        tuple(rows.get(document.document_id) for document in story.documents) for story in (pair.trail, pair.baseline)
    )
    labels = tuple("" if topic.topic in hidden else topic.label for topic in landscape.topics)
    return MapSketch(landscape.positions, np.asarray(landscape.nearest_topic), trail, baseline, labels)


def _places(pair: StoryPair, curated: Curated, landscape: Landscape) -> dict[str, MapPlace]:
    told = {document.document_id for story in (pair.trail, pair.baseline) for document in story.documents}
    places = {}
    for row, document in enumerate(curated.documents):
        if document.document_id in told:
            x, y = (float(value) for value in landscape.positions[row])
            topic = int(landscape.nearest_topic[row])
            places[document.document_id] = MapPlace(x, y, topic, landscape.topics[topic].label if topic >= 0 else "")
    return places
