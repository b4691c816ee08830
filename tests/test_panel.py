import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Mode, Question, Seat, Shown, ShownStory
from narrative_core.judging.agents import agent_temperature
from narrative_core.judging.asking import Ask
from narrative_core.judging.prompts import LIST_BEGINS, LIST_ENDS, Message, prompt_hash, prompt_messages
from narrative_core.judging.shown import shown_text, story_hash
from narrative_core.panel import (
    N_RANDOM,
    flow_seat,
    lexical_seat,
    plan,
    questions,
    random_asks,
    random_chronologies,
    shown_story,
)
from narrative_core.records import Document, StoryPair
from narrative_core.runs import PARAPHRASED, REORDERED
from tests.builders import build_collection, with_titles
from tests.judging_bench import FakeScorer, towns_pair, with_ids

MODES: tuple[Mode, ...] = ("simple", "cot", "standard", "complex")
SHOWN: tuple[Shown, ...] = ("titles", "dates", "leads")
PROMPTED = Seat("openai", "gpt-4.1", "api.example.org", "simple", 3)
PANEL = (
    PROMPTED,
    replace(PROMPTED, mode="standard", n_agents=2, shown="leads"),
    Seat("lexical", "", shown="leads", version="1"),
    Seat("flow", "fake", shown="leads", version="1"),
)


@pytest.fixture(scope="module")
def loaded() -> LoadedCollection:
    """A collection whose ids, like its titles, give nothing away that a test could mistake for something else."""
    plain = build_collection()
    named = with_ids(plain, [f"zq{row}zq" for row in range(len(plain.documents))])
    return with_titles(named, [f"{word} of the town" for word in _words(len(plain.documents))])


@pytest.fixture(scope="module")
def pair(loaded: LoadedCollection) -> StoryPair:
    return towns_pair(loaded)


def _words(n: int) -> list[str]:
    """Return n words, each another one."""
    return [
        f"{first}{second}"
        for first in ("Mill", "Bank", "Dyke", "Park", "Fair")
        for second in ("yard", "gate", "men", "tax", "law")
    ][:n]


def stories_of(pair: StoryPair) -> tuple[tuple[Document, ...], ...]:
    return pair.trail.documents, pair.baseline.documents


def planned(loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat] = PANEL, seed: int = 0) -> tuple[Ask, ...]:
    return plan(loaded, stories_of(pair), seats, rng=np.random.default_rng(seed))


def requests(asks: Sequence[Ask]) -> list[str]:
    """Return all the text that each prompted question sends."""
    return ["\n".join(message.content for message in _messages(ask)) for ask in asks if ask.question.mode is not None]


def _messages(ask: Ask) -> tuple[Message, ...]:
    assert ask.question.mode is not None
    return prompt_messages(ask.question.mode, ask.story, is_explained=ask.is_explained, wording=ask.wording)


def test_every_agent_of_every_seat_is_asked_about_each_story_once(loaded: LoadedCollection, pair: StoryPair) -> None:
    asks = planned(loaded, pair)
    asked = Counter(
        (ask.question.judge, ask.question.mode, ask.question.agent, ask.question.story_hash) for ask in asks
    )
    told = [(seat.judge, seat.mode, agent) for seat in PANEL for agent in range(seat.n_agents)]
    assert asked == Counter((*each, story_hash(story)) for each in told for story in stories_of(pair))
    assert len({ask.question.question_id for ask in asks}) == len(asks) == 2 * (3 + 2 + 1 + 1)
    for ask in asks:
        assert ask.question.story_hash == story_hash(ask.story.documents)


def test_the_place_of_a_question_is_its_place_in_the_order(loaded: LoadedCollection, pair: StoryPair) -> None:
    assert [ask.place for ask in planned(loaded, pair)] == list(range(14))


def test_the_order_is_random_and_the_same_for_the_same_seed(loaded: LoadedCollection, pair: StoryPair) -> None:
    orders = {seed: [ask.question.question_id for ask in planned(loaded, pair, seed=seed)] for seed in range(5)}
    assert orders[3] == [ask.question.question_id for ask in planned(loaded, pair, seed=3)]
    assert len({tuple(order) for order in orders.values()}) == 5
    assert len({frozenset(order) for order in orders.values()}) == 1


