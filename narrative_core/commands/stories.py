"""Stories: the trail between two documents."""

import argparse
from typing import TYPE_CHECKING

from narrative_core.commands.collections import load_built
from narrative_core.commands.printing import print_json
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.records import StoryPair, TrailRequest
from narrative_core.reports.facts import pair_facts
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.extraction import LoadedCollection


def print_trail(database: Database, options: argparse.Namespace) -> None:
    """Print the trail between two documents beside its baseline."""
    from narrative_core.reports.sentences import comparison_sentence, format_date, weakest_link_sentence

    pair = told_pair(load_built(database, options.name), trail_request(options))
    if options.json:
        print_json(pair_facts(pair))
        return
    for number, document in enumerate(pair.trail.documents):
        if number:
            print(f"      │ {pair.trail.links[number - 1].coherence:.2f}")
        print(f"{format_date(document):>18}  {document.title}  [{document.document_id}]")
    print(f"\n{comparison_sentence(pair)}. {weakest_link_sentence(pair.trail)}")


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
    )


def told_pair(loaded: "LoadedCollection", request: TrailRequest) -> StoryPair:
    """Return the trail beside its baseline.

    Raises
    ------
    InvalidInput
        If there is none, with the reason in a sentence.
    """
    from narrative_core.extraction import tell
    from narrative_core.remedies import refuse

    try:
        return tell(loaded, request)
    except NoTrail as problem:
        raise InvalidInput(refuse(loaded, request, problem).sentence) from problem
