import math
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.figures.judge_scores import ROW_PX, judge_scores
from narrative_core.figures.theme import Mode, background, baseline_colour, trail_colour
from narrative_core.judgements import Judgement, Question, Seat, Status, Verdict
from narrative_core.records import StoryKind

NAN = float("nan")
SIMPLE = Seat("openai", "m", mode="simple", n_agents=5)
STANDARD = Seat("openai", "m", mode="standard", n_agents=5)
LEXICAL = Seat("lexical", "lexical")
FLOW = Seat("flow", "gemma")
EVIL = '<img src=x onerror="alert(1)"> & <b>bold</b>'


def verdict(
    seat: Seat,
    kind: StoryKind,
    scores: Sequence[float],
    *,
    failed: int = 0,
    percentile: float = NAN,
    criteria: Mapping[str, float] | None = None,
) -> Verdict:
    statuses: list[Status] = [*["ok"] * len(scores), *["timed out"] * failed]  # type: ignore[list-item]
    given_ = [*scores, *[NAN] * failed]
    judgements = tuple(
        Judgement(Question(seat.judge, "m", "", seat.mode, agent, None, None, "", "titles", "", ""), status, score)
        for agent, (status, score) in enumerate(zip(statuses, given_, strict=True))
    )
    return Verdict(
        seat,
        kind,
        judgements,
        mean=fmean(scores) if scores else NAN,
        sd=stdev(scores) if len(scores) > 1 else NAN,
        criteria=criteria or {},
        percentile=percentile,
        n_random=200,
        counts={"ok": len(scores), "timed out": failed},
    )


def both(seat: Seat, trail: Sequence[float], baseline: Sequence[float]) -> list[Verdict]:
    return [verdict(seat, "trail", trail), verdict(seat, "baseline", baseline)]


def trace(figure: object, name: str) -> object:
    return next(one for one in figure.data if one.name == name)  # type: ignore[attr-defined]


def notes(figure: object) -> list[str]:
    return [note.text for note in figure.layout.annotations]  # type: ignore[attr-defined]


FIVE = both(SIMPLE, [7, 7, 8, 7, 6], [3, 4, 3, 3, 3])


def test_each_story_is_marked_at_its_mean_with_its_deviation_as_whisker() -> None:
    figure = judge_scores(FIVE, ["simple"])
    for kind, mean, sd in (("trail", 7, stdev([7, 7, 8, 7, 6])), ("baseline", 3.2, stdev([3, 4, 3, 3, 3]))):
        means = trace(figure, kind)
        assert list(means.x) == pytest.approx([mean])  # type: ignore[attr-defined]
        assert list(means.error_x.array) == pytest.approx([sd])  # type: ignore[attr-defined]
        assert means.customdata[0][0] == "simple"  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_trail_is_filled_blue_and_the_random_chronology_hollow_orange(mode: Mode) -> None:
    figure = judge_scores(FIVE, ["simple"], mode=mode)
    trail, baseline = trace(figure, "trail").marker, trace(figure, "baseline").marker  # type: ignore[attr-defined]
    assert trail.color == trail_colour(mode)
    assert (baseline.color, baseline.line.color) == (background(mode), baseline_colour(mode))


def test_every_agent_with_a_score_is_a_dot_and_equal_ones_lie_one_above_the_other() -> None:
    verdicts = [verdict(SIMPLE, "trail", [7, 7, 8], failed=2), verdict(SIMPLE, "baseline", [3, 3, 3])]
    dots = trace(judge_scores(verdicts, ["simple"]), "trail agents")
    assert list(dots.x) == [7, 7, 8]  # type: ignore[attr-defined]
    assert dots.y[0] != dots.y[1]  # type: ignore[attr-defined]
    assert dots.hovertext[2] == "Agent 3 of simple<br>gives the trail 8.0."  # type: ignore[attr-defined]


def test_a_single_agent_is_its_own_mean_and_no_dot_beside_it() -> None:
    figure = judge_scores(both(LEXICAL, [6.3], [5.0]), ["Lexical reader"])
    assert not trace(figure, "trail agents").x  # type: ignore[attr-defined]
    assert list(trace(figure, "trail").error_x.array) == [0]  # type: ignore[attr-defined]
    assert notes(figure) == ["Lexical reader", "random 5.0", "trail 6.3"]


