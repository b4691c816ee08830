from itertools import chain
from typing import get_args

import pytest

from narrative_core.judgements import Mode
from narrative_core.judging.modes import MODES
from narrative_core.judging.schemas import EXPLANATION, SCORE, WEAKEST
from tests.judging.judging_samples import ALL_MODES


def test_every_mode_of_a_question_has_a_form_under_its_own_key() -> None:
    assert set(MODES) == set(get_args(Mode))
    assert all(form.mode == mode for mode, form in MODES.items())


def test_the_criteria_and_steps_are_those_of_the_study_in_one_order() -> None:
    assert [criterion.name for criterion in MODES["standard"].criteria] == [
        "logical_flow",
        "thematic_consistency",
        "temporal_coherence",
        "narrative_completeness",
    ]
    assert [criterion.name for criterion in MODES["complex"].criteria] == [
        "semantic_coherence",
        "topic_evolution",
        "information_density",
        "causal_relationships",
        "narrative_arc",
        "contextual_relevance",
    ]
    assert [step.name for step in MODES["cot"].steps] == ["connections", "overall_flow", "jarring_transitions"]
    assert not MODES["simple"].criteria
    assert not MODES["cot"].criteria
    assert not MODES["simple"].steps
    assert not MODES["standard"].steps
    assert not MODES["complex"].steps


def test_the_scale_is_explained_by_nothing_by_ranges_by_points_and_by_behaviour() -> None:
    assert MODES["simple"].anchors == ""
    assert all(part in MODES["cot"].anchors for part in ("1 to 3", "4 to 6", "7 to 9", "10"))
    assert all(part in MODES["standard"].anchors for part in ("5", "7", "10"))
    assert not any(sign.isdigit() for sign in MODES["complex"].anchors)


@pytest.mark.parametrize("mode", ALL_MODES)
def test_names_are_keys_titles_are_their_words_and_every_sentence_is_told(mode: Mode) -> None:
    form = MODES[mode]
    for part in chain(form.criteria, form.steps):
        assert part.name == part.title.lower().replace(" ", "_")
        assert part.name not in (SCORE, EXPLANATION, WEAKEST)
        assert part.meaning
    assert form.told.endswith(".")


def test_no_name_stands_for_two_things() -> None:
    names = [part.name for form in MODES.values() for part in (*form.criteria, *form.steps)]
    assert len(names) == len(set(names))
