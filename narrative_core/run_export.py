"""A run to take away: its tables, its figures, and both with all raw numbers as a folder or a zip file."""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.mixture_results import mixture_results
from narrative_core.records import Document, Progress
from narrative_core.reports.mixture_tables import mixture_tables
from narrative_core.reports.pictures import Pictures, pictures
from narrative_core.reports.run_html import RunFigure, run_html
from narrative_core.reports.run_methods import run_method_paragraphs, run_method_parameters
from narrative_core.reports.run_record import run_json
from narrative_core.reports.run_sheets import AskedAgent, scores_csv, stories_csv
from narrative_core.reports.run_tables import run_tables
from narrative_core.reports.sanity_tables import sanity_tables
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.table_formats import table_csv, table_latex
from narrative_core.reports.tables import Table
from narrative_core.run_outcomes import MixtureResults, Results, RunResults, SanityResults
from narrative_core.run_results import results_of
from narrative_core.runs import RunTable
from narrative_core.sanity_results import sanity_results
from narrative_core.store.collections import load_collection, load_documents
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements
from narrative_core.store.runs import load_run_questions, load_run_table
from narrative_core.study import DataSet

if TYPE_CHECKING:
    import plotly.graph_objects as go


_OURS: Final = re.compile(
    r"(README\.txt|report\.html|run\.json|stories\.csv|scores\.csv|tables(/[\w-]+\.(csv|tex))?"
    r"|figures(/[\w-]+\.(svg|png|json))?)"
)
_README: Final = """\
{name}

What one run of Throughline found, and all raw numbers behind it. The files are text in UTF-8, apart from the pictures.

report.html     Everything to read: tables, figures that one can point at, how it was made. Opens in any browser and
                needs no network.
tables/         Each table as CSV (numbers unrounded, what is unknown is empty) and as LaTeX (rounded, with n and notes
                in the caption; it needs the package booktabs, and graphicx where it is wide).
figures/        Each figure as the figure of Plotly that it is (JSON){pictures}
run.json        What was asked for and what made it, every table unrounded, every story with its documents and links,
                and what each judge gave. Unknown is null.
stories.csv     One row a story: pair, how it was made, what is computed of it, its documents and strengths.
scores.csv      One row a question to one agent of a judge: score, time, tokens, cost, and what identifies it.

Pairs, agents and links count from 0, as in the SQL box of the program. The link k of a story joins its document k and
the next. Of documents there are ids, titles and dates, and no text. In CSV files text that a spreadsheet would run as a
formula begins with an apostrophe.
"""


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """What was written: how many tables, figures and pictures of them, and why some pictures are missing, "" if none.

    ``n_pictures`` counts figures that are there as every kind of picture.
    """

    n_tables: int
    n_figures: int
    n_pictures: int
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Export:
    files: Mapping[str, bytes]
    written: WrittenRun


def tables_of(table: RunTable, study: DataSet | None = None) -> tuple[Table, ...]:
    """Return every table of a run, by its design.

    Parameters
    ----------
    table : RunTable
    study : {"news", "vispub"}, optional
        Puts what the reference study printed beside ours: for that collection, or for mixtures of both. Sanity checks
        have no counterpart in it.
    """
    return _tables(_results(table), study)


def figures_of(
    table: RunTable, results: Results | None = None, *, database: Database | None = None
) -> Mapping[str, "go.Figure"]:
    """Return every figure of a run with something to show, by a key that can be the name of a file; light theme.

    Parameters
    ----------
    table : RunTable
    results : optional
        What was computed of it already.
    database : Database, optional
        Where the collection is; without it, or without the landscape of the run in it, there is no figure of where
        endpoint pairs lie.
    """
    return {one.key: one.figure for one in _figures(table, results or _results(table), database)}


def write_run(database: Database, run_id: str, folder: Path | str, *, study: DataSet | None = None) -> WrittenRun:
    """Write a run to a folder, which is made where it does not exist; an earlier export in it is replaced.

    All of it or nothing: it is written beside the folder and put in place at once.

    Parameters
    ----------
    database : Database
    run_id : str
    folder : path
    study : {"news", "vispub"}, optional
        As of `tables_of`.

    Raises
    ------
    InvalidInput
        If there is no run of that id, or the folder has other content.
    """
    place = run_folder(folder)
    export = _export(database, run_id, study)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as beside:
        new, old = Path(beside) / "new", Path(beside) / "old"
        for name, content in export.files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
        if place.exists():
            place.rename(old)
        try:
            new.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    return export.written


def run_folder(folder: Path | str) -> Path:
    """Return where a run is written, whole; raise `InvalidInput` where something is that an export did not write."""
    place = Path(folder).resolve()
    if not place.exists():
        return place
    if not place.is_dir():
        raise InvalidInput(f"{place} is a file. Name a folder for the run.")
    other = _others(sorted(path.relative_to(place).as_posix() for path in place.rglob("*")))
    if other:
        raise InvalidInput(
            f"{place} has other content ({plain_line(other[0])}), which would be lost. Name a new folder for the run."
        )
    return place


