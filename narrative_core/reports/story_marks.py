"""What pictures of stories have in common: how each story is drawn, also in grey, and its legend."""

from dataclasses import dataclass
from typing import Final, Literal

from narrative_core.reports import palette, svg

Told = Literal["trail", "baseline", "overlay"]
"""A story's part in a picture; ``overlay`` is a second one laid over the trail."""

Style = dict[str, str | float]


@dataclass(frozen=True, slots=True)
class Look:
    """How a story is drawn: its colour, its line (``dashes`` empty is solid), and whether its marks are hollow."""

    colour: str
    thickness: float
    dashes: str
    is_hollow: bool
    words: str

    @property
    def line(self) -> Style:
        """Attributes of its line."""
        dashes: Style = {"stroke_dasharray": self.dashes} if self.dashes else {}
        return {"stroke": self.colour, "stroke_width": self.thickness, "fill": "none", **dashes}


LOOKS: Final[dict[Told, Look]] = {
    "trail": Look(palette.TRAIL, 2.6, "", False, "trail, from A to B"),
    "baseline": Look(palette.BASELINE, 1.8, "6 5", True, "random chronology (chance)"),
    "overlay": Look(palette.INK, 1.8, "1.5 4", True, "another story"),
}


def dot(x: float, y: float, kind: Told, *, radius: float = 5.0) -> str:
    """Return the mark of a document: filled for the trail, hollow for chance, a hollow diamond for another story."""
    look = LOOKS[kind]
    style: Style = {"fill": palette.PAPER, "stroke": look.colour, "stroke_width": 1.8}
    if not look.is_hollow:
        style = {"fill": look.colour, "stroke": palette.PAPER, "stroke_width": 1.5}
    if kind == "overlay":
        r = radius * 1.25
        return svg.element(
            "path", d=f"M{x:.2f},{y - r:.2f}l{r:.2f},{r:.2f}l{-r:.2f},{r:.2f}l{-r:.2f},{-r:.2f}z", **style
        )
    return svg.element("circle", cx=x, cy=y, r=radius, **style)


def step_name(number: int, n_documents: int) -> str:
    """Return what a document of the trail is called: A, 2, 3, … B.

    Examples
    --------
    >>> [step_name(number, 4) for number in range(4)]
    ['A', '2', '3', 'B']
    """
    return "A" if number == 0 else "B" if number == n_documents - 1 else str(number + 1)


def numbered_dot(x: float, y: float, number: int, n_documents: int) -> str:
    """Return the mark of a document of the trail with its name in it, the ends larger."""
    is_end = number in (0, n_documents - 1)
    radius, size = (11.0, 13.0) if is_end else (8.0, 9.5)
    words: Style = {"text_anchor": "middle", "fill": palette.PAPER, "font_weight": "700", "font_size": size}
    name = svg.text(step_name(number, n_documents), x, y + size * 0.36, **words)
    return dot(x, y, "trail", radius=radius) + name


def weak_mark(x: float, y: float, kind: Told) -> str:
    """Return the triangle, point down, that marks a weak link."""
    look = LOOKS[kind]
    fill = palette.PAPER if look.is_hollow else look.colour
    shape = f"M{x - 6:.2f},{y - 4:.2f}h12l-6,9.5z"
    return svg.element("path", d=shape, fill=fill, stroke=look.colour, stroke_width=1.5, stroke_linejoin="round")


def legend(kinds: list[Told], y: float, *, x: float = 16.0, also: str = "") -> str:
    """Return one line that shows how each story is drawn; ``also`` stands behind them in words."""
    parts: list[str] = []
    words: Style = {"font_size": 13, "fill": palette.QUIET}
    for kind in kinds:
        look = LOOKS[kind]
        parts.append(svg.element("line", x1=x, y1=y, x2=x + 30, y2=y, **look.line))
        parts += [dot(x + 15, y, kind), svg.text(look.words, x + 38, y + 4.5, **words)]
        x += 38 + svg.text_width(look.words, 13) + 14
    if also:
        parts += [weak_mark(x + 6, y, "trail"), svg.text(also, x + 20, y + 4.5, **words)]
    return "".join(parts)
