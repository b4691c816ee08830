"""What an import prints: what is understood, what would change, what became of every row."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from narrative_core.commands.printing import print_json
from narrative_core.records import LoadReport
from narrative_core.reports.facts import load_report_facts
from narrative_core.reports.sentences import format_list

if TYPE_CHECKING:
    from narrative_core.differences import Difference
    from narrative_core.ingest.understanding import Understanding
    from narrative_core.intake import BundleReport
    from narrative_core.recordings import RecordingReport

_SHOWN_CHANGES = 10


def print_report(name: str, report: LoadReport, replies: "RecordingReport | None") -> None:
    """Print what became of every row, and of every line of a recording."""
    print(
        f"{name}: {report.read:,} rows read, {report.kept:,} documents kept, {report.undated:,} without "
        f"a date, {report.duplicates:,} duplicates, {report.dropped:,} dropped."
    )
    for problem in report.problems:
        print(f"  row {problem.row}: {problem.reason}")
    if replies is None:
        return
    print(f"{replies.kept:,} judgements kept of {replies.read:,} lines, {replies.skipped:,} skipped.")
    for problem in replies.problems:
        print(f"  line {problem.row}: {problem.reason}")


def print_copies(copies: dict[str, int]) -> None:
    """Print how many documents are copies of each other, where there are any."""
    if copies["groups"]:
        print(f"{copies['documents']:,} documents are copies of each other, in {copies['groups']:,} groups.")


def print_understood(
    name: str,
    found: "Understanding",
    report: LoadReport | None,
    difference: "Difference | None",
    options: argparse.Namespace,
) -> None:
    """Print what is understood of a file of which nothing is stored.

    ``report`` is what would become of the rows, ``None`` while it is open which of day and month comes first.
    """
    from narrative_core.ingest.understanding import understanding_facts

    if options.json:
        facts: dict[str, Any] = {"name": name, "stored": False, "understood": understanding_facts(found)}
        facts |= load_report_facts(report) if report else {}
        facts |= {"difference": difference_facts(difference)} if difference else {}
        print_json(facts)
        return
    for line in understood_lines(found):
        print(line)
    if report is not None:
        print_report(name, report, None)
    if difference is not None:
        print_difference(difference)
    print("Nothing is stored.")


def understood_lines(found: "Understanding") -> list[str]:
    """Return what is understood of a file, line by line."""
    read = [found.kind, f"sheet {found.sheet}" if found.sheet else "", found.encoding]
    read += [f"separated by {found.delimiter!r}" if found.delimiter else ""]
    lines = [", ".join(part for part in read if part)]
    lines += [f"{len(found.sheets)} sheets: {', '.join(found.sheets)}"] if len(found.sheets) > 1 else []
    for part in found.parts:
        name = part.part.removeprefix("document_")
        lines.append(f"  {name:8} {part.column}: {part.n_filled:,} rows, “{part.example}”")
    lines += [f"  further  {', '.join(found.extras)}"] if found.extras else []
    if found.dates is not None:
        dates = found.dates.format
        lines.append(f"Dates: {dates.name}")
        lines += [f"  {example.given} is {example.understood}" for example in dates.examples]
        if dates.is_ambiguous:
            lines.append("  Nothing tells the day from the month: choose --day-first or --month-first.")
        if dates.n_unreadable:
            shown = ", ".join(f"“{one}”" for one in found.dates.unreadable)
            lines.append(f"  {dates.n_unreadable:,} cannot be read, such as {shown}.")
    if found.vectors is not None:
        vectors = found.vectors
        failed = f", {vectors.n_failed:,} cannot be used ({vectors.reason})" if vectors.n_failed else ""
        lines.append(f"Vectors: {vectors.column}, {vectors.n_dimensions:,} dimensions, {vectors.n_read:,} rows{failed}")
    lines += ["HTML is left out of headlines and texts."] if found.has_markup else []
    if found.scripts:
        lines.append("Letters: " + ", ".join(f"{script} {share:.0%}" for script, share in found.scripts.items()))
    return [*lines, *found.notices]


def print_difference(found: "Difference") -> None:
    """Print what a file changes in a collection, and the first changes."""
    print(
        f"{len(found.new):,} new, {len(found.changed):,} changed, {len(found.unchanged):,} unchanged, "
        f"{len(found.absent):,} not in the file; {found.n_embedded_anew:,} texts to embed."
    )
    if found.staying:
        names = format_list(found.staying, most=len(found.staying))
        print(f"Without a column in the file, and so left as stored: {names}.")
    if found.brings_vectors:
        print("The collection has no vectors yet; its documents get those of the file.")
    for change in found.changed[:_SHOWN_CHANGES]:
        for sample in change.samples:
            print(f"  {change.before.document_id} {sample.field}: “{sample.before}” → “{sample.after}”")
    if len(found.changed) > _SHOWN_CHANGES:
        print(f"  … and {len(found.changed) - _SHOWN_CHANGES:,} more changed documents.")


def difference_facts(found: "Difference") -> dict[str, Any]:
    """Return a difference as plain values, documents by id."""
    return {
        "new": [document.document_id for document in found.new],
        "changed": [
            {
                "id": change.before.document_id,
                "fields": list(change.fields),
                "samples": [asdict(sample) for sample in change.samples],
            }
            for change in found.changed
        ],
        "unchanged": len(found.unchanged),
        "absent": [document.document_id for document in found.absent],
        "embedded": found.n_embedded_anew,
        "staying": list(found.staying),
        "brings_vectors": found.brings_vectors,
    }


def print_bundle(name: str, report: "BundleReport", options: argparse.Namespace) -> None:
    """Print what came out of an export."""
    state = "built" if report.is_built else "not built"
    if options.json:
        told = {"judgements": asdict(report.judgements), "state": state, "stories": report.n_stories}
        print_json({"name": name, **load_report_facts(report.documents), **told})
        return
    print_report(name, report.documents, report.judgements)
    print(f"{report.n_stories:,} stories kept.")
    print("The landscape came with it." if report.is_built else f"Build it with: python -m narrative_core build {name}")
