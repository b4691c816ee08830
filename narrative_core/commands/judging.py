"""Judging: the trail between two documents and its random chronology, before a panel."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from narrative_core.commands.collections import load_built
from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.commands.stories import told_pair, trail_request
from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.judgements import MOST_AGENTS, JudgeName, Mode, Seat, Shown, Verdict
from narrative_core.reports.judge_facts import judgement_facts, verdict_facts
from narrative_core.settings import endpoint_address, endpoint_host, is_endpoint_address
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.assessment import Bench, Outcome
    from narrative_core.extraction import LoadedCollection

JUDGES: tuple[JudgeName, ...] = ("flow", "lexical", "openai")
MODES: tuple[Mode, ...] = ("simple", "cot", "standard", "complex")
SHOWN: tuple[Shown, ...] = ("titles", "dates", "leads")


def judge_story(database: Database, options: argparse.Namespace) -> None:
    """Put a trail and its random chronology before the judges that are named, and print what they say."""
    import numpy as np

    from narrative_core.assessment import forecasts, judge_pair
    from narrative_core.findings import verdicts

    check_panel(options)
    loaded = load_built(database, options.name)
    pair = told_pair(loaded, trail_request(options))
    seats, bench, missing = named_panel(options, loaded)
    check_budget(database, bench)
    if missing is not None and not any(told.n_reused for told in forecasts(database, loaded, pair, prompted_of(seats))):
        raise missing
    with stopped_between_reports() as is_stopped:
        outcome = judge_pair(
            database,
            loaded,
            pair,
            seats,
            bench,
            report=StageLines(is_stopped),
            rng=np.random.default_rng(),
            with_percentile=options.percentile,
        )
    if missing is not None and outcome.unasked:
        print(f"throughline: {missing}", file=sys.stderr)
    _print(options, seats, verdicts(database, loaded, pair, seats), outcome)


def check_panel(options: argparse.Namespace) -> None:
    """Refuse numbers that no panel can have, before anything is stored."""
    if not 1 <= options.agents <= MOST_AGENTS:
        raise InvalidInput(f"a judge has from 1 to {MOST_AGENTS:,} agents; got {options.agents}.")
    if options.concurrency is not None and options.concurrency < 1:
        raise InvalidInput(f"expected at least one question at a time; got {options.concurrency}.")
    if options.budget is not None and not options.budget >= 0:
        raise InvalidInput(f"a budget is 0 or more US dollars; got {options.budget}.")


def check_budget(database: Database, bench: "Bench") -> None:
    """Refuse a budget for a model whose price is not known.

    Raises
    ------
    InvalidInput
    """
    from narrative_core.assessment import known_prices
    from narrative_core.judging.prices import price_of

    endpoint = bench.endpoint
    if bench.budget_usd is not None and endpoint and price_of(known_prices(database), endpoint.model) is None:
        raise InvalidInput(
            f"a budget needs the price of the model, and that of {endpoint.model} is not known. Set it on the page "
            "Judges, or set no budget."
        )


def prompted_of(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats that ask a model with a prompt."""
    return [seat for seat in seats if seat.judge == "openai"]


def named_panel(
    options: argparse.Namespace, loaded: "LoadedCollection"
) -> "tuple[list[Seat], Bench, JudgeUnavailable | None]":
    """Return who is asked, what they are asked with, and why a prompted judge can only answer from the store."""
    from narrative_core.assessment import Bench
    from narrative_core.judging.endpoint import endpoint_from, judge_model
    from narrative_core.judging.reader import best_scorer
    from narrative_core.panel import flow_seat, lexical_seat

    seats: list[Seat] = []
    endpoint, scorer, missing = None, None, None
    judges = dict.fromkeys(options.judge or ["lexical"])
    if "lexical" in judges:
        seats.append(lexical_seat(loaded, options.shown or "leads"))
    if "openai" in judges:
        model = judge_model(options.model)
        address = endpoint_address(options.base_url)
        try:
            endpoint = endpoint_from(options.model, options.base_url)
        except JudgeUnavailable as reason:
            if not is_endpoint_address(address):
                raise
            missing = reason
        shown: Shown = options.shown or "titles"
        host = endpoint_host(address)
        seats += [
            Seat("openai", model, host, mode, options.agents, shown, is_explained=not options.no_explanations)
            for mode in dict.fromkeys(options.mode or ["simple"])
        ]
    if "flow" in judges:
        scorer = best_scorer()
        seats.append(flow_seat(scorer, loaded, options.shown or "leads"))
    return seats, Bench(endpoint, scorer, options.concurrency, options.budget), missing


def _print(options: argparse.Namespace, seats: Sequence[Seat], found: Sequence[Verdict], outcome: "Outcome") -> None:
    for reason, n in outcome.unasked.items():
        print(f"throughline: {n:,} not asked: {reason}", file=sys.stderr)
    if options.json:
        told = [judgement_facts(verdict.kind, judgement) for verdict in found for judgement in verdict.judgements]
        told.sort(key=lambda fact: (fact["story"] != "trail", fact["judge"], fact["mode"] or "", fact["agent"]))
        print_json(
            {
                "judgements": told,
                "summary": [verdict_facts(verdict) for verdict in found],
                "reused": outcome.n_reused,
                "asked_now": outcome.n_asked,
                "not_asked": dict(outcome.unasked),
            }
        )
        return
    for seat in seats:
        for verdict in (verdict for verdict in found if verdict.seat == seat):
            print(_line(verdict))
            for message in dict.fromkeys(judgement.message for judgement in verdict.judgements if judgement.message):
                print(f"  {message}")


def _line(verdict: Verdict) -> str:
    seat, story = verdict.seat, "trail" if verdict.kind == "trail" else "random chronology"
    name = " ".join(part for part in (seat.judge, seat.model, seat.mode) if part)
    unit = "nats per token" if seat.judge == "flow" else "of 10"
    if verdict.n_ok:
        spread = f" ± {verdict.sd:.1f}" if verdict.n_ok > 1 else ""
        score = f"{verdict.mean:.2f}" if seat.judge == "flow" else f"{verdict.mean:.1f}{spread}"
        told = f"{score} {unit}"
    else:
        told = "no score"
    return f"{name:40} {story:18} {told}  ({verdict.n_ok} ok of {verdict.n_asked} asked)"
