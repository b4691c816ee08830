"""Runs: many stories before the same judges, without a browser."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from narrative_core.commands.collections import load_built
from narrative_core.commands.judging import check_budget, check_panel, named_panel
from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.errors import InvalidInput
from narrative_core.records import Divergence
from narrative_core.runs import SHARES, Cutoffs, Design, RunSettings, Stratum
from narrative_core.store.database import Database
from narrative_core.study import DataSet

if TYPE_CHECKING:
    from narrative_core.runs import RunTable

STUDIES: tuple[DataSet, ...] = get_args(DataSet)
DIVERGENCES: tuple[Divergence, ...] = get_args(Divergence)
STRATA: tuple[Stratum, ...] = get_args(Stratum)


def run_judges(database: Database, options: argparse.Namespace) -> None:
    """Make the stories of a run, put them before judges, and print what the statistics find."""
    from narrative_core.experiments import continue_run, plan_run, start_run
    from narrative_core.joint import make_joint
    from narrative_core.run_export import run_folder

    check_panel(options)
    if options.out:
        run_folder(options.out)  # before judges are paid, not after
    resumed = _resumed(database, options)
    with stopped_between_reports() as is_stopped:
        report = StageLines(is_stopped)
        if options.mixed_with and resumed is None:
            options.name = make_joint(database, options.name, options.mixed_with, progress=report)
        loaded = load_built(database, options.name)
        seats, bench, missing = named_panel(options, loaded)
        check_budget(database, bench)
        if resumed is None:
            planned = plan_run(
                database, loaded, run_settings(options, seats), name=options.run_name or "", report=report
            )
            resumed = start_run(database, planned)
        print(f"run {resumed}", file=sys.stderr)
        outcome = continue_run(database, loaded, resumed, bench, report=report)
    if missing is not None and outcome.unasked:
        print(f"throughline: {missing}", file=sys.stderr)
    for reason, n in outcome.unasked.items():
        print(f"throughline: {n:,} not asked: {reason}", file=sys.stderr)
    _print_results(database, options, resumed)


def run_settings(options: argparse.Namespace, seats: Sequence[Any]) -> RunSettings:
    """Return the settings that the arguments name.

    Raises
    ------
    InvalidInput
        If a share is of no stratum, or no number.
    """
    design: Design = "mixtures" if options.mixed_with else "sanity" if options.sanity else "trails"
    return RunSettings(
        collection=options.name,
        n_pairs=options.pairs,
        seats=tuple(seats),
        seed=options.run_seed,
        design=design,
        shares=_shares(options.share),
        cutoffs=Cutoffs(options.short, options.long, options.hub, options.extreme),
        divergence=options.divergence,
        endpoints_of=options.endpoints_of or "",
    )


def _shares(told: Sequence[str]) -> dict[Stratum, float]:
    """Return the shares of the strata: the study's, unless some are named; those that are not are 0 then."""
    if not told:
        return dict(SHARES)
    shares: dict[Stratum, float] = dict.fromkeys(STRATA, 0.0)
    for part in told:
        name, _, number = part.rpartition("=")
        stratum = next((stratum for stratum in STRATA if stratum == name.strip()), None)
        try:
            share = float(number)
        except ValueError:
            stratum = None
        if stratum is None:
            raise InvalidInput(f"a share is STRATUM=NUMBER with a stratum of {', '.join(STRATA)}; got “{part}”.")
        shares[stratum] = share
    return shares


def _resumed(database: Database, options: argparse.Namespace) -> str | None:
    """Return the run to go on with, and let the judges of the run be those that are asked."""
    from narrative_core.store.runs import load_run

    if not options.resume:
        return None
    if options.judge or options.mode:
        raise InvalidInput("a run that is resumed has its own judges and modes; leave --judge and --mode out.")
    settings = load_run(database, options.resume).settings
    if settings.collection != options.name:
        raise InvalidInput(f"the run {options.resume} is about {settings.collection}, not {options.name}.")
    options.judge = list(dict.fromkeys(seat.judge for seat in settings.seats))
    return str(options.resume)


def _print_results(database: Database, options: argparse.Namespace, run_id: str) -> None:
    from narrative_core.reports.table_formats import table_markdown
    from narrative_core.run_export import tables_of, write_run
    from narrative_core.store.runs import load_run_table

    table = load_run_table(database, run_id)
    if options.out:
        written = write_run(database, run_id, options.out, study=options.study)
        print(f"{options.out}: {written.n_tables:,} tables, {written.n_figures:,} figures", file=sys.stderr)
        if written.reason:
            print(f"throughline: {written.reason}", file=sys.stderr)
    if options.json:
        print_json(_facts(table, options.study))
        return
    print(f"{table.run.name}  [{run_id}]\n")
    for told in tables_of(table, options.study):
        if not told.is_empty:
            print(f"{table_markdown(told)}\n")


def _facts(table: "RunTable", study: DataSet | None) -> dict[str, Any]:
    from narrative_core.reports.run_facts import origin_facts, run_facts
    from narrative_core.reports.table_formats import table_facts
    from narrative_core.run_export import tables_of
    from narrative_core.run_results import results_of

    if table.run.settings.design == "trails":
        return run_facts(results_of(table))
    return {**origin_facts(table.run), "tables": [table_facts(told) for told in tables_of(table, study)]}
