"""A `Curation` as a JSON object and back, checked before it is believed."""

from collections.abc import Mapping
from typing import Any, Final

from narrative_core.curation import Curation, LinkEnds
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import AGAIN, Fields

_EMPTY: Final[dict[str, Any]] = {
    "excluded": [],
    "standalone": [],
    "dates": {},
    "document_notes": {},
    "link_notes": [],
    "landscape_id": "",
    "topics": [],
}


def curation_json(curation: Curation) -> dict[str, Any]:
    """Return the decisions as a JSON object, always the same one for the same decisions.

    Examples
    --------
    >>> curation_json(Curation(excluded=frozenset({"b", "a"})))["excluded"]
    ['a', 'b']
    """
    edited = {*curation.topic_labels, *curation.merged_topics, *curation.hidden_topics}
    return {
        "excluded": sorted(curation.excluded),
        "standalone": sorted(curation.standalone),
        "dates": dict(sorted(curation.dates.items())),
        "document_notes": dict(sorted(curation.document_notes.items())),
        "link_notes": link_notes_json(curation.link_notes),
        "landscape_id": curation.landscape_id,
        "topics": [
            {
                "topic": topic,
                "label": curation.topic_labels.get(topic),
                "merged_into": curation.merged_topics.get(topic),
                "is_hidden": topic in curation.hidden_topics,
            }
            for topic in sorted(edited)
        ],
    }


def read_curation(told: Fields) -> Curation:
    """Return the decisions that a JSON object holds; what an earlier version did not know is empty.

    Raises
    ------
    InvalidInput
        If a value is not what it must be, or a topic is merged into one that is merged itself.
    """
    told = told.over(_EMPTY)
    topics = {one.whole("topic"): one for one in told.inners("topics")}
    merged = {topic: one.whole("merged_into") for topic, one in topics.items() if not one.is_null("merged_into")}
    if chained := [topic for topic, into in merged.items() if into in merged]:
        raise InvalidInput(f"{told.where}: topic {chained[0]} is merged into one that is merged itself. {AGAIN}")
    return Curation(
        excluded=frozenset(told.texts("excluded")),
        standalone=frozenset(told.texts("standalone")),
        dates=told.texts_by_name("dates"),
        document_notes=told.texts_by_name("document_notes"),
        link_notes=read_link_notes(told),
        landscape_id=told.text("landscape_id"),
        topic_labels={topic: one.text("label") for topic, one in topics.items() if not one.is_null("label")},
        merged_topics=merged,
        hidden_topics=frozenset(topic for topic, one in topics.items() if one.flag("is_hidden")),
    )


def link_notes_json(notes: Mapping[LinkEnds, str]) -> list[dict[str, str]]:
    """Return notes on links as a list of JSON objects, by their documents."""
    return [{"source": source, "target": target, "note": note} for (source, target), note in sorted(notes.items())]


def read_link_notes(told: Fields) -> dict[LinkEnds, str]:
    """Return the notes on links of a JSON object, which has them as ``link_notes``."""
    return {(one.text("source"), one.text("target")): one.text("note") for one in told.inners("link_notes")}
