"""Whether what is to be saved as a run belongs together."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Seat
from narrative_core.runs import RunStory
from narrative_core.store.run_rows import RunQuestion


def require_labels(seats: Sequence[Seat], labels: Sequence[str]) -> None:
    """Raise `InvalidInput` unless each seat has a label that no other one has."""
    if len(labels) != len(seats) or len(set(labels)) != len(labels):
        msg = f"A run needs one label a judge, no two the same; got {list(labels)} for {len(seats)} judges. Name each."
        raise InvalidInput(msg)


def require_stories(stories: Sequence[RunStory]) -> None:
    """Raise `InvalidInput` unless each pair and way of making is there once and every story has a link."""
    if repeated := _repeated((story.pair, story.made) for story in stories):
        msg = f"A run has one story a pair and way of making; {repeated} repeats. Leave one of the two out."
        raise InvalidInput(msg)
    for story in stories:
        if not story.strengths:
            msg = f"A story of a run has at least one link; {(story.pair, story.made)} has none. Leave it out."
            raise InvalidInput(msg)


def require_questions(questions: Sequence[RunQuestion], stories: Sequence[RunStory], seats: Sequence[Seat]) -> None:
    """Raise `InvalidInput` unless each question is about one of the stories, to an agent of a seat, and there once."""
    told = {(story.pair, story.made) for story in stories}
    for one in questions:
        is_to_seat = 0 <= one.seat < len(seats) and 0 <= one.agent < seats[one.seat].n_agents
        if not is_to_seat or (one.pair, one.made) not in told:
            msg = f"A question is about a story of the run, to an agent of one of its judges; got {one}. Leave it out."
            raise InvalidInput(msg)
    if repeated := _repeated((one.pair, one.made, one.seat, one.agent) for one in questions):
        msg = f"Each agent is asked once about a story; {repeated} repeats. Leave one of the two out."
        raise InvalidInput(msg)


def _repeated(keys: Iterable[Hashable]) -> Hashable | None:
    """Return a key that occurs more than once, ``None`` where none does."""
    return next((key for key, n in Counter(keys).items() if n > 1), None)
