import json

import pytest
from hypothesis import given, settings

from narrative_core.curation import Curation
from narrative_core.curation_record import curation_json, read_curation
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import Fields, parse_object
from tests.desk_samples import curations


def told(**values: object) -> Fields:
    return Fields({**curation_json(Curation()), **values}, "out/curation.json")


@settings(deadline=None)
@given(curation=curations)
def test_what_is_written_comes_back(curation: Curation) -> None:
    assert read_curation(parse_object(json.dumps(curation_json(curation)).encode(), "here")) == curation


def test_what_an_earlier_version_did_not_write_is_empty_and_what_a_later_one_adds_is_passed_over() -> None:
    assert read_curation(Fields({"excluded": ["a"], "later": 7}, "here")) == Curation(excluded=frozenset({"a"}))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"excluded": "a"}, "“excluded” must be a list of texts"),
        ({"excluded": [1]}, "“excluded” must be a list of texts"),
        ({"dates": {"a": 2021}}, "“dates” must be an object of texts"),
        ({"dates": []}, "“dates” must be an object of texts"),
        ({"link_notes": [{"source": "a", "note": "x"}]}, "“target” must be a text; it is missing"),
        ({"topics": [{"topic": True}]}, "“topic” must be a whole number"),
        ({"topics": [{"topic": -1}]}, "“topic” must be a whole number"),
        ({"topics": [{"topic": 1, "label": None, "merged_into": None, "is_hidden": 1}]}, "must be true or false"),
    ],
)
def test_a_value_of_another_kind_is_refused_by_name(values: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read_curation(told(**values))


def test_topics_that_are_merged_in_a_circle_are_refused() -> None:
    merged = [{"topic": t, "label": None, "merged_into": 1 - t, "is_hidden": False} for t in (0, 1)]
    with pytest.raises(InvalidInput, match="topic 0 is merged into one that is merged itself"):
        read_curation(told(topics=merged))
