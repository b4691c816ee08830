"""The command that says whether another seed would tell the same."""

import argparse
import math
from dataclasses import asdict

from narrative_core.commands.collections import load_built
from narrative_core.commands.printing import StageLines, print_json, stopped_between_reports
from narrative_core.errors import InvalidInput
from narrative_core.store.database import Database

MOST_SEEDS = 100


def print_stability(database: Database, options: argparse.Namespace) -> None:
    """Fit a collection with other seeds, and print how far each agrees with the map that is kept."""
    from narrative_core.reports.stability_sentences import meaning, strength_sentence, topics_sentence, trails_sentence
    from narrative_core.stability import check_stability

    if not 1 <= options.seeds <= MOST_SEEDS:
        raise InvalidInput(f"--seeds must be from 1 to {MOST_SEEDS}; got {options.seeds}.")
    loaded = load_built(database, options.name)
    with stopped_between_reports() as is_stopped:
        found = check_stability(database, loaded, n_seeds=options.seeds, progress=StageLines(is_stopped))
    if options.json:
        seeds = [{name: _known(value) for name, value in asdict(one).items()} for one in found]
        print_json({"collection": options.name, "landscape": loaded.landscape.landscape_id, "seeds": seeds})
        return
    for one in found:
        print(
            f"seed {one.seed}: {one.n_topics} topics, {one.outlier_share:.0%} outside, topics agree at "
            f"{one.topic_agreement:.2f}, trails share {one.trail_agreement:.0%} of their inner documents "
            f"(n = {one.n_trails})"
        )
    told = (
        trails_sentence(found),
        strength_sentence(found),
        topics_sentence(found, len(loaded.landscape.topics)),
        meaning(found),
    )
    print("\n".join(filter(None, told)))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
