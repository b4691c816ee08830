"""A run as one offline HTML page: its tables, its figures that one can point at, its methods, and what made it."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from narrative_core.counting import count
from narrative_core.reports import palette
from narrative_core.reports.methods import MethodParagraph, Parameter
from narrative_core.reports.sentences import format_list, plain_line
from narrative_core.reports.table_formats import table_html
from narrative_core.reports.tables import Table, table_remark
from narrative_core.runs import Design, Run

if TYPE_CHECKING:
    import plotly.graph_objects as go

_TEMPLATES: Final = Path(__file__).parent / "templates"
_DEFAULT_HEIGHT_PX: Final = 450
_BROAD: Final = 8
"""Tables with more columns are set smaller on paper."""

_DESIGN_WORDS: Final[Mapping[Design, str]] = {
    "trails": "Trails beside random chronologies",
    "mixtures": "Stories that mix two collections, beside trails",
    "sanity": "Trails, random chronologies, and trails damaged on purpose",
}
_IN_JSON: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""Inside the strings of JSON these say the same, and no text of a document can end the element that holds it."""


@dataclass(frozen=True, slots=True, eq=False)
class RunFigure:
    """A figure of a run: ``key`` can be the name of a file, ``beside`` is the key of the table that it belongs to."""

    key: str
    title: str
    figure: "go.Figure"
    beside: str = ""


@dataclass(frozen=True, slots=True)
class _Drawn:
    number: int
    key: str
    title: str
    height: int
    told: str


@dataclass(frozen=True, slots=True)
class _Part:
    anchor: str
    title: str
    table: str
    remark: str
    is_broad: bool
    figures: tuple[_Drawn, ...]


def run_html(
    run: Run,
    tables: Sequence[Table],
    figures: Sequence[RunFigure],
    paragraphs: Sequence[MethodParagraph],
    parameters: Sequence[Parameter],
    *,
    source_note: str = "",
) -> str:
    """Return a run as one HTML file that needs no network and no other file.

    Figures are drawn by the plotly.js that is in the file. Its only scripts are that one and our own: the page allows
    none but those with their hashes, and asks no address.

    Parameters
    ----------
    run : Run
    tables : sequence of Table
        In reading order; those without rows are left out.
    figures : sequence of RunFigure
        Each stands under the table that it belongs to, those of none under "More figures".
    paragraphs, parameters : sequence
        What `run_methods` says of the run.
    source_note : str
        Sentences under the title: where the documents are from, what is missing yet.
    """
    plotly, drawing = (_plotly(), _drawing()) if figures else ("", "")
    return _template().render(
        palette=palette,
        allowed=" ".join(f"'sha256-{_hash(script)}'" for script in (plotly, drawing) if script) or "'none'",
        name=plain_line(run.name) or "Untitled run",
        collection=plain_line(run.settings.collection),
        standfirst=_standfirst(run),
        source_note=plain_line(source_note),
        parts=_parts(tables, figures),
        figures=figures,
        paragraphs=paragraphs,
        parameters=parameters,
        plotly=plotly,
        drawing=drawing,
    )


def _standfirst(run: Run) -> str:
    asked = run.settings
    unit = "story of each kind" if asked.n_pairs == 1 else "stories of each kind"
    n_pairs = sum(one.found for one in run.strata) or asked.n_pairs
    made = f"{asked.n_pairs:,} {unit}" if asked.design == "mixtures" else count(n_pairs, "endpoint pair")
    # A sanity run asks a judge in other ways too, as seats of their own.
    who = {seat.judge_and_mode for seat in asked.seats}
    n_judges = len(who if asked.design == "sanity" else asked.seats)
    judges = count(n_judges, "judge") if n_judges else "no judge"
    return f"{_DESIGN_WORDS[asked.design]}: {format_list([made, judges])}."


def _parts(tables: Sequence[Table], figures: Sequence[RunFigure]) -> tuple[_Part, ...]:
    shown = [table for table in tables if not table.is_empty]
    keys = {table.key for table in shown}
    loose = [figure for figure in figures if figure.beside not in keys]
    parts: list[_Part] = []
    n_before = 0
    for table in shown:
        own = [figure for figure in figures if figure.beside == table.key]
        drawn = _numbered(own, n_before)
        parts.append(
            _Part(
                f"part-{len(parts) + 1}",
                plain_line(table.title),
                table_html(table),
                table_remark(table),
                len(table.columns) > _BROAD,
                drawn,
            )
        )
        n_before += len(own)
    if loose:
        title = "More figures" if parts else "Figures"
        parts.append(_Part(f"part-{len(parts) + 1}", title, "", "", False, _numbered(loose, n_before)))
    return tuple(parts)


def _numbered(figures: Sequence[RunFigure], n_before: int) -> tuple[_Drawn, ...]:
    return tuple(
        _Drawn(
            number,
            figure.key,
            plain_line(figure.title),
            int(figure.figure.layout.height or _DEFAULT_HEIGHT_PX),
            figure.figure.to_json().translate(_IN_JSON),
        )
        for number, figure in enumerate(figures, start=n_before + 1)
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


@cache
def _drawing() -> str:
    return (_TEMPLATES / "run.js").read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("run.html.j2")
