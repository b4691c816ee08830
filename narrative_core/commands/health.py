"""Health: what is ready, what is missing, and what to do about it."""

import argparse
from dataclasses import asdict

from narrative_core.commands.printing import print_json
from narrative_core.store.database import Database

_MARKS = {"ready": "✓", "attention": "·", "missing": "✗"}


def print_health(database: Database, options: argparse.Namespace) -> None:
    """Print how the program stands; the network is not used."""
    from narrative_core.errors import JudgeUnavailable
    from narrative_core.health import endpoint_finding, report
    from narrative_core.judging.endpoint import endpoint_from
    from narrative_core.settings import KEY_VARIABLE

    try:
        endpoint = endpoint_finding(endpoint_from(), key_origin=f"found in the environment ({KEY_VARIABLE})")
    except JudgeUnavailable as problem:
        endpoint = endpoint_finding(None, problem=str(problem))
    found = report(database, endpoint)
    if options.json:
        collections = [
            {
                **_counts(asdict(one.census)),
                "unjudged_stories": one.n_unjudged,
                "findings": [*map(asdict, one.findings)],
            }
            for one in found.collections
        ]
        checks = [asdict(finding) for finding in found.checks]
        print_json({"checks": checks, "collections": collections, "versions": dict(found.versions)})
        return
    for finding in found.findings:
        print(
            f"{_MARKS[finding.state]} {finding.title}: {finding.sentence}{f' {finding.remedy}' * bool(finding.remedy)}"
        )
    print(", ".join(f"{what} {version}" for what, version in found.versions.items()))


def _counts(census: dict[str, object]) -> dict[str, object]:
    return {what: n for what, n in census.items() if what not in ("trails", "judged")}
