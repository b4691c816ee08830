"""What a file is written in, and which model would read it."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from narrative_core.build_stages import Model
from narrative_core.import_jobs import ReadFile
from narrative_core.reports.sentences import format_list
from narrative_core.space.embedders import LOCAL_MODEL
from narrative_core.ui import embedding, imports_work
from narrative_core.ui.import_understood import Confirmed
from narrative_core.ui.topics_sections import LANGUAGE_NAMES
from narrative_core.ui.words import html_text, markdown_text

_ALL_BUT: Final = 0.95
"""Share of Latin letters from which on other ones are names and quotations."""
_ROUGH: Final = (
    "WordLlama knows few words beyond English, so topics and trails of these documents would be rough. A multilingual "
    "model at an endpoint does better."
)


def choose_model(read: ReadFile, key: str, confirmed: Confirmed, *, brings_vectors: bool) -> None:
    """Say what the file is written in, and which model would read it; another can be chosen here."""
    found = confirmed.found
    has_vectors = brings_vectors or (found.vectors is not None and found.vectors.is_used)
    model = embedding.chosen_model()
    is_local = model.name == LOCAL_MODEL and not has_vectors
    told = language_words(found.scripts, imports_work.languages(key, read, confirmed.choice), is_local=is_local)
    if told:
        show = st.warning if _ROUGH in told else st.caption
        show(markdown_text(told))
    if has_vectors:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        told = f"<span class='tl-quiet'>Vectors will be made by {html_text(model_words(model))}.</span>"
        st.html(told, width="content")
        with st.popover("Change", key="import-model", type="tertiary"):
            embedding.model_form()


def language_words(scripts: Mapping[str, float], languages: Sequence[str], *, is_local: bool) -> str:
    """Return what a file is written in, and what that means for the local model; "" for English.

    Parameters
    ----------
    scripts : mapping of str to float
        Shares of letters, see `script_shares`.
    languages : sequence of str
        Codes, the main one first.
    is_local : bool
        Whether the model that comes with the program would make the vectors.

    Examples
    --------
    >>> language_words({"Latin": 1.0}, ["en"], is_local=True)
    ''
    >>> language_words({"Cyrillic": 0.97, "Latin": 0.03}, ["ru"], is_local=False)
    'Written in Russian (97 % of the letters Cyrillic, 3 % Latin).'
    """
    if not scripts or (set(languages) <= {"en"} and scripts.get("Latin", 0.0) > _ALL_BUT):
        return ""
    names = [LANGUAGE_NAMES.get(code, code) for code in languages]
    first, *others = [(f"{share:.0%}".replace("%", " %"), script) for script, share in scripts.items()]
    shares = ", ".join([f"{first[0]} of the letters {first[1]}", *(f"{share} {script}" for share, script in others)])
    told = f"Written in {format_list(names)}{f' ({shares})' if others else ''}." if names else f"{shares}."
    is_rough = is_local and (any(code != "en" for code in languages) or scripts.get("Latin", 0.0) <= _ALL_BUT)
    return f"{told} {_ROUGH}" if is_rough else told


def model_words(model: Model) -> str:
    """Return which model makes vectors, in words.

    Examples
    --------
    >>> model_words(Model())
    'WordLlama (English words, on this computer)'
    >>> model_words(Model("bge-m3", "http://localhost:8080/v1"))
    'bge-m3 (at http://localhost:8080/v1)'
    """
    if model.name == LOCAL_MODEL:
        return "WordLlama (English words, on this computer)"
    return f"{model.name} (at {model.base_url or 'the usual endpoint'})"
