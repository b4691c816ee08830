"""The command line: ``python -m narrative_core COMMAND``. Errors are one sentence on standard error, exit status 2."""

import argparse
import io
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from narrative_core.errors import InvalidInput, NarrativeError, NoTrail
from narrative_core.records import (
    TOPIC_SELECTION,
    LandscapeParameters,
    Stage,
    TrailRequest,
)
from narrative_core.reports.facts import load_report_facts, pair_facts, summary_facts
from narrative_core.settings import DATABASE_VARIABLE, database_path
from narrative_core.store.database import Database, open_database

if TYPE_CHECKING:
    from narrative_core.extraction import LoadedCollection


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    options = _parser().parse_args(arguments)
    command: Callable[[Database, argparse.Namespace], None] = options.command
    try:
        with closing(open_database(database_path(options.db))) as database:
            command(database, options)
    except NarrativeError as error:
        print(f"throughline: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"throughline: {error.filename or 'a file'}: {error.strerror or error}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("throughline: stopped; what was finished is kept.", file=sys.stderr)
        return 130
    return 0


def _collections(database: Database, options: argparse.Namespace) -> None:
    from narrative_core.ingest.builtin import BUILTIN
    from narrative_core.intake import install_shipped
    from narrative_core.store.collections import list_collections

    install_shipped(database)
    stored = list_collections(database)
    absent = [known for known in BUILTIN if known.name not in {summary.collection.name for summary in stored}]
    if options.json:
        _print_json(
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


def _import(database: Database, options: argparse.Namespace) -> None:
    from narrative_core.ingest.columns import check_columns, detect_columns
    from narrative_core.ingest.own_vectors import read_vectors
    from narrative_core.ingest.tables import read_table
    from narrative_core.intake import import_table
    from narrative_core.records import Collection

    path = Path(options.file)
    table = read_table(path.read_bytes(), path.name)
    named = {field: value for field in _FIELDS if (value := getattr(options, field)) is not None}
    choice = replace(detect_columns(table), **named)
    check_columns(table, choice)
    vectors = read_vectors(Path(options.vectors).read_bytes(), table.n_read) if options.vectors else None
    name = options.name.strip()
    if not name:
        raise InvalidInput("a collection needs a name; give one with --name.")
    collection = Collection(name, name, noun=options.noun, origin=f"imported from {path.name}")
    report = import_table(database, collection, table, choice, date_order=options.date_order, vectors=vectors)
    if options.json:
        _print_json({"name": collection.name, **load_report_facts(report)})
        return
    print(
        f"{collection.name}: {report.read:,} rows read, {report.kept:,} documents kept, {report.undated:,} without "
        f"a date, {report.duplicates:,} duplicates, {report.dropped:,} dropped."
    )
    for problem in report.problems:
        print(f"  row {problem.row}: {problem.reason}")


def _build(database: Database, options: argparse.Namespace) -> None:
    from narrative_core.build_stages import Model
    from narrative_core.intake import builtin, install_builtin
    from narrative_core.pipeline import build
    from narrative_core.store.collections import list_collections

    if builtin(options.name) is not None:
        install_builtin(database, options.name)
    parameters = LandscapeParameters(cluster_selection_method=TOPIC_SELECTION[options.topics])
    model = Model(options.model, options.base_url)
    with _stopped_between_reports() as is_stopped:
        build(database, options.name, model=model, parameters=parameters, progress=_StageLines(is_stopped))
    facts = {s.collection.name: summary_facts(s) for s in list_collections(database)}[options.name]
    if options.json:
        _print_json(facts)
    else:
        print(
            f"{options.name}: {facts['documents']:,} documents, {facts['topics']} topics, "
            f"{facts['outliers']:,} outliers."
        )


def _trail(database: Database, options: argparse.Namespace) -> None:
    from narrative_core.extraction import tell
    from narrative_core.remedies import refuse
    from narrative_core.reports.sentences import comparison_sentence, format_date, weakest_link_sentence

    loaded = _loaded(database, options.name)
    request = TrailRequest(
        options.source,
        options.target,
        via=tuple(options.via),
        avoid=tuple(options.avoid),
        maximum_gap_days=options.max_gap,
        maximum_length=options.max_length,
        is_chronological=not options.any_order,
    )
    try:
        pair = tell(loaded, request)
    except NoTrail as problem:
        raise InvalidInput(refuse(loaded, request, problem).sentence) from problem
    if options.json:
        _print_json(pair_facts(pair))
        return
    for number, document in enumerate(pair.trail.documents):
        if number:
            print(f"      │ {pair.trail.links[number - 1].coherence:.2f}")
        print(f"{format_date(document):>18}  {document.title}  [{document.document_id}]")
    print(f"\n{comparison_sentence(pair)}. {weakest_link_sentence(pair.trail)}")


def _export(database: Database, options: argparse.Namespace) -> None:
    from narrative_core.bundle import write_bundle
    from narrative_core.reports.json_report import story_json
    from narrative_core.store.collections import load_documents
    from narrative_core.store.landscapes import load_landscape
    from narrative_core.store.stories import list_stories
    from narrative_core.store.vectors import load_vectors

    _install_if_shipped(database, options.name)
    folder = Path(options.folder)
    documents = load_documents(database, options.name)
    write_bundle(folder, documents, load_vectors(database, options.name), load_landscape(database, options.name))
    stories = list_stories(database, options.name)
    for former in folder.glob("stories/*.json"):
        former.unlink()
    for story in stories:
        (folder / "stories").mkdir(exist_ok=True)
        (folder / "stories" / f"{story.story_id}.json").write_text(story_json(story), encoding="utf-8")
    if options.json:
        _print_json({"name": options.name, "folder": str(folder), "documents": len(documents), "stories": len(stories)})
    else:
        print(f"{options.name}: {len(documents):,} documents and {len(stories):,} stories written to {folder}.")


def _loaded(database: Database, name: str) -> "LoadedCollection":
    from narrative_core.pipeline import load

    _install_if_shipped(database, name)
    return load(database, name)


def _install_if_shipped(database: Database, name: str) -> None:
    from narrative_core.intake import SHIPPED, install_shipped

    if name in SHIPPED:
        install_shipped(database)


class _StageLines:
    """Tells the stages of a build on standard error, a line each."""

    def __init__(self, is_stopped: threading.Event) -> None:
        self._stage: Stage | None = None
        self._is_stopped = is_stopped

    def __call__(self, stage: Stage, done: int, total: int) -> None:
        if self._is_stopped.is_set():
            raise KeyboardInterrupt
        if stage != self._stage:
            self._stage = stage
            print(f"{stage} …", file=sys.stderr)


@contextmanager
def _stopped_between_reports() -> Iterator[threading.Event]:
    """Let Ctrl-C take effect where a build reports, not in the middle of a write or of a child's start."""
    is_stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield is_stopped
        return
    former = signal.signal(signal.SIGINT, lambda number, frame: is_stopped.set())
    try:
        yield is_stopped
    finally:
        signal.signal(signal.SIGINT, former)


def _print_json(facts: dict[str, Any]) -> None:
    print(json.dumps(facts, ensure_ascii=False, indent=2))


class _OneSentenceParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        print(f"throughline: {message}; see python -m narrative_core --help.", file=sys.stderr)
        raise SystemExit(2)


_FIELDS = ("title", "text", "date", "source", "url", "document_id")


def _parser() -> argparse.ArgumentParser:
    parser = _OneSentenceParser(prog="python -m narrative_core", description=__doc__)
    parser.add_argument(
        "--db", metavar="FILE", help=f"the database; by default {DATABASE_VARIABLE}, else throughline.duckdb"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[Database, argparse.Namespace], None], told: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=told, description=told)
        sub.add_argument("--db", metavar="FILE", default=argparse.SUPPRESS, help="the database")
        sub.add_argument("--json", action="store_true", help="print one JSON object")
        sub.set_defaults(command=command)
        return sub

    add("collections", _collections, "list the collections")
    _add_import(add("import", _import, "store a CSV or JSONL file as a collection"))
    building = add("build", _build, "compute the landscape of a collection")
    building.add_argument("name", metavar="NAME")
    building.add_argument(
        "--topics", choices=list(TOPIC_SELECTION), default="broad", help="few broad topics, or many fine ones"
    )
    building.add_argument("--model", default="wordllama", help="embedding model: wordllama, or one of the endpoint")
    building.add_argument(
        "--base-url", default="", help="address of the embedding endpoint; by default OPENAI_BASE_URL"
    )
    _add_trail(add("trail", _trail, "print the trail between two documents beside its baseline"))
    exporting = add("export", _export, "write a collection and its stories to a folder")
    exporting.add_argument("name", metavar="NAME")
    exporting.add_argument("folder", metavar="DIR")
    return parser


def _add_import(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("file", metavar="FILE")
    sub.add_argument("--name", required=True, metavar="NAME")
    sub.add_argument("--noun", default="documents", help="what one calls its documents, in the plural")
    sub.add_argument("--vectors", metavar="FILE.npy", help="own embeddings, row i for data row i")
    for field in _FIELDS:
        sub.add_argument(
            f"--{field.replace('_', '-')}", metavar="COLUMN", help=f"the column with the {field.replace('_', ' ')}"
        )
    order = sub.add_mutually_exclusive_group()
    order.add_argument(
        "--day-first", dest="date_order", action="store_const", const="day first", help="02/12 is 2 December"
    )
    order.add_argument(
        "--month-first", dest="date_order", action="store_const", const="month first", help="02/12 is 12 February"
    )


def _add_trail(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("name", metavar="NAME")
    sub.add_argument("source", metavar="SOURCE_ID")
    sub.add_argument("target", metavar="TARGET_ID")
    sub.add_argument("--via", action="append", default=[], metavar="ID", help="pass through this document")
    sub.add_argument("--avoid", action="append", default=[], metavar="ID", help="do not use this document")
    sub.add_argument("--max-gap", type=int, metavar="DAYS", help="no link longer than this")
    sub.add_argument("--max-length", type=int, metavar="N", help="at most this many documents")
    sub.add_argument("--any-order", action="store_true", help="ignore the order in time")


def _speak_utf8() -> None:
    """Write UTF-8 also where the system's own encoding lacks half of the world's letters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


if __name__ == "__main__":
    _speak_utf8()
    sys.exit(main())
