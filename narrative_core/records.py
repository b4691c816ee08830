"""The values that travel between the parts of Throughline.

Documents of a collection stand in *position* order: by date, then as given, undated ones last. Position ``i`` is row
``i`` of every array (vectors, memberships, coherence). Outside the program a document is named by its ``document_id``.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from narrative_core.curation import Annotations

Divergence = Literal["root", "plain", "base2"]
DatePrecision = Literal["day", "month", "year"]
StoryKind = Literal["trail", "baseline"]
Stage = Literal["embed", "project", "cluster", "label", "coherence"]
JobState = Literal["running", "done", "failed", "cancelled", "interrupted"]

STAGES: tuple[Stage, ...] = ("embed", "project", "cluster", "label", "coherence")

TOPIC_SELECTION: Mapping[str, str] = {"broad": "eom", "fine": "leaf"}
"""How fine the topics are, in words and as HDBSCAN's cluster selection method."""

Progress = Callable[[int, int], None]
"""Called with (done, total) as work goes on; it raises `Cancelled` when a person has stopped the work."""


@dataclass(frozen=True, slots=True)
class Document:
    """One dated text. ``date`` is the first day of what ``date_text`` says; ``None`` is undated."""

    document_id: str
    title: str
    text: str
    date: dt.date | None = None
    date_text: str = ""
    date_precision: DatePrecision | None = None
    source: str = ""
    url: str = ""
    extras: Mapping[str, str] = field(default_factory=dict)

    @property
    def iso_date(self) -> str:
        """The date in ISO form, as precise as it was given ("1961-04"); empty where there is none."""
        if self.date is None:
            return ""
        return self.date.isoformat()[: {"year": 4, "month": 7}.get(self.date_precision or "day", 10)]


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents. ``noun`` is what one calls its documents in the plural ("news articles")."""

    name: str
    title: str
    noun: str = "documents"
    description: str = ""
    origin: str = ""
    licence: str = ""
    stop_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectionSummary:
    """A collection as a card shows it, as it is curated: counts are of documents that are not excluded.

    Dates are those of the first and last dated document.
    """

    collection: Collection
    n_documents: int
    n_undated: int
    first_date: dt.date | None
    last_date: dt.date | None
    landscape_id: str | None
    n_topics: int
    n_outliers: int
    n_excluded: int = 0

    @property
    def is_built(self) -> bool:
        """Whether a landscape is stored, so that trails can be asked for."""
        return self.landscape_id is not None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to know about one row of a file; ``row`` counts data rows from 1."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What became of every row of a file: ``read == kept + duplicates + dropped``.

    ``problems`` names each dropped row, each duplicate and each row that was kept with a remark (an unreadable date,
    a repeated id) · ``notices`` are sentences about the file as a whole, such as what of it was left out.
    """

    read: int
    kept: int
    undated: int
    duplicates: int
    dropped: int
    problems: tuple[Problem, ...] = ()
    encoding: str = ""
    delimiter: str = ""
    date_format: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Embeddings of a whole collection: ``values`` (n, d) float32, unit rows, row = position."""

    values: NDArray[np.float32]
    model: str
    version: str


@dataclass(frozen=True, slots=True)
class LandscapeParameters:
    """Settings of the landscape: UMAP to ``n_components``, HDBSCAN on top, a second UMAP to two dimensions."""

    n_components: int = 48
    n_neighbors: int = 32
    min_dist: float = 0.0
    metric: str = "cosine"
    min_cluster_size: int = 8
    cluster_selection_method: str = "eom"
    map_min_dist: float = 0.1
    seed: int = 42
    divergence: Divergence = "root"


@dataclass(frozen=True, slots=True)
class Topic:
    """One cluster of the landscape. Topics are numbered by size, 0 the largest."""

    topic: int
    label: str
    words: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """The fitted map of a collection; row = position.

    ``positions`` (n, 2) float64 map coordinates · ``nearest_topic`` (n,) int, -1 where there is no topic at all ·
    ``is_outlier`` (n,) bool · ``memberships`` (n, k) float64, rows as HDBSCAN gave them, columns in topic order ·
    ``critical_coherence`` smallest edge of the maximum spanning tree, the floor of every trail · ``median_link`` median
    link strength over sampled trails, below which a link is weak (nan where no trail could be sampled) ·
    ``versions`` library versions that made it · ``notices`` sentences on what had to be adapted.
    """

    landscape_id: str
    positions: NDArray[np.float64]
    nearest_topic: NDArray[np.int64]
    is_outlier: NDArray[np.bool_]
    memberships: NDArray[np.float64]
    topics: tuple[Topic, ...]
    parameters: LandscapeParameters
    critical_coherence: float
    median_link: float
    created_at: str
    versions: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrailRequest:
    """What a person asks for, in document ids.

    ``maximum_length`` picks a point of the length-against-strength curve (``None`` is the canonical trail) ·
    ``avoid_sources`` are sources as documents have them, ``avoid_topics`` topics of the landscape by number ·
    ``by_hand`` is the whole story as a person has put it together, endpoints included: nothing is searched then.
    """

    source: str
    target: str
    via: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    maximum_gap_days: int | None = None
    maximum_length: int | None = None
    is_chronological: bool = True
    avoid_sources: tuple[str, ...] = ()
    avoid_topics: tuple[int, ...] = ()
    by_hand: tuple[str, ...] = ()

    @property
    def is_edited(self) -> bool:
        """Whether the story is one that a person has put together."""
        return bool(self.by_hand)


@dataclass(frozen=True, slots=True)
class Link:
    """Two consecutive documents of a story. ``coherence`` = √(``wording_similarity`` · ``topic_similarity``).

    ``days_between`` is ``None`` where a date is missing. ``is_weak``: the weakest, or below the
    collection's median link.
    """

    source: str
    target: str
    coherence: float
    wording_similarity: float
    topic_similarity: float
    days_between: int | None
    shared_terms: tuple[str, ...]
    is_weakest: bool
    is_weak: bool


@dataclass(frozen=True, slots=True)
class Story:
    """A trail or a baseline, ready to be read: ``len(links) == len(documents) - 1``.

    ``bottleneck``, ``mean`` and ``reliability`` are the minimum, arithmetic and geometric mean of the link strengths.
    """

    kind: StoryKind
    documents: tuple[Document, ...]
    links: tuple[Link, ...]
    bottleneck: float
    mean: float
    reliability: float

    @property
    def weakest_link(self) -> Link:
        """The first link whose strength is the bottleneck."""
        return next(link for link in self.links if link.is_weakest)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The best bottleneck that a trail of at most ``length`` documents can have."""

    length: int
    bottleneck: float


