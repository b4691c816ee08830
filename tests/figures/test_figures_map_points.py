import numpy as np
import pytest
from figure_samples import documents, landscape
from numpy.typing import DTypeLike

from narrative_core.errors import InvalidInput
from narrative_core.figures.map_colouring import NO_STEP, Colouring
from narrative_core.figures.map_points import (
    FIT_HEIGHT_PX,
    FIT_WIDTH_PX,
    MOST_STRETCH,
    pixel_positions,
    point_radius,
    point_records,
)
from narrative_core.figures.theme import background, date_colour, grey, rgba, topic_colour
from narrative_core.records import Document


def extent(places: np.ndarray) -> tuple[float, float]:
    width, height = places.max(axis=0) - places.min(axis=0)
    return float(width), float(height)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_map_fills_the_first_view_whatever_its_units(scale: float) -> None:
    places = pixel_positions(np.array([[0, 0], [1, 1.2], [0.3, 0.9]]) * scale)
    assert extent(places) == pytest.approx((FIT_WIDTH_PX, FIT_HEIGHT_PX), abs=0.05)


def test_the_first_view_is_centred() -> None:
    places = pixel_positions(np.array([[100.0, 7.0], [101.0, 8.0]]))
    assert places.sum(axis=0) == pytest.approx([0, 0])


def test_a_wide_map_is_turned_by_a_quarter() -> None:
    places = pixel_positions(np.array([[0.0, 0.0], [4.0, 1.0]]))
    assert places.tolist() == [[69.88, -215.0], [-69.88, 215.0]]


def test_a_map_is_stretched_no_more_than_it_may_be() -> None:
    places = pixel_positions(np.array([[0.0, 0.0], [1.0, 10.0]]))
    width, height = extent(places)
    assert height == FIT_HEIGHT_PX
    assert width / (height / 10) == pytest.approx(MOST_STRETCH, abs=1e-3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_any_float_type_is_drawn(dtype: DTypeLike) -> None:
    assert pixel_positions(np.array([[0, 0], [1, 2]], dtype=dtype)).dtype == np.float64


@pytest.mark.parametrize("n", [0, 1, 3])
def test_documents_in_one_place_stand_in_the_middle(n: int) -> None:
    assert (pixel_positions(np.full((n, 2), 7.0)) == 0).all()


def test_documents_on_one_line_are_drawn() -> None:
    assert extent(pixel_positions(np.array([[5.0, 0.0], [5.0, 3.0]]))) == (0, FIT_HEIGHT_PX)


@pytest.mark.parametrize("positions", [np.zeros((3, 3)), np.zeros(4), np.array([[0.0, np.nan]])])
def test_positions_that_are_no_map_are_refused(positions: np.ndarray) -> None:
    with pytest.raises(InvalidInput):
        pixel_positions(positions)


BY_TOPIC = Colouring("topic", np.array([0, 1, 1]))


def looks(**options: object) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    given = {"visible": None, "colouring": BY_TOPIC} | options
    points, styles = point_records(
        landscape([(0, 0), (1, 1), (2, 2)], [0, 1, 1], outliers=[2]),
        documents(["a", "b", "c"]),
        np.zeros((3, 2)),
        mode="light",
        **given,  # type: ignore[arg-type]
    )
    return [(styles.fills[point["style"]], styles.rings[point["style"]]) for point in points]


def test_a_document_has_the_colour_of_its_topic() -> None:
    assert [fill[:3] for fill, _ in looks()[:2]] == [rgba(topic_colour(topic, "light"))[:3] for topic in (0, 1)]


def test_an_outlier_is_hollow_with_a_ring_in_the_colour_of_its_nearest_topic() -> None:
    _, (fill, ring), (hollow, coloured) = looks()
    assert (hollow[3], coloured[:3]) == (0, fill[:3])
    assert ring[:3] == rgba(background("light"))[:3]


def test_documents_outside_the_dates_are_faded_and_still_there() -> None:
    shown, faded, _ = looks(visible=np.array([True, False, True]))
    assert len(looks(visible=np.array([True, False, True]))) == 3
    assert 0 < faded[0][3] < shown[0][3] / 4


def test_by_another_colouring_a_document_has_the_colour_of_its_step_and_an_outlier_stays_hollow() -> None:
    dated, undated, hollow = looks(colouring=Colouring("date", np.array([6, NO_STEP, 0])))
    assert dated[0][:3] == rgba(date_colour(6, "light"))[:3]
    assert undated[0][:3] == rgba(grey("light"))[:3]
    assert (hollow[0][3], hollow[1][:3]) == (0, rgba(date_colour(0, "light"))[:3])


def test_a_tooltip_says_what_the_colour_stands_for_and_nothing_where_the_rest_says_it() -> None:
    def told(colouring: Colouring) -> list[str | None]:
        points, _ = point_records(
            landscape([(0, 0)], [0]), documents(["a"]), np.zeros((1, 2)), visible=None, colouring=colouring, mode="dark"
        )
        return [point.get("told") for point in points]

    steps = np.array([0])
    assert told(Colouring("column", steps, told=("desk: <b>{topic}",))) == ["desk: <\u2060b>{\u2060topic}"]
    assert told(Colouring("date", steps)) == [None]


def test_an_undated_untitled_document_without_source_or_topic_has_words() -> None:
    points, _ = point_records(
        landscape([(0, 0)], [-1], labels=()),
        [Document("d", "", "")],
        np.zeros((1, 2)),
        visible=None,
        colouring=Colouring("topic", np.array([-1])),
        mode="dark",
    )
    assert (points[0]["title"], points[0]["byline"], points[0]["topic"]) == ("Untitled", "no date", "no topic")


def test_more_documents_are_drawn_smaller_but_never_too_small_or_large() -> None:
    sizes = [point_radius(n) for n in (0, 1, 300, 6000, 10**7)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= 2 and sizes[0] <= 5
