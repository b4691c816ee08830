"""Saved stories, and the panels asked about them, as JSON objects and back; and the ids they get in another store."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import count, pairwise
from typing import Any, Final, get_args

from narrative_core.curation import Annotations
from narrative_core.curation_record import link_notes_json, read_link_notes
from narrative_core.desk import Desk, History
from narrative_core.desk_record import read_request, request_json
from narrative_core.document_record import document_json, read_document
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import AGAIN, Fields, null_from_unknown
from narrative_core.judgements import MOST_AGENTS, JudgeName, Mode, Seat, Shown
from narrative_core.records import CurvePoint, Link, SavedStory, Story, StoryKind, StoryPair
from narrative_core.store.panels import Panel

_LARGEST_SEED: Final = 2**128 - 1
_STORY: Final[dict[str, Any]] = {
    "family_id": "",
    "version": 1,
    "document_notes": {},
    "link_notes": [],
    "copies": {},
}


def saved_story_json(saved: SavedStory) -> dict[str, Any]:
    """Return a saved story as a JSON object with all that is needed to show it again; unknown numbers are null."""
    pair, beside = saved.pair, saved.annotations
    return {
        "story_id": saved.story_id,
        "name": saved.name,
        "note": saved.note,
        "landscape_id": saved.landscape_id,
        "created_at": saved.created_at,
        "family_id": saved.family_id,
        "version": saved.version,
        "document_notes": dict(beside.document_notes),
        "link_notes": link_notes_json(beside.link_notes),
        "copies": dict(beside.copies),
        "request": request_json(pair.request),
        "trail": _side_json(pair.trail),
        "baseline": _side_json(pair.baseline),
        "draw": pair.draw,
        "draw_bottlenecks": [null_from_unknown(value) for value in pair.draw_bottlenecks],
        "beaten": pair.beaten,
        "seed": pair.seed,
        "median_link": null_from_unknown(pair.median_link),
        "curve": None if pair.curve is None else [asdict(point) for point in pair.curve],
        "unconstrained_bottleneck": null_from_unknown(pair.unconstrained_bottleneck),
    }


def read_saved_story(told: Fields, collection: str) -> SavedStory:
    """Return the saved story of a JSON object as one of a collection.

    Raises
    ------
    InvalidInput
        If a value is not what it must be, or the story does not hang together.
    """
    told = told.over(_STORY)
    return SavedStory(
        story_id=told.text("story_id", is_blank_allowed=False),
        name=told.text("name"),
        note=told.text("note"),
        collection=collection,
        landscape_id=told.text("landscape_id"),
        created_at=told.text("created_at"),
        pair=_read_pair(told),
        family_id=told.text("family_id"),
        version=told.whole("version", least=1),
        annotations=Annotations(
            document_notes=told.texts_by_name("document_notes"),
            link_notes=read_link_notes(told),
            copies={name: told.inner("copies").whole(name) for name in told.inner("copies").told},
        ),
    )


def free_ids(stories: Sequence[SavedStory], taken: frozenset[str]) -> dict[str, str]:
    """Return ids that no other story has, by those that stories and their families come with.

    Parameters
    ----------
    stories : sequence of SavedStory
    taken : frozenset of str
        Ids of stories and families that are there. Where one is met, all get a number behind their ids.
    """
    ids = {story.story_id for story in stories} | {story.family_id for story in stories} - {""}
    if not ids & taken:
        return {old: old for old in ids}
    number = next(number for number in count(2) if not {f"{old}-{number}" for old in ids} & taken)
    return {old: f"{old}-{number}" for old in ids}


def story_under(story: SavedStory, ids: Mapping[str, str]) -> SavedStory:
    """Return a story under the ids of `free_ids`; versions of one story stay together."""
    return replace(story, story_id=ids[story.story_id], family_id=ids.get(story.family_id, ""))


def history_under(history: History, ids: Mapping[str, str]) -> History:
    """Return the history of a desk on which the stories lie under the ids of `free_ids`, at every step.

    The id of a story that did not come along, since it was deleted say, stays as it is.
    """

    def lies(desk: Desk) -> Desk:
        return replace(desk, story_id=ids.get(desk.story_id, desk.story_id))

    past, future = (
        tuple(replace(step, desk=lies(step.desk)) for step in steps) for steps in (history.past, history.future)
    )
    return History(lies(history.present), past, future)


def panel_json(panel: Panel) -> dict[str, Any]:
    """Return who was asked about a pair of stories as a JSON object."""
    return asdict(panel)


def read_panel(told: Fields) -> Panel:
    """Return the panel of a JSON object.

    Raises
    ------
    InvalidInput
        If a value is not what it must be.
    """
    return Panel(
        trail_hash=told.text("trail_hash"),
        baseline_hash=told.text("baseline_hash"),
        seats=tuple(map(_read_seat, told.inners("seats"))),
        question_ids=told.texts("question_ids"),
        asked_at=told.text("asked_at"),
    )


def _side_json(story: Story) -> dict[str, Any]:
    return {
        "bottleneck": null_from_unknown(story.bottleneck),
        "mean": null_from_unknown(story.mean),
        "reliability": null_from_unknown(story.reliability),
        "documents": [document_json(document) for document in story.documents],
        "links": [
            {
                **asdict(link),
                "coherence": null_from_unknown(link.coherence),
                "wording_similarity": null_from_unknown(link.wording_similarity),
                "topic_similarity": null_from_unknown(link.topic_similarity),
            }
            for link in story.links
        ],
    }


def _read_pair(told: Fields) -> StoryPair:
    draws = told.numbers("draw_bottlenecks")
    return StoryPair(
        request=read_request(told.inner("request")),
        trail=_read_side(told.inner("trail"), "trail"),
        baseline=_read_side(told.inner("baseline"), "baseline"),
        draw=told.whole("draw", most=max(len(draws) - 1, 0)),
        draw_bottlenecks=draws,
        beaten=told.whole("beaten", most=len(draws)),
        seed=told.whole("seed", most=_LARGEST_SEED),
        median_link=told.number("median_link", is_null_allowed=True),
        curve=None if told.is_null("curve") else tuple(map(_read_point, told.inners("curve"))),
        unconstrained_bottleneck=told.number("unconstrained_bottleneck", is_null_allowed=True),
    )


def _read_side(told: Fields, kind: StoryKind) -> Story:
    documents, links = tuple(map(read_document, told.inners("documents"))), tuple(map(_read_link, told.inners("links")))
    ids = [document.document_id for document in documents]
    if [(link.source, link.target) for link in links] != list(pairwise(ids)) or len(ids) < 2:
        raise InvalidInput(f"{told.where} must have two documents or more and a link from each to the next. {AGAIN}")
    if not any(link.is_weakest for link in links):
        raise InvalidInput(f"{told.where} must say which link is the weakest. {AGAIN}")
    measures = {name: told.number(name, is_null_allowed=True) for name in ("bottleneck", "mean", "reliability")}
    return Story(kind, documents, links, **measures)


def _read_link(told: Fields) -> Link:
    return Link(
        source=told.text("source"),
        target=told.text("target"),
        coherence=told.number("coherence", is_null_allowed=True),
        wording_similarity=told.number("wording_similarity", is_null_allowed=True),
        topic_similarity=told.number("topic_similarity", is_null_allowed=True),
        days_between=None if told.is_null("days_between") else told.whole("days_between", least=-(2**31)),
        shared_terms=told.texts("shared_terms"),
        is_weakest=told.flag("is_weakest"),
        is_weak=told.flag("is_weak"),
    )


def _read_point(told: Fields) -> CurvePoint:
    return CurvePoint(told.whole("length"), told.number("bottleneck"))


def _read_seat(told: Fields) -> Seat:
    mode: Mode | None = None if told.is_null("mode") else told.choice("mode", get_args(Mode))
    judge: JudgeName = told.choice("judge", get_args(JudgeName))
    shown: Shown = told.choice("shown", get_args(Shown))
    return Seat(
        judge,
        told.text("model"),
        told.text("endpoint"),
        mode,
        told.whole("n_agents", least=1, most=MOST_AGENTS),
        shown,
        told.flag("is_explained"),
        told.text("version"),
    )
