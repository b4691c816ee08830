"""The papers of an invented harbour town, as a newsroom would hand them over: one file, and what comes a week later."""

import csv
import datetime as dt
import io
import random
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

OUTLETS: Final = ("Halvmouth Echo", "Tide and Quay", "Northern Press")
PER_MATTER: Final = 23
_MATTERS: Final = {
    "spill": (
        "harbour",
        ("The tanker Brigid", "An oil slick", "The coast guard", "A bird rescue team", "The refinery", "Black tar"),
        ("drifted past", "was scrubbed off", "spread along", "leaked crude near", "ringed with booms", "coated"),
        ("oystercatcher nests", "the eastern beaches", "seals", "the mussel banks", "the dunes", "the reef"),
        ("after the hull cracked", "in a falling tide", "under a gale", "before dawn", "by skimmer", "for weeks"),
    ),
    "ferry": (
        "harbour",
        ("Ferry crews", "The seamen's union", "Islanders", "The shipping line", "Deck hands", "Captains"),
        ("walked out over", "voted against", "bargained over", "cancelled trips for", "picketed over", "signed"),
        ("night wages", "the new roster", "a pay freeze", "pension cuts", "an overtime deal", "the strike fund"),
        ("at the terminal", "on the crossing", "after midnight talks", "for nine days", "in winter", "by ballot"),
    ),
    "hospital": (
        "city",
        ("Nurses of St Orla", "The maternity ward", "A surgeon", "The health board", "Patients", "A clinic"),
        ("warned of", "closed beds for", "waited months for", "reopened with", "counted", "ran short of"),
        ("clean theatres", "hip operations", "measles", "trained midwives", "blood and vaccines", "emergency doctors"),
        ("in the old wing", "since the fever", "despite funds", "during the audit", "every weekend", "for children"),
    ),
    "bridge": (
        "city",
        ("Engineers", "The swing bridge", "A survey of welds", "Lorry drivers", "The builder", "Inspectors"),
        ("found rust in", "carried traffic over", "fixed bolts of", "detoured around", "shut lanes on", "weighed"),
        ("the cracked girder", "the northern pier", "old rivets", "the toll road", "a worn bearing", "the deck"),
        ("at low cost", "through the night", "two years late", "without a permit", "behind tarpaulin", "in the frost"),
    ),
    "election": (
        "politics",
        ("Mayor Tallis", "The council", "A recount of votes", "Candidate Onwu", "The campaign", "Ballot clerks"),
        ("promised us", "debated", "rejected", "won votes for", "named donors of", "challenged"),
        ("the manifesto", "a lobbying scandal", "the party list", "new districts", "the budget", "a coalition"),
        ("in a debate", "by forty ballots", "on polling day", "in the town hall", "under oath", "once more"),
    ),
}  # fmt: skip
_FIRST: Final = {
    "spill": "Tanker Brigid runs aground",
    "ferry": "Ferry crews vote on a strike",
    "hospital": "Nurses of St Orla sound the alarm",
    "bridge": "Cracks in the swing bridge",
    "election": "Mayor Tallis calls an election",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One report. ``given`` is what the file says in the place of the date: the day comes first, as in the town."""

    item_id: str
    title: str
    text: str
    outlet: str
    desk: str
    date: dt.date | None
    given: str = field(default="")

    @property
    def date_text(self) -> str:
        """The date as the file has it."""
        return self.given if self.date is None else f"{self.date:%d/%m/%Y}"


def news() -> list[Item]:
    """Return 120 reports: 115 on five matters, a wire report in three papers more, and two without a date.

    No day is later than the twelfth, so that day and month cannot be told apart.
    """
    rng = random.Random(20230405)  # the same town each time
    items = []
    for at, matter in enumerate(_MATTERS):
        for number in range(PER_MATTER):
            day = 1 + (5 * number + 3 * at) % 11
            date = dt.date(2021 + number // 12, 1 + number % 12, day)
            items.append(_report(rng, matter, number, date))
    wire = items[4]
    for copy, outlet in enumerate(("Isle Gazette", "Coast Wire", "Evening Lamp")):
        text = f"({outlet}) {wire.text} More follows."
        day = wire.date + dt.timedelta(days=copy % 2) if wire.date else None
        items.append(replace(wire, item_id=f"wire-{copy}", text=text, outlet=outlet, date=day))
    for number, given in enumerate(("", "early spring")):
        undated = _report(rng, "bridge", PER_MATTER + number, dt.date(2022, 5, 9))
        items.append(replace(undated, item_id=f"undated-{number}", date=None, given=given))
    return items


def a_week_later(items: Sequence[Item]) -> list[Item]:
    """Return the file as it is sent again: two reports corrected, and five that are new."""
    rng = random.Random(7)  # the same town each time
    corrected = [replace(item, text=f"{item.text} {_CORRECTION}") for item in items[10:12]]
    new = [_report(rng, matter, 40, dt.date(2023, 2, 2)) for matter in _MATTERS]
    return [*items[:10], *corrected, *items[12:], *new]


_CORRECTION: Final = "Correction: an earlier version named another day."


def news_csv(items: Sequence[Item]) -> bytes:
    """Return reports as a spreadsheet would save them in this town: semicolons, and an extra column for the desk."""
    target = io.StringIO()
    rows = csv.writer(target, delimiter=";")
    rows.writerow(("id", "headline", "published", "body", "outlet", "desk"))
    for item in items:
        rows.writerow((item.item_id, item.title, item.date_text, item.text, item.outlet, item.desk))
    return target.getvalue().encode("utf-8-sig")


def papers_zip(items: Sequence[Item]) -> bytes:
    """Return the first reports as files of a folder, a third each as text, as a web page and as a mail."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as folder:
        for number, item in enumerate(items):
            ending = ("txt", "html", "eml")[number % 3]
            folder.writestr(f"papers/{item.date}-{item.item_id}.{ending}", _FILES[ending](item))
    return target.getvalue()


def _report(rng: random.Random, matter: str, number: int, date: dt.date) -> Item:
    """Return a report; every third is half about another matter, so that a trail can lead from one to the next."""
    other = rng.choice(list(_MATTERS)) if number % 3 == 2 else matter
    told = [matter, other, matter, other]
    sentences = [" ".join(rng.choice(part) for part in _MATTERS[one][1:]) + "." for one in told]
    title = _FIRST[matter] if number == 0 else f"{sentences[0][:-1]}, day {number + 1}"
    return Item(f"{matter}-{number:02}", title, " ".join(sentences), rng.choice(OUTLETS), _MATTERS[matter][0], date)


def _as_text(item: Item) -> str:
    return f"{item.title}\n\n{item.text}\n"


def _as_page(item: Item) -> str:
    return (
        f"<!doctype html><html lang='en'><head><title>{item.title}</title>"
        f"<meta property='article:published_time' content='{item.date}'></head>"
        f"<body><nav>Home</nav><article><h1>{item.title}</h1><p>{item.text}</p></article></body></html>"
    )


def _as_mail(item: Item) -> str:
    date = item.date or dt.date(2021, 1, 1)
    return (
        f"From: desk@halvmouth.example\nTo: all@halvmouth.example\nSubject: {item.title}\n"
        f"Date: {date:%a, %d %b %Y} 09:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n{item.text}\n"
    )


_FILES: Final = {"txt": _as_text, "html": _as_page, "eml": _as_mail}
