import uuid
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import HOSTILE, annotations, pairs, save_sample, saved_story, story, texts

from narrative_core.curation import Annotations
from narrative_core.errors import InvalidInput, StoreError
from narrative_core.records import Document, SavedStory, StoryPair
from narrative_core.store.database import Database
from narrative_core.store.stories import (
    delete_story,
    list_stories,
    load_story,
    rename_story,
    save_story,
    save_version,
    story_versions,
)


@settings(max_examples=60, deadline=None)
@given(pairs, texts, st.tuples(texts, texts), annotations)
def test_a_story_comes_back_exactly(
    lasting_database: Database, pair: StoryPair, name: str, of: tuple[str, str], beside: Annotations
) -> None:
    key, (collection, created_at) = uuid.uuid4().hex, of
    one = SavedStory(key, name, name, collection, "land", created_at, pair, key + name, 7, beside)
    save_story(lasting_database, one)
    # The representation of a float is exact, and equal for nan.
    assert repr(load_story(lasting_database, one.story_id)) == repr(one)
    assert repr(list_stories(lasting_database, collection)) == repr((one,))
    delete_story(lasting_database, one.story_id)


@pytest.mark.parametrize("curve", [None, ()])
def test_no_curve_and_an_empty_curve_are_told_apart(database: Database, curve: tuple[()] | None) -> None:
    one = saved_story()
    save_story(database, replace(one, pair=replace(one.pair, curve=curve)))
    assert load_story(database, "s1").pair.curve == curve


def test_a_story_of_more_than_ten_steps_keeps_its_order(database: Database) -> None:
    long = story("trail", [Document(f"d{step}", f"title {step}", "") for step in range(25)])
    one = saved_story()
    save_story(database, replace(one, pair=replace(one.pair, trail=long)))
    assert repr(load_story(database, "s1").pair.trail) == repr(long)


def test_the_newest_story_comes_first_also_within_a_second(database: Database) -> None:
    save_story(database, saved_story("noon", created_at="2024-03-01T12:00:00+00:00"))
    save_story(database, saved_story("morning", created_at="2024-03-01T08:00:00+00:00"))
    save_story(database, saved_story("a second at noon", created_at="2024-03-01T12:00:00+00:00"))
    rename_story(database, "noon", "Renamed", "")
    assert [one.story_id for one in list_stories(database)] == ["a second at noon", "noon", "morning"]


def test_stories_are_listed_by_collection_with_their_own_documents(database: Database) -> None:
    save_story(database, saved_story("s1", "news"))
    other = saved_story("s2", HOSTILE)
    other = replace(other, pair=replace(other.pair, trail=story("trail", [Document("x", "X", "")])))
    save_story(database, other)
    assert repr(list_stories(database, "news")) == repr((saved_story("s1", "news"),))
    assert repr(list_stories(database, HOSTILE)) == repr((other,))
    assert list_stories(database, "none such") == ()
    assert len(list_stories(database)) == 2


def test_renaming_changes_name_and_note_alone(database: Database) -> None:
    save_story(database, saved_story("s1"))
    save_story(database, saved_story("s2"))
    rename_story(database, "s1", HOSTILE, "a note")
    rename_story(database, "s1", HOSTILE, "another note")
    assert repr(load_story(database, "s1")) == repr(replace(saved_story("s1"), name=HOSTILE, note="another note"))
    assert repr(load_story(database, "s2")) == repr(saved_story("s2"))


def test_deleting_a_story_leaves_no_row_of_it_and_every_row_of_the_others(database: Database) -> None:
    save_story(database, saved_story("doomed"))
    save_story(database, saved_story("kept"))
    delete_story(database, "doomed")
    with database.reading() as cursor:
        for table in ("stories", "story_documents", "story_links"):
            assert cursor.execute(f"SELECT DISTINCT story_id FROM {table}").fetchall() == [("kept",)]
    assert repr(list_stories(database)) == repr((saved_story("kept"),))


def test_a_taken_id_is_refused_and_the_former_story_stays(database: Database) -> None:
    save_story(database, saved_story())
    with pytest.raises(InvalidInput, match=r"'s1' is saved already\. Save this one under a new id\.$"):
        save_story(database, replace(saved_story(), name="Other"))
    assert repr(list_stories(database)) == repr((saved_story(),))


def test_trail_and_baseline_in_each_others_place_are_refused(database: Database) -> None:
    pair = saved_story().pair
    with pytest.raises(InvalidInput, match="got a baseline and a trail"):
        save_story(database, replace(saved_story(), pair=replace(pair, trail=pair.baseline, baseline=pair.trail)))
    assert list_stories(database) == ()


def test_a_story_that_cannot_be_saved_whole_is_not_saved(database: Database) -> None:
    save_sample(database)
    with database.transaction() as cursor:
        cursor.execute("ALTER TABLE story_links RENAME TO hidden")
    with pytest.raises(StoreError):
        save_story(database, saved_story())
    with database.reading() as cursor:
        for table in ("stories", "story_documents"):
            assert cursor.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


def test_an_unknown_story_is_refused(database: Database) -> None:
    with pytest.raises(InvalidInput, match="There is no saved story 'x'"):
        load_story(database, "x")
    with pytest.raises(InvalidInput, match="There is no saved story 'x'"):
        rename_story(database, "x", "", "")
    with pytest.raises(InvalidInput, match="There is no saved story 'x'"):
        delete_story(database, "x")


