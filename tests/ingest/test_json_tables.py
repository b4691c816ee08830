import json
from typing import Any, Literal

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.json_lines import MAX_FLAT_COLUMNS, is_json_lines, read_json, read_json_lines
from narrative_core.ingest.raw_rows import ReadRows


def read(value: object) -> ReadRows:
    return read_json(json.dumps(value), max_rows=100)


def test_an_object_with_one_list_of_objects_inside_is_that_list() -> None:
    found = read({"status": "ok", "data": {"count": 2, "articles": [{"title": "A"}, {"title": "B"}]}})
    assert (found.columns, found.collected.rows, found.notices) == (("title",), [("A",), ("B",)], ())


def test_of_several_lists_the_longest_is_read_and_the_others_named() -> None:
    found = read({"sources": [{"name": "x"}], "articles": [{"title": "A"}, {"title": "B"}]})
    assert found.collected.rows == [("A",), ("B",)]
    assert found.notices == ("The rows are those of “articles”, the longest list; “sources” left out.",)


def test_an_object_without_a_list_is_one_row() -> None:
    assert read({"title": "A", "tags": ["x"]}).collected.rows == [("A", "x")]


CELLS = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.none() | st.integers(-99, 99) | st.booleans()
)
NAMES = st.lists(
    st.sampled_from(["title", "text", "date", "id", "author.name", "2020 votes", "ü"]), min_size=1, unique=True
)


@given(names=NAMES, rows=st.lists(st.tuples(*[CELLS] * 7), min_size=1, max_size=5))
@pytest.mark.parametrize("orient", ["columns", "index", "split"])
def test_a_table_that_pandas_wrote_reads_the_same_in_each_of_its_orientations(
    orient: Literal["columns", "index", "split"], names: list[str], rows: list[tuple[Any, ...]]
) -> None:
    frame = pd.DataFrame([row[: len(names)] for row in rows], columns=names, dtype=object)
    expected = read_json(frame.to_json(orient="records"), max_rows=9)
    assert read_json(frame.to_json(orient=orient), max_rows=9) == expected


def test_an_index_that_is_no_count_is_kept_as_the_identifier() -> None:
    frame = pd.DataFrame({"title": ["A", "B", "C"], "id": [1, 2, 3]}, index=["x", "y", "z"])
    for orient in ("index", "split"):
        found = read_json(frame[["title"]].to_json(orient=orient), max_rows=9)
        assert (found.columns, found.collected.rows[2]) == (("id", "title"), ("z", "C"))
        found = read_json(frame.to_json(orient=orient), max_rows=9)
        assert (found.columns, found.collected.rows[2]) == (("id (2)", "title", "id"), ("z", "C", "3"))
    found = read_json(frame.set_axis([7, 3, 5])[["title"]].to_json(), max_rows=9)
    assert (found.columns, found.collected.rows[2]) == (("id", "title"), ("5", "C"))


def test_objects_by_their_names_are_rows_although_a_few_lack_a_key() -> None:
    named = {f"d{i}": {"title": "A", "text": "B", **({} if i == 2 else {"date": "2021"})} for i in range(4)}
    assert read(named).collected.rows[2:] == [("d2", "A", "B", ""), ("d3", "A", "B", "2021")]


@pytest.mark.parametrize(
    "document",
    [
        {"title": "A", "meta": {"0": "x", "1": "y"}},
        {"article": {"title": "A", "text": "B"}},
        {"meta": {"id": 1}, "article": {"title": "A"}, "site": {"name": "x"}},
        {"title": {"en": "A", "de": "B"}, "text": {"en": "A", "de": "B"}, "note": {"en": "A", "de": "B"}},
        {"title": {"0": "A"}, "text": {"1": "B"}},
        {"x": {"x": "A"}, "y": {"x": "B"}, "z": {"x": "C"}},
        {"columns": ["title"], "data": [["A", "B"]]},
        {"columns": ["title"], "data": [["A"]], "note": "x"},
        {"columns": [], "data": []},
        {"a": {}, "b": {}},
        {},
    ],
)
def test_an_object_that_is_one_document_stays_one(document: dict[str, object]) -> None:
    assert read(document).collected.n_read == 1


def test_lists_of_objects_by_year_are_not_taken_for_the_cells_of_a_table() -> None:
    found = read({"results": {"2020": [{"title": "A"}], "2021": [{"title": "B"}, {"title": "C"}]}})
    assert found.collected.rows == [("B",), ("C",)]


def test_inner_objects_become_columns_and_lists_of_texts_are_joined() -> None:
    found = read(
        [
            {"title": "A", "source": {"id": None, "name": "Courier"}, "tags": ["town", "river", None], "n": [1, 2.50]},
            {"title": "B", "geo": {"at": {"lat": 1}}, "people": [{"name": "Ana"}], "empty": [], "none": {}},
        ]
    )
    assert found.columns == ("title", "source.id", "source.name", "tags", "n", "geo.at.lat", "people", "empty", "none")
    assert found.collected.rows[0] == ("A", "", "Courier", "town; river", "[1, 2.5]", "", "", "", "")
    assert found.collected.rows[1] == ("B", "", "", "", "", "1", '[{"name": "Ana"}]', "", "")


def test_an_inner_object_whose_column_is_taken_stays_json_so_that_nothing_is_lost() -> None:
    found = read([{"a.b": "1", "a": {"b": "2"}}])
    assert dict(zip(found.columns, found.collected.rows[0], strict=True)) == {"a.b": "1", "a": '{"b": "2"}'}


@pytest.mark.parametrize("is_lines", [False, True])
def test_inner_objects_of_too_many_keys_stay_json(is_lines: bool) -> None:
    rows = [{"text": "A", "scores": {f"d{i}": "x" for i in range(MAX_FLAT_COLUMNS + 1)}}]
    written = "\n".join(map(json.dumps, rows)) if is_lines else json.dumps(rows)
    found = (read_json_lines if is_lines else read_json)(written, max_rows=9)
    assert found.columns == ("text", "scores")
    assert json.loads(found.collected.rows[0][1]) == rows[0]["scores"]
    assert found.collected.n_read == 1


def test_texts_in_a_list_are_no_rows_even_where_they_look_like_objects() -> None:
    found = read([{"title": "A"}, '{"title": "B"}'])
    assert [problem.reason for problem in found.collected.problems] == ["a JSON text where an object {…} was expected"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[{"a": 1},', "from line 1, character 11 on"),
        ("[" * 100_000, "nested too deeply"),
        ('"text"', "a single text"),
        ("3", "a single number"),
    ],
)
def test_what_is_no_table_is_told(text: str, sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        read_json(text, max_rows=9)


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ('{"a": 1}\n{"a": 2}', True),
        ('{"a": 1}\n{"a": ', True),
        ('{"a": 1}', False),
        ('{\n  "articles": [\n    {"a": 1},\n    {"a": 2}\n  ]\n}', False),
        ('[\n{"a": 1},\n{"a": 2}\n]', False),
        ("", False),
    ],
)
def test_lines_of_json_are_told_from_one_text(text: str, is_it: bool) -> None:
    assert is_json_lines(text) is is_it
