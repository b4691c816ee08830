"""Handing a story over: every file that it can be taken away as, each made when its button is pressed."""

import datetime as dt
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from narrative_core.curation import Annotations
from narrative_core.extraction import LoadedCollection
from narrative_core.findings import saved_verdicts
from narrative_core.intake import collection_name
from narrative_core.judgements import Verdict
from narrative_core.judging.prompts import DEFAULT_NOUN
from narrative_core.records import SavedStory, StoryPair
from narrative_core.reports.png import has_font, letters_without_font
from narrative_core.store.database import Database
from narrative_core.story_files import (
    LARGEST_PX,
    PICTURES,
    SIZES,
    SMALLEST_PX,
    Group,
    PictureFormat,
    PictureKind,
    PictureWish,
    StoryFile,
    story_files,
    story_picture,
    unsaved_story,
)
from narrative_core.story_surroundings import surroundings
from narrative_core.ui import resources
from narrative_core.ui.request_address import address_of, is_local, story_link

_GROUPS: Final[dict[Group, str]] = {
    "read": "**To read.** The report is one file that needs no network: for an editor, for print, for the archive.",
    "data": "**As data.** For a spreadsheet, a program, or a tool that draws networks.",
}
_OWN_SIZE: Final = "Own size"
_MIMES: Final[dict[PictureFormat, str]] = {"png": "image/png", "svg": "image/svg+xml"}
_NO_FONT: Final = "This computer has no font for the words of a PNG. The SVG is drawn where it is opened."


def take_away(saved: SavedStory) -> None:
    """Offer a saved story as files to read, as data, and as pictures."""
    files = story_files(story_verdicts(saved))
    for group, told in _GROUPS.items():
        st.markdown(told)
        with st.container(horizontal=True, gap="small"):
            for file in files:
                if file.group == group:
                    _file_button(saved, file)
    st.markdown("**As a picture.** For a page, a slide or a poster.")
    _picture(saved)
    _link(saved)


def take_away_pair(loaded: LoadedCollection, pair: StoryPair, annotations: Annotations, note: str = "") -> None:
    """Offer a story that nobody has saved yet in the same way."""
    take_away(
        unsaved_story(
            pair,
            collection=loaded.collection.name,
            landscape_id=loaded.landscape.landscape_id,
            annotations=annotations,
            note=note,
            now=dt.datetime.now(dt.UTC),
        )
    )


def story_verdicts(saved: SavedStory) -> tuple[Verdict, ...]:
    """Return what each judge that was asked about a saved story says of its trail and of its random chronology."""
    summary = resources.summary(saved.collection)
    noun = summary.collection.noun if summary is not None else DEFAULT_NOUN
    return saved_verdicts(resources.database(), saved, noun)


def file_maker(database: Database, saved: SavedStory, file: StoryFile) -> Callable[[], bytes]:
    """Return what makes a file of a story; it needs no session, since it runs on a thread of its own."""
    address = _address(saved)
    return lambda: file.make(saved, surroundings(database, saved, address=address))


def picture_maker(database: Database, saved: SavedStory, wish: PictureWish) -> Callable[[], bytes]:
    """Return what makes a picture of a story, as `file_maker` does."""
    address = _address(saved)
    return lambda: story_picture(saved, surroundings(database, saved, address=address), wish)


def _address(saved: SavedStory) -> str:
    return urlencode(address_of(saved.collection, saved.pair.request))


def _link(saved: SavedStory) -> None:
    page = st.context.url or ""
    link = story_link(page, saved.collection, saved.pair.request)
    if not link:
        st.markdown("**As a link.** This story has more documents or conditions than an address can carry.")
        return
    st.markdown(
        "**As a link.** It opens the same story wherever Throughline has the same collection with the same map; notes "
        "and judgements stay here."
    )
    st.code(link, language=None, wrap_lines=True)
    if is_local(page):
        st.caption("This address works on this computer. On another, put that one's own before the “?”.")


def _file_button(saved: SavedStory, file: StoryFile) -> None:
    st.download_button(
        file.label,
        file_maker(resources.database(), saved, file),
        f"{collection_name(saved.name)}{file.ending}",
        file.mime,
        key=f"{file.label}-{saved.story_id}",
        on_click="ignore",
    )


def _picture(saved: SavedStory) -> None:
    kinds: list[PictureKind] = list(PICTURES)
    with st.container(horizontal=True, gap="small"):
        kind = st.segmented_control(
            "What",
            kinds,
            format_func=PICTURES.__getitem__,
            default=kinds[0],
            key=f"kind-{saved.story_id}",
            required=True,
        )
        formats: list[PictureFormat] = ["png", "svg"] if has_font() else ["svg"]
        file_format = st.segmented_control(
            "Format", formats, format_func=str.upper, default=formats[0], key=f"format-{saved.story_id}", required=True
        )
    width, height = _size(saved)
    if not has_font():
        st.caption(_NO_FONT)
    elif file_format == "png":
        _say_missing_letters(saved)
    wish = PictureWish(kind, width, height, file_format)
    st.download_button(
        f"{PICTURES[wish.kind]}, {width:,} × {height:,} pixels",
        picture_maker(resources.database(), saved, wish),
        f"{collection_name(saved.name)}-{wish.kind}.{wish.file_format}",
        _MIMES[wish.file_format],
        key=f"picture-{saved.story_id}",
        icon=":material/image:",
        on_click="ignore",
    )


def _size(saved: SavedStory) -> tuple[int, int]:
    """Ask for a size, one for a use or an own one, and return its width and height in pixels."""
    options = [*SIZES, _OWN_SIZE]
    chosen = st.selectbox("Size", options, format_func=_size_words, key=f"size-{saved.story_id}")
    if chosen in SIZES:
        return SIZES[chosen]
    with st.container(horizontal=True, gap="small"):
        width, height = (
            st.number_input(
                f"{side} in pixels", SMALLEST_PX, LARGEST_PX, usual, step=100, key=f"{side}-{saved.story_id}"
            )
            for side, usual in (("Width", 1600), ("Height", 1000))
        )
    return int(width), int(height)


def _size_words(name: str) -> str:
    width, height = SIZES.get(name, (0, 0))
    return f"{name}, {width:,} × {height:,}" if width else name


def _say_missing_letters(saved: SavedStory) -> None:
    words = "".join(document.title for story in (saved.pair.trail, saved.pair.baseline) for document in story.documents)
    missing = letters_without_font(words)
    if missing:
        st.caption(
            f"This computer has no font for {', '.join(missing)} and letters like them: a PNG shows empty boxes there. "
            "The SVG is drawn where it is opened."
        )
