"""Collections: the cards, building, importing a file in three steps, deleting."""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from narrative_core.errors import EmbeddingUnavailable
from narrative_core.judgements import Judgement
from narrative_core.records import Job, Progress
from narrative_core.space.worker import StageResult, WorkerStage
from narrative_core.store.collections import load_documents
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.ui import resources
from narrative_core.ui.builds import KIND
from tests.conductor_samples import FakeChild, fake_stage
from tests.judgement_samples import answered, flow_judgement, lexical_judgement, question
from tests.pages.page_samples import save_built, save_unbuilt, town_documents
from tests.pages.screen import COLLECTIONS, EXPLORE, keys, open_app, open_page, steps, unescaped, words

N_ROWS = 12
NEWS = "headline;when;body\n" + "".join(
    f"Report {row} on the {'rocket' if row % 2 else 'river'};2021-03-{row + 1:02};Words of report {row}.\n"
    for row in range(N_ROWS)
)


def upload(screen: AppTest, content: str | bytes, name: str = "News of 2021.csv") -> AppTest:
    data = content.encode() if isinstance(content, str) else content
    screen.file_uploader(key="import-file").set_value((name, data, "text/csv"))
    return screen.run()


def column_choice(screen: AppTest, label: str) -> Selectbox[str]:
    (box,) = [box for box in screen.selectbox if box.label == label]
    return box


def import_news(screen: AppTest) -> AppTest:
    upload(screen, NEWS)
    return screen.button(key="import-go").click().run()


def finished_build(name: str) -> Job:
    """Return the latest build of a collection when it has ended."""
    job = resources.runner().latest(KIND, name)
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=60)
    ended = resources.runner().latest(KIND, name)
    assert ended is not None
    return ended


def test_cards_show_counts_state_and_the_next_step() -> None:
    screen = open_page(COLLECTIONS)
    assert [card.value for card in screen.subheader] == [
        "Spaceflight",
        "The bridge at Alder Ford",
        unescaped(screen.subheader[2].value),
    ]
    summary = resources.summary("spaceflight")
    assert summary is not None
    assert f"{summary.n_documents:,} {summary.collection.noun} · 1957–2025" in words(screen)
    assert {"open-spaceflight", "open-toy", "build-presidents"} <= keys(screen)
    assert screen.button(key="build-presidents").label == "Build the map"
    assert not {key for key in keys(screen) if key.startswith("delete-")}


def test_a_card_opens_its_collection_on_the_explore_page() -> None:
    screen = open_page(COLLECTIONS)
    screen.button(key="open-toy").click().run()
    assert screen.query_params["collection"] == "toy"
    assert len(steps(screen)) >= 2


def test_a_file_is_understood_before_anything_is_stored(database: Database) -> None:
    screen = upload(open_page(COLLECTIONS), NEWS)
    (told,) = [caption.value for caption in screen.caption if "12 rows, 3 columns, encoding" in caption.value]
    assert "separated by semicolons" in told
    assert [column_choice(screen, label).value for label in ("Headline", "Date", "Text", "Source")] == [
        "headline",
        "when",
        "body",
        "(none)",
    ]
    assert list(screen.dataframe[0].value.columns) == ["Headline", "Text", "Date"]
    assert screen.text_input(key="import-title").value == "News of 2021"
    assert screen.text_input(key="import-noun").value == "documents"
    assert resources.summary("news-of-2021") is None


@pytest.mark.parametrize(
    ("dates", "told"),
    [
        (("March 2021", "April 2021"), "Dates: Month YYYY."),
        (("2021-03-01", "2021-03-02"), "Dates: YYYY-MM-DD. 2021-03-01 is 1 March 2021; 2021-03-02 is 2 March 2021."),
        (("1 March 2021", "2021-03-02"), "2021-03-02 is 2 March 2021."),
    ],
)
def test_dates_that_are_read_otherwise_than_they_are_written_are_explained(dates: tuple[str, str], told: str) -> None:
    rows = "".join(f"Report {date},{date},Words.\n" for date in dates)
    screen = upload(open_page(COLLECTIONS), f"headline,when,body\n{rows}")
    (caption,) = [unescaped(caption.value) for caption in screen.caption if caption.value.startswith("Dates: ")]
    assert caption.endswith(told)
    assert all(f"{date} is {date}" not in caption for date in dates)


