"""Does reading flow tell trails from random chronologies? On the reference news, which live beside the project."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.reading_flow import Reader, Told, figures
from benchmarks.sampled_stories import SampledStory, read_news, sample_stories
from benchmarks.trails import NEWS
from narrative_core.judgements import Judgement, Question, Shown, ShownStory
from narrative_core.judging.flow import choose_foils, flow_version, judge_flow
from narrative_core.judging.local_model import local_model_state
from narrative_core.judging.reader import best_scorer
from narrative_core.judging.scorers import Scorer
from narrative_core.records import Document

STATE = local_model_state()
pytestmark = [
    pytest.mark.skipif(not NEWS.is_dir(), reason=f"the reference data is not at {NEWS}; see docs of shared/reference"),
    pytest.mark.skipif(not STATE.is_ready, reason=f"{STATE.what} {STATE.remedy}"),
]
REPORTED_SEED = 1


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return read_news(NEWS)


@pytest.fixture(scope="module")
def stories(documents: list[Document]) -> list[SampledStory]:
    return sample_stories(NEWS, documents, 100, REPORTED_SEED)[0]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return best_scorer()


def judged(
    rows: tuple[int, ...], documents: list[Document], scorer: Scorer, *, shown: Shown, n_foils: int
) -> Judgement:
    foils = choose_foils(documents, n_foils)
    question = Question(
        "flow", scorer.model, "", None, 0, None, None, str(rows), shown, "", flow_version(scorer, foils)
    )
    story = ShownStory(tuple(documents[row] for row in rows), shown)
    return judge_flow(story, question, scorer, heartbeat=lambda: None, foils=foils)


def test_strong_links_read_more_easily_than_weak_ones(
    documents: list[Document], stories: list[SampledStory], scorer: Scorer
) -> None:
    strengths = {
        link: strength
        for story in stories
        for link, strength in zip(pairwise(story.documents), story.strengths, strict=True)
    }
    by_strength = sorted(strengths, key=strengths.__getitem__)

    def gains(links: list[tuple[int, int]]) -> list[float]:
        return [judged(link, documents, scorer, shown="titles", n_foils=1).score for link in links]

    assert np.mean(gains(by_strength[-3:])) > np.mean(gains(by_strength[:3])) + 0.3


def test_the_benchmark_and_the_judge_have_the_same_numbers(
    documents: list[Document], stories: list[SampledStory], scorer: Scorer
) -> None:
    story = min(stories, key=lambda story: len(story.documents))
    told = Told(story, Reader(documents, scorer, None), tuple(map(documents.index, choose_foils(documents))))

    judgement = judged(story.documents, documents, scorer, shown="leads", n_foils=2)

    assert told.gains(n_foils=2) == pytest.approx(judgement.link_scores, abs=1e-3)


@pytest.mark.slow
def test_reading_flow_tells_trails_from_random_chronologies(
    documents: list[Document], stories: list[SampledStory], scorer: Scorer
) -> None:
    judgements = [judged(story.documents, documents, scorer, shown="leads", n_foils=4) for story in stories]

    assert [judgement.status for judgement in judgements] == ["ok"] * 200
    auc, d, r_average, _ = figures(stories, np.array([judgement.score for judgement in judgements]))
    assert auc >= 0.75
    assert d >= 0.8
    assert r_average >= 0.45
