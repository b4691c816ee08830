"""What became of every row of a file."""

import pandas as pd
import streamlit as st

from narrative_core.records import LoadReport
from narrative_core.reports.sentences import count

SHOWN_PROBLEMS = 200


def load_report_view(report: LoadReport) -> None:
    """Show the counts of a load report and the rows that need attention; nothing is left out silently."""
    told = [
        f"{count(report.read, 'row')} read",
        f"{count(report.kept, 'document')} kept",
        f"{report.undated:,} without a date",
        count(report.duplicates, "duplicate"),
        f"{report.dropped:,} dropped",
    ]
    st.markdown(" · ".join(told))
    separated = report.delimiter and f"separated by {delimiter_word(report.delimiter)}"
    details = [part for part in (report.encoding, separated) if part]
    if report.date_format:
        details.append(f"dates: {report.date_format}")
    if details:
        st.caption(" · ".join(details))
    if report.undated:
        st.caption("Documents without a date are on the map and in search, but not on a chronological trail.")
    if report.problems:
        with st.expander(f"{len(report.problems):,} remarks on rows"):
            table = pd.DataFrame(
                [(problem.row, problem.reason) for problem in report.problems], columns=["Row", "Remark"]
            )
            st.dataframe(table.head(SHOWN_PROBLEMS), hide_index=True, key=None)
            st.download_button(
                "All remarks as CSV", table.to_csv(index=False), "remarks.csv", "text/csv", on_click="ignore"
            )


def delimiter_word(delimiter: str) -> str:
    """Return what separates the columns of a file, in a word."""
    return {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}.get(delimiter, delimiter)
