from dataclasses import replace

import pytest
from judged_samples import PROMPT, panel
from report_samples import document, pair, saved, space_story, story

from narrative_core.records import TrailRequest
from narrative_core.reports.methods import format_moment, method_paragraphs, method_parameters


def test_the_limits_are_stated() -> None:
    limits = method_paragraphs(space_story())[-1]
    assert limits.heading == "What these numbers do not prove"
    for limit in ("not a causal claim", "not a complete account", "collection", "embeddings", "seed (7)"):
        assert limit in limits.text


def test_chance_is_described_with_its_seed_and_the_shown_draw() -> None:
    kept = space_story()
    text = method_paragraphs(kept)[2].text
    assert "Seed 7 gave 200 draws" in text
    assert f"draw {kept.pair.draw + 1}, whose weakest link is the median of all draws" in text
    weakest = min(range(200), key=kept.pair.draw_bottlenecks.__getitem__)
    other = replace(kept, pair=replace(kept.pair, draw=weakest))
    assert "that was picked for display" in method_paragraphs(other)[2].text


def test_no_draws_are_said_to_be_none() -> None:
    told = pair(story([document(0), document(1), document(2)], [0.8, 0.7]), draws=())
    assert method_paragraphs(saved(told))[2].text == "No random chronology was drawn to compare with."


def test_the_wishes_and_the_order_are_part_of_the_method() -> None:
    kept = space_story()
    request = TrailRequest("d0", "d7", avoid=("x", "y"), maximum_gap_days=30, is_chronological=False)
    text = method_paragraphs(replace(kept, pair=replace(kept.pair, request=request)))[1].text
    assert "avoiding 2 documents and allowing no gap over 30 days" in text
    assert "may lead back in time" in text
    assert "No link leads back in time" in method_paragraphs(kept)[1].text


@pytest.mark.parametrize(("median", "words"), [(0.66, "below 0.66"), (float("nan"), "no median link strength")])
def test_weak_links_are_defined(median: float, words: str) -> None:
    kept = space_story()
    assert words in method_paragraphs(replace(kept, pair=replace(kept.pair, median_link=median)))[3].text


def test_a_story_made_by_hand_claims_no_condition_that_it_does_not_keep() -> None:
    kept = space_story()
    request = TrailRequest("d0", "d7", avoid=("d2",), maximum_gap_days=400, by_hand=("d0", "d4", "d2", "d7"))
    rows = method_parameters(replace(kept, pair=replace(kept.pair, request=request)))
    lines = {row.name: row.value for row in rows}
    assert (lines["Order"], lines["Made"]) == ("as a person put it", "by hand")
    assert not {"Avoiding", "Longest gap allowed", "Passing through", "Most documents allowed"} & set(lines)


def test_the_parameters_name_all_that_made_the_story() -> None:
    kept = space_story()
    request = TrailRequest("d0", "d7", via=("d3",), avoid=("x1", "x2"), maximum_gap_days=900, maximum_length=8)
    kept = replace(kept, pair=replace(kept.pair, request=request))
    lines = {line.name: line.value for line in method_parameters(kept, settings={"Embedding model": "m\n1"})}
    assert lines["Collection"] == "spaceflight"
    assert lines["Landscape"] == "ls-9c2e"
    assert (lines["From (A)"], lines["To (B)"]) == ("d0", "d7")
    assert (lines["Passing through"], lines["Avoiding"]) == ("d3", "x1, x2")
    assert (lines["Longest gap allowed"], lines["Most documents allowed"]) == ("900 days", "8")
    assert lines["Random chronologies"] == "200 drawn, 200 weaker than the trail"
    assert lines["Seed"] == "7"
    assert lines["Saved"] == "30 November 2025, 09:24 UTC"
    assert lines["Embedding model"] == "m 1"


def test_an_unreadable_moment_stays_as_it_is() -> None:
    assert format_moment("") == ""
    assert format_moment("2025-11-30") == "30 November 2025, 00:00"


def test_how_the_judges_were_asked_stands_before_the_limits() -> None:
    kept = space_story()
    told = method_paragraphs(kept, verdicts=panel(kept))
    assert [paragraph.heading for paragraph in told[-2:]] == [
        "How the judges were asked",
        "What these numbers do not prove",
    ]
    assert told[:-2] + told[-1:] == method_paragraphs(kept) == method_paragraphs(kept, verdicts=())


def test_each_judge_is_a_line_with_all_that_it_takes_to_ask_again() -> None:
    kept = space_story()
    lines = {line.name: line.value for line in method_parameters(kept, verdicts=panel(kept))}
    assert lines["Judge 1"] == (
        f"gpt-4.1 at api.openai.com, standard mode, 3 agents at temperatures 0.3 to 0.7, with explanations, "
        f"prompt {PROMPT}, shown titles, 6 asked, 5 ok"
    )
    assert lines["Judge 3"] == f"reading flow, gemma-3-270m, version {'f' * 64}, shown titles and leads, 2 asked, 2 ok"
    assert lines["Judge 4"].startswith("lexical reader 1, ")
    assert "Judge 5" not in lines
