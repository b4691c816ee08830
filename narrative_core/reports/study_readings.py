"""The figures of the reference study as columns beside our own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from narrative_core.estimates import Estimate
from narrative_core.judgements import Mode, Seat
from narrative_core.reports.judged_pairs import MODE_WORDS
from narrative_core.reports.tables import (
    Cell,
    Column,
    EstimateCell,
    Kind,
    NumberCell,
    PCell,
    Reading,
    ShareCell,
    SummaryCell,
)
from narrative_core.study import (
    STUDY_DATA_SETS,
    STUDY_JUDGE,
    STUDY_PLACES,
    STUDY_REMARKS,
    STUDY_SOURCE,
    PrintedFor,
    StudyFigure,
    study_value,
)

COMPARED_WITH: Final = Column(
    "study_judge",
    "Compared with",
    f"Whose figures of the reference study stand beside ours: for a prompted judge those of {STUDY_JUDGE} in the same "
    f"mode, for a judge without a prompt those of {STUDY_JUDGE} in simple mode.",
    "text",
)


_WITH_JUDGES: Final = {"associations", "agreement", "contrasts", "use", "prediction", "importances", "disagreement"}
_JUDGE_REMARK: Final = (
    f"The study's judge is {STUDY_JUDGE}, which was shown titles; its figures are those of the same mode, or of its "
    "simple mode beside a judge without a prompt."
)


class Seated(Protocol):
    """Whatever belongs to one judge."""

    @property
    def seat(self) -> Seat:
        """The judge."""


Judged = TypeVar("Judged", bound=Seated)


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure to be shown: its row in the study's data, the title of its column, and how it is shown."""

    row: str
    title: str
    kind: Kind = "number"
    digits: int = 2
    """As many as the study printed."""


_CELLS: Final[Mapping[Kind, Callable[[StudyFigure, int], Cell]]] = {
    "number": lambda figure, digits: NumberCell(figure.value, digits),
    "summary": lambda figure, digits: SummaryCell(figure.value, figure.sd, digits=digits),
    "estimate": lambda figure, digits: EstimateCell(Estimate(figure.value), digits),
    "count": lambda figure, _: int(figure.value),
    "share": lambda figure, _: ShareCell(figure.value),
    "p": lambda figure, _: PCell(figure.value),
}


def study_mode(seat: Seat) -> Mode:
    """Return the mode of the study's judge that a judge is compared with: its own, or simple where it has none."""
    return seat.mode or "simple"


def compared_with(mode: Mode) -> str:
    """Return what the study's judge in a mode is called: "GPT-4.1, simple"."""
    return f"{STUDY_JUDGE}, {MODE_WORDS[mode]}"


def study_cell(figure: StudyFigure | None, kind: Kind = "number", digits: int = 2) -> Cell:
    """Return a figure of the study as a cell of some kind; nothing where the study printed none."""
    return None if figure is None else _CELLS[kind](figure, digits)


def study_column(table: str, data_set: PrintedFor, printed: Printed) -> Column:
    """Return the column of one figure."""
    name = STUDY_DATA_SETS[data_set]
    return Column(
        f"study_{printed.row.replace(' ', '_')}",
        f"Study, {name}: {printed.title}",
        f"What the reference study printed for {name} ({STUDY_PLACES[table]}).",
        printed.kind,
    )


def study_readings(table: str, data_set: PrintedFor | None, figures: Sequence[Printed]) -> list[Reading[Judged]]:
    """Return the columns of the study's judge beside ours: who it is, then each figure; none without a data set."""
    if data_set is None:
        return []
    rows = [printed.row for printed in figures]
    return [
        Reading(COMPARED_WITH, lambda seated: _compared_with(table, data_set, rows, study_mode(seated.seat))),
        *(_reading(table, data_set, printed) for printed in figures),
    ]


def study_note(table: str, data_set: PrintedFor | None) -> str:
    """Return where the study's figures of a table are from; empty without a data set."""
    if data_set is None or table not in STUDY_PLACES:
        return ""
    remarks = [STUDY_REMARKS.get(table, ""), _JUDGE_REMARK if table in _WITH_JUDGES else ""]
    return " ".join([*filter(None, remarks), f"Study: {STUDY_SOURCE}, {STUDY_PLACES[table]}."])


def _reading(table: str, data_set: PrintedFor, printed: Printed) -> Reading[Judged]:
    return Reading(
        study_column(table, data_set, printed),
        lambda seated: study_cell(
            study_value(table, data_set, printed.row, study_mode(seated.seat)), printed.kind, printed.digits
        ),
    )


def _compared_with(table: str, data_set: PrintedFor, rows: Sequence[str], mode: Mode) -> str:
    is_printed = any(study_value(table, data_set, row, mode) for row in rows)
    return compared_with(mode) if is_printed else f"{compared_with(mode)}: not printed"
