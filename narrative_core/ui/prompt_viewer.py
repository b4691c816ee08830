"""The prompt viewer: what a prompted judge is sent, word for word, and a dry run that sends nothing."""

import json
import re
from collections.abc import Mapping
from typing import get_args

import streamlit as st

from narrative_core.assessment import forecasts
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.judgements import Mode, Shown, ShownStory
from narrative_core.judging.modes import MODES
from narrative_core.judging.prompts import prompt_hash, prompt_messages, reply_schema
from narrative_core.judging.tokens import expected_request_tokens
from narrative_core.records import CollectionSummary, StoryPair
from narrative_core.reports.cost_sentences import forecast_sentence
from narrative_core.reports.judged_pairs import SHOWN_WORDS
from narrative_core.ui import judges, resources, state, trial
from narrative_core.ui.explorer import View
from narrative_core.ui.words import markdown_text

EXAMPLE, TRAIL, CHANCE = "The example", "The trail on Explore", "Its random chronology"
SHORT_HASH = 12


def prompt_viewer(summary: CollectionSummary | None) -> None:
    """Show the prompt of a mode in full, for the example or, as a dry run, for the story that is open on Explore."""
    st.caption(
        "A request is two messages and the form of the reply. The task is the same byte for byte whatever the "
        "documents say, and nothing in it tells which method made the story."
    )
    mode, shown, is_explained = _manner()
    left, right = st.columns([7, 2], gap="medium", vertical_alignment="bottom")
    about = left.segmented_control(
        "About which story", [EXAMPLE, TRAIL, CHANCE], default=EXAMPLE, required=True, key="prompt-about",
        help="The trail and the random chronology are those of the collection above: a dry run.",
    )  # fmt: skip
    if about == EXAMPLE:
        noun = right.text_input(
            "Its documents are called", trial.example().collection.noun, max_chars=60, key="prompt-noun",
            help="The word for the documents in the prompt. Each collection has its own; try another one here.",
        )  # fmt: skip
        story = ShownStory(trial.known_stories()[0], shown, noun)
        _request(mode, story, is_explained=is_explained)
        return
    pair = _open_pair(summary)
    if summary is None or pair is None:
        st.info(
            "There is no story to show. Choose a collection that has a map above, then two documents on Explore that a "
            "trail connects."
        )
        return
    told = pair.trail if about == TRAIL else pair.baseline
    _dry_run(summary, pair, (mode, shown, is_explained))
    _request(mode, ShownStory(told.documents, shown, summary.collection.noun), is_explained=is_explained)


def _manner() -> tuple[Mode, Shown, bool]:
    left, middle, right = st.columns([4, 3, 2], gap="medium", vertical_alignment="bottom")
    modes: list[Mode] = list(MODES)
    mode = left.segmented_control(
        "Mode", modes, default="simple", required=True, format_func=lambda one: MODES[one].title, key="prompt-mode"
    )
    options: list[Shown] = list(get_args(Shown))
    shown = middle.selectbox("Shown of each document", options, format_func=SHOWN_WORDS.__getitem__, key="prompt-shown")
    is_explained = right.toggle("With explanation", value=True, key="prompt-explained")
    st.markdown(markdown_text(MODES[mode].told))
    return mode, shown, is_explained


def _open_pair(summary: CollectionSummary | None) -> StoryPair | None:
    """Return the story that is open on Explore, or the one that the collection opens on."""
    if summary is None or not summary.is_built:
        return None
    name, landscape_id = summary.collection.name, summary.landscape_id or ""
    try:
        request = state.request() or resources.opening_request(name, landscape_id)
        return View(resources.loaded(name, landscape_id)).pair(request)
    except (InvalidInput, NoTrail):
        return None


def _dry_run(summary: CollectionSummary, pair: StoryPair, manner: tuple[Mode, Shown, bool]) -> None:
    mode, shown, is_explained = manner
    seat = judges.prompted_seat(mode, 1, shown, is_explained)
    loaded = resources.loaded(summary.collection.name, summary.landscape_id or "")
    (forecast,) = forecasts(resources.database(), loaded, pair, (seat,))
    st.info(
        f"**Dry run.** Asking one agent of {markdown_text(seat.model)} about the trail and its random chronology. "
        f"{markdown_text(forecast_sentence([forecast]))} Nothing is sent from here.",
        icon=":material/receipt_long:",
    )


def _request(mode: Mode, story: ShownStory, *, is_explained: bool) -> None:
    system, user = prompt_messages(mode, story, is_explained=is_explained)
    schema = reply_schema(mode, n_documents=len(story.documents), is_explained=is_explained)
    n_tokens = expected_request_tokens([system.content, user.content], schema)
    wording = prompt_hash(mode, is_explained=is_explained, noun=story.noun)[:SHORT_HASH]
    st.markdown(
        f"Wording `{wording}` · about {n_tokens:,} tokens",
        help="Stands for every word of the instruction and for the form of the reply. It is stored with each "
        "judgement: as soon as a word changes it is another one, and stories are asked anew. The tokens are an "
        "estimate, more often too high than too low.",
    )
    for title, text, language in (
        ("System message: the task", system.content, None),
        ("User message: the story", user.content, None),
        ("Form of the reply: a strict JSON schema", schema_text(schema), "json"),
    ):
        st.html(f"<b>{title}</b>")
        st.code(text, language=language, wrap_lines=True)


def schema_text(schema: Mapping[str, object]) -> str:
    """Return a schema as JSON, a list of plain values on one line."""
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: re.sub(r"\s*\n\s*", " ", found.group()), text)
