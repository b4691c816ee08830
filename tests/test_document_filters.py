import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.curation import Curation
from narrative_core.document_filters import Facet, Filter, Found, find, state_counts, widenings
from narrative_core.document_query import read_query
from narrative_core.document_search import search
from narrative_core.holdings import MOST_VALUES, Holdings
from tests.builders import build_collection, build_documents
from tests.search_samples import document, holdings_of

DAY = dt.date(2021, 3, 1)
SOURCES = ("AP", "EFE", "")
DESKS = ("city", "world", "")
WORDS = ("moon", "rocket", "flood")


def ids(holdings: Holdings, found: Found) -> list[str]:
    return list(holdings.ids(found.rows))


def counts(facet: Facet) -> dict[str | int, int]:
    return {one.value: one.count for one in facet.values}


@st.composite
def some_holdings(draw: st.DrawFn) -> Holdings:
    n = draw(st.integers(1, 12))
    documents = [
        document(
            f"d{row}",
            " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=2))),
            source=draw(st.sampled_from(SOURCES)),
            date=draw(st.none() | st.integers(0, 5).map(lambda day: DAY + dt.timedelta(days=day))),
            extras={"desk": draw(st.sampled_from(DESKS))},
        )
        for row in range(n)
    ]
    excluded = frozenset(draw(st.sets(st.sampled_from([one.document_id for one in documents]))))
    return holdings_of(documents, Curation(excluded=excluded))


@st.composite
def some_filters(draw: st.DrawFn) -> Filter:
    days = st.none() | st.integers(0, 5).map(lambda day: DAY + dt.timedelta(days=day))
    return Filter(
        query=draw(st.sampled_from(("", "moon ", "rocket moon ", "-flood"))),
        sources=draw(st.frozensets(st.sampled_from(SOURCES))),
        first=draw(days),
        last=draw(days),
        extras={"desk": draw(st.frozensets(st.sampled_from(DESKS)))},
        state=draw(st.sampled_from(("all", "undated", "excluded"))),
    )


def meets(holdings: Holdings, row: int, wanted: Filter) -> bool:
    """Whether a document meets a filter, by the words of its docstring."""
    one = holdings.documents[row]
    is_excluded = one.document_id in holdings.curation.excluded
    in_state = is_excluded if wanted.state == "excluded" else not is_excluded
    if wanted.state == "undated":
        in_state = in_state and one.date is None
    in_query = not wanted.query or row in search(holdings.shelf.index, read_query(wanted.query)).rows
    is_ranged = wanted.first is not None or wanted.last is not None
    in_range = one.date is not None and (wanted.first or dt.date.min) <= one.date <= (wanted.last or dt.date.max)
    desks = wanted.extras.get("desk", frozenset())
    return (
        in_state
        and in_query
        and (not is_ranged or in_range)
        and (not wanted.sources or one.source in wanted.sources)
        and (not desks or one.extras["desk"] in desks)
    )


@settings(deadline=None)
@given(some_holdings(), some_filters())
def test_documents_and_facets_are_those_of_a_plain_count(holdings: Holdings, wanted: Filter) -> None:
    found = find(holdings, wanted)
    rows = range(len(holdings.documents))
    assert sorted(found.rows.tolist()) == [row for row in rows if meets(holdings, row, wanted)]
    free = wanted.without("sources")
    expected = {
        source: sum(meets(holdings, row, replace(free, sources=frozenset({source}))) for row in rows)
        for source in SOURCES
    }
    shown = counts(found.sources)
    assert {source: number for source, number in expected.items() if number} == {
        source: number for source, number in shown.items() if number
    }
    assert wanted.sources <= shown.keys()
    undated_too = [row for row in rows if meets(holdings, row, wanted.without("dates"))]
    dated = [date for row in undated_too if (date := holdings.documents[row].date) is not None]
    assert (sorted(found.days), found.n_undated) == (sorted(dated), len(undated_too) - len(dated))


@settings(deadline=None)
@given(some_holdings(), some_filters())
def test_a_widening_finds_what_it_says(holdings: Holdings, wanted: Filter) -> None:
    for wider in widenings(holdings, wanted):
        assert wider.filter == wanted.without(wider.part) != wanted
        assert len(find(holdings, wider.filter).rows) == wider.count > 0


def test_a_facets_own_choice_does_not_shrink_its_own_list() -> None:
    holdings = holdings_of([
        document("a", "moon", source="AP", extras={"desk": "city"}),
        document("b", "moon", source="EFE", extras={"desk": "world"}),
        document("c", "flood", source="EFE", extras={"desk": "city"}),
    ])  # fmt: skip
    found = find(holdings, Filter(query="moon", sources=frozenset({"AP"})))
    assert ids(holdings, found) == ["a"]
    assert counts(found.sources) == {"AP": 1, "EFE": 1}
    assert counts(found.extras[0]) == {"city": 1}