def test_the_two_stories_are_mixed_and_either_may_come_first(loaded: LoadedCollection, pair: StoryPair) -> None:
    seat, trail = replace(PROMPTED, n_agents=20), story_hash(pair.trail.documents)
    firsts, changes = Counter[bool](), []
    for seed in range(60):
        is_trail = [ask.question.story_hash == trail for ask in planned(loaded, pair, [seat], seed)]
        firsts[is_trail[0]] += 1
        changes.append(sum(now != then for now, then in pairwise(is_trail)))
    # 20 of each kind in random order: 20 changes on average, and either is first half of the time.
    assert np.mean(changes) == pytest.approx(20, abs=2)
    assert min(firsts.values()) > 15


def test_a_story_that_is_both_trail_and_random_chronology_is_asked_about_once(loaded: LoadedCollection) -> None:
    same = loaded.documents[:2]
    asks = plan(loaded, [same, same], PANEL, rng=np.random.default_rng(0))
    assert len({ask.question.question_id for ask in asks}) == len(asks) == 3 + 2 + 1 + 1
    assert [ask.place for ask in asks] == list(range(7))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("is_explained", [True, False])
def test_a_request_differs_between_the_stories_in_the_list_alone(
    loaded: LoadedCollection, pair: StoryPair, mode: Mode, shown: Shown, is_explained: bool
) -> None:
    seat = replace(PROMPTED, mode=mode, shown=shown, is_explained=is_explained)
    without_list = set()
    for ask in planned(loaded, pair, [seat]):
        (text,) = requests([ask])
        told = f"{LIST_BEGINS}\n{shown_text(ask.story)}\n{LIST_ENDS}"
        assert text.count(told) == 1
        without_list.add(text.replace(told, ""))
    assert len(without_list) == 1


@pytest.mark.parametrize("shown", SHOWN)
def test_a_request_names_no_id_no_coherence_and_no_method(
    loaded: LoadedCollection, pair: StoryPair, shown: Shown
) -> None:
    seats = [replace(PROMPTED, mode=mode, shown=shown) for mode in MODES]
    strengths = [link.coherence for story in (pair.trail, pair.baseline) for link in story.links]
    for text in requests(planned(loaded, pair, seats)):
        assert "zq" not in text
        assert not any(f"{strength:.{digits}f}" in text for strength in strengths for digits in (2, 3))
        for word in (
            "trail",
            "baseline",
            "random",
            "chance",
            "bottleneck",
            "coherence matrix",
            "landscape",
            "two stories",
        ):
            assert word not in text.casefold()


def test_a_judge_is_shown_the_documents_in_the_order_of_the_story(loaded: LoadedCollection, pair: StoryPair) -> None:
    story = shown_story(pair.trail.documents, PROMPTED, loaded.collection.noun)
    assert story == ShownStory(pair.trail.documents, "titles", "reports")
    titles = [line.split(". ", 1)[1] for line in shown_text(story).splitlines()]
    assert titles == [document.title for document in pair.trail.documents]


SeatChange = Callable[[Seat], Seat]


@pytest.mark.parametrize(
    "change",
    [
        lambda seat: replace(seat, model="gpt-4.1-mini"),
        lambda seat: replace(seat, endpoint="localhost:8080"),
        lambda seat: replace(seat, mode="cot"),
        lambda seat: replace(seat, shown="dates"),
        lambda seat: replace(seat, is_explained=False),
        lambda seat: replace(seat, version=PARAPHRASED),
    ],
    ids=["model", "endpoint", "mode", "shown", "explanations", "wording"],
)
def test_another_seat_asks_other_questions(loaded: LoadedCollection, pair: StoryPair, change: SeatChange) -> None:
    assert ids(loaded, pair.trail.documents).isdisjoint(ids(loaded, pair.trail.documents, change(PROMPTED)))


