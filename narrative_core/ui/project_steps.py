"""A collection as one file: taken away from its card, opened on the page Collections."""

from io import BytesIO

import streamlit as st

from narrative_core.counting import count
from narrative_core.project_archive import Manifest
from narrative_core.project_file import about_project, free_name, read_project, write_project
from narrative_core.ui import resources, state
from narrative_core.ui.words import markdown_text


def offer_project(data: bytes, *, key: str) -> bool:
    """Offer to open a project file, and return whether it was opened; what is in it is told before it is stored."""
    about = about_project(data)
    st.markdown(_told(about))
    name = free_name(resources.database(), about.name)
    title = about.title if name == about.name else f"{about.title} ({name.rpartition('-')[2]})"
    chosen = st.text_input("Name of the collection", title, max_chars=200, key=f"project-title-{key}")
    if not st.button("Open the project", type="primary", key="project-go", disabled=not chosen.strip()):
        return False
    with st.spinner("Opening the project …"):
        report = read_project(resources.database(), data, name=name, title=chosen.strip())
    state.choose_collection(report.name)
    state.notify(f"“{chosen.strip()}” is here, as it was where it was made.")
    return True


def project_download(name: str) -> None:
    """Offer a collection as a project file; it is packed when it is asked for."""
    st.download_button(
        "Project file", data=lambda: _packed(name), file_name=f"{name}.zip", mime="application/zip",
        key=f"project-{name}", icon=":material/folder_zip:", on_click="ignore",
        help="Documents, map, stories, notes and judgements as one file that another machine opens. It holds no key.",
    )  # fmt: skip


def _packed(name: str) -> bytes:
    target = BytesIO()
    write_project(resources.database(), name, target)
    return target.getvalue()


def _told(about: Manifest) -> str:
    counts = about.counts
    stories = counts.get("stories", 0)
    parts = [
        count(counts.get("documents", 0), "document"),
        count(counts.get("topics", 0), "topic"),
        count(stories, "saved story"),
        count(counts.get("judgements", 0), "judgement"),
    ]
    left_out = f" Left out, as no part of a project: {', '.join(about.ignored[:3])}." if about.ignored else ""
    return f"**{markdown_text(about.title)}**: {', '.join(parts)}.{markdown_text(left_out)}"
