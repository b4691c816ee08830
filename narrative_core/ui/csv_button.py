"""The button that hands out rows as a table: safe to open in a spreadsheet, readable there in any script."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

from narrative_core.reports.table_formats import rows_csv


def csv_button(
    label: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    filename: str,
    **more: Any,  # noqa: ANN401  what `st.download_button` takes
) -> None:
    """Show a button that hands out rows; cells that a spreadsheet would run as a formula are made harmless."""
    csv_file_button(label, lambda: rows_csv(columns, rows), filename, **more)


def csv_file_button(
    label: str,
    make: Callable[[], str],
    filename: str,
    **more: Any,  # noqa: ANN401  what `st.download_button` takes
) -> None:
    """Show a button that hands out a table that is written when it is pressed."""
    # The mark at the beginning tells spreadsheets that it is UTF-8; without it Arabic and Chinese come out as scraps.
    st.download_button(label, lambda: make().encode("utf-8-sig"), filename, "text/csv", on_click="ignore", **more)