def test_a_thin_line_joins_the_two_means_of_a_row_and_of_no_other() -> None:
    verdicts = [*FIVE, verdict(STANDARD, "trail", [9, 9]), *both(LEXICAL, [6], [5])]
    figure = judge_scores(verdicts, ["simple", "standard", "lexical"])
    assert list(trace(figure, "difference").x) == [3.2, 7, None, 5, 6, None]  # type: ignore[attr-defined]


def test_labels_say_story_mean_deviation_and_how_many_agents() -> None:
    verdicts = [verdict(SIMPLE, "trail", [7, 8], failed=3), verdict(SIMPLE, "baseline", [3, 3, 3, 3, 3])]
    assert notes(judge_scores(verdicts, ["simple"])) == [
        "simple",
        "random 3.0 ± 0.0, 5 of 5 agents",
        "trail 7.5 ± 0.7, 2 of 5 agents",
    ]


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([verdict(SIMPLE, "trail", [7, 8])], "○ random: no score"),
        (
            [verdict(SIMPLE, "baseline", [3]), verdict(SIMPLE, "trail", [], failed=5)],
            "● trail: no score, 0 of 5 agents",
        ),
        ([verdict(SIMPLE, "baseline", [3]), verdict(SIMPLE, "trail", [], failed=1)], "● trail: no score (timed out)"),
    ],
)
def test_a_story_without_a_score_has_words_and_no_marker(verdicts: list[Verdict], words: str) -> None:
    figure = judge_scores(verdicts, ["simple"])
    assert words in notes(figure)
    kind = "trail" if "trail" in words else "baseline"
    assert not trace(figure, kind).x  # type: ignore[attr-defined]
    assert not trace(figure, "difference").x  # type: ignore[attr-defined]
    assert figure.layout.title.text == "No judge has scored both stories"


@pytest.mark.parametrize(
    ("scores", "title"),
    [
        ([], "No judge has been asked yet"),
        ([(7, 3)], "The judge scores the trail higher"),
        ([(3, 7)], "The judge scores the random chronology higher"),
        ([(3 * 2.2, 6.6)], "The judge scores both stories alike"),
        ([(5.04, 4.96)], "The judge scores both stories alike"),
        ([(7, 3), (6, 5)], "Both judges score the trail higher"),
        ([(7, 3), (5, 5), (2, 4)], "1 of 3 judges scores the trail higher"),
        ([(7, 3), (8, 5), (2, 4)], "2 of 3 judges score the trail higher"),
        ([(4, 4), (3 * 2.2, 6.6)], "Neither judge scores the trail higher"),
    ],
)
def test_the_title_says_how_many_judges_score_the_trail_higher(scores: list[tuple[float, float]], title: str) -> None:
    seats = [Seat("openai", f"m{i}") for i in range(len(scores))]
    verdicts = [one for seat, pair in zip(seats, scores, strict=True) for one in both(seat, pair[:1], pair[1:])]
    figure = judge_scores(verdicts, [seat.model for seat in seats])
    assert figure.layout.title.text == title


def test_the_title_says_that_it_rests_on_one_judge_of_several() -> None:
    verdicts = [*both(LEXICAL, [6.3], [5.0]), verdict(SIMPLE, "trail", [], failed=2)]
    title = judge_scores(verdicts, ["Lexical reader", "simple"]).layout.title.text
    assert title == "The one judge that scored both stories scores the trail higher"


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_rows_have_one_height_and_stand_in_the_order_given(n: int) -> None:
    seats = [Seat("openai", f"m{i}") for i in range(n)]
    figure = judge_scores([one for seat in seats for one in both(seat, [6], [5])], [seat.model for seat in seats])
    heights = list(trace(figure, "trail").y)  # type: ignore[attr-defined]
    bottom, top = figure.layout.yaxis.range
    assert (bottom, top) == (n * ROW_PX, 0)
    assert figure.layout.height - figure.layout.margin.t - figure.layout.margin.b == n * ROW_PX
    assert heights == sorted(heights) and all(row * ROW_PX < y < (row + 1) * ROW_PX for row, y in enumerate(heights))
    assert len(figure.layout.shapes) == n - 1
    assert [text for text in notes(figure) if text.startswith("m")] == [seat.model for seat in seats]


