"""Figures as pictures, for paper and slides: drawn by the Chrome or Chromium of this machine, without a network."""

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from narrative_core.counting import count
from narrative_core.records import Progress
from narrative_core.reports.palette import PAPER

if TYPE_CHECKING:
    import plotly.graph_objects as go

PictureFormat = Literal["svg", "png"]
PICTURE_FORMATS: Final[tuple[PictureFormat, ...]] = ("svg", "png")
WIDTH_PX: Final = 720
PNG_SCALE: Final = 2.0
START_S, MEAN_S, PICTURE_S, CLOSE_S = 60.0, 3.0, 20.0, 20.0
"""How long a browser may take to start, to draw a picture on average, to draw one of them, and to end."""

LOOK_S: Final = 0.2
"""How often progress is told."""

NO_BROWSER: Final = "no Chrome or Chromium was found on this computer"
NO_KALEIDO: Final = "the package kaleido is not installed"
_NOWHERE: Final = "127.0.0.1:9"
"""The browser's proxy, where nothing answers: whatever a figure might name, no request leaves this computer."""

_OFFLINE: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-extensions",
    "--disable-quic",
    "about:blank",
)
"""Keeps the browser itself from asking for updates, for the time, or for its home page."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Files by the key of their figure and their format; ``reason`` why some are missing, "" where none is."""

    files: Mapping[tuple[str, PictureFormat], bytes] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Wish:
    key: str
    figure: "go.Figure"
    file_format: PictureFormat
    size: Mapping[str, float]

    @property
    def options(self) -> dict[str, Any]:
        """What kaleido is told beside the figure."""
        return {"format": self.file_format, **self.size}


def picture(
    figure: "go.Figure",
    file_format: PictureFormat = "svg",
    *,
    width: int = WIDTH_PX,
    height: int | None = None,
    scale: float = 1.0,
) -> bytes | None:
    """Return one figure as a picture, ``None`` where no browser draws it; `pictures` also says why.

    Parameters
    ----------
    figure : Figure
        Stands on white.
    file_format : "svg" or "png"
    width, height : int, optional
        In CSS pixels; the height is otherwise the figure's own.
    scale : float
        Pixels of a PNG for each CSS pixel.
    """
    size = {"width": width, "scale": scale, **({} if height is None else {"height": height})}
    return _drawn([_Wish("", figure, file_format, size)]).files.get(("", file_format))


def pictures(
    figures: Mapping[str, "go.Figure"],
    formats: Sequence[PictureFormat] = PICTURE_FORMATS,
    *,
    width: int = WIDTH_PX,
    scale: float = PNG_SCALE,
    progress: Progress = lambda done, total: None,
) -> Pictures:
    """Return figures by key as pictures, all drawn by one browser; ``scale`` is for PNG.

    ``progress`` is called several times a second with how many are drawn; what it raises stops the drawing.

    Notes
    -----
    A picture takes about a third of a second, the browser some seconds to start. A figure that cannot be drawn is left
    out, and a browser that does not answer is given up after `START_S` and `MEAN_S` a picture.
    """
    return _drawn(
        [
            _Wish(key, figure, file_format, {"width": width, "scale": scale if file_format == "png" else 1.0})
            for file_format in formats
            for key, figure in figures.items()
        ],
        progress,
    )


def _drawn(wishes: Sequence[_Wish], progress: Progress = lambda done, total: None) -> Pictures:
    """Return what came of wishes; the browser is driven on a thread, since the caller's may have a loop of its own."""
    if not wishes:
        return Pictures()
    files: dict[tuple[str, PictureFormat], bytes] = {}
    reasons: list[str] = []
    most_s = START_S + MEAN_S * len(wishes)
    stop = threading.Event()

    def work() -> None:
        reasons.append(_reason(wishes, files, most_s, stop))

    thread = threading.Thread(target=work, daemon=True, name="pictures")
    thread.start()
    until = time.monotonic() + most_s + CLOSE_S
    try:
        while thread.is_alive() and time.monotonic() < until:
            progress(len(files), len(wishes))
            thread.join(LOOK_S)
    finally:
        stop.set()
    return Pictures(dict(files), reasons[0] if reasons else "the browser did not end")


def _reason(
    wishes: Sequence[_Wish], files: dict[tuple[str, PictureFormat], bytes], most_s: float, stop: threading.Event
) -> str:
    """Draw into ``files`` and return why some are missing, "" where none is."""
    try:
        from choreographer.errors import ChromeNotFoundError
    except ImportError:
        return NO_KALEIDO
    try:
        n_failed = asyncio.run(asyncio.wait_for(_draw(wishes, files, stop), most_s))
    except ChromeNotFoundError:
        return NO_BROWSER
    except TimeoutError:
        return f"the browser took more than {most_s:,.0f} seconds"
    except (RuntimeError, OSError) as error:  # what choreographer raises of a browser that fails or closes
        return f"the browser failed ({type(error).__name__})"
    return f"{count(n_failed, 'picture')} could not be drawn" if n_failed else ""


async def _draw(wishes: Sequence[_Wish], files: dict[tuple[str, PictureFormat], bytes], stop: threading.Event) -> int:
    """Draw into ``files`` until told to stop; return how many could not be drawn though the browser works."""
    from choreographer.errors import DevtoolsProtocolError, MessageTooLargeError
    from kaleido import Kaleido
    from kaleido.errors import JavascriptError, KaleidoError

    n_failed = 0
    # Unless told otherwise kaleido loads MathJax from the network; plotly.js comes from the installed package.
    offline = {"mathjax": False, "proxy_server": _NOWHERE, "browser_cls": _offline_chromium()}
    async with Kaleido(n=1, timeout=PICTURE_S, **offline) as browser:
        for wish in wishes:
            if stop.is_set():
                break
            try:
                drawn = await browser.calc_fig(_on_paper(wish.figure), wish.options)
            except (KaleidoError, JavascriptError, DevtoolsProtocolError, MessageTooLargeError, TimeoutError):
                n_failed += 1
            else:
                files[wish.key, wish.file_format] = drawn
    return n_failed


def _offline_chromium() -> type[Any]:
    from choreographer.browsers import Chromium

    class OfflineChromium(Chromium):
        def get_cli(self) -> Sequence[str]:
            return [*super().get_cli(), *_OFFLINE]

    return OfflineChromium


def _on_paper(figure: "go.Figure") -> dict[str, Any]:
    """Return a figure on white: those of the pages are transparent, which some programs show as black."""
    told: dict[str, Any] = figure.to_dict()
    told["layout"] = {**told.get("layout", {}), "paper_bgcolor": PAPER}
    return told
