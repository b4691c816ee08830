"""What it takes to show the results of a run of 1,000 pairs, from the store to the figures. See README.md."""

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from narrative_core import pipeline
from narrative_core.assessment import Bench
from narrative_core.experiments import continue_run, plan_run, start_run
from narrative_core.figures.run_effects import effect_sizes
from narrative_core.figures.run_lengths import length_bars
from narrative_core.intake import install_shipped
from narrative_core.panel import lexical_seat
from narrative_core.reports.table_formats import table_html
from narrative_core.reports.tables import Table
from narrative_core.run_export import figures_of, tables_of
from narrative_core.run_results import results_of
from narrative_core.runs import RunSettings
from narrative_core.store.database import Database, open_database
from narrative_core.store.runs import load_run_table

COLLECTION = "spaceflight"


def main() -> None:
    """Make the run, then read, compute and draw its results in a cold and a warm process, and print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_database(Path(folder) / "results.duckdb")) as database,
    ):
        run_id = _make_run(database, options.pairs)
        print("| step | first time, s | processor, s | again, s |\n| --- | ---: | ---: | ---: |")
        steps = _steps(database, run_id)
        firsts = [_timed(step) for step in steps.values()]
        agains = [_timed(step) for step in steps.values()]
        for name, first, again in zip(steps, firsts, agains, strict=True):
            print(f"| {name} | {first[0]:.2f} | {first[1]:.2f} | {again[0]:.2f} |")


def _steps(database: Database, run_id: str) -> dict[str, Callable[[], object]]:
    kept = load_run_table(database, run_id)
    return {
        "raw numbers from the store": lambda: load_run_table(database, run_id),
        "every statistic": lambda: results_of(kept),
        "every table": lambda: [table_html(table) for table in _full(tables_of(kept))],
        "the first section: all it reads, computes and draws": lambda: _first_section(database, run_id),
        "every figure of the run": lambda: [figure.to_json() for figure in figures_of(kept).values()],
    }


def _full(tables: tuple[Table, ...]) -> tuple[Table, ...]:
    return tuple(table for table in tables if not table.is_empty)


def _first_section(database: Database, run_id: str) -> list[str]:
    """Read, compute and draw what the page opens on."""
    table = load_run_table(database, run_id)
    results = results_of(table, with_models=False)
    return [effect_sizes(results).to_json(), length_bars(table).to_json()]


def _make_run(database: Database, n_pairs: int) -> str:
    install_shipped(database)
    loaded = pipeline.load(database, COLLECTION)
    seats = (lexical_seat(loaded, "leads"), lexical_seat(loaded, "titles"))
    run_id = start_run(database, plan_run(database, loaded, RunSettings(COLLECTION, n_pairs, seats)))
    continue_run(database, loaded, run_id, Bench(), report=lambda stage, done, total: None)
    return run_id


def _timed(step: Callable[[], object]) -> tuple[float, float]:
    started, worked = time.perf_counter(), time.process_time()
    step()
    return time.perf_counter() - started, time.process_time() - worked


if __name__ == "__main__":
    main()
