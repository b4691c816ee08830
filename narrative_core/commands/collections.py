"""Collections: list, build, export."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.records import TOPIC_SELECTION, LandscapeParameters
from narrative_core.reports.facts import summary_facts
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.extraction import LoadedCollection


def list_stored(database: Database, options: argparse.Namespace) -> None:
    """Print the collections."""
    from narrative_core.ingest.builtin import BUILTIN
    from narrative_core.intake import install_shipped
    from narrative_core.store.collections import list_collections

    install_shipped(database)
    stored = list_collections(database)
    absent = [known for known in BUILTIN if known.name not in {summary.collection.name for summary in stored}]
    if options.json:
        print_json(
            {
                "collections": [
                    *map(summary_facts, stored),
                    *({"name": c.name, "state": "built in, not yet stored"} for c in absent),
                ]
            }
        )
        return
    for summary in stored:
        years = (
            f"{summary.first_date:%Y}–{summary.last_date:%Y}" if summary.first_date and summary.last_date else "undated"
        )
        state = f"{summary.n_topics} topics" if summary.is_built else "not built"
        print(f"{summary.collection.name:24} {summary.n_documents:>7,} documents  {years:12} {state}")
    for collection in absent:
        print(f"{collection.name:24} built in; store it with: python -m narrative_core build {collection.name}")


def build_collection(database: Database, options: argparse.Namespace) -> None:
    """Compute the landscape of a collection."""
    from narrative_core.build_stages import Model
    from narrative_core.intake import builtin, install_builtin
    from narrative_core.pipeline import build
    from narrative_core.store.collections import list_collections

    if builtin(options.name) is not None:
        install_builtin(database, options.name)
    parameters = LandscapeParameters(cluster_selection_method=TOPIC_SELECTION[options.topics])
    model = Model(options.model, options.base_url)
    with stopped_between_reports() as is_stopped:
        build(database, options.name, model=model, parameters=parameters, progress=StageLines(is_stopped))
    facts = {s.collection.name: summary_facts(s) for s in list_collections(database)}[options.name]
    if options.json:
        print_json(facts)
    else:
        print(
            f"{options.name}: {facts['documents']:,} documents, {facts['topics']} topics, "
            f"{facts['outliers']:,} outliers."
        )


def export_collection(database: Database, options: argparse.Namespace) -> None:
    """Write a collection with all that was done with it to a folder, or to one file that another machine opens."""
    from narrative_core.bundle_target import export_file
    from narrative_core.project_file import about_project, write_folder, write_project

    install_if_shipped(database, options.name)
    target = Path(options.folder)
    if target.suffix.lower() == ".zip":
        with export_file(target) as new:
            with new.open("wb") as packed:
                write_project(database, options.name, packed)
            counts = about_project(new).counts
    else:
        counts = write_folder(database, options.name, target)
    if options.json:
        facts = {"documents": counts["documents"], "stories": counts["stories"]}
        print_json({"name": options.name, "folder": str(target), **facts})
    else:
        told = f"{counts['documents']:,} documents and {counts['stories']:,} stories"
        print(f"{options.name}: {told} written to {target}.")


def load_built(database: Database, name: str) -> "LoadedCollection":
    """Return a built collection in memory; a shipped one is stored first."""
    from narrative_core.pipeline import load

    install_if_shipped(database, name)
    return load(database, name)


def install_if_shipped(database: Database, name: str) -> None:
    """Store the shipped collections where one of them is meant."""
    from narrative_core.intake import SHIPPED, install_shipped

    if name in SHIPPED:
        install_shipped(database)
