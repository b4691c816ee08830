"""When there is no trail: which case it is, in a sentence, and the nearest requests that have one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.extraction import LoadedCollection, neighbours
from narrative_core.records import Document, TrailRequest
from narrative_core.reports.sentences import format_list, request_wishes
from narrative_core.trails.capacity import reach
from narrative_core.wishes import request_graph, requested_trail


@dataclass(frozen=True, slots=True)
class Remedy:
    """One click that leads to a trail: what the button says, and the request behind it."""

    label: str
    request: TrailRequest


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request has no trail, in one sentence, and what can be done; the nearest remedy first."""

    sentence: str
    remedies: tuple[Remedy, ...]


def refuse(loaded: LoadedCollection, request: TrailRequest, problem: NoTrail) -> Refusal:
    """Return the sentence and the remedies for a request that failed with ``problem``.

    Every remedy offered has been tried and has a trail.
    """
    sentence, proposals = _CASES[problem.reason]
    proposed = [*proposals(loaded, request), *lift_all(request)]
    remedies: dict[TrailRequest, Remedy] = {}
    for remedy in proposed:
        if remedy.request not in remedies and _has_trail(loaded, remedy.request):
            remedies[remedy.request] = remedy
    # A search that pins or a length made fail says itself which of them it was.
    is_told = problem.reason is NoTrailReason.NO_PATH and (request.via or request.maximum_length is not None)
    return Refusal(str(problem) if is_told else sentence(loaded, request), tuple(remedies.values()))


def _same_sentence(loaded: LoadedCollection, request: TrailRequest) -> str:
    return f"Both ends are the same document, “{_title(loaded, request.source)}”. A trail needs two."