def test_an_import_is_stored_as_it_was_confirmed_and_reported(database: Database) -> None:
    screen = import_news(open_page(COLLECTIONS))
    assert "“News of 2021” is stored" in unescaped(screen.success[0].value)
    assert "12 rows read · 12 documents kept · 0 without a date · 0 duplicates · 0 dropped" in words(screen)
    assert "separated by semicolons" in words(screen)
    summary = resources.summary("news-of-2021")
    assert summary is not None
    assert summary.collection.noun == "documents"
    documents = load_documents(database, "news-of-2021")
    assert (documents[0].title, documents[0].text, documents[0].date_text) == (
        "Report 0 on the river",
        "Words of report 0.",
        "2021-03-01",
    )
    assert "build-news-of-2021" in keys(screen)
    screen.button(key="import-another").click().run()
    assert screen.file_uploader(key="import-file") is not None


@pytest.mark.parametrize(("delimiter", "word"), [(",", "commas"), (";", "semicolons"), ("\t", "tabs")])
def test_the_report_of_an_import_says_in_a_word_what_separates_its_columns(delimiter: str, word: str) -> None:
    screen = upload(open_page(COLLECTIONS), NEWS.replace(";", delimiter))
    screen.button(key="import-go").click().run()
    # The import says it, and so does the card.
    shown = f"utf-8 · separated by {word} · dates: YYYY-MM-DD"
    assert [unescaped(screen.caption[place].value) for place in (0, -1)] == [shown, shown]


def test_a_changed_column_is_what_is_stored(database: Database) -> None:
    screen = upload(open_page(COLLECTIONS), NEWS)
    column_choice(screen, "Source").set_value("body").run()
    column_choice(screen, "Text").set_value("(none)").run()
    screen.button(key="import-go").click().run()
    document = load_documents(database, "news-of-2021")[0]
    assert (document.source, document.text) == ("Words of report 0.", "")


def test_rows_that_need_attention_are_listed_with_their_number() -> None:
    odd = NEWS + "Report 3 on the rocket;2021-03-04;Words of report 3.\n;;\nUndated;someday;Words.\n"
    screen = upload(open_page(COLLECTIONS), odd)
    screen.button(key="import-go").click().run()
    told = words(screen)
    assert "15 rows read · 13 documents kept · 1 without a date · 1 duplicate · 1 dropped" in told
    rows = screen.dataframe[0].value["Row"].tolist()
    assert {13, 14, 15} <= set(rows)


@pytest.mark.parametrize(("order", "date"), [("day first", "2021-03-02"), ("month first", "2021-02-03")])
def test_ambiguous_dates_need_a_choice_before_they_are_stored(database: Database, order: str, date: str) -> None:
    screen = upload(open_page(COLLECTIONS), "title,date,text\nOne,02/03/2021,a b\nTwo,04/05/2021,c d\n")
    assert "Day and month cannot be told apart" in screen.warning[0].value
    assert screen.radio(key="date-order").value is None
    assert screen.button(key="import-go").disabled
    screen.radio(key="date-order").set_value(order).run()
    assert not screen.button(key="import-go").disabled
    screen.button(key="import-go").click().run()
    first = min(load_documents(database, "news-of-2021"), key=lambda document: document.title)
    assert str(first.date) == date


def test_a_file_without_dates_says_what_that_means() -> None:
    screen = upload(open_page(COLLECTIONS), "title,text\nOne,a b\nTwo,c d\n")
    assert "No column has dates" in screen.warning[0].value
    assert not screen.button(key="import-go").disabled


