from dataclasses import replace
from typing import get_args

import pytest

from narrative_core.records import Divergence
from narrative_core.reports.run_methods import run_method_paragraphs, run_method_parameters
from narrative_core.runs import PARAPHRASED, REORDERED, Design, Run
from narrative_core.trails.mixtures import LENGTHS
from tests.reports.table_samples import (
    COT,
    FLOW,
    HOSTILE,
    LEXICAL,
    NAN,
    SIMPLE,
    SINGLE,
    results,
    some_run,
    unknown_results,
)


def paragraphs(run: Run) -> dict[str, str]:
    return {paragraph.heading: paragraph.text for paragraph in run_method_paragraphs(run)}


def with_design(design: Design) -> Run:
    run = some_run(SIMPLE)
    return replace(run, settings=replace(run.settings, design=design))


def test_the_methods_of_a_run_have_every_part() -> None:
    assert list(paragraphs(some_run(SIMPLE))) == [
        *("Collection", "Stories", "Endpoint pairs", "Coherence", "Trails", "Random chronologies", "Judges"),
        *("Statistics", "Seeds and versions", "What these numbers do not prove"),
    ]


def test_endpoint_pairs_are_told_with_shares_cutoffs_and_rejected_pairs() -> None:
    told = paragraphs(some_run())["Endpoint pairs"]
    assert told.startswith("200 endpoint pairs were asked for, 58 of which were found: 20% within a topic and short, ")
    assert "10% from a hub to the edge and 10% farthest apart in wording." in told
    assert "at most the 0.333 quantile of the days" in told
    assert "at least the 0.667 quantile" in told
    assert told.endswith("4 drawn pairs had no trail and were rejected.")


def test_a_share_of_nothing_is_not_told_and_one_pair_is_singular() -> None:
    run = some_run()
    settings = replace(run.settings, n_pairs=1, shares={"within short": 0.125, "extremes": 0.875, "hub to edge": 0.0})
    told = paragraphs(replace(run, settings=settings, strata=()))["Endpoint pairs"]
    assert told.startswith("1 endpoint pair was asked for: 12.5% within a topic and short and 87.5% farthest apart")
    assert "rejected" not in told
    assert "hub to" not in told


def test_pairs_of_another_run_are_told_as_such() -> None:
    run = some_run()
    told = paragraphs(replace(run, settings=replace(run.settings, endpoints_of="run0")))["Endpoint pairs"]
    assert told.startswith("The endpoint pairs are those of the run run0, and so are their random chronologies")


@pytest.mark.parametrize(
    ("divergence", "formula"),
    [
        ("root", "D = √JSD, the square root of the Jensen–Shannon divergence in nats"),
        ("plain", "D = JSD, the"),
        ("base2", "divergence in bits"),
    ],
)
def test_the_divergence_that_was_used_is_told(divergence: Divergence, formula: str) -> None:
    told = paragraphs(replace(some_run(), divergence=divergence))["Coherence"]
    assert formula in told
    assert "The critical coherence is 0.55, the median link of sampled trails 0.71." in told


def test_each_judge_is_told_with_mode_agents_temperatures_and_what_it_was_shown() -> None:
    told = paragraphs(some_run(SIMPLE, SINGLE, FLOW, LEXICAL))["Judges"]
    assert (
        "gpt-4.1 at api.openai.com was shown titles as a numbered list and asked in simple mode for scores from 1 to "
        "10 with explanations, by 5 agents (K = 5) with temperatures spread evenly from 0.3 to 0.7 and a seed each"
    ) in told
    assert "local at 127.0.0.1:8080 was shown titles as a numbered list and asked in complex mode" in told
    assert "without explanations, by 1 agent (K = 1) at temperature 0.5." in told
    assert "a language model (gemma-3-270m) reads" in told
    assert "The lexical reader has no model" in told
    assert told.count("it reads titles and leads") == 2


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (REORDERED, "in simple mode, with the criteria in another order for"),
        (PARAPHRASED, "mode, with the instruction paraphrased for"),
    ],
)
def test_another_wording_of_the_question_is_told(version: str, words: str) -> None:
    assert words in paragraphs(some_run(replace(SIMPLE, version=version)))["Judges"]


