"""Saving a story, and what the Stories page does with it."""

import csv
import io
import json
from dataclasses import replace

import docx
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.assessment import Bench, judge_pair
from narrative_core.judgements import Judgement, Seat
from narrative_core.panel import flow_seat, lexical_seat, questions, shown_story
from narrative_core.pipeline import load
from narrative_core.records import SavedStory
from narrative_core.reports.methods import format_moment
from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements
from narrative_core.store.panels import save_panel
from narrative_core.store.stories import list_stories
from narrative_core.story_files import story_files
from narrative_core.ui.hand_over import file_maker, story_verdicts
from tests.judging_bench import FakeScorer, silent
from tests.pages.screen import EXPLORE, STORIES, html_pieces, html_tags, open_app, open_page, steps, unescaped, words

SAVE = "FormSubmitter:save-form-Save this story"


def save(screen: AppTest, name: str = "", note: str = "") -> None:
    if name:
        screen.text_input[0].set_value(name)
    next(area for area in screen.text_area if area.label == "Note").set_value(note)
    screen.button(key=SAVE).click().run()


def only_story(database: Database) -> SavedStory:
    (saved,) = list_stories(database)
    return saved


def files_of(database: Database, saved: SavedStory) -> dict[str, bytes]:
    """The files of a story by their label, as its buttons make them."""
    return {file.label: file_maker(database, saved, file)() for file in story_files(story_verdicts(saved))}


@pytest.fixture
def saved(database: Database) -> SavedStory:
    save(open_app(length="4", from_="1961-04-12-soviet-pilot", to="1998-12-10-cabana-krikalev"), "Before the station")
    return only_story(database)


def test_without_stories_the_page_says_how_to_get_one() -> None:
    screen = open_page(STORIES)
    assert screen.info[0].value.startswith("Here will be the stories that you keep.")
    assert [link.proto.page for link in screen.get("page_link")] == [""]
    assert screen.subheader[0:] == []


def test_a_story_is_kept_with_its_name_its_note_and_what_made_it(database: Database) -> None:
    screen = open_app()
    told, chance = steps(screen), steps(screen, "baseline")
    save(screen, "  The long way up  ", "Check the dates.\nAsk Mir's crew.")
    assert "Saved. You find it on the page Stories" in unescaped(screen.toast[0].value)
    kept = only_story(database)
    assert (kept.name, kept.note, kept.collection) == (
        "The long way up",
        "Check the dates.\nAsk Mir's crew.",
        "spaceflight",
    )
    assert [document.title for document in kept.pair.trail.documents] == told
    assert [document.title for document in kept.pair.baseline.documents] == chance


def test_the_form_closes_after_a_save_because_its_key_counts_the_saved_stories() -> None:
    screen = open_app()
    for n_saved in range(3):
        (form,) = [found.proto.id for found in screen.get("popover") if found.proto.popover.label == "Save"]
        assert form.endswith(f"-save-story-{n_saved}")
        save(screen)


def test_a_story_without_a_name_is_named_by_its_ends(database: Database) -> None:
    screen = open_app()
    save(screen, "   ")
    kept = only_story(database)
    assert kept.name.startswith(steps(screen)[0][:30])
    assert " → " in kept.name


def test_the_random_chronology_on_show_is_the_one_that_is_kept(database: Database) -> None:
    screen = open_app()
    screen.button(key="draw-forth").click().run()
    save(screen, "Another draw")
    assert [document.title for document in only_story(database).pair.baseline.documents] == steps(screen, "baseline")


def test_a_card_says_what_the_story_is_and_when_it_was_saved(saved: SavedStory) -> None:
    told = words(open_page(STORIES))
    assert "Before the station" in told
    assert "4 documents over 38 years" in told
    assert f"Spaceflight · saved {format_moment(saved.created_at)}" in told
    assert "spaceflight ·" not in told
    assert "12 April 1961" in told


def test_stories_are_listed_newest_first(saved: SavedStory, database: Database) -> None:
    screen = open_app()
    screen.button(key="surprise").click().run()
    save(screen, "The second")
    page = screen.switch_page(STORIES).run()
    assert [card.value for card in page.subheader] == ["The second", saved.name]
    assert "2 saved, newest first" in page.caption[0].value


def test_a_story_is_renamed_and_its_note_changed(saved: SavedStory, database: Database) -> None:
    screen = open_page(STORIES)
    screen.text_input[0].set_value("After the race")
    screen.text_area[0].set_value("Confirmed.")
    screen.button(key=f"FormSubmitter:edit-form-{saved.story_id}-Save changes").click().run()
    assert [card.value for card in screen.subheader] == ["After the race"]
    kept = only_story(database)
    assert (kept.name, kept.note, kept.pair) == ("After the race", "Confirmed.", saved.pair)


