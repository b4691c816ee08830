"""Stories: the trail between two documents."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from narrative_core.commands.collections import load_built
from narrative_core.commands.printing import print_json
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.records import Story, StoryPair, TrailRequest
from narrative_core.reports.facts import pair_facts
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.alternatives import Alternative
    from narrative_core.extraction import LoadedCollection


def print_trail(database: Database, options: argparse.Namespace) -> None:
    """Print the trail between two documents beside its baseline."""
    from narrative_core.alternatives import alternatives
    from narrative_core.reports.sentences import (
        comparison_sentence,
        price_sentence,
        shorter_draws_sentence,
        weakest_link_sentence,
    )
    from narrative_core.story_warnings import pair_warnings

    loaded = load_built(database, options.name)
    request = trail_request(options)
    pair = told_pair(loaded, request)
    warnings = pair_warnings(loaded, pair)
    others = alternatives(loaded, request, limit=options.alternatives) if options.alternatives > 0 else ()
    if options.json:
        told = {"warnings": [asdict(warning) for warning in warnings]}
        asked = {"alternatives": [_alternative_facts(other) for other in others]} if options.alternatives > 0 else {}
        print_json({**pair_facts(pair), **told, **asked})
        return
    _print_story(pair.trail)
    for warning in warnings:
        print(f"\nNote: {warning.sentence}", end="")
    told_of = (f"{comparison_sentence(pair)}.", shorter_draws_sentence(pair), price_sentence(pair))
    print(f"\n{' '.join(filter(None, (*told_of, weakest_link_sentence(pair.trail))))}")
    for number, other in enumerate(others, start=1):
        print(f"\nAlternative {number}, weakest link {other.story.bottleneck:.2f}")
        _print_story(other.story)
    if len(others) < options.alternatives:
        print(f"\n{'No further' if others else 'No'} trail is left that shares nothing with these.")


def _print_story(story: Story) -> None:
    from narrative_core.reports.sentences import format_date

    for number, document in enumerate(story.documents):
        if number:
            print(f"      │ {story.links[number - 1].coherence:.2f}")
        print(f"{format_date(document):>18}  {document.title}  [{document.document_id}]")


def _alternative_facts(other: "Alternative") -> dict[str, Any]:
    return {
        "documents": [document.document_id for document in other.story.documents],
        "strengths": [link.coherence for link in other.story.links],
        "bottleneck": other.story.bottleneck,
        "mean": other.story.mean,
        "avoid": list(other.request.avoid),
    }


def trail_request(options: argparse.Namespace) -> TrailRequest:
    """Return the request that the arguments of a command name."""
    return TrailRequest(
        options.source,
        options.target,
        via=tuple(options.via),
        avoid=tuple(options.avoid),
        maximum_gap_days=options.max_gap,
        maximum_length=options.max_length,
        is_chronological=not options.any_order,
        avoid_sources=tuple(options.avoid_source),
        avoid_topics=tuple(options.avoid_topic),
        by_hand=tuple(options.story),
    )


def told_pair(loaded: "LoadedCollection", request: TrailRequest) -> StoryPair:
    """Return the trail beside its baseline.

    Raises
    ------
    InvalidInput
        If there is none, with the reason in a sentence; or if a source or topic to avoid is not in the collection.
    """
    from narrative_core.extraction import tell
    from narrative_core.remedies import refuse

    _check_kinds(loaded, request)
    try:
        return tell(loaded, request)
    except NoTrail as problem:
        raise InvalidInput(refuse(loaded, request, problem).sentence) from problem


def _check_kinds(loaded: "LoadedCollection", request: TrailRequest) -> None:
    """Refuse a source or topic that the collection does not have: a slip of the pen would avoid nothing."""
    sources = {document.source for document in loaded.documents} - {""}
    for source in request.avoid_sources:
        if source not in sources:
            raise InvalidInput(
                f"The collection {loaded.collection.title} has no source “{source}”, but {len(sources):,} others. "
                "Write it as its documents do."
            )
    topics = set(loaded.landscape.nearest_topic.tolist()) | {topic.topic for topic in loaded.landscape.topics}
    for topic in request.avoid_topics:
        if topic not in topics | set(loaded.curation.merged_topics):
            raise InvalidInput(
                f"The collection {loaded.collection.title} has no topic {topic}. Choose one from 0 to {max(topics)}."
            )
