import math

import numpy as np
import pytest

from narrative_core.document_index import index_documents
from narrative_core.document_query import read_query
from narrative_core.document_search import hits, search, similar_by_wording, similar_by_words
from tests.search_samples import document, index_of


def found(titles: list[str], query: str) -> list[int]:
    return search(index_of(*titles), read_query(query)).rows.tolist()


def test_a_word_of_the_headline_counts_more_than_one_of_the_text() -> None:
    documents = [
        document("text", "A quiet day in town", "The flood came at noon."),
        document("title", "Flood in the town today", "A quiet day at noon."),
        document("none", "Election in the town", "The ballot came at noon."),
    ]
    matches = search(index_documents(documents), read_query("flood "))
    assert matches.rows.tolist() == [1, 0]
    assert matches.scores[0] > matches.scores[1] > 0


def test_a_rare_word_outweighs_a_common_one() -> None:
    titles = ["moon dust", "moon crater", *["moon orbit"] * 8]
    assert found(titles, "moon crater ")[0] == 1
    both = search(index_of("moon moon", "crater crater", *["moon"] * 8), read_query("moon crater "))
    assert both.is_partial
    assert both.rows[0] == 1


def test_scores_are_those_of_bm25() -> None:
    documents = [document("a", "", "sun moon"), document("b", "", "sun sun moon star"), document("c", "", "star")]
    scores = search(index_documents(documents), read_query("sun ")).scores
    n, spread, mean_length = 3, 2, 7 / 3
    idf = math.log(1 + (n - spread + 0.5) / (spread + 0.5))
    expected = [idf * f / (f + 1.5 * (0.25 + 0.75 * length / mean_length)) for f, length in ((2, 4), (1, 2))]
    assert sorted(scores.tolist()) == pytest.approx(sorted(expected), rel=1e-5)


def test_all_words_must_occur_and_some_are_enough_only_where_no_document_has_all() -> None:
    titles = ["moon landing", "moon", "landing"]
    assert found(titles, "moon landing ") == [0]
    some = search(index_of("moon", "landing"), read_query("moon landing "))
    assert some.is_partial
    assert sorted(some.rows.tolist()) == [0, 1]
    assert not search(index_of("moon"), read_query("zzz ")).is_partial


def test_a_phrase_must_stand_side_by_side_and_not_across_headline_and_text() -> None:
    assert found(["space station", "station in space", "space and station"], '"space station"') == [0]
    across = index_documents([document("a", "to space", "station is open")])
    assert search(across, read_query('"space station"')).rows.tolist() == []
    next_to = index_of("to space", "station")
    assert search(next_to, read_query('"space station"')).rows.tolist() == []


def test_a_word_behind_a_minus_excludes_and_alone_leaves_all_the_others() -> None:
    titles = ["mir crew", "mir shuttle", "crew"]
    assert found(titles, "mir -shuttle") == [0]
    assert found(titles, "-shuttle") == [0, 2]
    assert found(["space station", "space"], '-"space station"') == [1]


def test_the_last_word_may_be_the_beginning_of_one_and_the_whole_word_comes_first() -> None:
    titles = ["rockets", "a rocketeer", "roc", "moon"]
    assert found(titles, "roc")[0] == 2
    assert sorted(found(titles, "roc")) == [0, 1, 2]
    assert found(titles, "roc ") == [2]
    assert found(["countries at war", "war"], "countri") == [0]


def test_the_beginning_of_a_word_can_end_a_phrase() -> None:
    assert found(["space stations", "space suits", "stations"], "space-sta") == [0]


@pytest.mark.parametrize(
    ("titles", "query", "expected"),
    [
        (["Выборы мэра", "Ракета стартовала"], "выборы", [0]),
        (["航天飞机安全降落", "选举"], "航天飞机", [0]),
        (["航天。飞机", "航天飞机"], "航天飞机 ", [1]),
        (["航天飞机", "选举"], "飞", [0]),
        (["وصل المسبار إلى القمر", "انتخابات"], "قمر", [0]),
        (["La canción del año", "Otra cosa"], "cancion", [0]),
        (["Apollo 11 lands", "Apollo 12 lands"], '"apollo 11"', [0]),
    ],
)
def test_any_script_can_be_searched(titles: list[str], query: str, expected: list[int]) -> None:
    assert found(titles, query) == expected


def test_an_id_finds_its_document_first_and_a_source_all_of_its_documents_last() -> None:
    documents = [
        document("n1", "About Reuters itself", source="AP"),
        document("n2", "Flood", source="Reuters"),
        document("n3", "n2 is named here", source="AP"),
    ]
    index = index_documents(documents)
    assert search(index, read_query("N2")).rows.tolist() == [1, 2]
    assert search(index, read_query("reuters")).rows.tolist() == [0, 1]


@pytest.mark.parametrize("titles", [[], [""], ["", ".."]])
def test_documents_without_a_word_can_be_searched_and_nothing_is_found(titles: list[str]) -> None:
    assert found(titles, "moon") == []
    assert found(titles, '"moon landing"') == []


def test_hits_mark_headline_and_text() -> None:
    index = index_documents([document("a", "Moon landing", "They reached the moon.")])
    (hit,) = hits(index, read_query("moon "), [0], [1.5])
    assert (hit.row, hit.score, hit.title_spans) == (0, 1.5, ((0, 4),))
    assert [hit.snippet.text[first:last] for first, last in hit.snippet.spans] == ["moon"]


def test_the_most_similar_by_wording_have_the_largest_cosine() -> None:
    angles = np.radians([0, 60, 10, 180])
    vectors = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    similar = similar_by_wording(vectors, 0, limit=2)
    assert similar.rows.tolist() == [2, 1]
    assert similar.likeness.tolist() == pytest.approx([math.cos(math.radians(10)), 0.5], abs=1e-6)
    assert similar.shared_words == ()


def test_without_vectors_documents_are_alike_by_the_words_that_few_have() -> None:
    index = index_of(
        "the flood in the harbour", "the harbour after the flood", "the ballot in the town", "the town hall", "the moon"
    )
    similar = similar_by_words(index, 0)
    assert similar.rows[0] == 1
    assert 0 not in similar.rows
    assert set(similar.shared_words[:2]) == {"flood", "harbour"}
    assert 4 not in similar.rows
