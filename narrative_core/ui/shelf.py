"""Keeping a story: the form that saves it, and the files that a saved one is handed over as."""

import datetime as dt
import uuid
from dataclasses import asdict, dataclass

import numpy as np
import streamlit as st

from narrative_core.assessment import Bench, judge_pair
from narrative_core.extraction import LoadedCollection
from narrative_core.findings import saved_verdicts
from narrative_core.intake import collection_name
from narrative_core.judgements import Verdict
from narrative_core.judging.prompts import DEFAULT_NOUN
from narrative_core.panel import lexical_seat
from narrative_core.records import Landscape, SavedStory, StoryPair
from narrative_core.reports.csv_report import judgements_csv, story_csv
from narrative_core.reports.graphml_report import story_graphml
from narrative_core.reports.html_report import story_html
from narrative_core.reports.json_report import story_json
from narrative_core.reports.judged_pairs import judged_pairs
from narrative_core.reports.map_svg import MapSketch, map_svg
from narrative_core.reports.markdown_report import story_markdown
from narrative_core.store.collections import load_documents
from narrative_core.store.landscapes import load_landscape
from narrative_core.store.stories import save_story
from narrative_core.store.vectors import load_vectors
from narrative_core.ui import resources, state
from narrative_core.ui.words import clamp


@dataclass(frozen=True, slots=True)
class HandOver:
    """One file that a story can be taken away as."""

    label: str
    filename: str
    mime: str
    data: bytes


def save_form(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Offer to keep the pair under a name."""
    # After a save the popover carries another number, which closes it.
    key = f"save-story-{len(resources.stories())}"
    with st.popover("Save", icon=":material/bookmark_add:", key=key), st.form("save-form", border=False):
        name = st.text_input("Name", value=_suggested_name(pair), max_chars=200)
        note = st.text_area(
            "Note", placeholder="What is this story about, what is still to be checked?", max_chars=5000
        )
        if st.form_submit_button("Save this story", type="primary"):
            save_story(resources.database(), _saved(loaded, pair, name, note))
            _keep_lexical_reading(loaded, pair)
            state.notify("Saved. You find it on the page Stories.")
            st.rerun()


def story_verdicts(saved: SavedStory) -> tuple[Verdict, ...]:
    """Return what each judge that was asked about a saved story says of its trail and of its random chronology."""
    summary = resources.summary(saved.collection)
    noun = summary.collection.noun if summary is not None else DEFAULT_NOUN
    return saved_verdicts(resources.database(), saved, noun)


def _keep_lexical_reading(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Keep with a story what the lexical reader says of it, which is instant, so that its reports have it."""
    seats, rng = [lexical_seat(loaded)], np.random.default_rng()
    judge_pair(resources.database(), loaded, pair, seats, Bench(), report=lambda _stage, _done, _total: None, rng=rng)


def hand_overs(saved: SavedStory) -> tuple[HandOver, ...]:
    """Return the files of a saved story: report, Markdown, table, data; and a table of the judges that were asked."""
    stem, landscape, verdicts = collection_name(saved.name), _landscape_of(saved), story_verdicts(saved)
    settings = _settings_of(saved, landscape)
    report = story_html(saved, map_svg=_map_of(saved, landscape), settings=settings, verdicts=verdicts)
    markdown = story_markdown(saved, settings=settings, verdicts=verdicts)
    data = story_json(saved, settings=settings, verdicts=verdicts)
    files = [
        HandOver("Report", f"{stem}.html", "text/html", report.encode()),
        HandOver("Markdown", f"{stem}.md", "text/markdown", markdown.encode()),
        HandOver("CSV", f"{stem}.csv", "text/csv", story_csv(saved).encode("utf-8-sig")),
        HandOver("JSON", f"{stem}.json", "application/json", data.encode()),
        HandOver("GraphML", f"{stem}.graphml", "application/xml", story_graphml(saved).encode()),
    ]
    if judged_pairs(verdicts):
        table = judgements_csv(verdicts).encode("utf-8-sig")
        files.insert(3, HandOver("CSV of the judges", f"{stem}-judges.csv", "text/csv", table))
    return tuple(files)


def _landscape_of(saved: SavedStory) -> Landscape | None:
    """Return the landscape that a story was told on, ``None`` where its collection has another by now or is gone."""
    if resources.summary(saved.collection) is None:
        return None
    landscape = load_landscape(resources.database(), saved.collection)
    return landscape if landscape is not None and landscape.landscape_id == saved.landscape_id else None


def _settings_of(saved: SavedStory, landscape: Landscape | None) -> dict[str, str]:
    """Return what else made the numbers: embedding model, landscape settings, library versions."""
    vectors = load_vectors(resources.database(), saved.collection) if landscape is not None else None
    if landscape is None or vectors is None:
        return {}
    parameters = ", ".join(f"{name} {value}" for name, value in asdict(landscape.parameters).items())
    return {
        "Embedding model": f"{vectors.model}, {vectors.version}",
        "Landscape settings": parameters,
        "Made with": ", ".join(f"{name} {version}" for name, version in landscape.versions.items()) or "unknown",
    }


def _map_of(saved: SavedStory, landscape: Landscape | None) -> str:
    """Return the story on its landscape as SVG, empty without one."""
    if landscape is None:
        return ""
    documents = load_documents(resources.database(), saved.collection)
    rows = {document.document_id: row for row, document in enumerate(documents)}
    trail, baseline = (
        tuple(rows[document.document_id] for document in story.documents)
        for story in (saved.pair.trail, saved.pair.baseline)
    )
    labels = tuple(topic.label for topic in landscape.topics)
    return map_svg(MapSketch(landscape.positions, np.asarray(landscape.nearest_topic), trail, baseline, labels))


def _saved(loaded: LoadedCollection, pair: StoryPair, name: str, note: str) -> SavedStory:
    return SavedStory(
        story_id=uuid.uuid4().hex,
        name=name.strip() or _suggested_name(pair),
        note=note.strip(),
        collection=loaded.collection.name,
        landscape_id=loaded.landscape.landscape_id,
        created_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        pair=pair,
    )


def _suggested_name(pair: StoryPair) -> str:
    first, last = pair.trail.documents[0], pair.trail.documents[-1]
    return f"{clamp(first.title, 60)} → {clamp(last.title, 60)}"