@given(st.lists(st.floats(1, 10), min_size=1, max_size=20), st.lists(st.floats(1, 10), min_size=1, max_size=20))
@settings(max_examples=25, deadline=None)
def test_marks_and_words_lie_in_their_row_and_on_the_axis(trail: list[float], baseline: list[float]) -> None:
    figure = judge_scores(both(SIMPLE, trail, baseline), ["simple"])
    low, high = figure.layout.xaxis.range
    for one in figure.data:
        assert all(low <= x <= high for x in one.x or () if x is not None)
        assert all(0 <= y <= ROW_PX for y in one.y or () if y is not None)
    assert all(10 <= note.y <= ROW_PX - 10 for note in figure.layout.annotations)


@pytest.mark.parametrize(("score", "anchor"), [(1, "left"), (3, "left"), (5.5, "center"), (8, "right"), (10, "right")])
def test_words_at_the_ends_of_the_axis_open_towards_its_middle(score: float, anchor: str) -> None:
    figure = judge_scores(both(LEXICAL, [score], [score]), ["lexical"])
    assert [note.xanchor for note in figure.layout.annotations[1:]] == [anchor, anchor]


def test_a_hover_sentence_has_the_mean_the_agents_and_each_criterion() -> None:
    trail = verdict(STANDARD, "trail", [7, 8], failed=1, criteria={"logical_flow": 7.25, "causal relationships": 6.0})
    figure = judge_scores([trail], ["four criteria"])
    assert trace(figure, "trail").hovertext[0] == (  # type: ignore[attr-defined]
        "four criteria: the trail scores 7.5 of 10<br>in the mean of 2 of 3 agents, standard deviation 0.7."
        "<br>Logical flow 7.2.<br>Causal relationships 6.0."
    )


def test_a_hostile_label_is_text_everywhere() -> None:
    figure = judge_scores(FIVE, [EVIL])
    said = [*notes(figure), *(text for one in figure.data for text in one.hovertext or ())]
    assert not any("<img" in text or "<b>" in text for text in said)
    assert any("&lt;img" in text for text in notes(figure))


def test_a_long_label_is_clipped_to_the_width_of_a_telephone() -> None:
    assert len(notes(judge_scores(FIVE, ["a very long name of a model " * 5]))[0]) <= 44


def test_reading_flow_stands_by_its_percentile() -> None:
    verdicts = [verdict(FLOW, "trail", [0.42], percentile=93), verdict(FLOW, "baseline", [0.1], percentile=41)]
    figure = judge_scores(verdicts, ["Reading flow"], scale="percentile")
    assert list(trace(figure, "trail").x) == [93]  # type: ignore[attr-defined]
    low, high = figure.layout.xaxis.range
    assert low < 0 and high > 100
    assert notes(figure)[1:] == ["random 41 %", "trail 93 %"]
    assert trace(figure, "trail").hovertext[0] == (  # type: ignore[attr-defined]
        "Reading flow: the trail reads more smoothly<br>than 93 % of 200 random chronologies<br>(0.42 nats per token)."
    )
    assert "in %" in figure.layout.xaxis.title.text


def test_an_unknown_percentile_is_no_score_though_the_raw_one_is_known() -> None:
    figure = judge_scores([verdict(FLOW, "trail", [0.42])], ["Reading flow"], scale="percentile")
    assert "● trail: no score" in notes(figure)


def test_reading_flow_is_not_put_on_the_scale_of_points() -> None:
    with pytest.raises(InvalidInput, match="percentile"):
        judge_scores([verdict(FLOW, "trail", [0.42], percentile=93)], ["Reading flow"])


@pytest.mark.parametrize("labels", [[], ["one", "two"]])
def test_each_judge_needs_a_label(labels: list[str]) -> None:
    with pytest.raises(InvalidInput, match="one label"):
        judge_scores(FIVE, labels)


def test_a_whisker_is_as_long_as_its_deviation_even_beyond_the_axis() -> None:
    figure = judge_scores(both(SIMPLE, [1, 10], [5, 5]), ["simple"])
    assert math.isclose(trace(figure, "trail").error_x.array[0], stdev([1, 10]))  # type: ignore[attr-defined]
