"""A saved story as JSON: everything that is needed to ask for it again and to check what was shown."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Final

from narrative_core.judgements import Judgement, Verdict
from narrative_core.records import Document, Link, SavedStory, Story, StoryKind, StoryPair, TrailRequest
from narrative_core.reports.judge_facts import judgement_facts, verdict_facts
from narrative_core.reports.judged_pairs import judged_pairs
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_date,
    price_sentence,
    weakest_link_sentence,
)
from narrative_core.reports.wish_lines import NO_NAMES, Names, told_wishes

FORMAT_VERSION: Final = 2
"""2 has the version, notes, copies, warnings and wishes of a story; all keys of 1 mean what they meant."""

_Json = dict[str, object]


def story_json(
    saved: SavedStory,
    *,
    settings: Mapping[str, str] | None = None,
    verdicts: Sequence[Verdict] = (),
    warnings: Sequence[str] = (),
    names: Names = NO_NAMES,
) -> str:
    """Return the story as indented JSON with its keys always in the same order.

    What is not known (nan) is ``null``. Documents are given without their text, which may not be the reader's to pass
    on; ``text_sha256`` tells whether a text at hand is the one that was read. Where judges were asked, ``judges`` says
    what each gives both stories and ``judgements`` what each agent does. Their raw replies are in the
    ``judgements.jsonl`` of an exported collection; ``reply_sha256`` tells which one is meant.

    Parameters
    ----------
    saved : SavedStory
    settings : mapping, optional
        Further provenance that the story does not carry (embedding model, landscape settings), name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one there are no keys for it.
    warnings : sequence of str
        What an editor should look at, in sentences.
    names : Names
        Titles and topics that the wishes name.
    """
    annotations = saved.annotations
    value: _Json = {
        "format": "throughline-story",
        "format_version": FORMAT_VERSION,
        "story_id": saved.story_id,
        "name": saved.name,
        "note": saved.note,
        "collection": saved.collection,
        "landscape_id": saved.landscape_id,
        "created_at": saved.created_at,
        "family_id": saved.family_id,
        "version": saved.version,
        "is_edited": saved.pair.request.is_edited,
        "settings": dict(settings or {}),
        "request": _request(saved.pair.request),
        "sentences": _sentences(saved.pair, names),
        "warnings": list(warnings),
        "document_notes": dict(annotations.document_notes),
        "link_notes": [
            {"source": source, "target": target, "note": note}
            for (source, target), note in annotations.link_notes.items()
        ],
        "copies": dict(annotations.copies),
        "trail": _story(saved.pair.trail),
        "baseline": _story(saved.pair.baseline),
        "comparison": _comparison(saved.pair),
        **_judges(verdicts),
    }
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _request(request: TrailRequest) -> _Json:
    return {
        "source": request.source,
        "target": request.target,
        "via": list(request.via),
        "avoid": list(request.avoid),
        "maximum_gap_days": request.maximum_gap_days,
        "maximum_length": request.maximum_length,
        "is_chronological": request.is_chronological,
        "avoid_sources": list(request.avoid_sources),
        "avoid_topics": list(request.avoid_topics),
        "by_hand": list(request.by_hand),
    }


def _sentences(pair: StoryPair, names: Names) -> _Json:
    return {
        "counts": counts_sentence(pair.trail),
        "comparison": comparison_sentence(pair),
        "weakest_link": weakest_link_sentence(pair.trail),
        "price": price_sentence(pair),
        "wishes": list(told_wishes(pair, names)),
    }


def _comparison(pair: StoryPair) -> _Json:
    return {
        "drawn": pair.drawn,
        "beaten": pair.beaten,
        "draw": pair.draw,
        "seed": pair.seed,
        "draw_bottlenecks": [_number(value) for value in pair.draw_bottlenecks],
        "median_link": _number(pair.median_link),
        "unconstrained_bottleneck": _number(pair.unconstrained_bottleneck),
        "curve": None
        if pair.curve is None
        else [{"length": point.length, "bottleneck": _number(point.bottleneck)} for point in pair.curve],
    }


def _story(story: Story) -> _Json:
    return {
        "kind": story.kind,
        "bottleneck": _number(story.bottleneck),
        "mean": _number(story.mean),
        "reliability": _number(story.reliability),
        "documents": [_document(document) for document in story.documents],
        "links": [_link(link) for link in story.links],
    }


def _document(document: Document) -> _Json:
    return {
        "document_id": document.document_id,
        "title": document.title,
        "date": document.date.isoformat() if document.date else None,
        "date_text": document.date_text,
        "date_precision": document.date_precision,
        "date_in_words": format_date(document),
        "source": document.source,
        "url": document.url,
        "extras": dict(sorted(document.extras.items())),
        "text_sha256": _sha256(document.text),
    }


def _link(link: Link) -> _Json:
    return {
        "source": link.source,
        "target": link.target,
        "coherence": _number(link.coherence),
        "wording_similarity": _number(link.wording_similarity),
        "topic_similarity": _number(link.topic_similarity),
        "days_between": link.days_between,
        "shared_terms": list(link.shared_terms),
        "is_weakest": link.is_weakest,
        "is_weak": link.is_weak,
    }


def _judges(verdicts: Sequence[Verdict]) -> _Json:
    said = [verdict for judged in judged_pairs(verdicts) for verdict in judged.verdicts]
    if not said:
        return {}
    return {
        "judges": [_verdict(verdict) for verdict in said],
        "judgements": [_judgement(verdict.kind, one) for verdict in said for one in verdict.judgements],
    }


def _verdict(verdict: Verdict) -> _Json:
    seat = verdict.seat
    return {
        **verdict_facts(verdict),
        "endpoint": seat.endpoint,
        "agents": seat.n_agents,
        "shown": seat.shown,
        "is_explained": seat.is_explained,
    }


def _judgement(kind: StoryKind, judgement: Judgement) -> _Json:
    return {
        "question_id": judgement.question.question_id,
        **judgement_facts(kind, judgement),
        "reasons": {criterion.name: criterion.reason for criterion in judgement.criteria if criterion.reason},
        "link_scores": [_number(score) for score in judgement.link_scores],
        "is_explained": judgement.is_explained,
        "is_repaired": judgement.is_repaired,
        "asked_at": judgement.asked_at,
        "reply_sha256": _sha256(judgement.reply) if judgement.reply else None,
    }


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
