import pytest

from narrative_core.figures.run_marks import (
    N_SEAT_MARKS,
    empty_figure,
    is_hollow,
    kinds_made,
    legend_top,
    made_colour,
    made_dash,
    made_symbol,
    n_line,
    n_words,
    seat_colour,
    seat_label,
    seat_symbol,
    story_point,
    story_words,
)
from narrative_core.figures.theme import Mode, baseline_colour, trail_colour
from narrative_core.runs import MADE_WORDS
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, sample_table, seat_scores, story, table_of

MODES: tuple[Mode, ...] = ("light", "dark")


@pytest.mark.parametrize("mode", MODES)
def test_eight_judges_have_eight_colours_and_symbols_none_of_them_a_story_s(mode: Mode) -> None:
    colours = {seat_colour(number, mode) for number in range(N_SEAT_MARKS)}
    assert len(colours) == len({seat_symbol(number) for number in range(N_SEAT_MARKS)}) == 8
    assert not colours & {trail_colour(mode), baseline_colour(mode)}


def test_the_ninth_judge_begins_again() -> None:
    assert seat_colour(8, "light") == seat_colour(0, "light")


def test_trail_and_random_chronology_look_as_on_every_page() -> None:
    assert [(made_colour(made, "dark"), made_symbol(made), made_dash(made)) for made in ("trail", "baseline")] == [
        (trail_colour("dark"), "circle", "solid"),
        (baseline_colour("dark"), "circle-open", "dash"),
    ]
    assert (is_hollow("trail"), is_hollow("baseline")) == (False, True)


def test_no_two_ways_of_making_stories_share_a_symbol() -> None:
    assert len({made_symbol(made) for made in MADE_WORDS}) == len(MADE_WORDS)


def test_the_kinds_of_a_run_are_those_that_have_a_story_the_trail_first() -> None:
    assert kinds_made(table_of([story(0, "mixed"), story(0, "trail"), story(1, "mixed")], [])) == ("trail", "mixed")
    assert kinds_made(table_of([], [])) == ()


def test_a_point_is_the_pair_and_how_its_story_was_made() -> None:
    assert story_point(table_of([story(6, "baseline")], []), 0) == [6, "baseline"]


def test_a_story_is_told_in_words_with_what_each_judge_gave_it() -> None:
    seats = [
        seat_scores(SIMPLE, [[7.0, 8.0, 7.5], [NAN, NAN, NAN]], label="a <b>"),
        seat_scores(FLOW, [0.118, 0.2], label="flow"),
    ]
    table = table_of([story(6, "baseline", (0.4, 0.7)), story(7, "trail")], seats)
    assert story_words(table, 0) == (
        "Pair 7, random chronology of 3 documents:<br>weakest link 0.40, mean link 0.55.<br>"
        "a &lt;b&gt;: 7.5 ± 0.5.<br>flow: 0.12 nats per token."
    )
    assert story_words(table, 1).endswith("a &lt;b&gt;: no score.<br>flow: 0.20 nats per token.")


def test_a_long_name_has_a_line_of_its_own() -> None:
    seat = seat_scores(FLOW, [0.118], label="reading flow · some-quite-long-model-270m")
    assert story_words(table_of([story(0, "trail")], [seat]), 0).endswith("model-270m:<br>0.12 nats per token.")


def test_a_story_without_judges_ends_with_its_links() -> None:
    assert story_words(table_of([story(0, "trail", (0.5,))], []), 0).endswith("mean link 0.50.")


def test_the_mode_of_a_judge_with_a_long_name_is_still_read() -> None:
    label = "mistral-small-3.2-24b-instruct · standard"
    assert seat_label(seat_scores(LEXICAL, [1.0], label=label)) == label


def test_what_is_not_drawn_is_counted_by_reason() -> None:
    assert n_words(1200, "story", {"without a score": 3, "without dates": 0}) == "n = 1,200 stories; 3 without a score"
    assert n_words(2, "pair") == "n = 2 pairs"


def test_the_margin_below_grows_with_the_lines_of_the_n_line() -> None:
    one, two = n_line("n = 2 stories", "light"), n_line("n = 2 stories<br>judge: x", "light")
    assert two["margin"]["b"] - one["margin"]["b"] == two["title"]["pad"]["b"] - one["title"]["pad"]["b"] == 14
    assert n_line("word " * 20, "light")["title"]["text"].count("<br>") == 1


def test_a_long_line_is_never_broken_inside_an_entity() -> None:
    assert n_line("&amp;" * 40, "light")["title"]["text"] == "&amp;" * 40


def test_a_click_on_the_legend_hides_nothing() -> None:
    legend = legend_top("light")["legend"]
    assert (legend["itemclick"], legend["itemdoubleclick"]) == (False, False)


def test_an_empty_figure_says_why_in_plain_text() -> None:
    figure = empty_figure("No <score>.", "light")
    assert figure.layout.annotations[0].text == "No &lt;score&gt;."
    assert (len(figure.data), figure.layout.xaxis.visible) == (0, False)


def test_hover_words_of_many_stories_are_those_of_each() -> None:
    table = sample_table(4)
    assert len({story_words(table, row) for row in range(8)}) == 8
