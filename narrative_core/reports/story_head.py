"""What stands at the head of every report of a story: where it comes from, and what is to be known of it first."""

from narrative_core.records import SavedStory, StoryPair
from narrative_core.reports.methods import format_moment
from narrative_core.reports.sentences import (
    plain_line,
    price_sentence,
    shorter_draws_sentence,
    sources_sentence,
    weakest_link_sentence,
)
from narrative_core.reports.wish_lines import MADE_BY_HAND, Names


def origin_parts(saved: SavedStory, names: Names) -> tuple[str, ...]:
    """Return where a story comes from in short parts: collection, moment, version, and whether it was made by hand."""
    version = f"version {saved.version:,}" if saved.version > 1 else ""
    made = "made by hand" if saved.pair.request.is_edited else ""
    collection = plain_line(names.collection or saved.collection)
    parts = ("Throughline", collection, plain_line(format_moment(saved.created_at)), version, made)
    return tuple(part for part in parts if part)


def remark_sentences(pair: StoryPair, *, has_warnings: bool) -> tuple[str, ...]:
    """Return the weakest link of a story, then how it was made, what its wishes cost, and who tells most of it.

    Warnings speak of sources too, so with them that remark is left out.
    """
    remarks = (
        weakest_link_sentence(pair.trail),
        MADE_BY_HAND if pair.request.is_edited else "",
        price_sentence(pair),
        shorter_draws_sentence(pair),
        "" if has_warnings else sources_sentence(pair.trail),
    )
    return tuple(remark for remark in remarks if remark)
