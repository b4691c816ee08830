import base64
from xml.etree import ElementTree

import pytest

from narrative_core.bidi import isolated
from narrative_core.figures.marks import Icon, LabelStyle, baseline_icon, endpoint_icon, label_icon, trail_icon
from narrative_core.figures.theme import Mode, background, baseline_colour, trail_colour

SVG = "{http://www.w3.org/2000/svg}"
STYLE = LabelStyle(13, 600)


def drawing(icon: Icon) -> ElementTree.Element:
    head, data = icon["url"].split(",", 1)
    assert head == "data:image/svg+xml;base64"
    return ElementTree.fromstring(base64.b64decode(data))


@pytest.mark.parametrize("name", ["</text><script>alert(1)</script>", 'R&D "quoted"', "قمر صناعي", "🚀 航天员"])
def test_the_name_of_a_topic_is_text_and_nothing_else(name: str) -> None:
    svg = drawing(label_icon(name, STYLE, "light"))
    assert [element.text for element in svg.iter(f"{SVG}text")] == [isolated(name)]
    assert {element.tag for element in svg} == {f"{SVG}rect", f"{SVG}text"}


def test_a_control_character_does_not_cost_the_drawing() -> None:
    svg = drawing(label_icon("orb\x00it\x0b", STYLE, "light"))
    assert [element.text for element in svg.iter(f"{SVG}text")] == ["orbit"]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_trail_stop_is_filled_and_a_baseline_stop_is_hollow(mode: Mode) -> None:
    trail, baseline = (drawing(icon).find(f"{SVG}circle") for icon in (trail_icon(mode), baseline_icon(mode)))
    assert trail is not None and baseline is not None
    assert trail.get("fill") == trail_colour(mode)
    assert (baseline.get("fill"), baseline.get("stroke")) == (background(mode), baseline_colour(mode))


def test_an_endpoint_carries_its_letter() -> None:
    text = drawing(endpoint_icon("B", "dark")).find(f"{SVG}text")
    assert text is not None and text.text == "B"


def test_drawings_that_differ_have_different_names() -> None:
    icons = [
        *(make(mode) for make in (trail_icon, baseline_icon) for mode in ("light", "dark")),
        *(endpoint_icon(letter, mode) for letter in "AB" for mode in ("light", "dark")),
        *(label_icon("orbit", LabelStyle(size, 600), mode) for size in (12, 13) for mode in ("light", "dark")),
    ]
    assert len({icon["id"] for icon in icons}) == len({icon["url"] for icon in icons}) == len(icons)
