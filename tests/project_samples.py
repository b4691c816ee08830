"""Collections with all that can be done with one, stored: what a project file has to carry."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np

from narrative_core.curation import Curation, arranged_landscape
from narrative_core.desk import Desk, History
from narrative_core.desk_record import history_text
from narrative_core.estimates import SeedAgreement
from narrative_core.judgements import Seat
from narrative_core.project_file import write_project
from narrative_core.records import Collection, Document, Landscape, LoadReport, Problem, TrailRequest
from narrative_core.store.collections import load_collection, load_documents, load_report, save_collection
from narrative_core.store.copies import load_copies, save_copies
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database
from narrative_core.store.desks import keep_desk, load_desk
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.panels import list_panels, save_panel
from narrative_core.store.project_rows import Placement, load_placement, save_placement
from narrative_core.store.stability import load_seed_agreements, save_seed_agreement
from narrative_core.store.stories import list_stories, save_story
from narrative_core.store.terms import load_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from tests.judgement_samples import answered, flow_judgement
from tests.store import store_samples
from tests.test_bundle import landscape, vectors

REPORT = LoadReport(
    5, 3, 1, 1, 1, (Problem(4, "repeats row 1"),), "utf-8", ";", "%Y", {"title": "Headline"}, ("2 were left out.",)
)
AGREEMENT = SeedAgreement(7, 3, 0.25, float("nan"), 4, 0.5, 0.1 + 0.2)
SEAT = Seat("openai", "gpt-4.1", "api.example.org", "simple", 2)


def save_worked(
    database: Database,
    name: str = "news",
    documents: Sequence[Document] = store_samples.DOCUMENTS,
    *,
    curation: Curation | None = None,
    history: History | None = None,
) -> None:
    """Store a collection that a person has worked on: every table of a collection has rows."""
    n = len(documents)
    collection = Collection(name, "The news", "news articles", "Some news.", "A wire", "CC0", ("said", "also"))
    save_collection(database, collection, documents, REPORT)
    save_vectors(database, name, vectors(n))
    save_landscape(database, name, landscape(n))
    rng = np.random.default_rng(5)
    save_placement(database, name, Placement(rng.normal(size=(n, 3)).astype(np.float32), np.arange(n) == n - 1))
    ids = [document.document_id for document in documents]
    decided = Curation(
        standalone=frozenset(ids[:1]), dates={ids[-1]: "March 2021"}, document_notes={ids[0]: "Check."},
        link_notes={(ids[0], ids[-1]): "Why?"},
        landscape_id="abc123", topic_labels={0: "Bridges"}, merged_topics={1: 0},
    )  # fmt: skip
    decided = decided if curation is None else curation
    save_curation(database, name, decided)
    save_copies(database, name, {ids[0]: ids[0], ids[-1]: ids[0]})
    story = dataclasses.replace(_proper(store_samples.saved_story()), collection=name)
    save_story(database, story)
    later = dataclasses.replace(story, story_id="s2", created_at="2024-03-02T12:00:00+00:00", family_id="s1", version=2)
    save_story(database, later)
    save_judgements(database, name, [answered(), flow_judgement()])
    save_panel(database, name, ("story", "other"), [SEAT], ["q2", "q1"], now="2024-03-01T12:00:00+00:00")
    desk = History(Desk(TrailRequest(ids[0], ids[-1]))).changed(Desk(note="Begin here"), "Note on the story")
    keep_desk(database, name, history_text(desk if history is None else history))
    save_seed_agreement(database, name, arranged_landscape("abc123", decided), AGREEMENT)


def packed(database: Database, name: str = "news") -> bytes:
    """Return a collection as a project file."""
    target = BytesIO()
    write_project(database, name, target)
    return target.getvalue()


def picture(database: Database, name: str) -> Mapping[str, Any]:
    """Return all that the store has of a collection, comparable, under the same name whatever it is called."""
    found, embedded = load_landscape(database, name), load_vectors(database, name)
    placement = load_placement(database, name)
    arrays: dict[str, Callable[[], Any]] = {
        "vectors": lambda: embedded and embedded.values,
        "positions": lambda: found and found.positions,
        "memberships": lambda: found and found.memberships,
        "nearest_topic": lambda: found and found.nearest_topic,
        "is_outlier": lambda: found and found.is_outlier,
        "projections": lambda: placement.projections,
        "is_placed": lambda: placement.is_placed,
    }
    read = {what: value() for what, value in arrays.items()}
    return {
        "collection": dataclasses.replace(load_collection(database, name), name=""),
        "documents": load_documents(database, name),
        "report": load_report(database, name),
        "model": embedded and (embedded.model, embedded.version),
        **{
            what: None if array is None else (array.dtype, array.shape, array.tobytes()) for what, array in read.items()
        },
        "landscape": found and (found.landscape_id, found.topics, found.parameters, found.created_at, found.versions),
        "links": found and (found.critical_coherence, repr(found.median_link), found.notices),
        "terms": load_term_counts(database, name),
        "curation": load_curation(database, name),
        "copies": load_copies(database, name),
        "stories": repr([dataclasses.replace(story, collection="") for story in list_stories(database, name)]),
        "judgements": repr([j for j in list_judgements(database, name) if j.question.judge != "lexical"]),
        "panels": list_panels(database, name),
        "desk": load_desk(database, name),
        "stability": repr(found and load_seed_agreements(database, name, _arranged(database, name, found))),
    }


def _proper(saved: Any) -> Any:  # noqa: ANN401  a SavedStory
    """Return a sample whose draws are all known, as those of a story that was told are."""
    pair = dataclasses.replace(saved.pair, draw_bottlenecks=(0.1, 1 / 3), draw=1, beaten=1)
    return dataclasses.replace(saved, pair=pair)


def _arranged(database: Database, name: str, landscape: Landscape) -> str:
    return arranged_landscape(landscape.landscape_id, load_curation(database, name))