def test_an_empty_name_keeps_the_old_one(saved: SavedStory, database: Database) -> None:
    screen = open_page(STORIES)
    screen.text_input[0].set_value("  ")
    screen.button(key=f"FormSubmitter:edit-form-{saved.story_id}-Save changes").click().run()
    assert only_story(database).name == "Before the station"


def test_a_story_opens_as_it_was_in_another_session(saved: SavedStory) -> None:
    screen = open_app(collection="toy").switch_page(STORIES).run()
    screen.button(key=f"open-{saved.story_id}").click().run()
    assert steps(screen) == [document.title for document in saved.pair.trail.documents]
    assert screen.query_params["collection"] == "spaceflight"
    assert screen.query_params["length"] == "4"


def test_an_opened_story_shows_the_random_chronology_that_was_saved(database: Database) -> None:
    screen = open_app()
    screen.button(key="draw-forth").click().run()
    told = steps(screen, "baseline")
    save(screen, "Another draw")
    again = open_page(STORIES)
    again.button(key=f"open-{only_story(database).story_id}").click().run()
    assert steps(again, "baseline") == told
    assert f"draw {only_story(database).pair.draw + 1}" in words(again)


def test_a_story_is_deleted(saved: SavedStory, database: Database) -> None:
    screen = open_page(STORIES)
    assert screen.button(key=f"delete-{saved.story_id}").disabled
    screen.checkbox(key=f"sure-{saved.story_id}").check().run()
    assert not screen.button(key=f"delete-{saved.story_id}").disabled
    screen.button(key=f"delete-{saved.story_id}").click().run()
    assert list_stories(database) == ()
    assert "was deleted" in screen.toast[0].value
    assert screen.info[0].value.startswith("Here will be the stories")


def test_a_story_whose_collection_is_gone_can_be_read_but_not_opened(saved: SavedStory, database: Database) -> None:
    delete_collection(database, "spaceflight", keep_stories=True)
    screen = open_page(STORIES)
    assert screen.button(key=f"open-{saved.story_id}").disabled
    assert "Its collection is not here any more" in words(screen)
    assert "Before the station" in files_of(database, saved)["Report"].decode()


def test_a_story_is_taken_away_as_report_document_markdown_table_data_and_graph(
    saved: SavedStory, database: Database
) -> None:
    files = files_of(database, saved)
    first = saved.pair.trail.documents[0].title
    told = {label: data for label, data in files.items() if label not in {"CSV of the judges", "Word document"}}
    assert all(first in data.decode() for data in told.values())
    report = files["Report"].decode()
    assert "<svg" in report
    assert "wordllama" in report.casefold()
    assert "?collection=spaceflight&amp;from=" in report
    assert json.loads(files["JSON"])
    assert files["CSV"].startswith(b"\xef\xbb\xbf")
    assert first in " ".join(
        paragraph.text for paragraph in docx.Document(io.BytesIO(files["Word document"])).paragraphs
    )


def test_every_file_and_a_picture_have_a_button(saved: SavedStory) -> None:
    screen = open_page(STORIES)
    assert screen.download_button[0:] == []
    screen.session_state[f"take-away-{saved.story_id}"] = True
    screen.run()
    files = ["Report", "Word document", "Markdown", "CSV", "JSON", "GraphML", "GEXF for Gephi", "CSV of the judges"]
    assert [button.label for button in screen.download_button] == [*files, "Map, 1,600 × 900 pixels"]


def test_a_picture_has_the_size_that_was_asked_for(saved: SavedStory) -> None:
    screen = open_page(STORIES)
    screen.session_state[f"take-away-{saved.story_id}"] = True
    screen.run()
    screen.segmented_control(key=f"kind-{saved.story_id}").set_value("timeline").run()
    screen.selectbox(key=f"size-{saved.story_id}").set_value("Own size").run()
    screen.number_input(key=f"Width-{saved.story_id}").set_value(1000).run()
    assert screen.download_button[-1].label == "Timeline, 1,000 × 1,000 pixels"


