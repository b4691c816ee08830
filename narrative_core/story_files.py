"""The files that a story is handed over as: to read, as data, and as pictures; each is made when it is asked for."""

import datetime as dt
import math
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from narrative_core.curation import Annotations
from narrative_core.errors import InvalidInput
from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory, StoryPair
from narrative_core.reports.csv_report import judgements_csv, story_csv
from narrative_core.reports.docx_report import Illustration, story_docx
from narrative_core.reports.gexf_report import story_gexf
from narrative_core.reports.graphml_report import story_graphml
from narrative_core.reports.html_report import story_html
from narrative_core.reports.json_report import story_json
from narrative_core.reports.judged_pairs import judged_pairs
from narrative_core.reports.map_svg import map_svg
from narrative_core.reports.markdown_report import story_markdown
from narrative_core.reports.methods import format_moment
from narrative_core.reports.png import has_font, png_from_svg
from narrative_core.reports.profile_svg import profile_svg
from narrative_core.reports.sentences import comparison_sentence, plain_line
from narrative_core.reports.svg import sized_picture
from narrative_core.reports.timeline_svg import timeline_svg
from narrative_core.story_surroundings import Surroundings

Group = Literal["read", "data"]
PictureKind = Literal["map", "profile", "timeline"]
PictureFormat = Literal["png", "svg"]

PICTURES: Final[Mapping[PictureKind, str]] = {"map": "Map", "profile": "Strength", "timeline": "Timeline"}
SIZES: Final[Mapping[str, tuple[int, int]]] = {
    "Slide": (1600, 900),
    "Column": (1200, 800),
    "Print": (2400, 1500),
}
SMALLEST_PX, LARGEST_PX = 400, 6000
_DRAWN_PX: Final = 800.0
"""Pictures are laid out at about this many pixels a side and then enlarged, so that their words grow with them."""

_IN_DOCUMENT_PX: Final = 1800
_LONGEST_END: Final = 60


@dataclass(frozen=True, slots=True)
class StoryFile:
    """One kind of file: its name on the screen, how its file name ends, what it is, and how it is made."""

    group: Group
    label: str
    ending: str
    mime: str
    make: Callable[[SavedStory, Surroundings], bytes]


@dataclass(frozen=True, slots=True)
class PictureWish:
    """A picture and how large it is to be, in pixels."""

    kind: PictureKind
    width: int
    height: int
    file_format: PictureFormat = "png"


def suggested_name(pair: StoryPair) -> str:
    """Return a name for a story: the headlines of its ends, each cut at a word."""
    ends = pair.trail.documents[0], pair.trail.documents[-1]
    return " → ".join(_cut(plain_line(end.title) or plain_line(end.document_id)) for end in ends)


def _cut(title: str) -> str:
    if len(title) <= _LONGEST_END:
        return title
    kept = title[:_LONGEST_END]
    return f"{(kept.rsplit(' ', 1)[0] if kept.rfind(' ') > _LONGEST_END // 2 else kept).rstrip(' ,;:–-')}…"


def unsaved_story(
    pair: StoryPair, *, collection: str, landscape_id: str, annotations: Annotations, note: str = "", now: dt.datetime
) -> SavedStory:
    """Return a story that nobody has saved as one that can be handed over; it is named by its ends."""
    return SavedStory(
        story_id=uuid.uuid5(uuid.NAMESPACE_OID, repr((collection, landscape_id, pair.request))).hex,
        name=suggested_name(pair),
        note=note,
        collection=collection,
        landscape_id=landscape_id,
        created_at=now.isoformat(timespec="seconds"),
        pair=pair,
        annotations=annotations,
    )


def story_picture(saved: SavedStory, around: Surroundings, wish: PictureWish) -> bytes:
    """Return a picture of a story at a size; its description, and the text of a PNG, say what it is of.

    Raises
    ------
    InvalidInput
        If there is nothing to draw, the size is out of bounds, or a PNG has no font for its words.
    """
    if not SMALLEST_PX <= min(wish.width, wish.height) <= max(wish.width, wish.height) <= LARGEST_PX:
        raise InvalidInput(
            f"a picture is between {SMALLEST_PX} and {LARGEST_PX:,} pixels wide and high; got {wish.width} × "
            f"{wish.height}. Choose another size."
        )
    enlarged = math.sqrt(wish.width * wish.height) / _DRAWN_PX
    drawn = _drawn(saved, around, wish.kind, wish.width / enlarged, wish.height / enlarged)
    if not drawn:
        raise InvalidInput(_NOTHING[wish.kind])
    sized = sized_picture(drawn, wish.width, wish.height)
    return sized.encode() if wish.file_format == "svg" else png_from_svg(sized, width=wish.width)


