"""What is in the database, table by table: the same words as docs/schema.md."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from narrative_core.store.schema import describe_schema
from narrative_core.ui import resources
from narrative_core.ui.words import clamp

FIRST_LOOK = "run_scores"
_TOLD_LENGTH = 90


@dataclass(frozen=True, slots=True)
class Described:
    """A table or a view: what it holds, and its key and columns as Markdown."""

    name: str
    told: str
    columns: str
    is_view: bool


def described(schema: str) -> tuple[Described, ...]:
    """Return the tables and then the views of a described schema.

    Examples
    --------
    >>> described("# The database\\n\\n## runs\\n\\nOne run a row.\\n\\n| column |\\n|---|\\n| run_id |\\n")
    (Described(name='runs', told='One run a row.', columns='| column |\\n|---|\\n| run_id |', is_view=False),)
    """
    tables, _, views = schema.partition("\n# Views\n")
    return tuple(
        _described(section, is_view=part is views) for part in (tables, views) for section in part.split("\n## ")[1:]
    )


def schema_view(*, look: Callable[[str], None]) -> None:
    """Show one table or view at a time, with the way to look at its first rows."""
    known = {one.name: one for one in described(describe_schema(resources.database()))}
    n_views = sum(one.is_view for one in known.values())
    chosen = st.selectbox(
        f"{len(known) - n_views} tables and {n_views} views",
        list(known),
        index=list(known).index(FIRST_LOOK) if FIRST_LOOK in known else 0,
        format_func=lambda name: (
            f"{name}{' (view)' if known[name].is_view else ''}: {clamp(known[name].told, _TOLD_LENGTH)}"
        ),
        key="sql-table",
        help="A view is a query with a name: it is read like a table. Type a part of a name to find it.",
    )
    told, act = st.columns([4, 1], vertical_alignment="center")
    told.markdown(known[chosen].told)
    act.button(
        "First rows",
        key="sql-look",
        on_click=look,
        args=(f"SELECT * FROM {chosen} LIMIT 20",),
        icon=":material/visibility:",
    )
    st.markdown(known[chosen].columns)


def _described(section: str, *, is_view: bool) -> Described:
    name, _, rest = section.partition("\n\n")
    told, _, columns = rest.partition("\n\n")
    return Described(name.strip(), told.strip(), columns.strip(), is_view)
