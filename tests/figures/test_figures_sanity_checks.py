import math
from dataclasses import replace
from typing import get_args

import plotly.graph_objects as go
import pytest

from narrative_core.figures.sanity_checks import OUTCOME_MARKS, sanity_figure
from narrative_core.run_outcomes import CHECK_WORDS, OUTCOME_WORDS, Check, Outcome
from tests.figures.result_samples import ALL_SEATS, check_result, sanity_results

RESULTS = sanity_results(3)


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def marks(figure: go.Figure) -> dict[tuple[int, str], tuple[float, str, str]]:
    """Where each seat and check stands, with which symbol, on which axis."""
    return {
        tuple(key): (x, symbol, trace.xaxis)
        for trace in figure.data
        for key, x, symbol in zip(trace.customdata, trace.x, trace.marker.symbol, strict=True)
    }


def test_every_check_and_every_outcome_has_words() -> None:
    assert set(CHECK_WORDS) == set(get_args(Check))
    assert set(OUTCOME_WORDS) == set(OUTCOME_MARKS) == set(get_args(Outcome))


def test_points_nats_and_correlations_have_axes_of_their_own() -> None:
    axes = {key: axis for key, (_, _, axis) in marks(sanity_figure(RESULTS)).items()}
    assert (axes[0, "shuffled"], axes[1, "shuffled"], axes[1, "shown"]) == ("x", "x2", "x3")
    titles = [sanity_figure(RESULTS).layout[name].title.text for name in ("xaxis", "xaxis2", "xaxis3")]
    assert ["points" in titles[0], "nats" in titles[1], "correlation" in titles[2]] == [True, True, True]


@pytest.mark.parametrize(
    ("outcome", "symbol", "words"),
    [("pass", "circle", "✓ passes"), ("fail", "x", "✕ fails"), ("undecided", "circle", "? undecided")],
)
def test_an_outcome_is_told_by_symbol_and_word(outcome: Outcome, symbol: str, words: str) -> None:
    check = check_result(ALL_SEATS[0], 0, value=-0.5, half=0.2, margin=0.0, outcome=outcome)
    figure = sanity_figure(replace(RESULTS, checks=(check,)))
    assert marks(figure)[0, "shuffled"][:2] == (-0.5, symbol)
    assert words in notes(figure)


def test_the_name_of_a_judge_is_whole_beside_its_marks() -> None:
    check = check_result(ALL_SEATS[0], 0, value=-0.5, half=0.2, margin=0.0, outcome="pass")
    figure = sanity_figure(replace(RESULTS, checks=(replace(check, label="Lexical reader, titles and leads"),)))
    assert "Lexical reader" in notes(figure)


def test_undecided_is_hollow_and_a_pass_is_filled() -> None:
    fills = []
    for outcome in ("pass", "undecided"):
        check = check_result(ALL_SEATS[0], 0, value=-0.5, half=0.2, margin=0.0, outcome=outcome)
        fills += sanity_figure(replace(RESULTS, checks=(check,))).data[0].marker.color
    assert fills[0] != "#ffffff" and fills[1] == "#ffffff"


def test_a_check_that_was_not_asked_has_words_without_mark_or_shade() -> None:
    check = check_result(ALL_SEATS[0], 4, value=0.0, half=0.1, margin=0.5, outcome="not asked")
    figure = sanity_figure(replace(RESULTS, checks=(check,)))
    assert not figure.data
    assert "– not asked" in notes(figure)
    assert not [shape for shape in figure.layout.shapes if shape.type == "rect"]


@pytest.mark.parametrize(
    ("place", "margin", "ends"), [(0, 0.0, (None, 0.0)), (4, 0.5, (-0.5, 0.5)), (6, 0.6, (0.6, None))]
)
def test_the_shade_is_where_the_judge_passes(
    place: int, margin: float, ends: tuple[float | None, float | None]
) -> None:
    check = check_result(ALL_SEATS[2], place, value=0.3, half=0.1, margin=margin, outcome="fail")
    figure = sanity_figure(replace(RESULTS, checks=(check,)))
    (box,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    low, high = figure.layout.xaxis.range
    assert (box.x0, box.x1) == (low if ends[0] is None else ends[0], high if ends[1] is None else ends[1])
    assert low <= box.x0 < box.x1 <= high


def test_a_judge_keeps_its_number_in_the_run_and_a_stranger_is_minus_one() -> None:
    stranger = check_result(ALL_SEATS[5], 0, value=-0.5, half=0.2, margin=0.0, outcome="pass")
    figure = sanity_figure(replace(RESULTS, checks=(*RESULTS.checks[-1:], stranger)))
    assert set(marks(figure)) == {(2, "shown"), (-1, "shuffled")}


def test_the_hover_says_what_changed_and_what_came_of_it() -> None:
    check = check_result(ALL_SEATS[0], 0, value=-0.5, half=0.2, margin=0.0, outcome="pass")
    (hover,) = sanity_figure(replace(RESULTS, checks=(check,))).data[0].hovertext
    assert "changed less original −0.50 (−0.70 to −0.30), n = 100" in hover
    assert "original 6.4 ± 1.2" in hover and "passes" in hover


def test_a_failed_damage_check_says_how_much_lower_it_had_to_be() -> None:
    check = check_result(ALL_SEATS[0], 0, value=-0.1, half=0.2, margin=0.5, outcome="fail")
    (hover,) = sanity_figure(replace(RESULTS, checks=(check,))).data[0].hovertext
    assert hover.endswith("It fails: no part of the interval is below −0.50.")


def test_without_checks_there_is_one_quiet_sentence() -> None:
    figure = sanity_figure(replace(RESULTS, checks=()))
    assert len(notes(figure)) == 1 and not figure.data


@pytest.mark.parametrize("n_seats", [1, 8])
def test_every_check_that_was_asked_has_a_mark_with_its_interval(n_seats: int) -> None:
    results = sanity_results(n_seats)
    figure = sanity_figure(results)
    assert len(marks(figure)) == sum(check.outcome != "not asked" for check in results.checks)
    assert all(math.isfinite(end) for trace in figure.data for end in trace.error_x.array)
