"""Records as plain values, as the command line prints them with ``--json``."""

from dataclasses import asdict
from typing import Any

from narrative_core.records import CollectionSummary, LoadReport, StoryPair


def pair_facts(pair: StoryPair) -> dict[str, Any]:
    """Return a trail beside its baseline, documents by id."""
    weakest = pair.trail.weakest_link
    return {
        "documents": [document.document_id for document in pair.trail.documents],
        "strengths": [link.coherence for link in pair.trail.links],
        "bottleneck": pair.trail.bottleneck,
        "mean": pair.trail.mean,
        "reliability": pair.trail.reliability,
        "weakest_link": {"source": weakest.source, "target": weakest.target, "coherence": weakest.coherence},
        "baseline": {
            "documents": [document.document_id for document in pair.baseline.documents],
            "bottleneck": pair.baseline.bottleneck,
            "mean": pair.baseline.mean,
            "beaten": pair.beaten,
            "drawn": pair.drawn,
            "seed": pair.seed,
        },
        "curve": None if pair.curve is None else [asdict(point) for point in pair.curve],
    }


def load_report_facts(report: LoadReport) -> dict[str, Any]:
    """Return what became of every row of a file."""
    facts = asdict(report)
    facts["columns"] = dict(report.columns)
    return facts


def summary_facts(summary: CollectionSummary) -> dict[str, Any]:
    """Return a collection with its counts and whether it is built."""
    return {
        "name": summary.collection.name,
        "title": summary.collection.title,
        "documents": summary.n_documents,
        "undated": summary.n_undated,
        "first_date": summary.first_date.isoformat() if summary.first_date else None,
        "last_date": summary.last_date.isoformat() if summary.last_date else None,
        "state": "built" if summary.is_built else "not built",
        "topics": summary.n_topics,
        "outliers": summary.n_outliers,
    }