def test_saved_stories_can_be_queried(database: Database) -> None:
    save_story(database, saved_story())
    with database.reading() as cursor:
        links = cursor.execute(
            "SELECT kind, step, source, target, days_between FROM story_links ORDER BY kind DESC, step"
        ).fetchall()
        stories = cursor.execute(
            "SELECT trail_reliability, len(draw_bottlenecks), curve[2].length FROM stories"
        ).fetchall()
    assert links == [("trail", 0, "d1", "d2", 31), ("trail", 1, "d2", "d3", None), ("baseline", 0, "d1", "d3", 31)]
    assert stories == [(None, 3, 3)]


def version(story_id: str, family_id: str, created_at: str = "2024-03-02T12:00:00+00:00") -> SavedStory:
    return replace(saved_story(story_id, created_at=created_at), family_id=family_id)


def test_a_next_version_makes_a_family_of_the_first_and_counts_on(database: Database) -> None:
    save_story(database, saved_story("first"))
    second = save_version(database, version("second", "first"))
    # Any version names the family.
    third = save_version(database, version("third", "second"))
    assert [(one.story_id, one.family_id, one.version) for one in (second, third)] == [
        ("second", "first", 2),
        ("third", "first", 3),
    ]
    kept = story_versions(database, "news", "first")
    assert repr(kept) == repr((third, second, replace(saved_story("first"), family_id="first")))


def test_versions_stand_together_the_latest_first_where_the_story_was_renewed(database: Database) -> None:
    save_story(database, saved_story("old", created_at="2024-03-01"))
    save_story(database, saved_story("other", created_at="2024-03-02"))
    assert [one.story_id for one in list_stories(database)] == ["other", "old"]
    save_version(database, version("new", "old", created_at="2024-03-03"))
    assert [one.story_id for one in list_stories(database)] == ["new", "old", "other"]
    assert [one.story_id for one in list_stories(database, is_newest_only=True)] == ["new", "other"]
    assert [one.story_id for one in list_stories(database, "news", is_newest_only=True)] == ["new", "other"]


def test_a_story_without_versions_is_its_own_only_version(database: Database) -> None:
    save_story(database, saved_story("alone"))
    save_story(database, saved_story("other"))
    assert [one.story_id for one in story_versions(database, "news", "alone")] == ["alone"]
    assert story_versions(database, "news", "none such") == ()


def test_deleting_takes_one_version_or_all(database: Database) -> None:
    save_story(database, saved_story("kept"))
    save_story(database, saved_story("first"))
    save_version(database, version("second", "first"))
    save_version(database, version("third", "first"))
    delete_story(database, "first")
    assert [one.story_id for one in story_versions(database, "news", "first")] == ["third", "second"]
    # The number of a version that is gone is not given to another one.
    assert save_version(database, version("fourth", "first")).version == 4
    delete_story(database, "second", all_versions=True)
    assert [one.story_id for one in list_stories(database)] == ["kept"]
    delete_story(database, "kept", all_versions=True)
    assert list_stories(database) == ()


def test_all_versions_have_the_name_that_one_is_given_and_keep_their_notes(database: Database) -> None:
    save_story(database, saved_story("other"))
    save_story(database, saved_story("first"))
    save_version(database, replace(version("second", "first"), name="Newer", note="Two"))
    assert load_story(database, "first").name == "Newer"
    rename_story(database, "first", "Newest", "One")
    assert [(one.name, one.note) for one in story_versions(database, "news", "first")] == [
        ("Newest", "Two"),
        ("Newest", "One"),
    ]
    assert load_story(database, "other").name == saved_story().name


@pytest.mark.parametrize("family", ["none such", ""])
def test_a_version_of_no_story_is_refused_and_nothing_is_saved(database: Database, family: str) -> None:
    save_story(database, saved_story("first"))
    with pytest.raises(InvalidInput, match="Save this one as a new story"):
        save_version(database, version("second", family))
    save_version(database, version("third", "first"))
    with pytest.raises(InvalidInput, match="saved already"):
        save_version(database, version("first", "third"))
    assert len(list_stories(database)) == 2


def test_a_story_of_another_collection_is_nothing_to_be_a_version_of(database: Database) -> None:
    save_story(database, saved_story("first"))
    with pytest.raises(InvalidInput, match="no saved story 'first' of collection 'copy'"):
        save_version(database, replace(version("second", "first"), collection="copy"))
    assert [(one.story_id, one.name) for one in list_stories(database)] == [("first", saved_story().name)]


def test_one_family_in_two_collections_is_two_stories(database: Database) -> None:
    # The version of another collection may be there from before it was refused.
    save_story(database, saved_story("first"))
    save_version(database, replace(version("second", "first"), name="Ours"))
    save_story(database, replace(version("theirs", "first"), collection="copy", name="Theirs", version=5))
    assert [one.story_id for one in story_versions(database, "news", "first")] == ["second", "first"]
    assert [one.story_id for one in story_versions(database, "copy", "first")] == ["theirs"]
    rename_story(database, "theirs", "Renamed", "")
    assert save_version(database, replace(version("next", "theirs"), collection="copy", name="Next")).version == 6
    assert save_version(database, replace(version("third", "second"), name="Ours")).version == 3
    assert {one.name for one in list_stories(database, "news")} == {"Ours"}
    assert {one.name for one in list_stories(database, "copy")} == {"Next"}
    delete_story(database, "theirs", all_versions=True)
    assert [one.story_id for one in list_stories(database)] == ["third", "second", "first"]
