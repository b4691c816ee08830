"""A run, its judges, its stories and its questions as rows."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, get_args

import pyarrow as pa

from narrative_core.judgements import Seat
from narrative_core.runs import Cutoffs, Made, Metric, Run, RunSettings, RunStory, StratumCount
from narrative_core.store.missing import nan_from_null, null_from_nan

MADE_ORDER: Final[list[str]] = list(get_args(Made))
SEAT_FIELDS: Final = tuple(field.name for field in fields(Seat))
STORY_FIELDS: Final = (
    "pair",
    "made",
    "document_ids",
    "strengths",
    "stratum",
    "span_days",
    "efficiency",
    "weak_share",
    "story_hash",
)
"""The columns of a stored story that a `RunStory` has, in its order; the others follow from them."""

RUN_FIELDS: Final = (
    "run_id",
    "name",
    "design",
    "collection",
    "landscape_id",
    "n_pairs",
    "seed",
    "divergence",
    "divergence_asked",
    "endpoints_of",
    "short_quantile",
    "long_quantile",
    "hub_share",
    "extreme_share",
    "shares",
    "strata",
    "critical_coherence",
    "median_link",
    "embedding_model",
    "versions",
    "created_at",
)
"""The columns of a stored run, but for its ordinal."""

_TEXT: Final = pa.large_string()


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """One question of a run: the story it is about, and which agent of which seat it is put to.

    ``pair`` and ``made`` name the story · ``seat`` is the place in ``settings.seats``, from 0 · ``agent`` counts from
    0 · ``question_id`` that of the judgement, which may not be there yet.
    """

    pair: int
    made: Made
    seat: int
    agent: int
    question_id: str


def run_values(run: Run) -> dict[str, object]:
    """Return a run as values by `RUN_FIELDS`."""
    settings, cutoffs = run.settings, run.settings.cutoffs
    return {
        "run_id": run.run_id,
        "name": run.name,
        "design": settings.design,
        "collection": settings.collection,
        "landscape_id": run.landscape_id,
        "n_pairs": settings.n_pairs,
        "seed": settings.seed,
        "divergence": run.divergence,
        "divergence_asked": settings.divergence,
        "endpoints_of": settings.endpoints_of,
        "short_quantile": cutoffs.short,
        "long_quantile": cutoffs.long,
        "hub_share": cutoffs.hub,
        "extreme_share": cutoffs.extreme,
        "shares": [{"stratum": stratum, "share": share} for stratum, share in settings.shares.items()],
        "strata": [asdict(count) for count in run.strata],
        "critical_coherence": null_from_nan(run.critical_coherence),
        "median_link": null_from_nan(run.median_link),
        "embedding_model": run.embedding_model,
        "versions": [{"part": part, "version": version} for part, version in run.versions.items()],
        "created_at": run.created_at,
    }


def run_from_row(row: Sequence[Any], seats: tuple[Seat, ...]) -> Run:
    """Return the run of a row that has `RUN_FIELDS` in order."""
    stored: Mapping[str, Any] = dict(zip(RUN_FIELDS, row, strict=True))
    settings = RunSettings(
        collection=stored["collection"],
        n_pairs=stored["n_pairs"],
        seats=seats,
        seed=stored["seed"],
        design=stored["design"],
        shares={one["stratum"]: one["share"] for one in stored["shares"]},
        cutoffs=Cutoffs(
            stored["short_quantile"], stored["long_quantile"], stored["hub_share"], stored["extreme_share"]
        ),
        divergence=stored["divergence_asked"],
        endpoints_of=stored["endpoints_of"],
    )
    return Run(
        run_id=stored["run_id"],
        name=stored["name"],
        settings=settings,
        landscape_id=stored["landscape_id"],
        divergence=stored["divergence"],
        critical_coherence=nan_from_null(stored["critical_coherence"]),
        median_link=nan_from_null(stored["median_link"]),
        embedding_model=stored["embedding_model"],
        created_at=stored["created_at"],
        strata=tuple(StratumCount(**one) for one in stored["strata"]),
        versions={one["part"]: one["version"] for one in stored["versions"]},
    )


def seat_columns(seats: Sequence[Seat], labels: Sequence[str]) -> dict[str, pa.Array]:
    """Return seats as Arrow columns: ``seat``, ``label``, then the fields of a seat by their names."""
    kinds = {"n_agents": pa.int32(), "is_explained": pa.bool_()}
    columns = {"seat": pa.array(range(len(seats)), pa.int32()), "label": pa.array(labels, _TEXT)}
    for name in SEAT_FIELDS:
        columns[name] = pa.array([getattr(seat, name) for seat in seats], kinds.get(name, _TEXT))
    return columns


def story_columns(stories: Sequence[RunStory]) -> dict[str, pa.Array]:
    """Return stories as Arrow columns: those of a `RunStory`, and the metrics that follow from them.

    Examples
    --------
    >>> columns = story_columns([RunStory(0, "trail", ("a", "b", "c"), (0.5, 0.7), span_days=3.0)])
    >>> columns["bottleneck"].to_pylist(), columns["n_documents"].to_pylist(), columns["weak_share"].to_pylist()
    ([0.5], [3], [None])
    """
    metrics = [story.metrics for story in stories]
    measured: dict[str, Metric] = {"bottleneck": "minimum", "mean": "average", "variance": "variance"}
    return {
        "pair": pa.array([story.pair for story in stories], pa.int32()),
        "made": pa.array([story.made for story in stories], _TEXT),
        "document_ids": pa.array([list(story.document_ids) for story in stories], pa.list_(_TEXT)),
        "strengths": pa.array(
            [[null_from_nan(strength) for strength in story.strengths] for story in stories], pa.list_(pa.float64())
        ),
        "stratum": pa.array([story.stratum for story in stories], _TEXT),
        **{
            name: _numbers([getattr(story, name) for story in stories])
            for name in ("span_days", "efficiency", "weak_share")
        },
        "story_hash": pa.array([story.story_hash for story in stories], _TEXT),
        "n_documents": pa.array([len(story.document_ids) for story in stories], pa.int32()),
        **{name: _numbers([one[metric] for one in metrics]) for name, metric in measured.items()},
    }


def story_from_row(row: Sequence[Any]) -> RunStory:
    """Return the story of a row that has `STORY_FIELDS` in order."""
    pair, made, document_ids, strengths, stratum, span_days, efficiency, weak_share, story_hash = row
    return RunStory(
        pair,
        made,
        tuple(document_ids),
        tuple(nan_from_null(strength) for strength in strengths),
        stratum,
        nan_from_null(span_days),
        nan_from_null(efficiency),
        nan_from_null(weak_share),
        story_hash,
    )


def question_columns(questions: Sequence[RunQuestion]) -> dict[str, pa.Array]:
    """Return questions as Arrow columns by the fields of `RunQuestion`."""
    kinds = {"made": _TEXT, "question_id": _TEXT}
    return {
        field.name: pa.array(
            [getattr(question, field.name) for question in questions], kinds.get(field.name, pa.int32())
        )
        for field in fields(RunQuestion)
    }


def _numbers(values: Sequence[float]) -> pa.Array:
    return pa.array([null_from_nan(value) for value in values], pa.float64())
