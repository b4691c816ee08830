"""Sanity: what is checked, the form, and how the judges of a run did, with the stories behind it."""

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.estimates import Estimate, Summary
from narrative_core.judgements import Question
from narrative_core.reports.sanity_tables import sanity_tables
from narrative_core.reports.table_formats import table_csv, table_latex
from narrative_core.run_outcomes import CheckResult, SanityResults
from narrative_core.runs import RunStory
from narrative_core.store.database import Database
from narrative_core.store.jobs import list_jobs
from narrative_core.store.runs import list_runs
from narrative_core.ui import resources
from narrative_core.ui.run_table_view import journal_html
from narrative_core.ui.sanity_view import MARKS, most_moved, outcome_lines, stories_of_check
from tests.pages.bench_samples import MODEL, assert_shown_as_text, save_run_of, town_settings
from tests.pages.page_samples import save_unbuilt, town_documents
from tests.pages.run_page_samples import save_town
from tests.pages.screen import html_words, keys, open_app, unescaped, words
from tests.pages.test_hostile_titles import IMAGE
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, sample_run, seat_scores, story, table_of

SANITY, RESULTS = "pages/research/sanity.py", "pages/research/results.py"
SORRY = "did not expect"


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


def open_sanity() -> AppTest:
    return open_app(collection="town").switch_page(SANITY).run()


def open_run(run_id: str) -> AppTest:
    return open_app(collection="town", run=run_id).switch_page(RESULTS).run()


def mindful(told: RunStory, question: Question) -> float:
    """Scores of a judge that minds every damage, more in one story than in another."""
    fall = 0 if told.made in ("trail", "baseline") else 2 + len(told.document_ids) % 3
    return 7 - fall + 0.5 * question.agent


def listed(screen: AppTest) -> list[str]:
    """Return the pairs that can be opened from the list."""
    return [unescaped(found.label) for found in screen.button if str(found.key).startswith("story-of-list-")]


def test_each_check_is_explained_with_what_a_sane_judge_does(town: Database) -> None:
    told = words(open_sanity())
    for check in ("Order shuffled", "A foreign document", "Criteria in another order", "Titles against leads"):
        assert check in told
    assert "the score falls" in told
    assert "the score stays within 0.5 points" in told
    assert "Start one above" in told  # no run yet
    assert len(list_runs(town)) == 0


def test_a_collection_without_a_map_leads_to_building_it_and_the_checks_are_explained_still(database: Database) -> None:
    save_unbuilt(database, town_documents([0, 10]))
    screen = open_sanity()
    assert "has no map yet" in words(screen)
    assert "Order shuffled" in words(screen)


def test_a_run_of_the_form_reads_every_damaged_story(town: Database) -> None:
    screen = open_sanity()
    screen.number_input(key="run-pairs-sanity").set_value(3)
    if not screen.checkbox(key="ask-for-flow").disabled:
        screen.checkbox(key="ask-for-flow").set_value(False)
    screen.button(key="plan-sanity").click().run()
    assert "What it takes" in words(screen)
    screen.button(key="start-sanity").click().run()
    (job, *_) = list_jobs(town)
    resources.runner().wait(job.job_id, 30)
    (summary,) = list_runs(town)
    assert summary.run.settings.design == "sanity"
    assert summary.n_answered == summary.n_questions > 0


def test_a_full_run_shows_outcomes_by_symbol_and_word_its_tables_and_its_stories(town: Database) -> None:
    settings = town_settings(town, design="sanity", seats=(MODEL,), n_pairs=14)
    screen = open_run(save_run_of(town, settings, score_of=mindful))
    told = words(screen)
    assert "gpt-4.1, standard ✓ passes 5" in told
    assert [found.value for found in screen.subheader][:3] == [
        "Original and damaged, side by side",
        "Checks of the judges' sanity",
        "How the checks came out",
    ]
    assert len(screen.get("plotly_chart")) == 1
    assert SORRY not in told


def test_a_pair_opens_with_the_damaged_story_beside_the_trail(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town, design="sanity", seats=(MODEL,)), score_of=mindful)
    screen = open_run(run_id)
    screen.button_group(key="sanity-damage").set_value("reversed").run()
    pairs = [found for found in screen.button if str(found.key).startswith("story-of-list-")]
    pairs[0].click().run()
    assert SORRY not in words(screen)
    assert "What the judges gave" in words(screen)
    beside = next(found for found in screen.button_group if str(found.key).startswith("beside-"))
    assert beside.value == "reversed"


