"""What a bundle holds of a person's work on a collection, beside its documents and its landscape.

``curation.json`` · ``copies.json`` (groups of copies, by their first document) · ``stories.jsonl`` (saved stories, each
whole, in the order of saving) · ``panels.jsonl`` (who was asked about them) · ``desk.json`` (the story under way, with
the steps that can be taken back) · ``stability.json`` (fits of other seeds) · ``projections.npy`` (n, d) float32 (what
new documents are placed by). A file is there where there is something to say.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.bundle_files import place, read_file, read_matrix, read_object, read_objects
from narrative_core.curating import FEWEST_DOCUMENTS, read_typed_date
from narrative_core.curation import Curation, arranged_landscape
from narrative_core.curation_record import curation_json, read_curation
from narrative_core.desk import History
from narrative_core.desk_record import history_text, read_history, restore
from narrative_core.errors import InvalidInput
from narrative_core.estimates import SeedAgreement
from narrative_core.json_fields import AGAIN, Fields, json_bytes, null_from_unknown
from narrative_core.landscape_file import read_placed
from narrative_core.project_stories import (
    free_ids,
    history_under,
    panel_json,
    read_panel,
    read_saved_story,
    saved_story_json,
    story_under,
)
from narrative_core.records import Document, Landscape, SavedStory
from narrative_core.store.copies import load_copies, save_copies
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database
from narrative_core.store.desks import keep_desk, load_desk
from narrative_core.store.panels import Panel, list_panels, save_panel
from narrative_core.store.project_rows import Placement, load_placement, save_placement, taken_story_ids
from narrative_core.store.stability import load_seed_agreements, save_seed_agreement
from narrative_core.store.stories import list_stories, save_story

COPIES, CURATION, DESK, PANELS, STABILITY, STORIES = (
    "copies.json",
    "curation.json",
    "desk.json",
    "panels.jsonl",
    "stability.json",
    "stories.jsonl",
)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The work on a collection: ``copies`` by document id the first of its group, ``None`` where none were looked for.

    ``placement`` is of its landscape, and so are ``agreements`` with fits of other seeds · ``stories`` in the order of
    saving · ``history`` of the desk, ``None`` where nothing was under way.
    """

    placement: Placement
    curation: Curation
    copies: Mapping[str, str] | None
    stories: tuple[SavedStory, ...]
    panels: tuple[Panel, ...]
    history: History | None
    agreements: tuple[SeedAgreement, ...]


