"""A run's results as plain values, as the command line prints them with ``--json``. Unknown is ``None``."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from narrative_core.estimates import Contrast, Estimate, Summary
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import Metric, Run


def run_facts(results: RunResults) -> dict[str, Any]:
    """Return the results of a run of trails beside random chronologies."""
    run = results.run
    return {
        **origin_facts(run),
        "pairs": results.lengths["trail"].n,
        "length": {made: _summary(summary, digits=4) for made, summary in results.lengths.items()},
        "minimum_coherence": contrast_facts(results.contrasts["minimum"]),
        "average_coherence": contrast_facts(results.contrasts["average"]),
        "judges": [_seat(seat) for seat in results.seats],
    }


def origin_facts(run: Run) -> dict[str, Any]:
    """Return which run it is and what made it."""
    return {
        "run": run.run_id,
        "name": run.name,
        "collection": run.settings.collection,
        "design": run.settings.design,
        "landscape": run.landscape_id,
        "seed": run.settings.seed,
        "divergence": run.divergence,
        "rejected": run.n_rejected,
        "strata": [asdict(count) for count in run.strata],
    }


def contrast_facts(contrast: Contrast) -> dict[str, Any]:
    """Return a contrast of trails against random chronologies."""
    return {
        "trail": known(contrast.first.mean),
        "baseline": known(contrast.second.mean),
        "cohens_d": known(contrast.cohens_d.value),
        "cohens_d_interval": interval(contrast.cohens_d),
        "auc": known(contrast.auc.value),
        "auc_interval": interval(contrast.auc),
        "welch_t": known(contrast.welch_t),
        "welch_p": known(contrast.welch_p),
        "mann_whitney_p": known(contrast.mann_whitney_p),
    }


def interval(estimate: Estimate) -> list[float | None]:
    """Return the interval of an estimate."""
    return [known(estimate.low), known(estimate.high)]


def known(number: float) -> float | None:
    """Return a number, ``None`` where it is unknown.

    Examples
    --------
    >>> known(float("nan")), known(0.5)
    (None, 0.5)
    """
    return number if math.isfinite(number) else None


def _seat(seat: SeatResults) -> dict[str, Any]:
    associations: Mapping[Metric, Any] = seat.associations
    pearson = {metric: associations[metric].pearson for metric in ("minimum", "average")}
    contrast = contrast_facts(seat.contrast)
    return {
        "judge": seat.seat.judge,
        "mode": seat.seat.mode,
        "model": seat.seat.model,
        "label": seat.label,
        "agents": seat.seat.n_agents,
        "shown": seat.seat.shown,
        "n": pearson["minimum"].n,
        "skipped": pearson["minimum"].n_skipped,
        "asked": seat.n_asked,
        "ok": seat.n_ok,
        "not_ok": {status: n for status, n in seat.counts.items() if status != "ok"},
        "not_asked": seat.n_unasked,
        "r_min": known(pearson["minimum"].value),
        "r_min_interval": interval(pearson["minimum"]),
        "r_avg": known(pearson["average"].value),
        "r_avg_interval": interval(pearson["average"]),
        **{key: contrast[key] for key in ("trail", "baseline", "cohens_d", "cohens_d_interval", "auc", "auc_interval")},
        "icc_single": known(seat.agreement.icc_single),
    }


def _summary(summary: Summary, *, digits: int) -> dict[str, Any]:
    return {
        "n": summary.n,
        "mean": known(round(summary.mean, digits)),
        "sd": known(round(summary.sd, digits)),
        "min": known(summary.minimum),
        "max": known(summary.maximum),
    }