@dataclass(frozen=True, slots=True)
class StoryPair:
    """A trail beside its baseline: the answer to one `TrailRequest`.

    ``draw_bottlenecks`` are those of all random chronologies drawn with ``seed``; ``beaten`` counts the ones strictly
    weaker than the trail; ``draw`` says which of them is ``baseline``. ``curve`` is length against strength between the
    endpoints (``None`` where the request has pinned documents). ``unconstrained_bottleneck`` is that of the canonical
    trail without via, avoid, gap and length: the difference is the price of the request (nan where there is none).
    """

    request: TrailRequest
    trail: Story
    baseline: Story
    draw: int
    draw_bottlenecks: tuple[float, ...]
    beaten: int
    seed: int
    median_link: float
    curve: tuple[CurvePoint, ...] | None = None
    unconstrained_bottleneck: float = float("nan")

    @property
    def drawn(self) -> int:
        """How many random chronologies were drawn."""
        return len(self.draw_bottlenecks)


@dataclass(frozen=True, slots=True)
class SavedStory:
    """A story pair that a person kept under a name, with what made it and what was written beside it.

    Versions of one story share ``family_id`` (that of the first, empty where there is one only) and count from 1.
    """

    story_id: str
    name: str
    note: str
    collection: str
    landscape_id: str
    created_at: str
    pair: StoryPair
    family_id: str = ""
    version: int = 1
    annotations: Annotations = field(default_factory=Annotations)


@dataclass(frozen=True, slots=True)
class Job:
    """Long work as the store knows it. ``done`` of ``total`` units of ``stage``; ``holder`` is the process at work."""

    job_id: str
    kind: str
    subject: str
    state: JobState
    stage: str
    done: int
    total: int
    message: str
    holder: int
    is_cancel_requested: bool
    started_at: str
    updated_at: str