def run_zip(
    database: Database,
    run_id: str,
    *,
    study: DataSet | None = None,
    progress: Progress = lambda done, total: None,
) -> bytes:
    """Return the files of `write_run` as a zip file, in a folder that is named after the run.

    ``progress`` is called with how many pictures are drawn, which take most of the time; what it raises ends the work.

    Raises
    ------
    InvalidInput
        If there is no run of that id.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in _export(database, run_id, study, progress).files.items():
            packed.writestr(f"run-{run_id}/{name}", content)
    return archive.getvalue()


def _results(table: RunTable) -> Results:
    match table.run.settings.design:
        case "trails":
            return results_of(table)
        case "sanity":
            return sanity_results(table)
        case "mixtures":
            return mixture_results(table)


def _tables(results: Results, study: DataSet | None) -> tuple[Table, ...]:
    match results:
        case RunResults():
            return run_tables(results, study=study)
        case SanityResults():
            return sanity_tables(results)
        case MixtureResults():
            return mixture_tables(results, study=study is not None)


def _figures(table: RunTable, results: Results, database: Database | None) -> tuple[RunFigure, ...]:
    from narrative_core.run_export_figures import load_coverage, run_figures

    return run_figures(table, results, load_coverage(database, table) if database else None)


def _export(
    database: Database, run_id: str, study: DataSet | None, progress: Progress = lambda done, total: None
) -> _Export:
    table = load_run_table(database, run_id)
    results = _results(table)
    tables, figures = _tables(results, study), _figures(table, results, database)
    drawn = pictures({one.key: one.figure for one in figures}, progress=progress)
    documents = _documents(database, table)
    titles = {document_id: document.title for document_id, document in documents.items()}
    texts = {
        "README.txt": _README.format(name=plain_line(table.run.name) or "Untitled run", pictures=_pictures_told(drawn)),
        "report.html": run_html(
            table.run,
            tables,
            figures,
            run_method_paragraphs(table.run, results if isinstance(results, RunResults) else None),
            run_method_parameters(table.run),
            source_note=_source_note(database, table),
        ),
        "run.json": run_json(table, tables, documents),
        "stories.csv": stories_csv(table, titles),
        "scores.csv": scores_csv(table, _asked(database, table)),
        **{f"tables/{one.key}.csv": table_csv(one) for one in tables},
        **{f"tables/{one.key}.tex": table_latex(one) for one in tables},
        **{f"figures/{one.key}.json": one.figure.to_json() for one in figures},
    }
    files = {f"figures/{key}.{file_format}": content for (key, file_format), content in drawn.files.items()}
    whole = [one for one in figures if {(one.key, "svg"), (one.key, "png")} <= set(drawn.files)]
    written = WrittenRun(len(tables), len(figures), len(whole), drawn.reason)
    return _Export({**{name: text.encode() for name, text in texts.items()}, **files}, written)


def _pictures_told(drawn: Pictures) -> str:
    told = " and as a picture (SVG, PNG)" if drawn.files else ""
    missing = f"\n                Pictures are missing: {drawn.reason}." if drawn.reason else ""
    return f"{told}.{missing}"


def _source_note(database: Database, table: RunTable) -> str:
    """Return where the documents are from, and how many answers are missing yet."""
    n_unasked = sum(scores.n_unasked for scores in table.seats)
    missing = f"{count(n_unasked, 'answer')} had not come yet when this was written." if n_unasked else ""
    try:
        collection = load_collection(database, table.run.settings.collection)
    except InvalidInput:
        return missing
    told = {"Collection": collection.title, "Origin": collection.origin, "Licence": collection.licence}
    source = [f"{name}: {text.rstrip('.')}." for name, text in told.items() if text.strip()]
    return " ".join([*source, missing]).strip()


def _documents(database: Database, table: RunTable) -> Mapping[str, Document]:
    """Return the documents of the collection by id, none where it is no longer there."""
    try:
        documents = load_documents(database, table.run.settings.collection)
    except InvalidInput:
        return {}
    return {document.document_id: document for document in documents}


def _asked(database: Database, table: RunTable) -> Iterator[AskedAgent]:
    """Yield every question of a run with what became of it."""
    stories = sorted({story.story_hash for story in table.stories})
    judgements = {
        judgement.question.question_id: judgement
        for judgement in list_judgements(database, table.run.settings.collection, story_hashes=stories)
    }
    for asked in load_run_questions(database, table.run.run_id):
        judgement = judgements.get(asked.question_id)
        yield AskedAgent(asked.pair, asked.made, asked.seat, asked.agent, asked.question_id, judgement)


def _others(names: Sequence[str]) -> list[str]:
    return [name for name in names if not _OURS.fullmatch(name)]
