from hypothesis import given, settings

from narrative_core.curation import Curation, with_changes
from tests.desk_samples import curations


def test_only_what_another_changed_is_changed() -> None:
    mine = Curation(frozenset("ab"), dates={"a": "2019", "b": "2020"}, link_notes={("a", "b"): "Mine."})
    before = Curation(frozenset("b"), dates={"b": "2020"}, document_notes={"c": "Old."})
    after = Curation(frozenset("c"), frozenset("d"), dates={"b": "2021"})
    assert with_changes(mine, before=before, after=after) == Curation(
        frozenset("ac"), frozenset("d"), dates={"a": "2019", "b": "2021"}, link_notes={("a", "b"): "Mine."}
    )


@settings(deadline=None)
@given(mine=curations, before=curations, after=curations)
def test_changes_made_to_their_own_beginning_give_their_end_and_no_change_gives_the_same(
    mine: Curation, before: Curation, after: Curation
) -> None:
    assert with_changes(mine, before=before, after=before) == mine
    made = with_changes(mine, before=mine, after=after)
    assert (made.excluded, made.dates, made.link_notes) == (after.excluded, after.dates, after.link_notes)


def test_a_merge_of_another_is_followed_and_never_makes_a_circle() -> None:
    nothing = Curation()
    into_0 = Curation(landscape_id="land-1", merged_topics={1: 0})
    followed = with_changes(Curation(landscape_id="land-1", merged_topics={2: 1}), before=nothing, after=into_0)
    assert followed.merged_topics == {1: 0, 2: 0}
    repointed = with_changes(Curation(landscape_id="land-1", merged_topics={0: 3}), before=nothing, after=into_0)
    assert repointed.merged_topics == {1: 3, 0: 3}
    against = with_changes(Curation(landscape_id="land-1", merged_topics={0: 1}), before=nothing, after=into_0)
    assert against.merged_topics == {1: 0}


def test_topics_of_a_new_landscape_take_the_place_of_those_of_a_former_one() -> None:
    mine = Curation(landscape_id="land-1", topic_labels={5: "Mine"})
    before, after = Curation(), Curation(landscape_id="land-2", topic_labels={0: "Theirs"})
    assert with_changes(mine, before=before, after=after) == after


def test_topics_that_were_carried_to_an_updated_landscape_are_carried_in_every_step() -> None:
    former = Curation(landscape_id="land-1", topic_labels={0: "Floods"})
    carried = Curation(landscape_id="land-2", topic_labels={0: "Floods"})
    mine = Curation(landscape_id="land-1", hidden_topics=frozenset({3}))
    assert with_changes(mine, before=former, after=carried) == Curation(
        landscape_id="land-2", hidden_topics=frozenset({3})
    )
    assert with_changes(Curation(), before=former, after=carried) == Curation()


def test_no_landscape_is_named_where_no_decision_about_topics_is_left() -> None:
    mine = Curation(landscape_id="land-1", topic_labels={0: "Floods"})
    assert with_changes(mine, before=mine, after=Curation(frozenset("a"))) == Curation(frozenset("a"))
