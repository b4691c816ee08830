"""The other wordings ask for the same: same keys, same scale, same numbers on it, and the reply is read alike."""

import json
import re
from itertools import pairwise

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Mode
from narrative_core.judging.modes import MODES
from narrative_core.judging.phrasings import PHRASINGS
from narrative_core.judging.prompts import prompt_hash, prompt_messages, reply_schema
from narrative_core.judging.replies import read_reply
from narrative_core.judging.wordings import MEANING_OTHERWISE, WORDINGS, has_wording, mode_form
from narrative_core.runs import PARAPHRASED, REORDERED
from tests.judging.judging_samples import ALL_ASKED, ALL_MODES, good_values, sample_story


def system_text(mode: Mode, wording: str) -> str:
    return prompt_messages(mode, sample_story(), is_explained=True, wording=wording)[0].content


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+|[0-9]+", text.lower())


def test_every_wording_has_its_words_and_only_simple_cannot_be_reordered() -> None:
    assert set(PHRASINGS) == set(WORDINGS) == {"", REORDERED, PARAPHRASED}
    assert [(mode, wording) for mode in ALL_MODES for wording in WORDINGS if not has_wording(mode, wording)] == [
        ("simple", REORDERED)
    ]
    assert not has_wording("complex", "in verse")


@pytest.mark.parametrize(("mode", "wording"), [("simple", REORDERED), ("standard", "in verse")])
def test_a_wording_that_a_mode_does_not_have_is_refused(mode: Mode, wording: str) -> None:
    for ask in (
        lambda: prompt_messages(mode, sample_story(), is_explained=True, wording=wording),
        lambda: reply_schema(mode, n_documents=3, is_explained=True, wording=wording),
        lambda: prompt_hash(mode, is_explained=True, wording=wording),
    ):
        with pytest.raises(InvalidInput, match="Choose one of these"):
            ask()


@pytest.mark.parametrize("mode", [mode for mode in ALL_MODES if has_wording(mode, REORDERED)])
def test_reordered_has_the_usual_lines_in_another_order(mode: Mode) -> None:
    usual, other = system_text(mode, ""), system_text(mode, REORDERED)
    assert usual != other
    assert sorted(usual.splitlines()[:-1]) == sorted(other.splitlines()[:-1])
    assert sorted(words(usual)) == sorted(words(other))
    form = MODES[mode]
    assert mode_form(mode, REORDERED).criteria == form.criteria[::-1]
    assert mode_form(mode, REORDERED).steps == form.steps[::-1]


@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_paraphrase_shares_no_five_words_in_a_row_with_the_usual_wording(mode: Mode) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        task, _, _ = text.rpartition("\n\n")
        # Keys and numbers have to be the same.
        said = re.findall(r"[a-z]+", re.sub(r"[a-z]+_[a-z]+", " ", task.lower()))
        return {tuple(said[start : start + 5]) for start in range(len(said) - 4)}

    shared = runs(system_text(mode, "")) & runs(system_text(mode, PARAPHRASED))
    assert all("news" in run or "entry" in run for run in shared)
    assert len(shared) < 10


@pytest.mark.parametrize("mode", ALL_MODES)
def test_the_paraphrase_has_the_same_keys_steps_and_numbers_on_the_scale(mode: Mode) -> None:
    usual, other = mode_form(mode), mode_form(mode, PARAPHRASED)
    for parts, told in ((usual.criteria, other.criteria), (usual.steps, other.steps)):
        assert [(part.name, part.title) for part in parts] == [(part.name, part.title) for part in told]
        assert all(part.meaning != said.meaning for part, said in zip(parts, told, strict=True))
    assert re.findall("[0-9]+", usual.anchors) == re.findall("[0-9]+", other.anchors)
    assert bool(usual.anchors) == bool(other.anchors)
    assert sorted(re.findall("[0-9]+", system_text(mode, ""))) == sorted(
        re.findall("[0-9]+", system_text(mode, PARAPHRASED))
    )
    assert reply_schema(mode, n_documents=5, is_explained=True) == reply_schema(
        mode, n_documents=5, is_explained=True, wording=PARAPHRASED
    )


def test_what_is_said_otherwise_is_said_of_every_criterion_and_step_and_of_nothing_else() -> None:
    names = {part.name for form in MODES.values() for part in (*form.criteria, *form.steps)}
    assert set(MEANING_OTHERWISE) == names


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_a_reply_in_the_order_of_the_asking_is_read_like_any_other(mode: Mode, wording: str) -> None:
    schema = reply_schema(mode, n_documents=5, is_explained=True, wording=wording)
    # Another score for each criterion, so that a mix-up would show.
    scores = {key: 2 + place for place, key in enumerate(criterion.name for criterion in MODES[mode].criteria)}
    values = good_values(mode) | scores
    usual, asked = json.dumps(values), json.dumps({key: values[key] for key in schema["properties"]})
    assert set(schema["properties"]) == set(values)
    assert (usual == asked) == (wording != REORDERED)
    said = [read_reply(reply, mode, n_documents=5, is_explained=True) for reply in (usual, asked)]
    assert all(one == other for one, other in pairwise(said))
    assert {scored.name: scored.score for scored in said[1].criteria} == scores
