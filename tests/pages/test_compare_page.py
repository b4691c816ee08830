"""Compare: two measures of one run, two runs, where they disagree, and the same run with another divergence."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.errors import JudgeUnavailable
from narrative_core.jobs import Report
from narrative_core.judgements import Question
from narrative_core.runs import RunStory
from narrative_core.store.database import Database
from narrative_core.store.jobs import list_jobs
from narrative_core.store.runs import list_runs, load_run, load_run_stories
from narrative_core.ui import resources, run_work
from tests.pages.bench_samples import MODEL, assert_shown_as_text, save_run_of, town_settings
from tests.pages.run_page_samples import save_town
from tests.pages.screen import keys, open_app, open_page, unescaped, words
from tests.pages.test_hostile_titles import IMAGE, MARKDOWN

COMPARE = "pages/research/compare.py"
WITHIN, BETWEEN = "Two measures of one run", "Two runs or more"
SORRY = "did not expect"


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


def open_compare(run_id: str = "", way: str = WITHIN) -> AppTest:
    screen = open_app(collection="town", **({"run": run_id} if run_id else {})).switch_page(COMPARE).run()
    if way == BETWEEN:
        screen.button_group(key="compare-way").set_value(BETWEEN).run()
    return screen


def by_length(story: RunStory, question: Question) -> float:
    """A judge that likes what is long: it ranks stories otherwise than their weakest links do."""
    return 1 + len(story.document_ids) + 0.5 * question.agent


def ends_of(database: Database, run_id: str) -> set[tuple[str, str]]:
    """Return the endpoint pairs of a run."""
    return {(story.document_ids[0], story.document_ids[-1]) for story in load_run_stories(database, run_id)}


def headings(screen: AppTest) -> list[str]:
    return [unescaped(str(found.value)) for found in [*screen.header, *screen.subheader]]


def disputes(screen: AppTest) -> list[str]:
    """Return the lines of the disagreement explorer."""
    return [unescaped(found.label) for found in screen.expander if " → " in found.label]


def open_first(screen: AppTest) -> AppTest:
    """Open the first story of the disagreement explorer."""
    first = next(found for found in screen.expander if " → " in found.label)
    # The id of the expander ends in its key, after a hash.
    screen.session_state[str(first.proto.id).removeprefix("$$ID-").split("-", 1)[1]] = True
    return screen.run()


def test_without_a_run_the_page_says_what_it_is_for_and_leads_to_a_new_one() -> None:
    screen = open_page(COMPARE)
    assert "That needs a run" in words(screen)
    assert [link.proto.page for link in screen.get("page_link")] == ["new-run"]


def test_a_run_is_compared_by_its_weakest_link_and_its_first_judge_at_once(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town))
    screen = open_compare(run_id)
    assert screen.selectbox(key=f"compare-first-{run_id}").value == "minimum"
    assert screen.selectbox(key=f"compare-second-{run_id}").value == MODEL
    assert headings(screen)[:2] == [
        "Weakest link less gpt-4.1, standard, both standardised",
        "How weakest link and gpt-4.1, standard go together",
    ]
    assert "Over all stories the difference is then 0" in words(screen)
    assert len(screen.get("plotly_chart")) == 2
    assert SORRY not in words(screen)


def test_two_judges_of_one_unit_are_subtracted_as_they_are(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town))
    screen = open_compare(run_id)
    screen.selectbox(key=f"compare-first-{run_id}").set_value(MODEL).run()
    lexical = load_run(town, run_id).settings.seats[1]
    screen.selectbox(key=f"compare-second-{run_id}").set_value(lexical).run()
    assert headings(screen)[0] == "gpt-4.1, standard less Lexical reader"
    assert "standardised" not in words(screen)


def test_a_disputed_story_has_both_ranks_in_words_and_opens_with_both_explanations(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town), score_of=by_length)
    screen = open_compare(run_id)
    first = disputes(screen)[0]
    assert "Day" in first
    assert " of 12 by weakest link, " in first
    assert first.rstrip("]").endswith("by gpt-4.1, standard")
    assert "The river rises" not in words(screen)  # nothing is read before it is opened
    open_first(screen)
    told = words(screen)
    assert "The weakest link is from “Day" in told or "The only link is from “Day" in told
    assert "The river rises from one mark to the next." in told
    assert "of 10 · 2 asked, all ok" in told
    assert ", sharing " in told


def test_a_run_without_judges_can_be_compared_by_its_links_alone(town: Database) -> None:
    screen = open_compare(save_run_of(town, town_settings(town, seats=())))
    assert "has no judge" in words(screen)
    assert headings(screen)[0] == "Weakest link less mean link"


def test_a_run_without_answers_says_that_it_fills(town: Database) -> None:
    screen = open_compare(save_run_of(town, town_settings(town), n_answers=0))
    assert "No story has both values yet" in words(screen)
    assert "not there yet" in words(screen)
    assert any(key.startswith("go-on-") for key in keys(screen))


def test_a_run_that_is_partly_answered_counts_what_is_skipped(town: Database) -> None:
    screen = open_compare(save_run_of(town, town_settings(town), n_answers=14))
    assert "not there yet" in words(screen)
    assert "Skipped: " in words(screen)


def test_a_running_run_shows_how_far_it_is_and_one_that_failed_says_why(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town), n_answers=14)
    go_on = threading.Event()

    def work(report: Report) -> None:
        report("judge", 14, 36)
        go_on.wait(30)
        msg = "the endpoint does not answer. Try again later."
        raise JudgeUnavailable(msg)

    job = resources.runner().start(run_work.KIND, run_id, work)
    assert job is not None
    try:
        screen = open_compare(run_id)
        assert f"stop-run-{run_id}" in keys(screen)
        assert len(screen.get("plotly_chart")) == 2
    finally:
        go_on.set()
        resources.runner().wait(job.job_id, 30)
    assert "The endpoint does not answer. Try again later." in words(screen.run())


def test_an_unknown_run_in_the_address_is_said_and_another_is_shown(town: Database) -> None:
    known = save_run_of(town, town_settings(town))
    screen = open_compare("0123abc")
    assert "There is no run “0123abc” here" in words(screen)
    assert screen.query_params["run"] == known


def test_two_runs_that_differ_in_one_setting_say_which(town: Database) -> None:
    first = save_run_of(town, town_settings(town), name="As it is")
    save_run_of(town, town_settings(town, divergence="base2", endpoints_of=first), name="In bits")
    screen = open_compare(first, BETWEEN)
    told = words(screen)
    assert "“As it is” against “In bits”" in headings(screen)
    assert "They differ in one setting: comparison of topics (root, base2). Both have the same endpoint pairs." in told
    assert "All 12 stories match." in told
    assert "Weakest link: root less base2" in headings(screen)
    assert SORRY not in told


def test_runs_whose_stories_do_not_match_say_so_with_numbers(town: Database) -> None:
    first = save_run_of(town, town_settings(town, n_pairs=3), name="Three")
    second = save_run_of(town, town_settings(town, n_pairs=6, seed=7), name="Six")
    told = words(open_compare(first, BETWEEN))
    assert "They differ in 2 settings: pairs (3, 6); seed (42, 7)." in told
    n = 2 * len(ends_of(town, first) & ends_of(town, second))
    assert n > 0
    left_out = f"{6 - n} of the first and {12 - n} of the second have no counterpart and are left out."
    assert f"{n} stories match; {left_out}" in told


def test_runs_with_nothing_in_common_say_what_to_do(town: Database) -> None:
    first = save_run_of(town, town_settings(town, n_pairs=1))
    ends = ends_of(town, first)
    others = (save_run_of(town, town_settings(town, n_pairs=1, seed=seed), name="Elsewhere") for seed in range(99))
    other = next(run_id for run_id in others if ends_of(town, run_id) != ends)
    screen = open_compare(first, BETWEEN)
    told = words(screen.multiselect(key=f"compare-others-{first}").set_value([other]).run())
    assert "None of their stories match: 2 of the first, 2 of the second." in told
    assert "these runs share none" in told


def test_a_judge_that_both_runs_have_can_be_the_measure(town: Database) -> None:
    first = save_run_of(town, town_settings(town), name="One")
    save_run_of(town, town_settings(town, divergence="base2", endpoints_of=first), name="Two", score_of=by_length)
    screen = open_compare(first, BETWEEN)
    screen.selectbox(key=f"compare-by-{first}").set_value(MODEL).run()
    assert "gpt-4.1, standard: root less base2" in headings(screen)


def test_a_single_run_offers_its_variants(town: Database) -> None:
    screen = open_compare(save_run_of(town, town_settings(town)), BETWEEN)
    assert "Choose a run to compare with" in words(screen)
    assert {"variant-plain", "variant-base2"} <= keys(screen)
    assert "variant-root" not in keys(screen)


def test_a_variant_is_made_with_the_same_pairs_and_judges_and_put_beside(town: Database) -> None:
    lexical = town_settings(town).seats[1:]
    first = save_run_of(town, town_settings(town, seats=lexical), name="First")
    screen = open_compare(first, BETWEEN)
    screen.button(key="variant-base2").click().run()
    assert "WHAT IT TAKES" in words(screen).upper()
    screen.button(key="start-trails").click().run()
    (job, *_) = list_jobs(town)
    resources.runner().wait(job.job_id, 30)
    screen.run()
    (made,) = (one.run for one in list_runs(town) if one.run.run_id != first)
    assert (made.settings.endpoints_of, made.divergence, made.settings.seats) == (first, "base2", lexical)
    assert made.name == "First, base2"
    assert screen.multiselect(key=f"compare-others-{first}").value == [made.run_id]
    assert "They differ in one setting: comparison of topics (root, base2)" in words(screen)
    assert "variant-base2" not in keys(screen)


def test_a_run_whose_collection_is_gone_is_still_compared_but_has_no_variants(town: Database) -> None:
    first = save_run_of(town, town_settings(town))
    (summary,) = list_runs(town)
    with town.transaction() as cursor:
        cursor.execute("DELETE FROM collections WHERE name = 'town'")
    screen = open_compare(first, BETWEEN)
    assert "is not here any more" in words(screen)
    assert summary.run.run_id == first


@pytest.mark.parametrize("title", [IMAGE, MARKDOWN])
def test_headlines_and_explanations_are_shown_as_they_are(database: Database, title: str) -> None:
    save_town(database, [f"{title} {row}" for row in range(13)])
    run_id = save_run_of(database, town_settings(database), name=title, score_of=by_length, explanation=title)
    screen = open_compare(run_id)
    assert_shown_as_text(open_first(screen))
    screen.button_group(key="compare-way").set_value(BETWEEN).run()
    assert_shown_as_text(screen)
