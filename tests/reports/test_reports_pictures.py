import os
import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import plotly.graph_objects as go
import pytest

from narrative_core.errors import Cancelled
from narrative_core.reports import pictures as module
from narrative_core.reports.palette import PAPER
from narrative_core.reports.pictures import NO_BROWSER, Pictures, picture, pictures
from tests.browser.conftest import REQUIRED

HOSTILE = "</text><script>alert(1)</script> $x^2$"
OUTSIDE = "http://pictures.example/logo.png"
BROWSERS_OWN = re.compile(r"https?://[\w.-]+\.(google|googleapis)\.com/")
"""Chrome asks its maker for the time and for updates, whatever it is told; like all else that is never connected."""

LOCAL = ("file:", "data:", "blob:", "about:", "chrome:", "chrome-")


def figure(x_title: str = "weakest link, coherence", **layout: object) -> go.Figure:
    told = go.Figure(go.Scatter(x=[0.2, 0.5], y=[3, 7], mode="markers", name=HOSTILE, showlegend=True))
    return told.update_layout(height=300, paper_bgcolor="rgba(0,0,0,0)", xaxis={"title": {"text": x_title}}, **layout)


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


def logging_browser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the browser of this machine write down every address that it asks, and return where."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    log, program = folder / "asked.json", folder / "browser"
    program.write_text(f'#!/bin/sh\nexec "{found}" --log-net-log="{log}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(program))
    return log


def asked_addresses(log: Path) -> set[str]:
    """Every address outside that the page asked."""
    urls = re.findall(r'"url":"([^"]+)"', log.read_text(encoding="utf-8"))
    return {url for url in urls if not url.startswith(LOCAL) and not BROWSERS_OWN.match(url)}


def connections(log: Path) -> list[str]:
    """Every place that a connection was tried to."""
    return re.findall(r'"address_list":\[("[^]]+)\]', log.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def drawn() -> Iterator[Pictures]:
    """Two figures in both formats, of one browser."""
    made = pictures({"first": figure(), "second": figure("documents in the story")}, width=640)
    if made.reason == NO_BROWSER:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{made.reason}, and {REQUIRED} is set")
        pytest.skip(made.reason)
    yield made


@pytest.mark.browser
def test_every_figure_is_there_in_every_format(drawn: Pictures) -> None:
    assert drawn.reason == ""
    assert set(drawn.files) == {(key, form) for key in ("first", "second") for form in ("svg", "png")}


@pytest.mark.browser
def test_an_svg_has_the_titles_of_its_axes_as_text(drawn: Pictures) -> None:
    titles = {"first": "weakest link, coherence", "second": "documents in the story"}
    for key, title in titles.items():
        svg = drawn.files[key, "svg"].decode()
        assert svg.startswith("<svg")
        assert f">{title}</text>" in svg
        assert 'width="640" height="300"' in svg


@pytest.mark.browser
def test_a_png_has_two_pixels_for_each_of_the_page(drawn: Pictures) -> None:
    png = drawn.files["first", "png"]
    assert png.startswith(b"\x89PNG")
    assert size_of(png) == (1280, 600)


@pytest.mark.browser
def test_a_figure_stands_on_white_and_is_itself_unchanged(drawn: Pictures) -> None:
    assert PAPER == "#ffffff"
    assert b"fill: rgb(255, 255, 255); fill-opacity: 1" in drawn.files["first", "svg"][:600]
    before = figure()
    picture(before)
    assert before == figure()


@pytest.mark.browser
def test_a_name_that_looks_like_markup_stays_text(drawn: Pictures) -> None:
    svg = drawn.files["first", "svg"].decode()
    assert "<script" not in svg
    assert "$x^2$" in svg


@pytest.mark.browser
def test_one_picture_has_the_size_that_was_asked_for(drawn: Pictures) -> None:
    png = picture(figure(), "png", width=200, height=120, scale=1.5)
    assert png is not None
    assert size_of(png) == (300, 180)


@pytest.mark.browser
def test_no_address_outside_is_asked(drawn: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logging_browser(tmp_path, monkeypatch)
    assert pictures({"formula": figure("$\\alpha$")}).reason == ""
    assert asked_addresses(log) == set()
    assert connections(log) == []


@pytest.mark.browser
def test_an_address_that_a_figure_names_is_not_reached(
    drawn: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging_browser(tmp_path, monkeypatch)
    image = {"source": OUTSIDE, "xref": "paper", "yref": "paper", "x": 0, "y": 1, "sizex": 1, "sizey": 1}
    pictures({"calls out": figure(images=[image])}, ["svg"])
    assert asked_addresses(log) == {OUTSIDE}
    assert connections(log) == []


def test_drawing_tells_how_far_it_is_and_can_be_stopped(drawn: Pictures) -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        pictures({str(number): figure() for number in range(40)}, progress=stop)
    assert told[0] == (0, 80)
    assert 0 < told[-1][0] < 80


def test_without_a_browser_there_is_no_picture_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")
    assert pictures({"first": figure()}) == Pictures({}, NO_BROWSER)
    assert picture(figure()) is None


def test_a_browser_that_ends_at_once_is_no_exception(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "browser"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(broken))
    made = pictures({"first": figure()})
    assert made.files == {}
    assert made.reason == "the browser failed (BrowserFailedError)"


@pytest.mark.slow
def test_a_browser_that_does_not_answer_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = tmp_path / "browser"
    silent.write_text("#!/bin/sh\nexec sleep 5\n")
    silent.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(silent))
    monkeypatch.setattr(module, "START_S", 0.5)
    monkeypatch.setattr(module, "MEAN_S", 0.0)
    made = pictures({"first": figure()})
    assert made.files == {}
    assert made.reason.startswith("the browser")


def test_no_figures_need_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")
    assert pictures({}) == Pictures({}, "")
