"""The long work of the page Collections: reading a file, storing it, comparing it with a collection, updating that."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import streamlit as st

from narrative_core.build_stages import OWN_VECTORS, Model
from narrative_core.import_jobs import (
    Compared,
    Meaning,
    Origin,
    ReadFile,
    ReadingOptions,
    compare_file,
    read_origin,
    store_file,
)
from narrative_core.ingest.columns import ColumnChoice
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.understanding import Understanding, understand
from narrative_core.jobs import Report
from narrative_core.records import Collection, Job
from narrative_core.space.embedders import LOCAL_MODEL
from narrative_core.space.stops import SAMPLE, detect_languages
from narrative_core.ui import embedding, resources
from narrative_core.ui.words import markdown_text, sentence
from narrative_core.updates import UpdateReport, apply_update

READ, IMPORT, COMPARE, UPDATE = "read file", "import", "compare file", "update"
STAGE_WORDS: Final = {
    "fetch": "Fetching the feed",
    "read": "Reading the rows",
    "documents": "Making documents of the rows",
    "copies": "Looking for copies",
    "store": "Storing the documents",
    "compare": "Comparing with the collection",
    "embed": "Reading the new texts",
    "project": "Placing them on the map",
    "label": "Looking for copies and counting words",
    "coherence": "Comparing all pairs",
}
POLL_S: Final = 0.5
PATIENCE_S: Final = 0.6
"""How long a page waits for work that is done at once, before it shows how far it is."""

_MOST_KEPT: Final = {READ: 3, COMPARE: 2, UPDATE: 8}
_BUSY_BAR: Final = """<style>
.tl-busy { height: 6px; border-radius: 3px; background: var(--line); overflow: hidden; }
.tl-busy i { display: block; width: 30%; height: 100%; border-radius: 3px; background: var(--trail);
  animation: tl-busy 1.4s ease-in-out infinite alternate; }
