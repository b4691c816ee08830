"""The built-in collections are what data/README.md says."""

import csv
import datetime as dt
import hashlib
import re
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


def _briefs() -> list[dict[str, str]]:
    with (DATA / "spaceflight" / "documents.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_file_has_its_checksum_in_the_readme() -> None:
    listed = dict(
        reversed(line.split("  "))
        for line in re.findall(r"^[0-9a-f]{64}  \S+$", (DATA / "README.md").read_text(), re.M)
    )
    actual = {
        path.relative_to(DATA).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in DATA.glob("*/*.*")
    }
    assert listed == actual


def test_spaceflight_has_at_least_240_briefs_of_60_to_120_words_from_1957_to_2025() -> None:
    briefs = _briefs()
    assert len(briefs) >= 240
    assert {brief["id"] for brief in briefs if not 60 <= len(brief["text"].split()) <= 120} == set()
    years = [dt.date.fromisoformat(brief["date"]).year for brief in briefs]
    assert (min(years), max(years)) == (1957, 2025)
    assert years == sorted(years)


def test_every_brief_has_a_headline_a_source_and_a_public_reference_of_its_own() -> None:
    briefs = _briefs()
    assert len({brief["title"] for brief in briefs}) == len(briefs)
    assert all(20 <= len(brief["title"]) <= 95 and brief["source"] for brief in briefs)
    assert all(brief["url"].startswith("https://en.wikipedia.org/wiki/") for brief in briefs)


def test_an_id_is_the_date_and_words_of_the_headline() -> None:
    wrong = [
        brief["id"]
        for brief in _briefs()
        if not re.fullmatch(re.escape(brief["date"]) + r"(-[a-z0-9]+){1,2}", brief["id"])
    ]
    assert wrong == []


def test_the_readme_counts_the_briefs() -> None:
    assert f"{len(_briefs())} briefs, 1957 to 2025" in (DATA / "README.md").read_text(encoding="utf-8")