@pytest.fixture
def judged(saved: SavedStory, database: Database) -> SavedStory:
    """The saved story, after reading flow (with a reader that needs no model) and the lexical reader were asked."""
    scorer, collection = FakeScorer(), load(database, "spaceflight")
    judge_pair(
        database,
        collection,
        saved.pair,
        (flow_seat(scorer, collection), lexical_seat(collection)),
        Bench(scorer=scorer),
        report=silent,
        rng=np.random.default_rng(1),
        with_percentile=False,
    )
    return saved


def say(database: Database, saved: SavedStory, seat: Seat, said: str) -> None:
    """Store an answer of a prompted judge about both stories."""
    noun = load(database, "spaceflight").collection.noun
    asked = [
        *questions(seat, shown_story(saved.pair.trail.documents, seat, noun)),
        *questions(seat, shown_story(saved.pair.baseline.documents, seat, noun)),
    ]
    hashes = asked[0].story_hash, asked[-1].story_hash
    save_panel(database, "spaceflight", hashes, [seat], [question.question_id for question in asked])
    answers = [Judgement(question, "ok", 7.0 + row, explanation=said, reply="{}") for row, question in enumerate(asked)]
    save_judgements(database, "spaceflight", answers)


def test_a_saved_story_keeps_what_the_lexical_reader_says_though_no_judge_was_asked(saved: SavedStory) -> None:
    said = story_verdicts(saved)
    assert [(verdict.seat.judge, verdict.kind, verdict.n_ok) for verdict in said] == [
        ("lexical", "trail", 1),
        ("lexical", "baseline", 1),
    ]
    assert "lexical reader" in words(open_page(STORIES))


def test_a_story_that_no_judge_said_anything_of_has_no_line_of_scores(saved: SavedStory, database: Database) -> None:
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM panels")
    assert story_verdicts(saved) == ()
    assert "vs" not in words(open_page(STORIES)).split()


def test_a_card_says_in_a_quiet_line_what_the_judges_gave(judged: SavedStory) -> None:
    (line,) = [piece for piece in html_pieces(open_page(STORIES)) if " vs " in piece]
    flow_trail, flow_baseline, lexical_trail, lexical_baseline = (said.mean for said in story_verdicts(judged))
    assert f"reading flow {flow_trail:+.2f} vs {flow_baseline:+.2f} nats per token · ".replace("-", "−") in line
    assert f"lexical reader {lexical_trail:.1f} vs {lexical_baseline:.1f}</div>" in line


def test_what_the_judges_say_is_in_every_file_that_has_words(judged: SavedStory, database: Database) -> None:
    files = files_of(database, judged)
    for label in ("Report", "Markdown"):
        text = files[label].decode()
        assert "What the judges say" in text
        assert "How the judges were asked" in text
    data = json.loads(files["JSON"])
    assert [(told["judge"], told["story"], told["ok"]) for told in data["judges"]] == [
        ("flow", "trail", 1),
        ("flow", "baseline", 1),
        ("lexical", "trail", 1),
        ("lexical", "baseline", 1),
    ]
    table = files["CSV of the judges"].decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [float(row["score"]) for row in rows] == [told["mean"] for told in data["judges"]]


def test_a_model_cannot_write_on_a_card_or_into_a_report(saved: SavedStory, database: Database) -> None:
    seat = Seat("openai", "<img src=x onerror=alert(1)> *m*", "evil.example", "simple")
    say(database, saved, seat, "<script>alert(1)</script>")
    screen = open_page(STORIES)
    (line,) = [piece for piece in html_pieces(screen) if " vs " in piece]
    assert html_tags(line) <= {"div", "b", "@class", "@style", "@title"}
    assert "<img src=x onerror=alert(1)> *m*, simple: 7.0 vs 8.0" in words(screen)
    report = files_of(database, saved)["Report"].decode()
    assert "<script" not in report
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in report


def test_judges_of_another_random_chronology_are_told_for_the_trail_alone(
    judged: SavedStory, database: Database
) -> None:
    pair = judged.pair
    documents = (pair.baseline.documents[0], pair.baseline.documents[2], pair.baseline.documents[1])
    other = replace(pair.baseline, documents=(*documents, pair.baseline.documents[3]))
    asked = story_verdicts(replace(judged, pair=replace(pair, baseline=other)))
    assert [said.n_ok for said in asked] == [1, 0, 1, 0]
    report = files_of(database, replace(judged, pair=replace(pair, baseline=other)))["Report"].decode()
    assert "not asked yet" in report


def test_the_explore_page_waits_as_it_was_left(saved: SavedStory) -> None:
    screen = open_app()
    told = steps(screen)
    screen.switch_page(STORIES).run()
    assert steps(screen.switch_page(EXPLORE).run()) == told
