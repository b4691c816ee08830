"""Importing on the command line: a file, a folder, a feed or a project becomes a collection, or updates one."""

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narrative_core.commands.import_words import (
    difference_facts,
    print_bundle,
    print_copies,
    print_difference,
    print_report,
    print_understood,
)
from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.errors import InvalidInput
from narrative_core.records import Collection
from narrative_core.reports.facts import load_report_facts
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from narrative_core.differences import Difference
    from narrative_core.ingest.columns import ColumnChoice
    from narrative_core.ingest.documents import Loaded
    from narrative_core.ingest.tables import RawTable
    from narrative_core.ingest.understanding import Understanding

FIELDS = ("title", "text", "date", "source", "url", "document_id")
"""What a column of a table can be."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


def import_file(database: Database, options: argparse.Namespace) -> None:
    """Store documents as a collection, or bring a collection to what they say."""
    from narrative_core.project_archive import is_project_file

    name, path = options.name.strip(), Path(options.file)
    if not name:
        raise InvalidInput("a collection needs a name; give one with --name.")
    if _is_address(options.file):
        _import_documents(database, name, options)
    elif path.is_dir() and _is_export(path):
        _import_folder(database, path, name, options)
    elif path.is_file() and is_project_file(path):
        _import_project(database, path, name, options)
    else:
        _import_documents(database, name, options)


def add_import_options(sub: argparse.ArgumentParser) -> None:
    """Add what `import` takes."""
    sub.add_argument(
        "file", metavar="FILE", help="a file, a folder of documents, the address of a feed, or what an export wrote"
    )
    sub.add_argument("--name", required=True, metavar="NAME")
    sub.add_argument(
        "--noun", help="what one calls its documents, in the plural; by default documents, or the folder's"
    )
    sub.add_argument("--dry-run", action="store_true", help="say what is understood, and store nothing")
    sub.add_argument("--update", action="store_true", help="bring the collection of that name to what the file says")
    sub.add_argument("--remove-absent", action="store_true", help="with --update, remove what is not in the file")
    sub.add_argument("--sheet", metavar="SHEET", help="of a workbook; by default the first one with rows")
    sub.add_argument("--encoding", metavar="ENCODING", help="of a table of text; by default as found")
    sub.add_argument(
        "--delimiter",
        metavar="MARK",
        help=f"between columns: {', '.join(DELIMITERS)} or the mark; by default as found",
    )
    sub.add_argument("--vectors", metavar="FILE.npy", help="own embeddings, row i for data row i")
    sub.add_argument("--judgements", metavar="FILE.jsonl", help="what judges answered, as an export has it")
    for field in FIELDS:
        told = f"the column with the {field.replace('_', ' ')}"
        if field == "title":
            told += "; with a folder that was exported the title of the collection itself"
        sub.add_argument(f"--{field.replace('_', '-')}", metavar="COLUMN", help=told)
    sub.add_argument("--vectors-column", metavar="COLUMN", help='the column with vectors; "" for none')
    order = sub.add_mutually_exclusive_group()
    order.add_argument(
        "--day-first", dest="date_order", action="store_const", const="day first", help="02/12 is 2 December"
    )
    order.add_argument(
        "--month-first", dest="date_order", action="store_const", const="month first", help="02/12 is 12 February"
    )


def _import_documents(database: Database, name: str, options: argparse.Namespace) -> None:
    from narrative_core.ingest.columns import check_columns, detect_columns
    from narrative_core.ingest.own_vectors import read_vectors
    from narrative_core.ingest.understanding import understand

    _check_flags(options)
    table = _read(options)
    named = {field: value for field in FIELDS if (value := getattr(options, field)) is not None}
    if options.vectors_column is not None:
        named["vectors"] = options.vectors_column
    choice = replace(detect_columns(table), **named)
    check_columns(table, choice)
    vectors = read_vectors(Path(options.vectors).read_bytes(), table.n_read) if options.vectors else None
    found = understand(table, choice, date_order=options.date_order)
    if options.dry_run and found.needs_order and options.date_order is None:
        print_understood(name, found, None, None, options)
    elif options.update or options.dry_run:
        _compare(database, name, table, choice, options, found=found, vectors=vectors)
    else:
        _store(database, name, table, choice, options, found=found, vectors=vectors)


def _check_flags(options: argparse.Namespace) -> None:
    if options.remove_absent and not options.update:
        raise InvalidInput("--remove-absent goes with --update; a new collection has nothing to remove.")
    if options.update and options.judgements:
        raise InvalidInput("--judgements come with a new collection; leave them out of an update.")


def _read(options: argparse.Namespace) -> "RawTable":
    from narrative_core.ingest.feed_address import fetch_feed
    from narrative_core.ingest.sources import read_path, read_source

    if _is_address(options.file):
        return read_source(*fetch_feed(options.file))
    delimiter = DELIMITERS.get(options.delimiter, options.delimiter)
    return read_path(Path(options.file), encoding=options.encoding, delimiter=delimiter, sheet=options.sheet)


def _store(
    database: Database,
    name: str,
    table: "RawTable",
    choice: "ColumnChoice",
    options: argparse.Namespace,
    *,
    found: "Understanding",
    vectors: "NDArray[float32] | None",
) -> None:
    """Store the documents as a new collection, and print what became of every row."""
    from narrative_core.ingest.understanding import understanding_facts
    from narrative_core.intake import import_table
    from narrative_core.recordings import install_recording

    noun = "documents" if options.noun is None else options.noun
    collection = Collection(name, name, noun=noun, origin=f"imported from {_origin(options.file)}")
    recorded = Path(options.judgements).read_bytes() if options.judgements else b""
    with database.transaction():
        report = import_table(database, collection, table, choice, date_order=options.date_order, vectors=vectors)
        replies = install_recording(database, collection.name, recorded)
    told: dict[str, Any] = {"judgements": asdict(replies)} if options.judgements else {}
    copies = _copies(database, name)
    if options.json:
        told |= {"copies": copies, "understood": understanding_facts(found)}
        print_json({"name": name, **load_report_facts(report), **told})
    else:
        print_report(name, report, replies if options.judgements else None)
        print_copies(copies)


def _compare(
    database: Database,
    name: str,
    table: "RawTable",
    choice: "ColumnChoice",
    options: argparse.Namespace,
    *,
    found: "Understanding",
    vectors: "NDArray[float32] | None",
) -> None:
    """Print what a file would make or change, and change it where an update is asked for."""
    from narrative_core.ingest.documents import build_documents
    from narrative_core.updates import compare

    loaded = build_documents(table, choice, date_order=options.date_order, vectors=vectors)
    difference = compare(database, name, loaded) if options.update else None
    if options.dry_run:
        print_understood(name, found, loaded.report, difference, options)
    elif difference is not None:
        _update(database, name, loaded, difference, options)


def _update(
    database: Database, name: str, loaded: "Loaded", difference: "Difference", options: argparse.Namespace
) -> None:
    from narrative_core.updates import apply_update

    if not options.json:
        print_difference(difference)
    with stopped_between_reports() as is_stopped:
        done = apply_update(
            database, name, loaded, remove_absent=options.remove_absent, progress=StageLines(is_stopped)
        )
    if options.json:
        facts = {"difference": difference_facts(difference), "updated": asdict(done)}
        print_json({"name": name, **load_report_facts(loaded.report), **facts, "copies": _copies(database, name)})
        return
    print_report(name, loaded.report, None)
    print(
        f"{done.n_new:,} added, {done.n_changed:,} changed, {done.n_removed:,} removed; {done.n_embedded:,} texts "
        f"embedded, {done.n_placed:,} placed on the map."
    )
    for notice in done.notices:
        print(notice)


def _import_folder(database: Database, path: Path, name: str, options: argparse.Namespace) -> None:
    from narrative_core.intake import import_bundle

    _require_no_columns(options)
    print_bundle(name, import_bundle(database, name, path, title=options.title, noun=options.noun), options)


def _import_project(database: Database, path: Path, name: str, options: argparse.Namespace) -> None:
    from narrative_core.project_file import read_project

    _require_no_columns(options, noun=options.noun)
    report = read_project(database, path, name=name, title=options.title)
    print_bundle(name, report.bundle, options)
    if report.manifest.ignored and not options.json:
        print(f"Left out, as no part of a project: {', '.join(report.manifest.ignored)}.")


def _is_address(given: str) -> bool:
    return given.casefold().startswith(("http://", "https://"))


def _is_export(folder: Path) -> bool:
    """Whether a folder holds one of the files that an export writes."""
    from narrative_core.bundle import ABOUT, FILES

    return any((folder / name).is_file() for name in (ABOUT, *FILES))


def _origin(given: str) -> str:
    return given if _is_address(given) else Path(given).absolute().name


def _require_no_columns(options: argparse.Namespace, **more: str | None) -> None:
    """Refuse what says how a file is to be read: an export says that itself."""
    flags = {f"--{field.replace('_', '-')}": getattr(options, field) for field in FIELDS if field != "title"}
    names = ("vectors", "vectors_column", "judgements", "sheet", "encoding", "delimiter")
    flags |= {f"--{name.replace('_', '-')}": getattr(options, name) for name in names}
    switches = ("update", "remove_absent", "dry_run")
    flags |= {f"--{name.replace('_', '-')}": getattr(options, name) or None for name in switches}
    flags |= {f"--{flag}": value for flag, value in more.items()}
    flags |= {f"--{(options.date_order or '').replace(' ', '-')}": options.date_order}
    if given := [flag for flag, value in flags.items() if value is not None]:
        raise InvalidInput(f"the folder of an export says itself what is what; leave out {' and '.join(given)}.")


def _copies(database: Database, name: str) -> dict[str, int]:
    from narrative_core.store.copies import load_copies

    copies = load_copies(database, name) or {}
    return {"groups": len(set(copies.values())), "documents": len(copies)}