def test_answers_are_counted_once_there_are_results() -> None:
    found = results({"GPT": SIMPLE, "steps": COT})
    told = {paragraph.heading: paragraph.text for paragraph in run_method_paragraphs(found.run, found)}
    assert told["Judges"].count("(1,992 asked, 1,990 ok, 7 not asked yet)") == 2
    assert told["Stories"].endswith("The run has 400 stories.")
    assert "on 2 folds of endpoint pairs" in told["Statistics"]
    assert "asked, " not in paragraphs(found.run)["Judges"]


def test_without_judges_nothing_is_said_of_their_scores() -> None:
    told = paragraphs(some_run())
    assert told["Judges"] == "No judge was asked."
    assert "judge" not in told["What these numbers do not prove"]
    assert "judge" in paragraphs(some_run(FLOW))["What these numbers do not prove"]


def test_intervals_and_p_values_are_told_with_their_assumptions() -> None:
    told = paragraphs(some_run(SIMPLE))["Statistics"]
    assert "resample endpoint pairs" in told
    assert "not corrected for their number" in told
    assert "on 5 folds" in told


def test_seed_moment_and_versions_are_told() -> None:
    told = paragraphs(some_run())["Seeds and versions"]
    assert "seed 42" in told
    assert told.endswith("It was made on 30 November 2026, 09:24 UTC. Versions: numpy 2.4.0 and throughline 0.1.0.")


@pytest.mark.parametrize("design", get_args(Design))
def test_every_design_tells_its_own_stories(design: Design) -> None:
    told = paragraphs(with_design(design))
    assert ("Random chronologies" in told) == (design != "mixtures")
    assert ("Endpoint pairs" in told) == (design != "mixtures")
    assert {"trails": "two stories", "mixtures": "change collection", "sanity": "damaged"}[design] in told["Stories"]
    assert not any("{" in text for text in told.values())


def test_the_length_of_mixtures_is_the_one_that_is_made() -> None:
    fewest, most = LENGTHS
    assert f"Both have {fewest} to {most} documents." in paragraphs(with_design("mixtures"))["Stories"]


def test_hostile_names_and_unknown_numbers_stay_text_on_one_line() -> None:
    seat = replace(SIMPLE, model=f"{HOSTILE}\n{{folds}}", endpoint="host\u202e")
    found = unknown_results({HOSTILE: seat, "flow": replace(FLOW, model="{model}")})
    run = replace(found.run, versions={}, created_at="", embedding_model="\n")
    for paragraph in run_method_paragraphs(run, found):
        assert "\n" not in paragraph.text
        assert "nan" not in paragraph.text.split()
    told = {paragraph.heading: paragraph.text for paragraph in run_method_paragraphs(run, found)}
    assert f"{HOSTILE} {{folds}} at host was shown" in told["Judges"]
    assert "The critical coherence is unknown" in told["Coherence"]
    assert "on 5 folds" in told["Statistics"]
    assert told["Seeds and versions"].endswith("chance of their own.")


def test_the_parameters_are_enough_to_ask_again() -> None:
    rows = {row.name: row.value for row in run_method_parameters(some_run(SIMPLE, FLOW))}
    assert rows["Seed"] == "42"
    assert rows["Pairs"] == "200"
    assert rows["Pairs taken from run"] == "–"
    assert rows["Shares"].startswith("within a topic, short 20%, within a topic, long 20%")
    assert rows["Cut-offs"] == "short 0.333, long 0.667, hub 0.1, extreme 0.1"
    assert rows["Judge 1"] == "gpt-4.1, simple, 5 agents, api.openai.com, K = 5, shown titles"
    assert rows["Judge 2"] == "Reading flow, gemma-3-270m, K = 1, shown titles and leads, flow 1"
    assert rows["Version of numpy"] == "2.4.0"


def test_what_is_not_known_of_a_run_is_said_to_be_unknown() -> None:
    rows = {row.name: row.value for row in run_method_parameters(replace(some_run(), median_link=NAN))}
    assert rows["Median link"] == "unknown"
