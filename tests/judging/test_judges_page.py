from pathlib import Path
from typing import get_args

import pytest

from narrative_core.judgements import Mode, Shown, ShownStory, Status
from narrative_core.judging.modes import MODES, Criterion
from narrative_core.judging.phrasings import SHOWN_AS
from narrative_core.judging.prompts import prompt_messages
from narrative_core.judging.shown import LEAD_WORDS, TITLE_CHARACTERS
from narrative_core.records import Document
from narrative_core.runs import PARAPHRASED, REORDERED
from tests.judging.judging_samples import ALL_MODES

PAGE = (Path(__file__).parents[2] / "docs" / "judges.md").read_text(encoding="utf-8")
STORY = ShownStory((Document("a", "First title", ""), Document("b", "Second title", "")), "titles", "news articles")


def mode_section(mode: Mode) -> str:
    """Return what the page says of a mode, word for word: for a person, its parts, its scale, its system message."""
    form = MODES[mode]
    system = prompt_messages(mode, STORY, is_explained=True)[0].content
    parts = [f"### {form.title} (`{mode}`)", form.told]
    parts += [_parts("Written down before the score:", form.steps)] if form.steps else []
    parts += [_parts("Scored:", form.criteria)] if form.criteria else ["Scored: the whole sequence, once."]
    parts += [form.anchors or "The scale is not explained beyond 1 to 10, higher is better."]
    parts += [f"```text\n{system}\n```"]
    return "\n\n".join(parts) + "\n"


def _parts(heading: str, parts: tuple[Criterion, ...]) -> str:
    return "\n".join([f"{heading}\n", *(f"- **{part.title}** (`{part.name}`): {part.meaning}" for part in parts)])


@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_page_shows_every_mode_with_its_full_prompt(mode: Mode) -> None:
    section = mode_section(mode)
    assert section in PAGE, f"write this part of docs/judges.md anew:\n\n{section}"


def wording_section(mode: Mode) -> str:
    """Return what the page says of a mode in other words, word for word."""
    system, user = prompt_messages(mode, STORY, is_explained=True, wording=PARAPHRASED)
    usual = prompt_messages(mode, STORY, is_explained=True)[1]
    assert user.content.rpartition("\n</list>\n")[0] == usual.content.rpartition("\n</list>\n")[0]
    return f"### {MODES[mode].title}, paraphrased\n\n```text\n{system.content}\n```\n"


@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_page_shows_every_mode_in_other_words_in_full(mode: Mode) -> None:
    section = wording_section(mode)
    assert section in PAGE, f"write this part of docs/judges.md anew:\n\n{section}"


def test_the_page_names_the_wordings_and_shows_what_follows_the_list_in_other_words() -> None:
    for wording in (REORDERED, PARAPHRASED):
        assert f"**{wording[0].upper()}{wording[1:]}**" in PAGE
    user = prompt_messages("simple", STORY, is_explained=True, wording=PARAPHRASED)[1].content
    last = user.rpartition("\n</list>\n")[2]
    assert f"```text\n{last}\n```" in PAGE, f"write this part of docs/judges.md anew:\n\n{last}"


def test_the_page_shows_the_message_with_the_list() -> None:
    user = prompt_messages("simple", STORY, is_explained=True)[1].content
    assert f"```text\n{user}\n```" in PAGE, f"write this part of docs/judges.md anew:\n\n{user}"


def test_the_page_says_what_is_shown_and_how_it_ends() -> None:
    for shown in get_args(Shown):
        assert f"| {shown} | {SHOWN_AS[shown]} |" in PAGE
    for status in get_args(Status):
        assert f"| {status} |" in PAGE
    assert f"first {LEAD_WORDS} words" in PAGE
    assert f"{TITLE_CHARACTERS} characters" in PAGE
    for heading in ("## Reading flow", "## Lexical reader"):
        assert f"\n{heading}\n" in PAGE