def load_parts(database: Database, name: str, landscape: Landscape | None) -> Parts:
    """Return the work on a collection as the store has it.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    curation = load_curation(database, name)
    arranged = arranged_landscape(landscape.landscape_id, curation) if landscape is not None else ""
    return Parts(
        placement=load_placement(database, name),
        curation=curation,
        copies=load_copies(database, name),
        stories=list_stories(database, name)[::-1],
        panels=list_panels(database, name),
        history=restore(load_desk(database, name)).history,
        agreements=load_seed_agreements(database, name, arranged) if arranged else (),
    )


def write_parts(folder: Path, parts: Parts) -> None:
    """Write the work on a collection to the folder of a bundle.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.
    """
    files: dict[str, bytes] = {
        STORIES: _lines(map(saved_story_json, parts.stories)),
        PANELS: _lines(map(panel_json, parts.panels)),
    }
    if parts.curation != Curation():
        files[CURATION] = json_bytes(curation_json(parts.curation))
    if parts.copies is not None:
        files[COPIES] = json_bytes({"originals": dict(sorted(parts.copies.items()))})
    if parts.history is not None:
        files[DESK] = history_text(parts.history).encode()
    if parts.agreements:
        files[STABILITY] = json_bytes({"fits": [_agreement_json(agreement) for agreement in parts.agreements]})
    for name, data in files.items():
        if data:
            (folder / name).write_bytes(data)
    if parts.placement.projections is not None:
        np.save(folder / "projections.npy", parts.placement.projections, allow_pickle=False)


def read_parts(folder: Path, documents: Sequence[Document], name: str, *, landscape: Landscape | None) -> Parts:
    """Return the work on a collection as the folder of a bundle has it, for a collection of a name.

    Parameters
    ----------
    folder : Path
        Its landscape has been read.
    documents : sequence of Document
        Those of the bundle.
    name : str
    landscape : Landscape or None
        That of the bundle.

    Raises
    ------
    InvalidInput
        If a file is damaged or too large, or speaks of documents or topics that the bundle does not have.
    """
    curation, copies, desk = read_object(folder / CURATION), read_object(folder / COPIES), read_file(folder / DESK)
    stability = read_object(folder / STABILITY)
    decided = Curation() if curation is None else _read_curation(curation, documents)
    history = None if desk is None else read_history(desk, place(folder / DESK))
    if landscape is not None:
        _require_topics(decided, landscape, place(folder / CURATION))
        for one in () if history is None else (history.present, *(step.desk for step in history.past + history.future)):
            _require_topics(one.curation, landscape, place(folder / DESK))
    return Parts(
        placement=Placement(_read_projections(folder, len(documents)), read_placed(folder, documents)),
        curation=decided,
        copies=None if copies is None else _read_copies(copies, documents),
        stories=_read_stories(folder, name),
        panels=tuple(map(read_panel, read_objects(folder / PANELS) or ())),
        history=history,
        agreements=() if stability is None else tuple(map(_read_agreement, stability.inners("fits"))),
    )


def save_parts(database: Database, name: str, parts: Parts, *, landscape_id: str) -> None:
    """Store the work on a collection that has been stored, all or none.

    A story whose id another one has gets a new one, on the desk too.

    Parameters
    ----------
    database : Database
    name : str
    parts : Parts
    landscape_id : str
        That of the collection's landscape, empty where it has none.

    Raises
    ------
    InvalidInput
        If a typed date is none.
    """
    days = {document_id: read_typed_date(text).date for document_id, text in parts.curation.dates.items()}
    with database.transaction():
        save_placement(database, name, parts.placement)
        save_curation(database, name, parts.curation, days=days)
        if parts.copies is not None:
            save_copies(database, name, parts.copies)
        ids = free_ids(parts.stories, taken_story_ids(database))
        for story in parts.stories:
            save_story(database, story_under(story, ids))
        for panel in parts.panels:
            hashes = (panel.trail_hash, panel.baseline_hash)
            save_panel(database, name, hashes, panel.seats, panel.question_ids, now=panel.asked_at)
        if parts.history is not None:
            keep_desk(database, name, history_text(history_under(parts.history, ids)))
        for agreement in parts.agreements if landscape_id else ():
            save_seed_agreement(database, name, arranged_landscape(landscape_id, parts.curation), agreement)


def _lines(objects: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(map(json_bytes, objects))


def _read_projections(folder: Path, n_documents: int) -> NDArray[np.float32] | None:
    matrix = read_matrix(folder, "projections", np.float32)
    if matrix is None:
        return None
    if len(matrix.values) != n_documents or not np.isfinite(matrix.values).all() or not matrix.values.size:
        where = place(folder / "projections.npy")
        raise InvalidInput(f"{where} must have one row of finite numbers for each of {n_documents} documents. {AGAIN}")
    return matrix.values


def _read_curation(told: Fields, documents: Sequence[Document]) -> Curation:
    curation = read_curation(told)
    n_left = sum(document.document_id not in curation.excluded for document in documents)
    if n_left < min(FEWEST_DOCUMENTS, len(documents)):
        raise InvalidInput(f"{told.where} excludes all but {n_left} of {len(documents):,} documents. {AGAIN}")
    return curation


def _require_topics(curation: Curation, landscape: Landscape, where: str) -> None:
    told = curation.on_landscape(landscape.landscape_id)
    named = {*told.topic_labels, *told.merged_topics, *told.merged_topics.values(), *told.hidden_topics}
    n_topics = len(landscape.topics)
    if unknown := [topic for topic in named if topic >= n_topics]:
        raise InvalidInput(f"{where} speaks of topic {max(unknown)}; the landscape has {n_topics}, from 0. {AGAIN}")


def _read_copies(told: Fields, documents: Sequence[Document]) -> dict[str, str]:
    originals, known = told.texts_by_name("originals"), {document.document_id for document in documents}
    for document_id, original in originals.items():
        if document_id not in known or originals.get(original) != original:
            raise InvalidInput(f"{told.where}: “{document_id[:60]}” must be a document, and in a group. {AGAIN}")
    return originals


def _read_stories(folder: Path, name: str) -> tuple[SavedStory, ...]:
    stories = tuple(read_saved_story(told, name) for told in read_objects(folder / STORIES) or ())
    if len({story.story_id for story in stories}) != len(stories):
        raise InvalidInput(f"{place(folder / STORIES)} must have each story once; one is there twice. {AGAIN}")
    return stories


def _agreement_json(agreement: SeedAgreement) -> dict[str, Any]:
    return {
        key: null_from_unknown(value) if isinstance(value, float) else value for key, value in asdict(agreement).items()
    }


def _read_agreement(told: Fields) -> SeedAgreement:
    return SeedAgreement(
        seed=told.whole("seed", most=2**63 - 1),
        n_topics=told.whole("n_topics"),
        outlier_share=told.number("outlier_share", most=1.0),
        topic_agreement=told.number("topic_agreement", least=-1.0, most=1.0, is_null_allowed=True),
        n_trails=told.whole("n_trails"),
        trail_agreement=told.number("trail_agreement", most=1.0, is_null_allowed=True),
        strength_difference=told.number("strength_difference", is_null_allowed=True),
    )
