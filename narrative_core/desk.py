"""What lies on a person's desk while a story is worked on, and the way back to what lay there before."""

from dataclasses import dataclass, field, replace
from typing import Final

from narrative_core.curation import Curation, with_changes
from narrative_core.records import TrailRequest

MOST_STEPS: Final = 200
"""Steps that can be taken back; the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Desk:
    """All that can be changed by hand and taken back, as one value.

    ``request`` what the trail is asked for, ``None`` before any · ``note`` on the story · ``selection`` documents that
    were marked on the map or in a list, by id · ``curation`` of the collection · ``story_id`` the saved story that is
    being worked on, empty where it is a new one · ``map_fitted_at`` when the map was fitted that the topic numbers in
    the request are of: an update of the collection keeps it, another build does not. Empty: the present map.
    """

    request: TrailRequest | None = None
    note: str = ""
    selection: tuple[str, ...] = ()
    curation: Curation = field(default_factory=Curation)
    story_id: str = ""
    map_fitted_at: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A desk as it lay before a change, or before the change was taken back, and the change in words."""

    desk: Desk
    words: str


@dataclass(frozen=True, slots=True)
class History:
    """The present desk, the steps that led to it (the latest last), and those taken back (the next one last).

    Examples
    --------
    >>> begun = History(Desk())
    >>> noted = begun.changed(Desk(note="Check the date."), "Note on the story")
    >>> noted.undone().present == begun.present, noted.undone().redone().present == noted.present
    (True, True)
    >>> noted.undo_words
    'Note on the story'
    """

    present: Desk = field(default_factory=Desk)
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()

    @property
    def undo_words(self) -> str:
        """The change that `undone` takes back, empty where there is none."""
        return self.past[-1].words if self.past else ""

    @property
    def redo_words(self) -> str:
        """The change that `redone` makes again, empty where there is none."""
        return self.future[-1].words if self.future else ""

    def changed(self, desk: Desk, words: str) -> "History":
        """Return the history after a change; what was taken back is forgotten. A change of nothing is none."""
        if desk == self.present:
            return self
        return History(desk, (*self.past, Step(self.present, words))[-MOST_STEPS:])

    def undone(self) -> "History":
        """Return the history with the last change taken back; itself where there is none."""
        if not self.past:
            return self
        last = self.past[-1]
        return History(last.desk, self.past[:-1], (*self.future, Step(self.present, last.words)))

    def redone(self) -> "History":
        """Return the history with the change that was taken back last made again; itself where there is none."""
        if not self.future:
            return self
        back = self.future[-1]
        return History(back.desk, (*self.past, Step(self.present, back.words)), self.future[:-1])

    def over(self, curation: Curation) -> "History":
        """Return the history over decisions that were made elsewhere, in another window say.

        What they changed is changed in every step too, so that no undo takes it back and no redo overrules it; steps
        that change nothing any more are left out.
        """
        before = self.present.curation
        if curation == before:
            return self
        told: list[tuple[Curation, Curation]] = []

        def carried(desk: Desk) -> Desk:
            # Neighbours mostly share their curation, so it is worked out once for all of them.
            if not told or told[-1][0] is not desk.curation:
                told.append((desk.curation, with_changes(desk.curation, before=before, after=curation)))
            return replace(desk, curation=told[-1][1])

        present = replace(self.present, curation=curation)
        past, future = (
            tuple(Step(carried(step.desk), step.words) for step in steps) for steps in (self.past, self.future)
        )
        return History(present, _telling(past, present), _telling(future, present))

    def saved_as(self, story_id: str) -> "History":
        """Return the history once its story was saved as a new one: the states that led to it are that story too.

        Who goes back to one of them and saves it makes another version, and no second story.
        """
        past = list(self.past)
        for number in reversed(range(len(past))):
            step = past[number]
            if step.desk.story_id or endpoints(step.desk.request) != endpoints(self.present.request):
                break
            past[number] = Step(replace(step.desk, story_id=story_id), step.words)
        present = replace(self.present, story_id=story_id)
        return replace(self, present=present, past=_telling(tuple(past), present))

    def with_present(self, **changes: object) -> "History":
        """Return the history with parts of the present desk replaced, as no step of its own."""
        return replace(self, present=replace(self.present, **changes))  # type: ignore[arg-type]


def _telling(steps: tuple[Step, ...], present: Desk) -> tuple[Step, ...]:
    """Return the steps, the one next to the present last, without those whose desk is that of the next."""
    nexts = [*(step.desk for step in steps[1:]), present]
    return tuple(step for step, following in zip(steps, nexts, strict=False) if step.desk != following)


def endpoints(request: TrailRequest | None) -> tuple[str, str] | None:
    """Return the endpoints of a request, by id: a story between others is another story."""
    return None if request is None else (request.source, request.target)