def test_wordings_that_skip_damaged_stories_are_not_said_to_be_open(town: Database) -> None:
    def given(n_answers: int | None) -> str:
        run_id = save_run_of(
            town, town_settings(town, design="sanity", seats=(MODEL,)), score_of=mindful, n_answers=n_answers
        )
        screen = open_run(run_id)
        screen.button_group(key="sanity-damage").set_value("reversed").run()
        next(found for found in screen.button if str(found.key).startswith("story-of-list-")).click().run()
        return " ".join(unescaped(found.label) for found in screen.expander)

    told = given(None)
    assert "reversed not asked]" in told
    assert "not asked yet" not in told


def test_outcomes_have_their_marks_on_the_screen_and_words_alone_in_files() -> None:
    empty, nothing = Summary(0, NAN, NAN, NAN, NAN), Estimate(NAN)
    one = CheckResult("shuffled", "Lexical", LEXICAL, "lower", empty, empty, nothing, 0.5, "pass")
    checks, outcomes = sanity_tables(SanityResults(sample_run(design="sanity"), (one,)))
    assert "<td class='word'>✓ passes</td>" in journal_html(checks, marks=MARKS)
    assert ">✕ Fails</th>" in journal_html(outcomes, marks=MARKS)
    assert "✓" not in table_csv(checks) + table_latex(checks) + table_latex(outcomes)


def test_a_run_without_answers_says_that_it_fills(town: Database) -> None:
    screen = open_run(save_run_of(town, town_settings(town, design="sanity"), n_answers=0))
    assert "No judge has answered yet" in words(screen)
    assert any(key.startswith("go-on-") for key in keys(screen))


def test_a_run_that_is_partly_answered_shows_what_is_there(town: Database) -> None:
    screen = open_run(save_run_of(town, town_settings(town, design="sanity"), n_answers=9))
    assert "not there yet" in words(screen)
    assert len(screen.get("plotly_chart")) == 1
    assert SORRY not in words(screen)


def test_headlines_in_the_list_are_shown_as_they_are(database: Database) -> None:
    save_town(database, [IMAGE] * 13)
    screen = open_run(save_run_of(database, town_settings(database, design="sanity"), name=IMAGE))
    assert listed(screen)
    assert_shown_as_text(screen)


def test_pairs_whose_damaged_story_scores_no_lower_come_first() -> None:
    stories = [story(pair, made) for pair in range(4) for made in ("trail", "shuffled")]
    table = table_of(stories, [seat_scores(SIMPLE, [8, 3, 5, 6, 7, 7, 9, NAN])])
    assert [(one.pair, one.original, one.changed) for one in most_moved(table, 0, "shuffled")] == [
        (1, 5, 6),
        (2, 7, 7),
        (0, 8, 3),
    ]


def test_a_mark_of_a_check_leads_to_the_stories_that_were_damaged_so() -> None:
    stories = [story(pair, made) for pair in range(2) for made in ("trail", "shuffled", "reversed")]
    table = table_of(stories, [seat_scores(SIMPLE, [8, 3, 5, 6, 7, NAN])])
    found = stories_of_check((0, "shuffled"), table)
    assert found is not None
    assert found.rows == (1, 4)
    found = stories_of_check((0, "paraphrase"), table)
    assert found is not None
    assert found.rows == (0, 1, 2, 3, 4)
    assert stories_of_check((), table) is None


def test_checks_are_counted_by_judge_and_those_that_fail_are_named() -> None:
    empty, nothing = Summary(0, NAN, NAN, NAN, NAN), Estimate(NAN)

    def check(name: str, label: str, outcome: str) -> CheckResult:
        seat = LEXICAL if label == "Lexical" else FLOW
        return CheckResult(name, label, seat, "lower", empty, empty, nothing, 0.5, outcome)  # type: ignore[arg-type]

    checks = (
        check("shuffled", "Lexical", "pass"),
        check("reversed", "Lexical", "fail"),
        check("doubled", "Lexical", "fail"),
        check("criteria", "Lexical", "not asked"),
        check("shuffled", "Flow <b>", "undecided"),
    )
    lines = outcome_lines(SanityResults(sample_run(design="sanity"), checks))
    assert [html_words(line) for line in lines] == [
        "Lexical ✓ passes 1 · ✕ fails 2 (order reversed, a document doubled) · – not asked 1",
        "Flow <b> ? undecided 1",
    ]