@pytest.mark.parametrize(
    ("content", "name", "part"),
    [
        (b"", "empty.csv", "empty.csv"),
        (b"title,text\n", "header.csv", "rows below the names of its columns"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "picture.csv", "picture.csv must be a table of text"),
        (b"a,b\n1,2\n", "numbers.csv", "text"),
        (b"{not json\n", "broken.jsonl", "broken.jsonl must have rows that can be read"),
    ],
)
def test_a_file_that_cannot_be_used_gets_one_sentence_and_stores_nothing(content: bytes, name: str, part: str) -> None:
    before = resources.summaries()
    screen = upload(open_page(COLLECTIONS), content, name)
    (error,) = screen.error
    assert part in unescaped(error.value)
    assert unescaped(error.value).startswith(name) or unescaped(error.value)[0].isupper()
    assert "did not expect" not in error.value
    assert screen.exception[0:] == []
    assert "import-go" not in keys(screen)
    assert resources.summaries() == before


@pytest.mark.parametrize("title", ["Spaceflight", "Presidents", "presidents"])
def test_a_taken_name_is_refused_and_the_file_kept(title: str) -> None:
    before = resources.summaries()
    screen = upload(open_page(COLLECTIONS), NEWS)
    screen.text_input(key="import-title").set_value(title)
    screen.button(key="import-go").click().run()
    (error,) = screen.error
    assert title.casefold() in unescaped(error.value)
    assert resources.summaries() == before
    screen.text_input(key="import-title").set_value("Another name")
    screen.button(key="import-go").click().run()
    assert resources.summary("another-name") is not None


def test_own_vectors_are_stored_with_the_documents(database: Database) -> None:
    screen = open_page(COLLECTIONS)
    screen.file_uploader(key="import-vectors").set_value(
        ("v.npy", npy(np.eye(N_ROWS, dtype=np.float32)), "application/octet-stream")
    )
    import_news(screen)
    with database.reading() as cursor:
        (n,) = cursor.execute("SELECT count(*) FROM vectors WHERE collection = 'news-of-2021'").fetchall()[0]
    assert n == N_ROWS


@pytest.mark.parametrize("values", [np.eye(5, dtype=np.float32), np.full((N_ROWS, 3), np.nan, dtype=np.float32)])
def test_own_vectors_that_do_not_fit_get_one_sentence_and_store_nothing(values: NDArray[np.float32]) -> None:
    screen = open_page(COLLECTIONS)
    screen.file_uploader(key="import-vectors").set_value(("v.npy", npy(values), "application/octet-stream"))
    import_news(screen)
    (error,) = screen.error
    assert "did not expect" not in error.value
    assert resources.summary("news-of-2021") is None


def npy(values: NDArray[np.float32]) -> bytes:
    """Return an array as the bytes of a ``.npy`` file."""
    import io

    file = io.BytesIO()
    np.save(file, values, allow_pickle=False)
    return file.getvalue()


def test_an_imported_collection_is_built_and_explored(child: FakeChild) -> None:
    screen = import_news(open_page(COLLECTIONS))
    screen.button(key="import-build").click().run()
    assert "The map is being built" in screen.toast[0].value
    assert finished_build("news-of-2021").state == "done"
    screen.run()
    screen.button(key="open-news-of-2021").click().run()
    assert [*screen.warning, *screen.error, *screen.exception] == []
    assert len(steps(screen)) >= 2
    assert screen.query_params["collection"] == "news-of-2021"


class SlowChild:
    """Computes like the fake, but holds at the clustering until it is let go or stopped."""

    def __init__(self) -> None:
        self.is_there, self.may_go_on = threading.Event(), threading.Event()

    def __call__(
        self, stage: WorkerStage, arrays: Mapping[str, NDArray[Any]], options: Mapping[str, Any], progress: Progress
    ) -> StageResult:
        if stage == "cluster":
            self.is_there.set()
            while not self.may_go_on.wait(0.02):
                progress(1, 4)
        return fake_stage(stage, arrays, options, progress)


