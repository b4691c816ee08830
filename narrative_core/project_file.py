"""A collection with all that was done with it: as a folder, or as one file that shows the same picture elsewhere.

Research runs stay where they were made; a run writes a folder of its own.
"""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

from narrative_core.bundle import write_bundle
from narrative_core.bundle_documents import write_exact_documents
from narrative_core.bundle_target import export_folder, story_file
from narrative_core.errors import InvalidInput
from narrative_core.findings import saved_verdicts
from narrative_core.ingest.tables import MAX_ROWS
from narrative_core.intake import BundleReport, builtin, import_bundle
from narrative_core.judging.lexical import judge_lexical
from narrative_core.panel import lexical_seat, pair_stories, questions, shown_story, story_hashes, vocabulary
from narrative_core.pipeline import load
from narrative_core.project_archive import Manifest, read_manifest, unpack
from narrative_core.project_packing import pack
from narrative_core.project_parts import load_parts, write_parts
from narrative_core.reports.json_report import story_json
from narrative_core.store.collections import has_collection, load_collection, load_documents, load_report
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.store.landscapes import load_landscape
from narrative_core.store.panels import list_seats
from narrative_core.store.stories import list_stories
from narrative_core.store.vectors import load_vectors


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """What came out of a project file: the collection's new ``name``, what the file said of itself, what was stored."""

    name: str
    manifest: Manifest
    bundle: BundleReport


def write_project(database: Database, name: str, target: BinaryIO) -> None:
    """Write a collection with all that was done with it as one file; the same state gives the same bytes.

    No key is in it: the store has none.

    Parameters
    ----------
    database : Database
    name : str
    target : binary file
        Written from where it stands, and only once all is well.

    Raises
    ------
    InvalidInput
        If there is no such collection, or it is too large for one file.
    """
    with tempfile.TemporaryDirectory(prefix="throughline-") as made:
        folder = Path(made) / "project"
        counts = _write_bundle(database, name, folder)
        write_exact_documents(folder, load_documents(database, name), load_report(database, name))
        with tempfile.TemporaryFile() as packed:
            pack(folder, packed, name=name, title=load_collection(database, name).title, counts=counts)
            packed.seek(0)
            shutil.copyfileobj(packed, target)


def write_folder(database: Database, name: str, folder: Path) -> Mapping[str, int]:
    """Write a collection with all that was done with it as a folder of plain files, and return what was counted.

    Its documents are a table that can be read and changed, and each story is there a second time with what judges say
    of it. An earlier export in the folder is replaced, all of it at once; what else is there stays.

    Raises
    ------
    InvalidInput
        If there is no such collection, it is too large for a folder, or the folder holds something else or cannot be
        written; it is then as it was.
    """
    noun = load_collection(database, name).noun
    with export_folder(folder) as new:
        counts = _write_bundle(database, name, new)
        if (n := counts["documents"]) > MAX_ROWS:
            raise InvalidInput(f"{name} has {n:,} documents, and a folder has {MAX_ROWS:,}. Export it to a .zip file.")
        for story in list_stories(database, name):
            (new / "stories").mkdir(exist_ok=True)
            told = story_json(story, verdicts=saved_verdicts(database, story, noun))
            (new / "stories" / story_file(story.story_id)).write_text(told, encoding="utf-8")
    return counts


def about_project(source: bytes | Path) -> Manifest:
    """Return what a project file says of itself, before anything of it is stored.

    Raises
    ------
    InvalidInput
        If it is damaged, hostile, of a later version, or no project file.
    """
    return read_manifest(source)


def read_project(
    database: Database, source: bytes | Path, *, name: str | None = None, title: str | None = None
) -> ProjectReport:
    """Store what a project file holds as a new collection that shows the same picture: all of it, or nothing.

    Parameters
    ----------
    database : Database
    source : bytes or Path
    name : str, optional
        What the collection is to be called here; as in the file where not given.
    title : str, optional
        In place of the one in the file.

    Raises
    ------
    InvalidInput
        If the file is damaged, hostile, of a later version, or no project file; or if the name is taken.
    """
    manifest = read_manifest(source)
    chosen = manifest.name if name is None else name
    _require_free(database, chosen)
    with tempfile.TemporaryDirectory(prefix="throughline-") as made:
        folder = Path(made) / "project"
        folder.mkdir()
        unpack(source, folder)
        with database.transaction():
            bundle = import_bundle(database, chosen, folder, title=title)
            _require_counts(bundle, manifest)
    _read_stories_again(database, chosen)
    return ProjectReport(chosen, manifest, bundle)


def free_name(database: Database, name: str) -> str:
    """Return a name for a new collection: the one given, or with the first number behind it that is free."""
    others = (f"{name}-{number}" for number in count(2))
    return name if _is_free(database, name) else next(other for other in others if _is_free(database, other))


def _is_free(database: Database, name: str) -> bool:
    return builtin(name) is None and not has_collection(database, name)


def _require_free(database: Database, name: str) -> None:
    if _is_free(database, name):
        return
    whose = "is the name of a built-in collection" if builtin(name) is not None else "is the name of a collection here"
    raise InvalidInput(f"“{name}” {whose}. Choose another, such as “{free_name(database, name)}”.")


def _write_bundle(database: Database, name: str, folder: Path) -> Mapping[str, int]:
    """Write all files of a bundle, and return what was counted."""
    landscape, judgements = load_landscape(database, name), list_judgements(database, name)
    documents, parts = load_documents(database, name), load_parts(database, name, landscape)
    write_bundle(
        folder,
        documents,
        load_vectors(database, name),
        landscape,
        collection=load_collection(database, name),
        judgements=judgements,
        is_placed=parts.placement.is_placed,
    )
    write_parts(folder, parts)
    return {
        "documents": len(documents),
        "topics": 0 if landscape is None else len(landscape.topics),
        "stories": len(parts.stories),
        "judgements": sum(judgement.question.judge != "lexical" for judgement in judgements),
    }


def _require_counts(bundle: BundleReport, manifest: Manifest) -> None:
    found = {
        "documents": bundle.n_documents,
        "topics": bundle.n_topics,
        "stories": bundle.n_stories,
        "judgements": bundle.judgements.read,
    }
    for what, n in found.items():
        told = manifest.counts.get(what, 0)
        if told != n:
            raise InvalidInput(
                f"The project file says that it has {told:,} {what}, and it has {n:,}. It is damaged; get it again."
            )


def _read_stories_again(database: Database, name: str) -> None:
    """Let the lexical reader, whose judgements no file carries, read the stories that it had read."""
    asked = [
        (story, seat)
        for saved in list_stories(database, name)
        for seat in list_seats(database, name, story_hashes(saved.pair)[0])
        if seat.judge == "lexical"
        for story in pair_stories(saved.pair)
    ]
    if not asked or load_landscape(database, name) is None:
        return
    loaded = load(database, name)
    version = lexical_seat(loaded).version
    found = [
        judge_lexical(shown, question, vocabulary(loaded))
        for story, seat in asked
        if seat.version == version
        for shown in [shown_story(story.documents, seat, loaded.collection.noun)]
        for question in questions(seat, shown)
    ]
    save_judgements(database, name, found)
