"""The report on a loaded file as rows."""

import json

import pyarrow as pa

from narrative_core.records import LoadReport, Problem
from narrative_core.store.bulk import insert_rows
from narrative_core.store.tables import Cursor


def insert_report(cursor: Cursor, name: str, report: LoadReport) -> None:
    """Insert what became of every row of the file that a collection was loaded from."""
    cursor.execute(
        "INSERT INTO load_reports (collection, n_read, n_kept, n_undated, n_duplicates, n_dropped, encoding, delimiter,"
        " date_format, column_names, notices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            name,
            report.read,
            report.kept,
            report.undated,
            report.duplicates,
            report.dropped,
            report.encoding,
            report.delimiter,
            report.date_format,
            json.dumps(dict(report.columns), ensure_ascii=False),
            list(report.notices),
        ],
    )
    problems = pa.table(
        {
            "ordinal": pa.array(range(len(report.problems)), pa.int32()),
            "row_number": pa.array([problem.row for problem in report.problems], pa.int64()),
            "reason": pa.array([problem.reason for problem in report.problems], pa.large_string()),
        }
    )
    statement = (
        "INSERT INTO load_problems (collection, ordinal, row_number, reason)"
        " SELECT ?, ordinal, row_number, reason FROM incoming"
    )
    insert_rows(cursor, statement, problems, [name])


def read_report(cursor: Cursor, name: str) -> LoadReport:
    """Return what became of every row of the file that a stored collection was loaded from."""
    read, kept, undated, duplicates, dropped, encoding, delimiter, date_format, columns, notices = cursor.execute(
        "SELECT n_read, n_kept, n_undated, n_duplicates, n_dropped, encoding, delimiter, date_format, column_names,"
        " notices FROM load_reports WHERE collection = ?",
        [name],
    ).fetchall()[0]
    problems = cursor.execute(
        "SELECT row_number, reason FROM load_problems WHERE collection = ? ORDER BY ordinal", [name]
    ).fetchall()
    return LoadReport(
        read=read,
        kept=kept,
        undated=undated,
        duplicates=duplicates,
        dropped=dropped,
        problems=tuple(Problem(row, reason) for row, reason in problems),
        encoding=encoding,
        delimiter=delimiter,
        date_format=date_format,
        columns=json.loads(columns),
        notices=tuple(notices),
    )