def test_a_seat_of_another_wording_asks_other_questions_in_its_words(loaded: LoadedCollection, pair: StoryPair) -> None:
    seat = replace(PROMPTED, mode="standard")
    seats = [seat, replace(seat, version=REORDERED), replace(seat, version=PARAPHRASED)]
    asks = [planned(loaded, pair, [each]) for each in seats]
    assert len({ask.question for some in asks for ask in some}) == 3 * 2 * PROMPTED.n_agents
    assert [{ask.wording for ask in some} for some in asks] == [{""}, {REORDERED}, {PARAPHRASED}]
    for each, some in zip(seats, asks, strict=True):
        for ask in some:
            assert ask.question.prompt_hash == prompt_hash(
                "standard", is_explained=True, noun=loaded.collection.noun, wording=each.version
            )
    usual, reordered, paraphrased = (requests(some)[0] for some in asks)
    assert usual.index("- logical_flow") < usual.index("- narrative_completeness")
    assert reordered.index("- logical_flow") > reordered.index("- narrative_completeness")
    assert "Your task is to rate" in paraphrased


def test_a_wording_that_the_mode_does_not_have_is_not_planned(loaded: LoadedCollection, pair: StoryPair) -> None:
    with pytest.raises(InvalidInput, match="the mode simple"):
        planned(loaded, pair, [replace(PROMPTED, version=REORDERED)])


@pytest.mark.parametrize(
    "seat",
    [Seat("lexical", "", shown="leads", version="1"), Seat("flow", "fake", shown="leads", version="1")],
    ids=["lexical", "flow"],
)
def test_another_edition_of_a_judge_without_a_prompt_asks_other_questions(
    loaded: LoadedCollection, pair: StoryPair, seat: Seat
) -> None:
    later = replace(seat, version=f"{seat.version}, later")
    assert ids(loaded, pair.trail.documents, seat).isdisjoint(ids(loaded, pair.trail.documents, later))
    other = flow_seat(FakeScorer(path="another way"), loaded)
    assert ids(loaded, pair.trail.documents, flow_seat(FakeScorer(), loaded)).isdisjoint(
        ids(loaded, pair.trail.documents, other)
    )


def test_agents_ask_different_questions_which_depend_on_how_many_there_are_by_their_temperature(
    loaded: LoadedCollection, pair: StoryPair
) -> None:
    three, five = (asked(loaded, pair.trail.documents, replace(PROMPTED, n_agents=k)) for k in (3, 5))
    assert len({question.question_id for question in (*three, *five)}) == 3 + 5 - 1
    # The first agent has the lowest temperature whatever K is, so it is not asked again.
    assert three[0] == five[0]
    for agents in (three, five):
        assert [q.temperature for q in agents] == [agent_temperature(a, len(agents)) for a in range(len(agents))]
        assert len({question.seed for question in agents}) == len(agents)


def test_another_order_or_another_title_asks_other_questions(loaded: LoadedCollection, pair: StoryPair) -> None:
    documents = pair.trail.documents
    first = ids(loaded, documents)
    assert first.isdisjoint(ids(loaded, documents[::-1]))
    assert first.isdisjoint(ids(loaded, documents[:-1]))
    assert first.isdisjoint(ids(loaded, (*documents[:-1], replace(documents[-1], title="Another headline"))))
    assert first.isdisjoint(ids(loaded, (*documents[:-1], replace(documents[-1], document_id="another"))))
    # What the judge is not shown makes no difference, and what it is shown does.
    longer = (*documents[:-1], replace(documents[-1], text="Another text."))
    later = (*documents[:-1], replace(documents[-1], date=dt.date(2031, 1, 1), date_text="2031-01-01"))
    assert first == ids(loaded, longer) == ids(loaded, later)
    cases: tuple[tuple[Shown, tuple[Document, ...]], ...] = (("leads", longer), ("dates", later))
    for seen, changed in cases:
        seat = replace(PROMPTED, shown=seen)
        assert ids(loaded, documents, seat).isdisjoint(ids(loaded, changed, seat))


