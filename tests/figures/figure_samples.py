"""Small landscapes and stories that the figure tests share."""

import datetime as dt
from collections.abc import Sequence

import numpy as np

from narrative_core.records import (
    CurvePoint,
    Document,
    Landscape,
    LandscapeParameters,
    Link,
    Story,
    StoryKind,
    StoryPair,
    Topic,
    TrailRequest,
)

EVIL_TITLE = '<img src=x onerror="alert(1)"> & {byline} <b>bold</b>'


def documents(titles: Sequence[str]) -> tuple[Document, ...]:
    return tuple(
        Document(f"d{i}", title, "", dt.date(1957, 10, 4) + dt.timedelta(days=i), "", "day", "Reuters")
        for i, title in enumerate(titles)
    )


def landscape(
    positions: Sequence[tuple[float, float]],
    topics: Sequence[int],
    *,
    outliers: Sequence[int] = (),
    labels: Sequence[str] = ("satellite, orbit", "mars, rover"),
) -> Landscape:
    n = len(positions)
    return Landscape(
        landscape_id="L",
        positions=np.array(positions, dtype=float).reshape(n, 2),
        nearest_topic=np.array(topics, dtype=np.int64),
        is_outlier=np.isin(np.arange(n), outliers),
        memberships=np.zeros((n, len(labels))),
        topics=tuple(Topic(i, label, (), topics.count(i)) for i, label in enumerate(labels)),
        parameters=LandscapeParameters(),
        critical_coherence=0.4,
        median_link=0.6,
        created_at="",
    )


def story(kind: StoryKind, chain: Sequence[Document], strengths: Sequence[float]) -> Story:
    weakest = strengths.index(min(strengths))
    links = tuple(
        Link(source.document_id, target.document_id, strength, strength, strength, 1, (), i == weakest, i == weakest)
        for i, (source, target, strength) in enumerate(zip(chain, chain[1:], strengths, strict=False))
    )
    return Story(kind, tuple(chain), links, min(strengths), float(np.mean(strengths)), float(np.mean(strengths)))


def pair(trail: Story, baseline: Story, draws: Sequence[float]) -> StoryPair:
    return StoryPair(
        request=TrailRequest(trail.documents[0].document_id, trail.documents[-1].document_id),
        trail=trail,
        baseline=baseline,
        draw=0,
        draw_bottlenecks=tuple(draws),
        beaten=sum(draw < trail.bottleneck for draw in draws),
        seed=1,
        median_link=0.6,
        curve=(CurvePoint(2, 0.4), CurvePoint(3, 0.7)),
    )
