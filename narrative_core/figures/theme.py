"""The look of every figure: one place for colours, type and axes.

The trail is deep blue, solid, ●; the baseline orange, dashed, ○; topics have ten colours by size and grey for the rest.
The ten were chosen to stay apart from each other, from the blue and from the orange in ordinary and in colour-blind
sight (smallest distances under simulated protanopia, deuteranopia and tritanopia maximised in OKLab).
"""

from typing import Any, Literal

Mode = Literal["light", "dark"]
Rgba = tuple[int, int, int, int]

FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'

TRAIL_SYMBOL = "●"
BASELINE_SYMBOL = "○"

_BACKGROUND: dict[Mode, str] = {"light": "#ffffff", "dark": "#12161c"}
_INK: dict[Mode, str] = {"light": "#1c2430", "dark": "#e6e9ee"}
_QUIET: dict[Mode, str] = {"light": "#5f6770", "dark": "#a3abb5"}
_HAIRLINE: dict[Mode, str] = {"light": "#d3d8df", "dark": "#384250"}
_GREY: dict[Mode, str] = {"light": "#a4a9b0", "dark": "#717780"}
_TRAIL: dict[Mode, str] = {"light": "#1f4e9c", "dark": "#7aa7f0"}
_BASELINE: dict[Mode, str] = {"light": "#c85a00", "dark": "#ff9d4d"}

_TOPICS: dict[Mode, tuple[str, ...]] = {
    "light": (
        "#2697d7",
        "#f7817a",
        "#ffb246",
        "#5ddcb1",
        "#882255",
        "#0f865e",
        "#9a5f9c",
        "#b89600",
        "#624b00",
        "#deb6ff",
    ),
    "dark": (
        "#99be8c",
        "#caa9c7",
        "#c8e06b",
        "#50ecbb",
        "#ce7f7d",
        "#058a47",
        "#9d61b6",
        "#a29524",
        "#bc5b00",
        "#ffc1ff",
    ),
}
N_TOPIC_COLOURS = 10

_REACH: dict[Mode, tuple[str, ...]] = {
    "light": ("#cfe3d4", "#9fcdb0", "#62b08c", "#27896b", "#00573f"),
    "dark": ("#24473a", "#2f6b54", "#3d9272", "#63bd97", "#a5ecc6"),
}
N_REACH_STEPS = 5

_DATES: dict[Mode, tuple[str, ...]] = {
    "light": ("#f0cea1", "#ef9b7b", "#de6781", "#bf3584", "#89287d", "#561b69", "#2b0c4d"),
    "dark": ("#573c7f", "#83469b", "#b54ead", "#de65ac", "#f88aa8", "#febaa3", "#fee3c0"),
}
N_DATE_STEPS = 7


def ink(mode: Mode) -> str:
    """Colour of text."""
    return _INK[mode]


def background(mode: Mode) -> str:
    """Colour that a figure stands on; figures themselves are transparent."""
    return _BACKGROUND[mode]


def quiet(mode: Mode) -> str:
    """Colour of what supports: axis text, reference lines, notes."""
    return _QUIET[mode]


def hairline(mode: Mode) -> str:
    """Colour of axis lines and grids."""
    return _HAIRLINE[mode]


def grey(mode: Mode) -> str:
    """Colour of documents whose topic is not among the ten largest."""
    return _GREY[mode]


def trail_colour(mode: Mode) -> str:
    """Colour of the trail, on every page."""
    return _TRAIL[mode]


def baseline_colour(mode: Mode) -> str:
    """Colour of the random chronology, on every page."""
    return _BASELINE[mode]


def topic_colour(rank: int, mode: Mode) -> str:
    """Colour of the topic that is ``rank``-th by size (0 the largest); grey beyond the tenth and for no topic (-1).

    >>> topic_colour(10, "light") == topic_colour(-1, "light") == grey("light")
    True
    """
    return _TOPICS[mode][rank] if 0 <= rank < N_TOPIC_COLOURS else grey(mode)


def reach_colour(step: int, mode: Mode) -> str:
    """Colour of a document's reach, from 0 (weakest) to ``N_REACH_STEPS - 1`` (strongest)."""
    return _REACH[mode][step]


def date_colour(step: int, mode: Mode) -> str:
    """Colour of a stretch of time, from 0 (earliest) to ``N_DATE_STEPS - 1`` (latest, which stands out most).

    Lightness changes by equal amounts in OKLCH, so that the order is seen in any kind of colour sight.
    """
    return _DATES[mode][step]


def rgba(colour: str, alpha: int = 255) -> Rgba:
    """Components, 0 to 255, of a ``#rrggbb`` colour.

    >>> rgba("#0b3d91", 200)
    (11, 61, 145, 200)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16), alpha


def css(colour: str, opacity: float) -> str:
    """A ``#rrggbb`` colour with an opacity, as CSS and plotly write it.

    >>> css("#0b3d91", 0.5)
    'rgba(11,61,145,0.5)'
    """
    red, green, blue, _ = rgba(colour)
    return f"rgba({red},{green},{blue},{opacity:g})"


def axis(title: str, mode: Mode, **options: object) -> dict[str, Any]:
    """A thin, quiet axis with its title in words; ``options`` are plotly's and win."""
    return {
        "title": {"text": title, "font": {"size": 12, "color": quiet(mode)}, "standoff": 8},
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": hairline(mode),
        "linewidth": 1,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": hairline(mode),
        "tickfont": {"size": 11, "color": quiet(mode)},
        "fixedrange": True,
        "automargin": True,
    } | options


def base_layout(mode: Mode, *, title: str = "", height: int = 280) -> dict[str, Any]:
    """The plotly layout that every figure starts from: transparent, system type, no legend, no default template.

    ``title`` is a sentence; it stands left above the plot. The figure must be shown with the page's own theme off,
    otherwise the page's template overrides this one.
    """
    return {
        "template": "none",
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT_FAMILY, "size": 12, "color": ink(mode)},
        "title": {
            "text": title,
            "font": {"size": 14, "color": ink(mode)},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 8, "l": 4},
        },
        "margin": {"l": 48, "r": 16, "t": 40 if title else 12, "b": 44, "pad": 0},
        "separators": ".,",
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": background(mode),
            "bordercolor": hairline(mode),
            "font": {"family": FONT_FAMILY, "size": 12, "color": ink(mode)},
            "align": "left",
        },
        "transition": {"duration": 0},
    }


def note(text: str, mode: Mode, **options: object) -> dict[str, Any]:
    """A piece of text on the plot, without arrow or frame; ``options`` are plotly's and win."""
    return {
        "text": text,
        "showarrow": False,
        "font": {"size": 12, "color": quiet(mode)},
        "align": "left",
        "xanchor": "left",
        "yanchor": "middle",
    } | options