def test_a_column_of_many_values_is_searched_by_what_it_contains() -> None:
    n = MOST_VALUES + 1
    holdings = holdings_of([document(f"d{row}", "", extras={"author": f"Ann No {row:03}"}) for row in range(n)])
    found = find(holdings, Filter(extras={"author": frozenset({"no 00"})}))
    assert len(found.rows) == 10
    assert not found.extras[0].is_listed
    assert find(holdings, Filter(extras={"no such column": frozenset({"x"})})).rows.tolist() == []


def test_the_list_is_by_match_or_by_date_with_undated_documents_last() -> None:
    days = [dt.date(2021, 1, 1), dt.date(2021, 1, 3), None]
    titles = ["moon and much else beside it", "moon", "moon moon moon"]
    holdings = holdings_of([document(f"d{row}", titles[row], date=day) for row, day in enumerate(days)])
    dated_by_hand = holdings_of(holdings.shelf.documents, Curation(dates={"d2": "2021-01-02"}))
    assert ids(holdings, find(holdings, Filter(query="moon")))[0] == "d2"
    assert ids(dated_by_hand, find(dated_by_hand, Filter(query="moon"), order="oldest")) == ["d0", "d2", "d1"]
    assert ids(holdings, find(holdings, Filter(query="moon"), order="newest")) == ["d1", "d0", "d2"]


def test_the_list_is_by_headline_or_by_source_whatever_the_case_and_what_has_none_is_last() -> None:
    day = dt.date(2021, 1, 1)
    told = [("beta", "efe"), ("“Alpha”", ""), ("", "AP"), ("Gamma", "ap"), ("alpha", "EFE")]
    holdings = holdings_of([document(f"d{row}", told[row][0], source=told[row][1], date=day) for row in range(5)])
    assert ids(holdings, find(holdings, Filter(), order="title")) == ["d4", "d1", "d0", "d3", "d2"]
    assert ids(holdings, find(holdings, Filter(), order="source")) == ["d2", "d3", "d0", "d4", "d1"]


def test_a_page_has_the_hits_of_its_rows() -> None:
    holdings = holdings_of([document(f"d{row}", f"moon {row}") for row in range(7)])
    found = find(holdings, Filter(query="moon "), first=3, limit=3)
    assert [hit.row for hit in found.hits] == found.rows[3:6].tolist()
    assert all(hit.title_spans == ((0, 4),) for hit in found.hits)


def test_states_are_counted_and_found() -> None:
    documents = [document(name, "flood", date=DAY if name != "b" else None) for name in "abcde"]
    curation = Curation(excluded=frozenset("e"), standalone=frozenset("d"), document_notes={"c": "Check.", "e": "Old."})
    holdings = holdings_of(documents, curation, copies=dict.fromkeys("acde", "a"))
    expected = {"all": "abcd", "undated": "b", "excluded": "e", "copies": "ac", "noted": "c", "selected": "ad"}
    for state, names in expected.items():
        found = find(holdings, Filter(state=state), selection=["a", "d", "e", "zzz"])  # type: ignore[arg-type]
        assert sorted(ids(holdings, found)) == list(names), state
    numbers = state_counts(holdings, ["a", "d", "e"])
    assert numbers == {**{state: len(names) for state, names in expected.items()}, "placed": 0}


def test_documents_like_one_are_ranked_by_wording_where_there_are_vectors_and_by_words_elsewhere() -> None:
    loaded = build_collection()
    built = holdings_of(loaded.documents, loaded=loaded)
    cosines = loaded.vectors.values @ loaded.vectors.values[0]
    best = max(range(1, len(cosines)), key=lambda row: cosines[row])
    found = find(built, Filter(similar_to="d0"))
    assert ids(built, found)[0] == loaded.documents[best].document_id
    assert "d0" not in ids(built, found)
    assert found.hits[0].score == pytest.approx(float(cosines[best]))
    unbuilt = find(holdings_of(build_documents(range(9))), Filter(similar_to="d0"))
    assert unbuilt.similar is not None
    assert unbuilt.similar.shared_words
    assert find(built, Filter(similar_to="no such document")).rows.tolist() == []


def test_topics_are_those_of_the_landscape_and_an_unbuilt_collection_has_none() -> None:
    loaded = build_collection()
    built = holdings_of(loaded.documents, loaded=loaded)
    found = find(built, Filter(topics=frozenset({1, 999})))
    assert {int(built.topics[row]) for row in found.rows} == {1}
    assert find(holdings_of(loaded.documents), Filter()).topics.values == ()
