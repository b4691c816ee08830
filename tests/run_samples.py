"""Runs, made up: single stories and seats by hand, and whole tables with numbers such as a run has."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.judgements import Seat, Status
from narrative_core.runs import (
    PARAPHRASED,
    REORDERED,
    Design,
    Made,
    Run,
    RunSettings,
    RunStory,
    RunTable,
    SeatScores,
    Stratum,
    StratumCount,
)

NAN = float("nan")
SIMPLE = Seat("openai", "gpt-4.1", "api.example.org", "simple", n_agents=3)
STANDARD = replace(SIMPLE, mode="standard")
FLOW = Seat("flow", "gemma-3-270m", shown="leads", version="flow 1")
LEXICAL = Seat("lexical", "", shown="leads", version="lexical 1")
SEATS = (SIMPLE, FLOW, STANDARD, LEXICAL, replace(SIMPLE, mode="cot"), replace(SIMPLE, mode="complex"))
"""The seats of `sample_table`, in the order in which it takes them."""

MADE: Mapping[Design, tuple[Made, ...]] = {
    "trails": ("trail", "baseline"),
    "mixtures": ("trail", "alternating", "mixed"),
    "sanity": ("trail", "baseline", "shuffled", "reversed", "foreign", "doubled"),
}
FEWEST_DOCUMENTS: Mapping[Made, int] = {"shuffled": 3}
"""A trail with fewer cannot be damaged in that way, so that the story is missing."""

_COHERENCE: Mapping[Made, float] = {
    "trail": 0.78,
    "baseline": 0.58,
    "alternating": 0.30,
    "mixed": 0.34,
    "shuffled": 0.60,
    "reversed": 0.78,
    "foreign": 0.62,
    "doubled": 0.74,
}


def story(pair: int, made: Made, strengths: Sequence[float] = (0.5,), *, ids: Sequence[str] = ()) -> RunStory:
    """Return a story with the given links; its ends are "a0" and "b0" for pair 0 unless ``ids`` says otherwise."""
    inner = (f"{made}-{pair}-{place}" for place in range(1, len(strengths)))
    return RunStory(pair, made, tuple(ids) or (f"a{pair}", *inner, f"b{pair}"), tuple(strengths))


def seat_scores(
    seat: Seat,
    scores: ArrayLike,
    *,
    label: str = "",
    counts: Mapping[Status, int] | None = None,
    n_unasked: int = 0,
    seconds: float = NAN,
) -> SeatScores:
    """Return what a seat gave: ``scores`` a row a story and a column an agent; tokens and cost are not known."""
    table = np.array(scores, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    n_ok, unknown = int(np.count_nonzero(~np.isnan(table))), np.full(len(table), NAN)
    ended: dict[Status, int] = {"ok": n_ok, "unreadable": table.size - n_ok - n_unasked}
    return SeatScores(
        seat=seat,
        label=label or label_of(seat),
        scores=table,
        counts={status: n for status, n in ended.items() if n} if counts is None else counts,
        n_unasked=n_unasked,
        seconds=np.full(len(table), seconds),
        input_tokens=unknown,
        output_tokens=unknown,
        cost_usd=unknown,
        weakest_steps=unknown,
    )


def label_of(seat: Seat) -> str:
    """Return a name that no other seat of `sample_table` has."""
    parts = (seat.model or "lexical reader", seat.mode or "", seat.shown, _wording(seat))
    return " · ".join(part for part in parts if part)


def sample_run(
    run_id: str = "run-1",
    *,
    design: Design = "trails",
    seats: tuple[Seat, ...] = (SIMPLE, FLOW),
    n_pairs: int = 30,
    seed: int = 0,
) -> Run:
    """Return a run of the built-in collection whose strata are those of the reference study."""
    settings = RunSettings("spaceflight", n_pairs, seats, seed, design)
    wanted = [round(n_pairs * share) for share in settings.shares.values()]
    wanted[0] += n_pairs - sum(wanted)
    strata = zip(settings.shares, wanted, strict=True)
    return Run(
        run_id=run_id,
        name="A sample run",
        settings=settings,
        landscape_id="landscape-1",
        divergence="root",
        critical_coherence=0.41,
        median_link=0.72,
        embedding_model="wordllama",
        created_at="2026-03-01T12:00:00+00:00",
        strata=tuple(StratumCount(stratum, n, n, n // 4) for stratum, n in strata) if design == "trails" else (),
        versions={"numpy": "2.0", "throughline": "0.1.0"},
    )


def table_of(stories: Sequence[RunStory], seats: Sequence[SeatScores], *, design: Design = "trails") -> RunTable:
    """Return a table made by hand."""
    asked = tuple(scores.seat for scores in seats)
    return RunTable(sample_run(design=design, seats=asked, n_pairs=len(stories)), tuple(stories), tuple(seats))


def sample_table(
    n_pairs: int = 30,
    *,
    n_seats: int = 2,
    n_agents: int = 3,
    seed: int = 0,
    design: Design = "trails",
    missing: float = 0.0,
) -> RunTable:
    """Return a table such as a run leaves.

    The seats are the first ``n_seats`` of `SEATS`, the second of them reading flow in nats, which like the lexical
    reader has one agent; a sanity run adds their variants, which read undamaged stories only. ``missing`` is the share
    of questions whose reply could not be read.
    """
    rng = np.random.default_rng(seed)
    stories = [
        _story(pair, made, trail_length, rng)
        for pair in range(n_pairs)
        for trail_length in [int(rng.integers(2, 10))]
        for made in MADE[design]
        if trail_length >= FEWEST_DOCUMENTS.get(made, 2)
    ]
    quality = np.array([np.mean(made.strengths) for made in stories]) + rng.normal(scale=0.06, size=len(stories))
    usual = [seat if seat.mode is None else replace(seat, n_agents=n_agents) for seat in SEATS[:n_seats]]
    seats = [variant for seat in usual for variant in (_variants(seat) if design == "sanity" else (seat,))]
    is_damaged = np.array([made.made not in MADE["sanity"][:2] for made in stories], dtype=bool)
    scores = tuple(
        _scores(seat, quality, rng, missing, is_damaged & (design == "sanity" and seat not in usual)) for seat in seats
    )
    run = sample_run(design=design, seats=tuple(seats), n_pairs=n_pairs, seed=seed)
    return RunTable(run, tuple(stories), scores)


def _story(pair: int, made: Made, trail_length: int, rng: np.random.Generator) -> RunStory:
    is_random = made in ("baseline", "alternating", "mixed")
    length = int(rng.integers(2, 9)) if is_random else trail_length + (made in ("foreign", "doubled"))
    strengths = np.clip(rng.normal(_COHERENCE[made], 0.08, size=length - 1), 0.05, 0.99)
    strata = get_args(Stratum)
    return RunStory(
        pair=pair,
        made=made,
        document_ids=(f"a{pair}", *(f"{made}-{pair}-{place}" for place in range(1, length - 1)), f"b{pair}"),
        strengths=tuple(strengths.tolist()),
        stratum=None if made in ("alternating", "mixed") else strata[pair % len(strata)],
        span_days=float(rng.integers(3, 2000)) if pair % 10 else NAN,
        efficiency=1.0 if length == 2 else float(rng.uniform(0.2, 0.9)),
        weak_share=float(np.mean(strengths < 0.72)),
        story_hash=f"{pair}-{made}",
    )


def _variants(seat: Seat) -> tuple[Seat, ...]:
    other = replace(seat, shown="leads" if seat.shown == "titles" else "titles")
    if seat.mode is None:
        return seat, other
    wordings = (PARAPHRASED,) if seat.mode == "simple" else (REORDERED, PARAPHRASED)
    return seat, *(replace(seat, version=wording) for wording in wordings), other


def _wording(seat: Seat) -> str:
    return seat.version if seat.mode is not None else ""


def _scores(
    seat: Seat,
    quality: NDArray[np.float64],
    rng: np.random.Generator,
    missing: float,
    is_not_asked: NDArray[np.bool_],
) -> SeatScores:
    n, is_prompted = len(quality), seat.mode is not None
    noise = rng.normal(scale=0.5, size=(n, seat.n_agents))
    points = np.clip(1 + 10 * (quality[:, None] - 0.2) + noise, 1, 10)
    scores = quality[:, None] - 0.3 + 0.2 * noise if seat.judge == "flow" else points
    scores = np.round(2 * scores) / 2 if is_prompted else scores
    scores[rng.random(scores.shape) < missing] = NAN
    scores[is_not_asked] = NAN
    n_ok = np.count_nonzero(~np.isnan(scores), axis=1)
    input_tokens = np.where(n_ok > 0, 150.0 * n_ok, NAN) if is_prompted else np.full(n, NAN)
    output_tokens = np.where(n_ok > 0, 60.0 * n_ok, NAN) if is_prompted else np.full(n, NAN)
    counts: dict[Status, int] = {"ok": int(n_ok.sum()), "unreadable": int(scores[~is_not_asked].size - n_ok.sum())}
    return SeatScores(
        seat=seat,
        label=label_of(seat),
        scores=scores,
        counts={status: count for status, count in counts.items() if count},
        n_unasked=0,
        seconds=np.where(n_ok > 0, rng.uniform(0.5, 2.0, size=n) * n_ok, NAN),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost_usd=input_tokens * 2e-6 + output_tokens * 8e-6,
        weakest_steps=np.where(rng.random(n) < 0.8, 0.0, NAN) if is_prompted else np.zeros(n),
    )
