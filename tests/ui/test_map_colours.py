import numpy as np
import pytest

from narrative_core.figures.map_colouring import NO_STEP, Colouring, Swatch
from narrative_core.figures.theme import date_colour, grey
from narrative_core.records import TrailRequest
from narrative_core.ui.map_colours import legend_html, reach_sentence
from tests.pages.screen import html_tags, html_words


def test_a_legend_shows_each_colour_with_its_words_and_its_count() -> None:
    legend = (Swatch(6, "1990–1998", 1200), Swatch(NO_STEP, "undated", 3))
    html = legend_html(Colouring("date", np.array([6, -1]), legend), "dark")
    assert html_words(html) == "1990–1998 1,200undated 3"
    assert date_colour(6, "dark") in html and grey("dark") in html


def test_a_value_in_a_legend_is_text_and_a_long_one_is_cut() -> None:
    legend = (Swatch(0, "<img src=x>", 1), Swatch(1, "word " * 30, 1))
    html = legend_html(Colouring("column", np.array([0, 1]), legend), "light")
    assert "img" not in html_tags(html)
    assert len(html_words(html)) < 70


@pytest.mark.parametrize(
    ("request_", "is_dated", "is_reaching", "told"),
    [
        (None, True, True, "The weakest link of the best trail from A to each document, in date order."),
        (
            TrailRequest("a", "b", via=("c",), maximum_gap_days=30),
            True,
            True,
            "The weakest link of the best trail from A to each document, in date order, allowing no gap over 30 days. "
            "Chosen stops and length do not count.",
        ),
        (
            TrailRequest("a", "b", is_chronological=False, avoid_topics=(1, 2)),
            False,
            True,
            "The weakest link of the best trail from A to each document, in any order, avoiding 2 topics.",
        ),
        (None, False, False, "No trail in date order starts from A: it has no date."),
        (None, True, False, "No trail leads anywhere from A: in date order. Lift a condition to see more."),
    ],
)
def test_the_sentence_of_a_reach_says_its_conditions(
    request_: TrailRequest | None, is_dated: bool, is_reaching: bool, told: str
) -> None:
    assert reach_sentence("A", request_, is_dated=is_dated, is_reaching=is_reaching) == told
