"""Collections: list, import, build, export."""

import argparse
import io
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.errors import InvalidInput
from narrative_core.records import TOPIC_SELECTION, LandscapeParameters, LoadReport
from narrative_core.reports.facts import load_report_facts, summary_facts
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.extraction import LoadedCollection
    from narrative_core.intake import BundleReport
    from narrative_core.recordings import RecordingReport

FIELDS = ("title", "text", "date", "source", "url", "document_id")
"""What a column of a table can be."""


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


def import_file(database: Database, options: argparse.Namespace) -> None:
    """Store a file, or the folder of an export, as a collection."""
    from narrative_core.project_archive import is_project_file

    path, name = Path(options.file), options.name.strip()
    if not name:
        raise InvalidInput("a collection needs a name; give one with --name.")
    if path.is_dir():
        _import_folder(database, path, name, options)
    elif is_project_file(path):
        _import_project(database, path, name, options)
    else:
        _import_table(database, path, name, options)


def _import_table(database: Database, path: Path, name: str, options: argparse.Namespace) -> None:
    from narrative_core.ingest.columns import check_columns, detect_columns
    from narrative_core.ingest.own_vectors import read_vectors
    from narrative_core.ingest.sources import read_path
    from narrative_core.intake import import_table
    from narrative_core.recordings import install_recording
    from narrative_core.records import Collection

    table = read_path(path)
    named = {field: value for field in FIELDS if (value := getattr(options, field)) is not None}
    choice = replace(detect_columns(table), **named)
    check_columns(table, choice)
    vectors = read_vectors(Path(options.vectors).read_bytes(), table.n_read) if options.vectors else None
    noun = "documents" if options.noun is None else options.noun
    collection = Collection(name, name, noun=noun, origin=f"imported from {path.name}")
    recorded = Path(options.judgements).read_bytes() if options.judgements else b""
    with database.transaction():
        report = import_table(database, collection, table, choice, date_order=options.date_order, vectors=vectors)
        replies = install_recording(database, collection.name, recorded)
    told = {"judgements": asdict(replies)} if options.judgements else {}
    if options.json:
        print_json({"name": name, **load_report_facts(report), **told})
    else:
        _print_import(name, report, replies if options.judgements else None)


def _import_folder(database: Database, path: Path, name: str, options: argparse.Namespace) -> None:
    from narrative_core.intake import import_bundle

    _require_no_columns(options)
    _print_bundle(name, import_bundle(database, name, path, title=options.title, noun=options.noun), options)


def _import_project(database: Database, path: Path, name: str, options: argparse.Namespace) -> None:
    from narrative_core.project_file import read_project

    _require_no_columns(options, noun=options.noun)
    report = read_project(database, path, name=name, title=options.title)
    _print_bundle(name, report.bundle, options)
    if report.manifest.ignored and not options.json:
        print(f"Left out, as no part of a project: {', '.join(report.manifest.ignored)}.")


def _require_no_columns(options: argparse.Namespace, **more: str | None) -> None:
    """Refuse what says which column is what: an export says that itself."""
    flags = {f"--{field.replace('_', '-')}": getattr(options, field) for field in FIELDS if field != "title"}
    flags |= {"--vectors": options.vectors, "--judgements": options.judgements}
    flags |= {f"--{flag}": value for flag, value in more.items()}
    flags |= {f"--{(options.date_order or '').replace(' ', '-')}": options.date_order}
    if given := [flag for flag, value in flags.items() if value is not None]:
        raise InvalidInput(f"the folder of an export says itself what is what; leave out {' and '.join(given)}.")


def _print_bundle(name: str, report: "BundleReport", options: argparse.Namespace) -> None:
    state = "built" if report.is_built else "not built"
    if options.json:
        told = {"judgements": asdict(report.judgements), "state": state, "stories": report.n_stories}
        print_json({"name": name, **load_report_facts(report.documents), **told})
    else:
        _print_import(name, report.documents, report.judgements)
        print(f"{report.n_stories:,} stories kept.")
        print(
            "The landscape came with it."
            if report.is_built
            else f"Build it with: python -m narrative_core build {name}"
        )


def _print_import(name: str, report: LoadReport, replies: "RecordingReport | None") -> None:
    print(
        f"{name}: {report.read:,} rows read, {report.kept:,} documents kept, {report.undated:,} without "
        f"a date, {report.duplicates:,} duplicates, {report.dropped:,} dropped."
    )
    for problem in report.problems:
        print(f"  row {problem.row}: {problem.reason}")
    if replies is None:
        return
    print(f"{replies.kept:,} judgements kept of {replies.read:,} lines, {replies.skipped:,} skipped.")
    for problem in replies.problems:
        print(f"  line {problem.row}: {problem.reason}")


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
    from narrative_core.project_file import about_project, write_folder, write_project

    install_if_shipped(database, options.name)
    target = Path(options.folder)
    if target.suffix.lower() == ".zip":
        packed = io.BytesIO()
        write_project(database, options.name, packed)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(packed.getvalue())
        counts = about_project(target).counts
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