_NOTHING: Final[Mapping[PictureKind, str]] = {
    "map": "the map that this story was told on is not here any more; its report has the story without it.",
    "profile": "no strength of this story is known, so there is nothing to draw.",
    "timeline": "no document of this story has a date, so there is no timeline to draw.",
}


def _drawn(saved: SavedStory, around: Surroundings, kind: PictureKind, width: float, height: float) -> str:
    caption = _caption(saved)
    if kind == "map":
        return map_svg(around.sketch, width=width, height=height, caption=caption) if around.sketch else ""
    if kind == "profile":
        return profile_svg(saved.pair, width=width, height=height, caption=caption)
    return timeline_svg(saved.pair, density=around.dates, width=width, height=height, caption=caption)


def _caption(saved: SavedStory) -> str:
    """Return what a picture is of and what made it, in one paragraph."""
    pair = saved.pair
    told = [
        f"“{plain_line(saved.name)}”",
        comparison_sentence(pair),
        f"Collection {saved.collection}, landscape {saved.landscape_id}, from {pair.request.source} to "
        f"{pair.request.target}, seed {pair.seed}, draw {pair.draw + 1}",
        f"Saved {format_moment(saved.created_at)}",
    ]
    return f"{'. '.join(told)}."


def _report(saved: SavedStory, around: Surroundings) -> bytes:
    map_picture = map_svg(around.sketch) if around.sketch else ""
    return story_html(saved, map_svg=map_picture, density=around.dates, **_told(around)).encode()


def _document(saved: SavedStory, around: Surroundings) -> bytes:
    """Return the Word document; without a font for the words of its pictures, it has none."""
    pictures = []
    if has_font():
        drawn = {
            "The story in time.": _drawn(saved, around, "timeline", 900, 440),
            "The story on the map.": _drawn(saved, around, "map", 900, 560),
        }
        pictures = [
            Illustration(words, png_from_svg(svg, width=_IN_DOCUMENT_PX)) for words, svg in drawn.items() if svg
        ]
    return story_docx(saved, pictures=pictures, **_told(around))


def _markdown(saved: SavedStory, around: Surroundings) -> bytes:
    return story_markdown(saved, **_told(around)).encode()


def _json(saved: SavedStory, around: Surroundings) -> bytes:
    return story_json(saved, **_told(around)).encode()


def _csv(saved: SavedStory, around: Surroundings) -> bytes:
    del around
    return story_csv(saved).encode("utf-8-sig")


def _judges_csv(saved: SavedStory, around: Surroundings) -> bytes:
    del saved
    return judgements_csv(around.verdicts).encode("utf-8-sig")


def _graphml(saved: SavedStory, around: Surroundings) -> bytes:
    return story_graphml(saved, places=around.places).encode()


def _gexf(saved: SavedStory, around: Surroundings) -> bytes:
    return story_gexf(saved, places=around.places).encode()


def _told(around: Surroundings) -> dict[str, Any]:
    """Return what every text says beside the story."""
    return {
        "settings": around.settings,
        "verdicts": around.verdicts,
        "warnings": around.warnings,
        "names": around.names,
    }


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FILES: Final = (
    StoryFile("read", "Report", ".html", "text/html", _report),
    StoryFile("read", "Word document", ".docx", _WORD, _document),
    StoryFile("read", "Markdown", ".md", "text/markdown", _markdown),
    StoryFile("data", "CSV", ".csv", "text/csv", _csv),
    StoryFile("data", "JSON", ".json", "application/json", _json),
    StoryFile("data", "GraphML", ".graphml", "application/xml", _graphml),
    StoryFile("data", "GEXF for Gephi", ".gexf", "application/xml", _gexf),
)
JUDGES_FILE: Final = StoryFile("data", "CSV of the judges", "-judges.csv", "text/csv", _judges_csv)
"""There where a judge was asked about the story."""


def story_files(verdicts: Sequence[Verdict]) -> tuple[StoryFile, ...]:
    """Return the files that a story can be handed over as; the table of judges only where one was asked."""
    return (*FILES, *([JUDGES_FILE] if judged_pairs(verdicts) else []))
