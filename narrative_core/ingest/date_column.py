"""The dates of one column, read in one order."""

from collections.abc import Sequence
from dataclasses import dataclass

from narrative_core.errors import InvalidInput
from narrative_core.ingest.date_shapes import QUARTER
from narrative_core.ingest.dates import (
    DateFormat,
    DateOrder,
    ParsedDate,
    describe_date,
    detect_date_format,
    interpret,
    parse_date,
    read_serial,
    why_unreadable,
)

NO_DATE = "no date; the document is on the map and in search, but on no chronological trail"


@dataclass(frozen=True, slots=True)
class DatedValue:
    """A value of a date column: the date if it can be read, and a remark if there is something to know."""

    parsed: ParsedDate | None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class DateColumn:
    """How the dates of a column are read; ``order`` is the detected or the chosen one."""

    format: DateFormat
    order: DateOrder
    is_chosen: bool

    @property
    def name(self) -> str:
        """The format in words, for a report."""
        if self.format.order == "mixed" and self.is_chosen:
            return f"{self.format.name}, read {self.order} as chosen"
        return self.format.name

    def read(self, value: str) -> DatedValue:
        """Return the date of one value.

        A value that has no reading in the chosen or detected order, but one in the other, is read in the other.
        """
        if not value.strip():
            return DatedValue(None, NO_DATE)
        if self.format.is_serial:
            found = interpret(read_serial(value), "iso")
            return _unreadable(value, found) if isinstance(found, str) else DatedValue(found)
        parsed = parse_date(value, self.order)
        if parsed is None and (parsed := parse_date(value, "mixed")):
            said = describe_date(parsed.date, parsed.precision)
            return DatedValue(parsed, f'the date "{value.strip()}" can only be {said}, not {self.order}; read so')
        if parsed is None:
            return _unreadable(value, why_unreadable(value, self.order))
        if parsed.pattern == QUARTER:
            said = describe_date(parsed.date, parsed.precision)
            return DatedValue(parsed, f'the date "{value.strip()}" is a quarter; placed at its first month, {said}')
        return DatedValue(parsed)


def _unreadable(value: str, reason: str) -> DatedValue:
    return DatedValue(None, f'the date "{value.strip()[:60]}" cannot be read: {reason}; kept without a date')


def read_date_column(values: Sequence[str], *, date_order: DateOrder | None = None) -> DateColumn:
    """Return how to read the dates of a column.

    Parameters
    ----------
    values : sequence of str
    date_order : {"day first", "month first"}, optional
        The order of day and month as a person chose it; needed where the values do not tell.

    Raises
    ------
    InvalidInput
        If the order must be chosen and is not.
    """
    detected = detect_date_format(values)
    if detected.is_ambiguous and date_order is None:
        examples = "; ".join(f"{example.given} is {example.understood}" for example in detected.examples)
        raise InvalidInput(
            f"dates must tell the day from the month, and no value here does ({examples}): say whether the day or the "
            "month comes first."
        )
    return DateColumn(detected, date_order or detected.order, is_chosen=date_order is not None)
