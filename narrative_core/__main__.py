"""The command line: ``python -m narrative_core COMMAND``. Errors are one sentence on standard error, exit status 2."""

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NoReturn

from narrative_core.commands.collections import build_collection, export_collection, list_stored
from narrative_core.commands.documents import search_documents
from narrative_core.commands.health import print_health
from narrative_core.commands.importing import add_import_options, import_file
from narrative_core.commands.judging import JUDGES, MODES, SHOWN, judge_story
from narrative_core.commands.research import DIVERGENCES, STUDIES, run_judges
from narrative_core.commands.stability import print_stability
from narrative_core.commands.stories import print_trail
from narrative_core.errors import NarrativeError
from narrative_core.judging.endpoint import DEFAULT_MODEL, MODEL_VARIABLE
from narrative_core.records import TOPIC_SELECTION
from narrative_core.runs import Cutoffs, RunSettings
from narrative_core.settings import DATABASE_VARIABLE, database_path
from narrative_core.store.database import Database, open_database


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


class _OneSentenceParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        print(f"throughline: {message}; see python -m narrative_core --help.", file=sys.stderr)
        raise SystemExit(2)


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

    add("collections", list_stored, "list the collections")
    add_import_options(
        add("import", import_file, "store a file, a folder, a feed or an export as a collection, or update one")
    )
    building = add("build", build_collection, "compute the landscape of a collection")
    building.add_argument("name", metavar="NAME")
    building.add_argument(
        "--topics", choices=list(TOPIC_SELECTION), default="broad", help="few broad topics, or many fine ones"
    )
    building.add_argument("--model", default="wordllama", help="embedding model: wordllama, or one of the endpoint")
    building.add_argument(
        "--base-url", default="", help="address of the embedding endpoint; by default OPENAI_BASE_URL"
    )
    searching = add("search", search_documents, "find documents by what they say")
    searching.add_argument("name", metavar="NAME")
    searching.add_argument("query", metavar="QUERY", help='words; "side by side" in quotation marks, -without')
    searching.add_argument("--limit", type=int, default=20, metavar="N", help="documents to print, by default 20")
    telling = add("trail", print_trail, "print the trail between two documents beside its baseline")
    _add_trail(telling)
    telling.add_argument(
        "--alternatives", type=int, default=0, metavar="N", help="also up to N trails that share nothing with it"
    )
    _add_judge(add("judge", judge_story, "put the trail between two documents and its baseline before judges"))
    _add_run(add("run", run_judges, "put many trails and their random chronologies before judges, with statistics"))
    checking = add("stability", print_stability, "fit a collection with other seeds, and compare topics and trails")
    checking.add_argument("name", metavar="NAME")
    checking.add_argument("--seeds", type=int, default=3, metavar="N", help="other seeds, by default 3")
    add("health", print_health, "say what is ready, what is missing, and what to do about it")
    exporting = add("export", export_collection, "write a collection with all that was done with it")
    exporting.add_argument("name", metavar="NAME")
    exporting.add_argument(
        "folder", metavar="DIR", help="a folder, or FILE.zip for one file that another machine opens"
    )
    return parser


def _add_trail(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("name", metavar="NAME")
    sub.add_argument("source", metavar="SOURCE_ID")
    sub.add_argument("target", metavar="TARGET_ID")
    sub.add_argument("--via", action="append", default=[], metavar="ID", help="pass through this document")
    sub.add_argument("--avoid", action="append", default=[], metavar="ID", help="do not use this document")
    sub.add_argument("--avoid-source", action="append", default=[], metavar="SOURCE", help="no document of this source")
    sub.add_argument(
        "--avoid-topic", action="append", default=[], type=int, metavar="NUMBER", help="no document of this topic"
    )
    sub.add_argument("--max-gap", type=int, metavar="DAYS", help="no link longer than this")
    sub.add_argument("--max-length", type=int, metavar="N", help="at most this many documents")
    sub.add_argument("--any-order", action="store_true", help="ignore the order in time")
    sub.add_argument(
        "--story", nargs="+", default=[], metavar="ID", help="all documents of a story made by hand; none is searched"
    )


def _add_judge(sub: argparse.ArgumentParser) -> None:
    _add_trail(sub)
    _add_panel(sub)
    sub.add_argument("--percentile", action="store_true", help="let flow read random chronologies to compare with")


def _add_run(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("name", metavar="NAME")
    usual = RunSettings("")
    sub.add_argument("--pairs", type=int, default=usual.n_pairs, metavar="N", help="endpoint pairs, by default 100")
    _add_panel(sub)
    sub.add_argument(
        "--seed", dest="run_seed", type=int, default=usual.seed, metavar="N", help="decides every draw of the run"
    )
    sub.add_argument("--title", dest="run_name", metavar="TEXT", help="what the run is called")
    sub.add_argument("--divergence", choices=DIVERGENCES, help="of the topic similarity; by default the landscape's")
    sub.add_argument("--endpoints-of", metavar="RUN", help="take the endpoint pairs of this run instead of drawing")
    sub.add_argument(
        "--share", action="append", default=[], metavar="STRATUM=SHARE", help="of the pairs; named ones add up to 1"
    )
    for name, told in (
        ("short", "quantile of the days between two documents below which a pair is short"),
        ("long", "quantile above which it is long"),
        ("hub", "share of documents that are hubs, and that are the edge"),
        ("extreme", "share of pairs that are farthest apart"),
    ):
        sub.add_argument(f"--{name}", type=float, default=getattr(Cutoffs(), name), metavar="SHARE", help=told)
    kind = sub.add_mutually_exclusive_group()
    kind.add_argument("--sanity", action="store_true", help="damage each trail in four ways and ask in other words")
    kind.add_argument("--mixed-with", metavar="OTHER", help="tell stories that mix this collection with another one")
    kind.add_argument("--resume", metavar="RUN", help="ask what this run has no answer to yet")
    sub.add_argument("--study", choices=STUDIES, help="put what the reference study printed beside the tables")
    sub.add_argument("--out", metavar="DIR", help="write tables, figures and a report to this folder")


def _add_panel(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--judge", action="append", choices=JUDGES, help="who judges, may be repeated; openai is any endpoint"
    )
    sub.add_argument("--mode", action="append", choices=MODES, help="how a prompted judge is asked, may be repeated")
    sub.add_argument("--agents", type=int, default=1, metavar="K", help="how often a prompted judge is asked")
    sub.add_argument("--shown", choices=SHOWN, help="what a judge sees; by default titles, for flow and lexical leads")
    sub.add_argument("--no-explanations", action="store_true", help="ask for scores alone")
    sub.add_argument("--model", help=f"the prompted judge's model; by default {MODEL_VARIABLE}, else {DEFAULT_MODEL}")
    sub.add_argument(
        "--base-url", help="address of the prompted judge's endpoint; by default OPENAI_BASE_URL, else OpenAI"
    )
    sub.add_argument("--budget", type=float, metavar="USD", help="never spend more than this")
    sub.add_argument(
        "--concurrency", type=int, metavar="N", help="questions under way at a time; by default 16, on this machine 4"
    )


def _speak_utf8() -> None:
    """Write UTF-8 also where the system's own encoding lacks half of the world's letters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


if __name__ == "__main__":
    _speak_utf8()
    sys.exit(main())
