"""Questions in SQL: the box, worked queries to begin with, the rows that come back, and what the tables are."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from narrative_core.errors import NarrativeError
from narrative_core.reports.table_formats import rows_csv
from narrative_core.store.console import MOST_ROWS, TIMEOUT_S, QueryResult, query
from narrative_core.store.worked_queries import WORKED_QUERIES
from narrative_core.ui import resources, run_work
from narrative_core.ui.schema_view import schema_view
from narrative_core.ui.words import markdown_text, sentence

_SQL, _CHOSEN, _WAITING, _RESULT = "sql-text", "sql-worked", "sql-waiting", "sql-result"
_BOX_HEIGHT = 330
_LIST_HEIGHT = 470


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question gave: its rows, or the sentence that says why there are none."""

    sql: str
    result: QueryResult | None
    problem: str = ""


def sql_box() -> None:
    """Show the box with the worked queries beside it, and under it what the last question gave."""
    st.session_state.setdefault(_SQL, WORKED_QUERIES[0].sql)
    box, worked = st.columns([7, 4], gap="large")
    with worked:
        _worked_queries()
    with box:
        sql = st.text_area("One question in SQL", key=_SQL, height=_BOX_HEIGHT)
        act, told = st.columns([1, 6], vertical_alignment="center")
        act.button("Run", key="sql-run", type="primary", icon=":material/play_arrow:", on_click=_ask)
        told.caption(
            "It reads everything in this file, changes nothing, and reaches no other file and no network. At most "
            f"{MOST_ROWS:,} rows come back; after {TIMEOUT_S:.0f} seconds it is stopped."
        )
        if st.session_state.pop(_WAITING, False):
            with st.spinner("Asking the database …"):
                st.session_state[_RESULT] = _answer_to(sql)
        _answer(sql)
    with st.expander("The tables and views", icon=":material/schema:"):
        schema_view(look=_look)


def names_apart(columns: Sequence[str]) -> list[str]:
    """Return names of which no two are the same: SQL takes one name for two columns, a table on screen does not.

    Examples
    --------
    >>> names_apart(["n", "n", "n (2)"])
    ['n', 'n (2)', 'n (2) (2)']
    """
    names: list[str] = []
    for name in columns:
        told, number = name, 2
        while told in names:
            told, number = f"{name} ({number})", number + 1
        names.append(told)
    return names


def _worked_queries() -> None:
    if not run_work.runs(design="trails"):
        st.info("There is no run yet, so the worked queries find no rows. Start one on the page New run.")
        st.page_link("pages/research/new_run.py", label="Start a run", icon=":material/science:")
    with st.container(height=_LIST_HEIGHT, border=False, key="sql-queries"):
        st.radio(
            "Worked queries",
            [worked.title for worked in WORKED_QUERIES],
            key=_CHOSEN,
            captions=[worked.told for worked in WORKED_QUERIES],
            on_change=_take_worked,
            help="Each is about the newest run that it can be about. Choosing one puts it into the box and runs it.",
        )


def _take_worked() -> None:
    chosen = next((worked for worked in WORKED_QUERIES if worked.title == st.session_state.get(_CHOSEN)), None)
    if chosen is not None:
        _look(chosen.sql)


def _look(sql: str) -> None:
    st.session_state[_SQL] = sql
    _ask()


def _ask() -> None:
    # The question is asked where the page is drawn, so that a person sees that it is under way.
    st.session_state[_WAITING] = True


def _answer_to(sql: str) -> Answer:
    try:
        return Answer(sql, query(resources.database(), sql))
    except NarrativeError as problem:
        return Answer(sql, None, str(problem))


def _answer(sql: str) -> None:
    answer: Answer | None = st.session_state.get(_RESULT)
    if answer is None:
        return
    if answer.sql != sql:
        st.caption("The box has been changed since. Below is what it gave before.")
    if answer.result is None:
        st.error(markdown_text(sentence(answer.problem)), icon=":material/error:")
    else:
        _rows(answer.result)


def _rows(result: QueryResult) -> None:
    n = len(result.rows)
    if not n:
        st.info(f"No rows ({result.seconds:.2f} s): nothing in the database answers to it.")
        return
    cut = f"; there are more, the first {n:,} are shown" if result.is_cut else ""
    told, file = st.columns([4, 1], vertical_alignment="center")
    told.caption(f"{n:,} {'row' if n == 1 else 'rows'} in {result.seconds:.2f} s{cut}.")
    file.download_button(
        "CSV",
        rows_csv(result.columns, result.rows),
        "query.csv",
        "text/csv",
        on_click="ignore",
        key="sql-csv",
        icon=":material/download:",
    )
    rows = pd.DataFrame(list(result.rows), columns=names_apart(result.columns))
    st.dataframe(rows, hide_index=True, key="sql-rows")