@keyframes tl-busy { from { margin-left: 0 } to { margin-left: 70% } }
@media (prefers-reduced-motion: reduce) { .tl-busy i { animation: none; } }
</style><div class='tl-busy'><i></i></div>"""


@dataclass(slots=True)
class _Kept:
    """What background work returned, the newest few of each kind."""

    values: dict[str, OrderedDict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, kind: str, subject: str, value: object) -> None:
        with self.lock:
            kept = self.values.setdefault(kind, OrderedDict())
            kept[subject] = value
            kept.move_to_end(subject)
            while len(kept) > _MOST_KEPT[kind]:
                kept.popitem(last=False)

    def get(self, kind: str, subject: str) -> Any:  # noqa: ANN401  what work of that kind returns
        with self.lock:
            return self.values.setdefault(kind, OrderedDict()).get(subject)

    def drop(self, kind: str, subject: str) -> None:
        with self.lock:
            self.values.setdefault(kind, OrderedDict()).pop(subject, None)


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept()


def reading_key(origin: Origin, options: ReadingOptions) -> str:
    """Return a short name of a file as it is read, for jobs and for the keys of widgets."""
    return _short(origin.key, repr(options))


def comparison_key(name: str, reading: str, meaning: Meaning) -> str:
    """Return a short name of a comparison of a file, as it is understood, with a collection."""
    npy = hashlib.sha256(meaning.npy).hexdigest() if meaning.npy else ""
    return _short(name, reading, repr(meaning.choice), str(meaning.date_order), npy)


def read(origin: Origin, options: ReadingOptions) -> ReadFile | None:
    """Return a file as it was read; where it was not yet, it is, and the page shows how far that is."""
    subject = reading_key(origin, options)

    def work(report: Report) -> None:
        _kept().put(READ, subject, read_origin(origin, options, report))

    found: ReadFile | None = _obtained(READ, subject, work, is_tried_again=bool(origin.address))
    return found


def start_import(collection: Collection, read_file: ReadFile, meaning: Meaning) -> None:
    """Store a file as a new collection in the background."""
    database = resources.database()

    def work(report: Report) -> None:
        store_file(database, collection, read_file.table, meaning, report)

    _start(IMPORT, collection.name, work)


def start_comparison(name: str, subject: str, read_file: ReadFile, meaning: Meaning) -> None:
    """Compare a file with a collection in the background."""
    database = resources.database()

    def work(report: Report) -> None:
        _kept().put(COMPARE, subject, compare_file(database, name, read_file.table, meaning, report))

    _start(COMPARE, subject, work)


def comparison(subject: str) -> Compared | None:
    """Return what a file would change, ``None`` where it was not compared, or that was let go of since."""
    found: Compared | None = _kept().get(COMPARE, subject)
    return found


def start_update(name: str, subject: str, *, remove_absent: bool) -> None:
    """Bring a collection to what a compared file says, in the background."""
    database, compared = resources.database(), comparison(subject)
    if compared is None:
        return
    model = _model(compared.model)
    key = embedding.api_key(model) if model is not None else ""

    def work(report: Report) -> None:
        done = apply_update(
            database, name, compared.loaded, remove_absent=remove_absent, model=model, api_key=key, progress=report
        )
        _kept().put(UPDATE, name, done)
        _kept().drop(COMPARE, subject)
        resources.forget_loaded()

    _kept().drop(UPDATE, name)
    _start(UPDATE, name, work)


def update_report(name: str) -> UpdateReport | None:
    """Return what the last update of a collection did."""
    found: UpdateReport | None = _kept().get(UPDATE, name)
    return found


def latest(kind: str, subject: str) -> Job | None:
    """Return the newest job of a kind on a subject."""
    return resources.runner().latest(kind, subject)


@st.fragment(run_every=POLL_S)
def progress(kind: str, subject: str) -> None:
    """Show how far work is, with the way to stop it; the page is drawn anew when it ends."""
    job = latest(kind, subject)
    if job is None or job.state != "running":
        st.rerun()
    words = STAGE_WORDS.get(job.stage, "Beginning")
    if job.total > 1 and job.done:
        share = min(1.0, job.done / job.total)
        is_counted = job.stage in ("read", "embed")
        st.progress(share, text=f"{words}, {f'{job.done:,} of {job.total:,}' if is_counted else f'{share:.0%}'}")
    else:
        st.html(_BUSY_BAR)
        st.caption(f"{words} …")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-{kind}-{subject}", on_click=resources.runner().cancel, args=(job.job_id,))


def outcome(job: Job) -> None:
    """Say how work ended where it did not end well; nothing was stored then."""
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
    elif job.state == "cancelled":
        st.caption("Stopped. Nothing was stored.")
    elif job.state == "interrupted":
        st.caption("Interrupted when the program ended. Nothing was stored.")


@st.cache_data(max_entries=16, show_spinner="Looking at the columns …")
def understanding(reading: str, _read: ReadFile, choice: ColumnChoice, order: DateOrder | None) -> Understanding:
    """Return what is understood of a file with a choice of its columns."""
    del reading
    return understand(_read.table, choice, date_order=order)


@st.cache_data(max_entries=16, show_spinner=False)
def languages(reading: str, _read: ReadFile, choice: ColumnChoice) -> tuple[str, ...]:
    """Return the languages that a file seems to be written in, as ISO 639-1 codes, the main one first."""
    del reading
    titles, texts = _read.table.values(choice.title), _read.table.values(choice.text)
    step = max(1, len(titles) // SAMPLE)
    return detect_languages([f"{title} {text}" for title, text in zip(titles[::step], texts[::step], strict=True)])


def _obtained(kind: str, subject: str, work: Callable[[Report], None], *, is_tried_again: bool) -> Any:  # noqa: ANN401
    """Return what work returned, ``None`` while it is under way or did not end well, which is shown.

    Work that failed is offered again where it may end otherwise; work that was stopped always is.
    """
    job = latest(kind, subject)
    if (found := _kept().get(kind, subject)) is not None:
        return found
    if job is None or job.state == "done":
        # Work that is done, and is not kept any more, is done again.
        _start(kind, subject, work)
        job = latest(kind, subject)
        if (found := _kept().get(kind, subject)) is not None:
            return found
    if job is not None and job.state == "running":
        progress(kind, subject)
    elif job is not None:
        outcome(job)
        if job.state != "failed" or is_tried_again:
            st.button("Read it again", key=f"again-{subject}", on_click=_start, args=(kind, subject, work))
    return None


def _start(kind: str, subject: str, work: Callable[[Report], None]) -> None:
    """Start work, and wait a moment for it: what is done at once needs no progress."""
    started = resources.runner().start(kind, subject, work)
    if started is not None:
        resources.runner().wait(started.job_id, timeout_s=PATIENCE_S)


def _model(name: str) -> Model | None:
    """Return where the model of a collection's vectors is asked, ``None`` where no model made them."""
    if name in ("", OWN_VECTORS):
        return None
    return Model(name, "" if name == LOCAL_MODEL else embedding.chosen_model().base_url)


def _short(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
