"""The results of a run: which run, its sections, and the way from a number to the stories behind it."""

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.store.database import Database
from narrative_core.store.runs import delete_run, list_runs, load_run_table
from narrative_core.ui import resources
from narrative_core.ui.results_sections import SECTIONS
from narrative_core.ui.take_away import KIND
from tests.pages.run_page_samples import save_town, save_town_run
from tests.pages.screen import SETTINGS, html_pieces, keys, open_app, open_page, words

RESULTS = "pages/research/results.py"


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


def open_results(run_id: str = "", section: str = "") -> AppTest:
    """Open the page at the address of a run; then a section of it."""
    address = {"run": run_id} if run_id else {}
    screen = open_app(collection="town", **address).switch_page(RESULTS).run()
    return screen.radio(key="results-section").set_value(section).run() if section else screen


def headings(screen: AppTest) -> list[str]:
    return [str(found.value) for found in screen.subheader]


def test_without_a_run_the_page_says_what_will_be_here_and_leads_to_a_new_one() -> None:
    screen = open_page(RESULTS)
    assert "Here will be every table and figure of a run" in words(screen)
    assert [link.proto.page for link in screen.get("page_link")] == ["new-run"]


def test_the_newest_run_is_open_and_the_address_names_it(town: Database) -> None:
    save_town_run(town, name="The first")
    newest = save_town_run(town, name="The second", n_pairs=4)
    screen = open_results()
    assert screen.selectbox[0].value == newest
    assert screen.query_params["run"] == newest


def test_the_run_of_the_address_is_open(town: Database) -> None:
    first = save_town_run(town, name="The first")
    save_town_run(town, name="The second", n_pairs=4)
    screen = open_results(first)
    assert screen.selectbox[0].value == first
    assert "8 pairs · 16 stories · 2 judges · seed 42 · divergence root" in words(screen)


def test_an_unknown_run_is_said_and_the_list_is_offered(town: Database) -> None:
    known = save_town_run(town)
    screen = open_results("0123abc")
    assert "There is no run “0123abc” here" in words(screen)
    assert headings(screen) == []
    screen.selectbox[0].set_value(known).run()
    assert "What was asked, and what came back" in headings(screen)
    assert screen.query_params["run"] == known


def test_every_section_of_a_full_run_is_drawn(town: Database) -> None:
    screen = open_results(save_town_run(town))
    for section in SECTIONS:
        screen.radio(key="results-section").set_value(section).run()
        assert (section, [*screen.exception], [*screen.error]) == (section, [], [])
        assert headings(screen) or section in ("Methods", "Take away")


def test_every_section_of_a_run_without_answers_is_drawn_and_says_what_is_missing(town: Database) -> None:
    screen = open_results(save_town_run(town, n_answers=0))
    assert "No judge has answered yet" in words(screen)
    assert "48 answers of 48 not there yet." in words(screen)
    for section in SECTIONS:
        screen.radio(key="results-section").set_value(section).run()
        assert (section, [*screen.exception], [*screen.error]) == (section, [], [])


def test_every_section_of_a_run_without_judges_is_drawn(town: Database) -> None:
    screen = open_results(save_town_run(town, has_judges=False))
    assert "no judge · seed 42" in words(screen)
    for section in SECTIONS:
        screen.radio(key="results-section").set_value(section).run()
        assert (section, [*screen.exception], [*screen.error]) == (section, [], [])


def test_of_a_run_that_is_partly_answered_the_tables_show_what_is_there(town: Database) -> None:
    screen = open_results(save_town_run(town, n_answers=40))
    (summary,) = list_runs(town)
    assert 0 < summary.n_answered < summary.n_questions
    assert f"{summary.n_questions - summary.n_answered} answers of {summary.n_questions} not there yet." in words(
        screen
    )
    assert "No judge has answered yet" not in words(screen)
    assert "What was asked, and what came back" in headings(screen)


def test_a_run_that_checks_a_judge_has_its_own_results_with_methods_and_the_way_to_take_it_away(town: Database) -> None:
    screen = open_results(save_town_run(town, design="sanity", n_pairs=2))
    assert [*screen.error] == []
    assert headings(screen)[-2:] == ["Take away", "Methods"]
    assert "prepare-run" in keys(screen)


def test_a_run_is_packed_when_that_is_asked_for_and_then_offered(
    town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")
    run_id = save_town_run(town, has_judges=False, n_pairs=3)
    screen = open_results(run_id, "Take away")
    assert "download-run" not in {str(file.key) for file in screen.get("download_button")}
    screen.button(key="prepare-run").click().run()
    job = resources.runner().latest(KIND, f"{run_id} 0 0")
    assert job is not None
    resources.runner().wait(job.job_id, 60)
    screen.run()
    assert "download-run" in {str(file.key) for file in screen.get("download_button")}


def test_the_section_is_still_the_chosen_one_after_a_visit_to_another_page(town: Database) -> None:
    screen = open_results(save_town_run(town), "Endpoints")
    screen.switch_page(SETTINGS).run().switch_page(RESULTS).run()
    assert screen.radio(key="results-section").value == "Endpoints"


def test_a_table_says_what_it_rests_on_and_is_offered_as_files(town: Database) -> None:
    screen = open_results(save_town_run(town))
    assert "n = 16 stories." in words(screen)
    files = {file.key for file in screen.get("download_button")}
    assert {"file-CSV-lengths", "file-LaTeX-lengths"} <= {str(key) for key in files}


def test_the_study_stands_beside_a_table_in_quiet_type_when_it_is_asked_for(town: Database) -> None:
    screen = open_results(save_town_run(town), "Judges against coherence")
    assert "0.40" not in words(screen)
    screen.button_group(key="results-study").set_value("news").run()
    assert "<td class='number study'>0.40</td>" in "".join(html_pieces(screen))
    assert "Electronics, 14(13), 2735" in words(screen)


def test_a_row_of_a_table_opens_the_stories_behind_it(town: Database) -> None:
    run_id = save_town_run(town)
    screen = open_results(run_id)
    screen.button(key="behind-lengths-0").click().run()
    assert "8 stories, the one with the weakest link first" in words(screen)
    table = load_run_table(town, run_id)
    rows = [key.removeprefix("story-of-list-") for key in keys(screen) if key.startswith("story-of-list-")]
    assert {int(row) for row in rows} == set(table.rows("trail").tolist())


def test_a_row_of_a_judge_without_a_score_says_that_there_is_no_story_behind_it(town: Database) -> None:
    screen = open_results(save_town_run(town, n_answers=0))
    screen.button(key="behind-asked-0").click().run()
    assert "No story has a score of this judge yet." in words(screen)


def test_a_run_that_was_deleted_meanwhile_is_an_unknown_one(town: Database) -> None:
    gone, other = save_town_run(town), save_town_run(town, n_pairs=4)
    screen = open_results(gone)
    delete_run(town, gone)
    screen.switch_page(SETTINGS).run().switch_page(RESULTS).run()
    assert f"There is no run “{gone}” here" in words(screen)
    assert other in {str(option) for option in screen.selectbox[0].options} or screen.selectbox[0].value is None
