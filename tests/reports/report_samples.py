"""Synthetic stories for the report tests."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from narrative_core.curation import Annotations
from narrative_core.records import DatePrecision, Document, Link, SavedStory, Story, StoryKind, StoryPair, TrailRequest
from narrative_core.reports.map_svg import MapSketch

HOSTILE_TITLES = (
    "<script>alert(1)</script>",
    'a"onmouseover="alert(1)',
    "](https://evil.example) [x](javascript:alert(1))",
    "=cmd|' /C calc'!A0",
    "# Not a heading | cell *bold* `code` &lt;b&gt; https://evil.example",
    "{{ 7 * 7 }} {% include 'x' %} ${7*7}",
    "إطلاق أول قمر صناعي في التاريخ",
    "🚀 Liftoff 👩🏽‍🚀 of the 🇫🇷 crew",
    "",
    "line one\r\nline two\x00\u202eevil\u2028\ufffe",
    ("A very long headline that goes on about satellites, " * 5)[:200],
    "]]>--><!-- <svg onload=alert(1)>",
)


def document(
    number: int,
    title: str = "Probe sends back its first pictures",
    date: dt.date | None = dt.date(1961, 4, 12),
    *,
    precision: DatePrecision = "day",
    source: str = "NASA",
    url: str = "",
) -> Document:
    text = date.isoformat()[: {"year": 4, "month": 7, "day": 10}[precision]] if date else ""
    return Document(f"d{number}", title, "Body.", date, text, precision if date else None, source, url)


def story(
    documents: Sequence[Document],
    strengths: Sequence[float],
    *,
    kind: StoryKind = "trail",
    terms: tuple[str, ...] = ("satellite", "orbit"),
    median_link: float = 0.66,
) -> Story:
    weakest = int(np.argmin(strengths))
    links = tuple(
        Link(
            source=first.document_id,
            target=second.document_id,
            coherence=strength,
            wording_similarity=strength + 0.01,
            topic_similarity=strength - 0.01,
            days_between=(second.date - first.date).days if first.date and second.date else None,
            shared_terms=terms if number % 3 != 2 else (),
            is_weakest=number == weakest,
            is_weak=number == weakest or strength < median_link,
        )
        for number, (first, second, strength) in enumerate(zip(documents[:-1], documents[1:], strengths, strict=True))
    )
    mean, geometric = float(np.mean(strengths)), float(np.exp(np.mean(np.log(strengths))))
    return Story(kind, tuple(documents), links, float(min(strengths)), mean, geometric)


def pair(trail: Story, *, draws: Sequence[float] | None = None, seed: int = 7) -> StoryPair:
    rng = np.random.default_rng(seed)
    bottlenecks = tuple(rng.normal(0.5, 0.06, 200).clip(0.2, 0.9).tolist()) if draws is None else tuple(draws)
    links = len(trail.links)
    if links == 1:
        baseline = replace(trail, kind="baseline")
        bottlenecks = (trail.bottleneck,) * 200 if draws is None else bottlenecks
    else:
        inner = [
            replace(shown, document_id=f"r{number}", title=f"Other matter number {number}, as chance had it")
            for number, shown in enumerate(trail.documents[1:-1])
        ]
        strengths = rng.uniform(0.5, 0.7, links)
        strengths[links // 2] = 0.46
        told = [trail.documents[0], *inner, trail.documents[-1]]
        baseline = story(told, strengths.tolist(), kind="baseline", terms=())
    return StoryPair(
        request=TrailRequest(trail.documents[0].document_id, trail.documents[-1].document_id),
        trail=trail,
        baseline=baseline,
        draw=int(np.argsort(bottlenecks, kind="stable")[(len(bottlenecks) - 1) // 2]) if bottlenecks else 0,
        draw_bottlenecks=bottlenecks,
        beaten=sum(value < trail.bottleneck for value in bottlenecks),
        seed=seed,
        median_link=0.66,
        unconstrained_bottleneck=trail.bottleneck,
    )


def saved(story_pair: StoryPair, *, name: str = "From Sputnik to the Moon", note: str = "") -> SavedStory:
    return SavedStory("s-1f3a", name, note, "spaceflight", "ls-9c2e", "2025-11-30T09:24:07+00:00", story_pair)


_HEADLINES = (
    "Soviet Union launches Sputnik, the first artificial satellite, into orbit",
    "Explorer 1 finds belts of radiation around the Earth",
    "Luna 3 photographs the far side of the Moon",
    "Gagarin orbits the Earth",
    "Kennedy asks Congress for a landing on the Moon before the decade is out",
    "Mariner 4 sends the first close pictures of Mars",
    "Surveyor 1 lands softly and looks around",
    "Apollo 11 lands at the Sea of Tranquility",
)
_STRENGTHS = (0.83, 0.79, 0.71, 0.88, 0.64, 0.81, 0.76)


def space_story(n: int = 8) -> SavedStory:
    """A well-behaved story of ``n`` documents, one every nineteen months from Sputnik on."""
    documents = [
        document(
            number,
            _HEADLINES[number % 8] if n > 2 else _HEADLINES[-number],
            dt.date(1957, 10, 4) + dt.timedelta(days=number * 591),
            source=("NASA", "The New York Times", "TASS")[number % 3],
            url=f"https://example.org/news/{number}" if number % 2 == 0 else "",
        )
        for number in range(n)
    ]
    strengths = [_STRENGTHS[number % 7] + 0.001 * number for number in range(n - 1)]
    note = "Checked against the wire copy.\nThe 1961 step needs a second source."
    return saved(pair(story(documents, strengths)), note=note)


LEAD = "The spacecraft left the pad at dawn and reached orbit nine minutes later, controllers said. "


def annotated_story() -> SavedStory:
    """The third version of the story of eight documents, with wishes, texts, notes on both kinds, and copies."""
    kept = space_story()
    trail = kept.pair.trail
    told = tuple(replace(one, text=f"{one.title}. {LEAD * 4}") for one in trail.documents)
    request = replace(
        kept.pair.request,
        via=("d3",),
        avoid=("x9",),
        maximum_gap_days=900,
        avoid_sources=("TASS",),
        avoid_topics=(4,),
    )
    return replace(
        kept,
        pair=replace(kept.pair, trail=replace(trail, documents=told), request=request),
        family_id="s-0001",
        version=3,
        annotations=Annotations(
            {"d2": "Ask the archive.\n=SUM(A1) needs a second source."},
            {("d4", "d5"): "Nineteen months: look for 1964."},
            {"d1": 3, "d5": 1},
        ),
    )


def by_hand(kept: SavedStory) -> SavedStory:
    """The same story, as a person put it together."""
    ids = tuple(document.document_id for document in kept.pair.trail.documents)
    return replace(kept, pair=replace(kept.pair, request=replace(kept.pair.request, via=(), by_hand=ids)))


def hostile_story() -> SavedStory:
    """Titles, sources, addresses, terms, name and note that try to be something else than text."""
    dates = [None, dt.date(1961, 1, 1), *[dt.date(1961, 4, 1 + number) for number in range(10)]]
    precisions: tuple[DatePrecision, ...] = ("day", "year", "month", *("day",) * 9)
    documents = [
        document(
            number,
            title,
            dates[number],
            precision=precisions[number],
            source=("", '"><img src=x onerror=alert(1)>', "+1", "@SUM(A1)")[number % 4],
            url=(
                "javascript:alert(1)",
                'https://example.org/"onclick="x',
                "data:text/html,<script>",
                "https://example.org/a>b(c) d",
            )[number % 4],
        )
        for number, title in enumerate(HOSTILE_TITLES)
    ]
    strengths = [0.5 + 0.03 * number for number in range(len(documents) - 1)]
    told = story(documents, strengths, terms=("<b>term</b>", "*star*", "قمر"))
    note = "<img src=x>\n# heading\n- [x](javascript:1)\n1. one"
    return saved(pair(told), name="<script>name</script> | *x*", note=note)


def sketch(n: int = 287, *, seed: int = 3) -> MapSketch:
    """A map of eight loose groups with stories on it."""
    rng = np.random.default_rng(seed)
    topics = np.sort(rng.integers(0, 12, n))
    centres = rng.uniform(-6, 6, (12, 2)) * [1.5, 1.0]
    positions = centres[topics] + rng.normal(0, 0.55, (n, 2))
    topics[rng.random(n) < 0.06] = -1
    labels = (
        *("Mars, rover, crater", "Station, crew, docking", "Moon, landing, Apollo", "<b>Rocket</b> & engine"),
        *("Comet, dust", "مدار، قمر", "Telescope, galaxy, infrared, mirror, deep field", "Sun, wind", "Venus, radar"),
        *("Shuttle, tank", "Probe", "Pluto"),
    )
    rows = rng.choice(n, 14, replace=False)
    baseline = (int(rows[0]), *rows[8:].tolist(), int(rows[7]))
    return MapSketch(positions, topics, tuple(rows[:8].tolist()), baseline, labels)