def test_another_noun_asks_a_prompted_judge_other_questions(loaded: LoadedCollection, pair: StoryPair) -> None:
    renamed = replace(loaded, collection=replace(loaded.collection, noun="speeches"))
    documents = pair.trail.documents
    assert ids(loaded, documents).isdisjoint(ids(renamed, documents))
    assert ids(loaded, documents, lexical_seat(loaded)) == ids(renamed, documents, lexical_seat(loaded))


def test_neither_the_other_story_nor_the_collections_name_makes_another_question(
    loaded: LoadedCollection, pair: StoryPair
) -> None:
    trail, start = pair.trail.documents, loaded.documents[:4]
    renamed = replace(loaded, collection=replace(loaded.collection, name="hamlets", title="The hamlets"))
    cases = [(loaded, stories_of(pair)), (loaded, (trail, start)), (renamed, (start, trail)), (renamed, (trail,))]
    found = []
    for seed, (whose, stories) in enumerate(cases):
        asks = plan(whose, stories, PANEL, rng=np.random.default_rng(seed))
        found.append({ask.question for ask in asks if ask.question.story_hash == story_hash(trail)})
    assert len(found[0]) == 7
    assert all(others == found[0] for others in found)


def asked(loaded: LoadedCollection, documents: tuple[Document, ...], seat: Seat = PROMPTED) -> tuple[Question, ...]:
    return questions(seat, shown_story(documents, seat, loaded.collection.noun))


def ids(loaded: LoadedCollection, documents: tuple[Document, ...], seat: Seat = PROMPTED) -> set[str]:
    return {question.question_id for question in asked(loaded, documents, seat)}


def test_random_chronologies_are_always_the_same_and_of_three_to_eight_documents(loaded: LoadedCollection) -> None:
    drawn = random_chronologies(loaded)
    assert drawn == random_chronologies(loaded)
    assert len(drawn) == N_RANDOM
    assert random_chronologies(loaded, 10) == drawn[:10]
    lengths = Counter(len(story) for story in drawn)
    assert set(lengths) <= set(range(2, 9))
    assert {3, 8} <= set(lengths)
    assert len({story[0].document_id for story in drawn}) > 5


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 400), min_size=2, max_size=14), st.integers(0, 3))
def test_random_chronologies_run_forward_in_time_through_dated_documents_between_their_ends(
    days: list[int], n_undated: int
) -> None:
    loaded = build_collection((*sorted(days), *[None] * n_undated), floor=0.0, median_link=0.5)
    for story in random_chronologies(loaded, 12):
        dates = [document.date for document in story]
        assert None not in dates
        assert dates == sorted(date for date in dates if date is not None)
        assert len({document.document_id for document in story}) == len(story)
        between = sum(
            document.date is not None and dates[0] <= document.date <= dates[-1] for document in loaded.documents
        )
        assert 2 <= len(story) <= min(8, between)
        assert len(story) >= min(3, between)


@pytest.mark.parametrize(
    ("days", "lengths"),
    [
        ((None, None, None), set()),
        ((5, None, None), set()),
        ((5, 9, None), {2}),
        ((5, 9, 12, None), {2, 3}),
        ((5, 5, 5), {3}),
    ],
)
def test_a_collection_with_few_dates_has_short_random_chronologies_or_none(
    days: tuple[int | None, ...], lengths: set[int]
) -> None:
    loaded = build_collection(days, floor=0.0, median_link=0.5)
    assert {len(story) for story in random_chronologies(loaded)} == lengths
    asks = random_asks(loaded, [flow_seat(FakeScorer(), loaded)])
    assert len({ask.question.question_id for ask in asks}) == len(asks)
    assert bool(asks) == bool(lengths)


def test_only_reading_flow_reads_random_chronologies_and_after_the_rest(loaded: LoadedCollection) -> None:
    assert random_asks(loaded, PANEL[:3]) == ()
    asks = random_asks(loaded, PANEL, after=14)
    assert {ask.question.judge for ask in asks} == {"flow"}
    assert [ask.place for ask in asks] == list(range(14, 14 + len(asks)))
    assert asks == random_asks(loaded, PANEL, after=14)
    told = {story_hash(story) for story in random_chronologies(loaded)}
    assert {ask.question.story_hash for ask in asks} == told
