import io
import math

import numpy as np
import pytest
from PIL import Image
from report_samples import annotated_story, hostile_story, sketch

from narrative_core.errors import InvalidInput
from narrative_core.reports import png, svg
from narrative_core.reports.map_svg import map_svg
from narrative_core.reports.png import has_font, letters_without_font, png_from_svg
from narrative_core.reports.profile_svg import profile_svg
from narrative_core.reports.timeline_svg import timeline_svg

HERE_ARE_FONTS = pytest.mark.skipif(not has_font(), reason="this computer has no font")


def opened(file: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(file))
    image.load()
    return image


def pictures() -> dict[str, str]:
    pair = annotated_story().pair
    return {"map": map_svg(sketch()), "profile": profile_svg(pair), "timeline": timeline_svg(pair)}


@HERE_ARE_FONTS
@pytest.mark.parametrize("kind", ["map", "profile", "timeline"])
def test_a_picture_has_the_width_asked_for_and_the_height_that_follows(kind: str) -> None:
    drawn = pictures()[kind]
    viewed = [float(part) for part in drawn.split('viewBox="')[1].split('"')[0].split()]
    assert opened(png_from_svg(drawn, width=640)).size == (640, math.ceil(640 * viewed[3] / viewed[2]))
    assert opened(png_from_svg(drawn, width=300, scale=2)).size[0] == 600


@HERE_ARE_FONTS
@pytest.mark.parametrize("kind", ["map", "profile", "timeline"])
def test_a_picture_stands_on_white_and_has_the_blue_of_the_trail(kind: str) -> None:
    pixels = np.array(opened(png_from_svg(pictures()[kind], width=900)).convert("RGB")).reshape(-1, 3)
    assert tuple(pixels[0]) == (255, 255, 255)
    assert (pixels == (0x1F, 0x4E, 0x9C)).all(axis=1).sum() > 200


@HERE_ARE_FONTS
def test_the_file_says_what_it_shows() -> None:
    drawn = profile_svg(annotated_story().pair, caption="Seed 7. قمر 中")
    told = opened(png_from_svg(drawn, width=500)).text
    assert (told["Title"], told["Software"]) == ("Strength along both stories", "Throughline")
    assert told["Description"].endswith("Seed 7. قمر 中")


@HERE_ARE_FONTS
def test_words_are_drawn() -> None:
    def dark(words: str) -> int:
        parts = [svg.text(words, 10, 40, font_size=30)]
        drawn = svg.picture(
            parts, width=300, height=60, title="t", description="d", font_family="system-ui, sans-serif"
        )
        return int((np.array(opened(png_from_svg(drawn, width=300)).convert("L")) < 128).sum())

    assert dark("Gagarin") > dark("G") > 0


def test_a_computer_without_fonts_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "has_font", lambda: False)
    with pytest.raises(InvalidInput, match="no font to draw the words"):
        png_from_svg(profile_svg(annotated_story().pair), width=500)
    plain = svg.picture([svg.element("rect", width=5, height=5)], width=9, height=9, title="t", description="d")
    assert opened(png_from_svg(plain, width=9)).size == (9, 9)


def test_a_letter_that_no_font_has_is_found() -> None:
    assert letters_without_font("Latin only, é") == ""
    assert letters_without_font("\ue000 \U000e0fff") == ""
    assert set(letters_without_font("a 𓀀𓀁 b")) <= {"𓀀"}


@pytest.mark.parametrize("width", [0, -5, 100_000])
def test_a_size_out_of_bounds_is_refused_with_the_numbers(width: int) -> None:
    with pytest.raises(InvalidInput, match=r"40,000,000 pixels"):
        png_from_svg(pictures()["profile"], width=width)


@pytest.mark.parametrize("broken", ["<svg", "", '<svg xmlns="http://www.w3.org/2000/svg">&nothing;</svg>'])
def test_what_is_no_picture_is_refused(broken: str) -> None:
    with pytest.raises(InvalidInput, match="well-formed"):
        png_from_svg(broken, width=100)


@HERE_ARE_FONTS
def test_the_same_picture_gives_the_same_file() -> None:
    drawn = timeline_svg(hostile_story().pair)
    assert png_from_svg(drawn, width=700) == png_from_svg(drawn, width=700)


def test_a_picture_is_shown_at_another_size_without_being_drawn_anew() -> None:
    drawn = pictures()["profile"]
    sized = svg.sized_picture(drawn, 1600, 700)
    assert 'viewBox="0 0 900 380" width="1600" height="700"' in sized
    assert sized.partition(">")[2] == drawn.partition(">")[2]