def _same_remedies(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    for document, _ in neighbours(loaded, request.source, limit=40):
        if _later(loaded, request.source, document):
            yield Remedy(
                f"End at its closest later document, “{_short(document.title)}”", _ends(request, target=document)
            )
            return


def _reversed_sentence(loaded: LoadedCollection, request: TrailRequest) -> str:
    start, end = _document(loaded, request.source), _document(loaded, request.target)
    later, earlier = (f"“{_short(document.title, 90)}” ({document.date_text})" for document in (start, end))
    return f"{later} is later than {earlier}, and a trail runs forward in time."


def _reversed_remedies(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    yield Remedy("Swap the two", replace(request, source=request.target, target=request.source))
    yield _any_order(request)


def _undated_sentence(loaded: LoadedCollection, request: TrailRequest) -> str:
    titles = [_title(loaded, end) for end in (request.source, request.target) if _document(loaded, end).date is None]
    names = " and ".join(f"“{title}”" for title in titles)
    return f"{names} {'has' if len(titles) == 1 else 'have'} no date, so no place in a chronology."


def _undated_remedies(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    for end in ("source", "target"):
        document_id = request.source if end == "source" else request.target
        if _document(loaded, document_id).date is not None:
            continue
        for document, _ in neighbours(loaded, document_id, limit=40):
            nearest = _ends(request, **{end: document})
            if document.date is not None and _has_trail(loaded, nearest):
                verb = "Start" if end == "source" else "End"
                yield Remedy(f"{verb} at its closest dated document, “{_short(document.title)}”", nearest)
                break
    yield _any_order(request)


def _barred_sentence(loaded: LoadedCollection, request: TrailRequest) -> str:
    barred = next(end for end in (request.source, request.target, *request.via) if end in request.avoid)
    return f"“{_title(loaded, barred)}” is an end or a pin of the trail and also among the documents to avoid."


def _barred_remedies(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    wanted = {request.source, request.target, *request.via}
    avoid = tuple(document_id for document_id in request.avoid if document_id not in wanted)
    yield Remedy("Stop avoiding it", replace(request, avoid=avoid))


def _no_path_sentence(loaded: LoadedCollection, request: TrailRequest) -> str:
    start, end = _title(loaded, request.source), _title(loaded, request.target)
    if _conditions(loaded, request) and _has_trail(loaded, _free(request)):
        wishes = format_list(request_wishes(request))
        return f"No chain leads from “{start}” to “{end}” when {wishes}; without that one does."
    floor = f"{loaded.landscape.critical_coherence:.2f}"
    return f"No chain leads from “{start}” to “{end}”: every way breaks at a link weaker than {floor}."


def _no_path_remedies(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    for label, relaxed in _conditions(loaded, request):
        yield Remedy(label, relaxed)
    if request.is_chronological:
        yield from _nearest_reachable(loaded, request)
        yield _any_order(request)


def _nearest_reachable(loaded: LoadedCollection, request: TrailRequest) -> Iterator[Remedy]:
    """Offer, in place of the target, the document most like it among those that the source reaches."""
    if request.via:
        return
    source, target = loaded.rows([request.source, request.target])
    likeness = replace(loaded.graph, days=None, floor=0.0).links_from(target)
    likeness[~np.isfinite(reach(request_graph(loaded, request), source))] = -np.inf
    likeness[source] = -np.inf
    nearest = int(np.argmax(likeness))
    if np.isfinite(likeness[nearest]):
        document = loaded.documents[nearest]
        label = f"End at “{_short(document.title)}”, the closest document that can be reached"
        yield Remedy(label, replace(request, target=document.document_id, maximum_length=None))


_CASES: dict[
    NoTrailReason,
    tuple[
        Callable[[LoadedCollection, TrailRequest], str], Callable[[LoadedCollection, TrailRequest], Iterator[Remedy]]
    ],
] = {
    NoTrailReason.SAME_DOCUMENT: (_same_sentence, _same_remedies),
    NoTrailReason.REVERSED: (_reversed_sentence, _reversed_remedies),
    NoTrailReason.UNDATED: (_undated_sentence, _undated_remedies),
    NoTrailReason.BARRED: (_barred_sentence, _barred_remedies),
    NoTrailReason.NO_PATH: (_no_path_sentence, _no_path_remedies),
}


def _conditions(loaded: LoadedCollection, request: TrailRequest) -> list[tuple[str, TrailRequest]]:
    """Return each condition that was set, as the button that lifts it alone."""
    lifted = [("Go back to the found trail", replace(request, by_hand=()))] if request.by_hand else []
    if request.maximum_gap_days is not None:
        lifted.append(("Lift the limit on the gap", replace(request, maximum_gap_days=None)))
    if request.maximum_length is not None:
        lifted.append(("Lift the limit on the length", replace(request, maximum_length=None)))
    if request.via:
        lifted.append(("Remove the pins", replace(request, via=())))
    if request.avoid:
        lifted.append(("Allow all documents again", replace(request, avoid=())))
    for source in request.avoid_sources:
        others = tuple(other for other in request.avoid_sources if other != source)
        lifted.append((f"Allow the source “{_short(source)}”", replace(request, avoid_sources=others)))
    labels = {topic.topic: topic.label for topic in loaded.landscape.topics}
    for topic in request.avoid_topics:
        rest = tuple(other for other in request.avoid_topics if other != topic)
        name = f"“{_short(labels[topic])}”" if topic in labels else f"{topic}"
        lifted.append((f"Allow the topic {name}", replace(request, avoid_topics=rest)))
    return lifted


def lift_all(request: TrailRequest) -> tuple[Remedy, ...]:
    """Return the remedy that keeps the endpoints and drops every condition, none where there is no condition.

    Of a story made by hand that is the trail that is found, and before it the one that keeps the other conditions.
    """
    free, found = _free(request), replace(request, by_hand=())
    remedies = [Remedy("Go back to the found trail", found)] if request.by_hand else []
    return (*remedies, *([Remedy("Lift all conditions", free)] if found != free else []))


def _has_trail(loaded: LoadedCollection, request: TrailRequest) -> bool:
    try:
        requested_trail(loaded, request_graph(loaded, request), request)
    except (NoTrail, InvalidInput):  # invalid: the new end is pinned already
        return False
    return True


def _free(request: TrailRequest) -> TrailRequest:
    return TrailRequest(request.source, request.target, is_chronological=request.is_chronological)


def _any_order(request: TrailRequest) -> Remedy:
    return Remedy("Ignore the order in time", replace(request, is_chronological=False, maximum_gap_days=None))


def _ends(request: TrailRequest, *, source: Document | None = None, target: Document | None = None) -> TrailRequest:
    return replace(
        request,
        source=source.document_id if source else request.source,
        target=target.document_id if target else request.target,
    )


def _document(loaded: LoadedCollection, document_id: str) -> Document:
    return loaded.documents[loaded.row_of[document_id]]


def _title(loaded: LoadedCollection, document_id: str) -> str:
    return _short(_document(loaded, document_id).title, 90)


def _short(title: str, length: int = 60) -> str:
    return title if len(title) <= length else title[: length - 1].rstrip() + "…"


def _later(loaded: LoadedCollection, document_id: str, other: Document) -> bool:
    date = _document(loaded, document_id).date
    return date is not None and other.date is not None and other.date >= date
