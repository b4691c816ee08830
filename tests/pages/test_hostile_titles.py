"""Headlines that try to be markup, and headlines that are hard to show."""

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.records import LoadReport
from narrative_core.store.database import Database
from narrative_core.store.documents import update_documents
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.stories import list_stories
from tests.pages.page_samples import save_built, town_documents
from tests.pages.screen import (
    COLLECTIONS,
    STORIES,
    field,
    html_pieces,
    html_tags,
    markdown_pieces,
    open_app,
    open_page,
    steps,
    unescaped,
    words,
)

IMAGE = "<img src=x onerror=alert(1)> & </div><script>alert(2)</script>"
MARKDOWN = "**bold** _slanted_ [link](https://evil.example) ![pic](https://evil.example/p.png) `code` # head"
ICONS = ":material/home: :rocket: :red[alarm] $x^2$ <b>fat</b> ~~gone~~"
LONG = "An extraordinarily long headline " * 6 + "ends"
ARABIC = "المظاهرات في الجزائر تستمر للأسبوع العاشر"
EMOJI = "👩‍🚀🚀 lands 👨‍👩‍👧‍👦 safely"
TITLES = (IMAGE, MARKDOWN, ICONS, LONG, ARABIC, EMOJI, "")
MARKUP = re.compile(r"(?<!\\)(\*\*bold|_slanted|\]\(https|!\[pic|`code|:material/|:rocket:|:red\[|\$x|<img|~~gone)")
SHOWN_TAGS = {"div", "span", "b", "i", "br", "style", "@class", "@style", "@title", "@dir"}


def assert_no_markup(screen: AppTest) -> None:
    assert [found.value for found in screen.exception] == []
    pieces = [*markdown_pieces(screen), *map(str, _plotly_texts(screen))]
    assert [piece for piece in markdown_pieces(screen) if MARKUP.search(piece)] == []
    assert len(pieces) >= 3
    for piece in html_pieces(screen):
        assert html_tags(piece) <= SHOWN_TAGS


def _plotly_texts(screen: AppTest) -> list[str]:
    return [str(chart.proto.spec) for chart in screen.get("plotly_chart")]


@pytest.fixture
def screen(database: Database) -> AppTest:
    """A trail through all the headlines: each document hangs together with its neighbour only."""
    save_built(database, town_documents([10 * row for row in range(len(TITLES))], TITLES), title=MARKDOWN)
    return open_app(collection="town", from_="d0", to="d6")


def test_a_trail_shows_every_headline_as_it_is_written(screen: AppTest) -> None:
    assert_no_markup(screen)
    told = steps(screen)
    assert told[:3] == [IMAGE, MARKDOWN, ICONS]
    assert LONG.startswith(told[3].removesuffix("…"))
    assert told[3].endswith("…")
    assert len(told[3]) <= 161
    assert told[4:] == [ARABIC, EMOJI, "untitled"]


def test_a_clamped_headline_is_whole_in_its_tooltip(screen: AppTest) -> None:
    tip = screen.button(key="step-trail-3").help
    assert " ".join(LONG.split()) == unescaped(tip)


@pytest.mark.parametrize("step", range(len(TITLES)))
def test_the_reading_panel_shows_the_headline_as_it_is_written(screen: AppTest, step: int) -> None:
    screen.button(key=f"step-trail-{step}").click().run()
    assert_no_markup(screen)
    headlines = [piece for piece in html_pieces(screen) if "dir='auto'" in piece and "tl-verdict" in piece]
    assert len(headlines) == 1
    assert (TITLES[step] or "untitled") in words(screen)


def test_the_map_gets_no_markup_from_headlines(screen: AppTest) -> None:
    deck = json.loads(screen.get("deck_gl_json_chart")[0].proto.json)
    dots = next(layer["data"] for layer in deck["layers"] if layer["id"].startswith("documents"))
    assert [dot["id"] for dot in dots] == [f"d{row}" for row in range(7)]
    assert "img" in dots[0]["title"]
    assert not any(re.search(r"<[a-zA-Z/!]|&\w|\{\w", dot["title"]) for dot in dots)
    assert dots[6]["title"] == "Untitled"


def test_the_plots_get_no_markup_from_headlines(screen: AppTest) -> None:
    assert len(_plotly_texts(screen)) == 3
    for text in _plotly_texts(screen):
        assert "<img" not in text
        assert "<script" not in text
        assert "<b>fat" not in text


@pytest.mark.parametrize("row", [0, 1, 2, 3])
def test_a_refusal_quotes_the_headline_as_it_is_written(screen: AppTest, row: int) -> None:
    field(screen.selectbox, "pick-target").set_value(f"d{row}").run()
    field(screen.selectbox, "pick-source").set_value(f"d{row}").run()
    assert len(screen.warning) == 1
    assert TITLES[row][:80] in words(screen)
    assert_no_markup(screen)


def test_pins_and_bans_are_listed_as_they_are_written(screen: AppTest) -> None:
    for step in (1, 2):
        screen.button(key=f"step-trail-{step}").click().run()
        screen.button(key="use-via").click().run()
    assert screen.query_params["via"] == "d1~d2"
    assert_no_markup(screen)
    assert {MARKDOWN[:80], ICONS} <= {unescaped(piece.value)[:80] for piece in screen.markdown}


def test_a_saved_story_shows_name_note_and_headlines_as_they_are_written(screen: AppTest, database: Database) -> None:
    name, note = screen.text_input[0], screen.text_area[0]
    name.set_value(ICONS)
    note.set_value(MARKDOWN)
    screen.button(key="FormSubmitter:save-form-Save this story").click().run()
    stories = screen.switch_page(STORIES).run()
    assert_no_markup(stories)
    assert {ICONS, MARKDOWN} <= set(words(stories).splitlines())
    (saved,) = list_stories(database)
    stories.checkbox(key=f"sure-{saved.story_id}").check().run()
    stories.button(key=f"delete-{saved.story_id}").click().run()
    assert_no_markup(stories)
    assert any(":material/home:" in unescaped(toast.value) for toast in stories.toast)


def test_a_collection_shows_its_name_as_it_is_written(screen: AppTest) -> None:
    collections = screen.switch_page(COLLECTIONS).run()
    assert_no_markup(collections)
    assert MARKDOWN in words(collections)


def test_markup_would_be_noticed() -> None:
    page = open_page(STORIES)
    page.info[0].value  # noqa: B018  the page has words
    assert MARKUP.search("a **bold** claim")
    assert not MARKUP.search(r"a \*\*bold\*\* claim")
    assert html_tags("<div><img src=x onerror=y></div>") - SHOWN_TAGS == {"img", "@src", "@onerror"}


def test_what_a_file_says_of_itself_is_shown_as_it_is_written(database: Database) -> None:
    """A project file from somebody brings notices, ways of dates and encodings of its own."""
    documents = town_documents([0, 10, 20])
    save_built(database, documents)
    fitted = load_landscape(database, "town")
    assert fitted is not None
    report = LoadReport(3, 3, 0, 0, 0, (), MARKDOWN, ICONS, ICONS, {}, (MARKDOWN, IMAGE))
    with database.transaction():
        update_documents(database, "town", documents, report)
        save_landscape(database, "town", replace(fitted, notices=(MARKDOWN, IMAGE)))
    screen = open_app(collection="town")
    assert_no_markup(screen)
    assert unescaped(words(screen)).count("https://evil.example/p.png") == 1
    collections = open_page(COLLECTIONS)
    assert [piece for piece in markdown_pieces(collections) if MARKUP.search(piece)] == []
    assert MARKDOWN in words(collections)