@pytest.fixture
def slow(child: FakeChild) -> SlowChild:
    child.compute = SlowChild()
    return child.compute


def started_build(database: Database, slow: SlowChild) -> AppTest:
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="build-town").click().run()
    assert slow.is_there.wait(60)
    return screen.run()


def test_a_running_build_shows_its_step_and_leaves_the_other_pages_usable(database: Database, slow: SlowChild) -> None:
    screen = started_build(database, slow)
    try:
        (bar,) = screen.get("progress")
        assert bar.proto.text.startswith("Step 3 of 5: finding topics")
        assert "build-town" not in keys(screen)
        assert len(steps(screen.switch_page(EXPLORE).run())) >= 5
    finally:
        slow.may_go_on.set()
    assert finished_build("town").state == "done"
    screen.switch_page(COLLECTIONS).run()
    assert "open-town" in keys(screen)
    assert screen.get("progress") == []


def test_a_build_is_stopped_and_resumed(database: Database, slow: SlowChild) -> None:
    screen = started_build(database, slow)
    screen.button(key="stop-town").click().run()
    assert finished_build("town").state == "cancelled"
    screen.run()
    assert "The build was stopped. The steps that were finished are kept." in words(screen)
    assert screen.button(key="build-town").label == "Resume the build"
    slow.may_go_on.set()
    screen.button(key="build-town").click().run()
    assert finished_build("town").state == "done"
    assert "open-town" in keys(screen.run())


def test_a_failed_build_says_why_and_offers_to_resume(database: Database, child: FakeChild) -> None:
    def refuse(*_: object) -> StageResult:
        raise EmbeddingUnavailable("The endpoint *example* does not know the model.")

    child.compute = refuse
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="build-town").click().run()
    assert finished_build("town").state == "failed"
    screen.run()
    (error,) = screen.error
    assert unescaped(error.value) == "The endpoint *example* does not know the model."
    assert "*example*" not in error.value
    assert screen.button(key="build-town").label == "Resume the build"


def test_a_map_is_built_again(database: Database, child: FakeChild) -> None:
    save_built(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="rebuild-town").click().run()
    assert finished_build("town").state == "done"
    summary = resources.summary("town")
    assert summary is not None
    assert summary.landscape_id not in ("by-hand", None)


def test_a_deleted_collection_is_gone_and_spaceflight_opens(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20]))
    screen = open_app(collection="town").switch_page(COLLECTIONS).run()
    assert "**Delete** takes the documents, the map and the saved stories" in words(screen)
    assert screen.button(key="delete-town").disabled
    screen.checkbox(key="sure-town").check().run()
    assert not screen.button(key="delete-town").disabled
    screen.button(key="delete-town").click().run()
    assert "was deleted" in screen.toast[0].value
    assert resources.summary("town") is None
    assert "open-town" not in keys(screen)
    explored = screen.switch_page(EXPLORE).run()
    assert explored.query_params["collection"] == "spaceflight"
    assert len(steps(explored)) >= 5


def test_deleting_says_how_many_judgements_go_and_how_many_replies_were_paid_for(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20]))
    save_judgements(database, "town", [flow_judgement(), lexical_judgement()])
    screen = open_app(collection="town").switch_page(COLLECTIONS).run()
    assert "takes the documents, the map, the saved stories and 2 judgements of this collection away" in words(screen)
    lost = Judgement(question(2), "timed out", message="No answer.")
    save_judgements(database, "town", [answered(0), answered(1), lost])
    assert (
        "and 5 judgements of this collection away for good, 2 replies of prompted judges among them: asking again "
        "may be paid again. The page Judges has them as a file."
    ) in words(screen.run())
    screen.checkbox(key="sure-town").check().run().button(key="delete-town").click().run()
    assert list_judgements(database, "town") == ()


def test_a_download_of_the_template_is_offered() -> None:
    assert [button.label for button in open_page(COLLECTIONS).download_button] == ["A template to fill in"]
