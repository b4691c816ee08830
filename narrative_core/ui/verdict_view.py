"""What one judge says of a trail and of its random chronology, in full."""

import math
from collections.abc import Sequence

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.judge_scores import judge_scores
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, Judgement, Seat, Verdict
from narrative_core.records import Story, StoryPair
from narrative_core.reports.agreement_sentences import agreement_numbers, agreement_sentence
from narrative_core.reports.cost_sentences import use_words
from narrative_core.reports.judged_pairs import SHOWN_WORDS, seat_title
from narrative_core.reports.methods import format_moment
from narrative_core.reports.sentences import format_strength, quote_title
from narrative_core.reports.verdict_sentences import (
    agent_words,
    answers_words,
    criterion_title,
    dropped_sentences,
    format_score,
    measured_link_sentence,
    named_link_sentence,
    percentile_sentence,
    score_words,
    spoken_judgement,
    verdict_sentence,
)
from narrative_core.ui import frame
from narrative_core.ui.judging_work import is_endpoint_here, n_possible_random, seat_agreement, seat_key
from narrative_core.ui.words import html_text

HELP = {
    "scale": "From 1 to 10, the mean over the agents that gave a score; ± is their standard deviation.",
    "nats": "By how many nats per token the document before foretells a title better than other documents of the "
    "collection do, on average over the links. 0 is no better, 0.69 makes its words twice as likely.",
    "percentile": "Which share of random chronologies of this collection, with other ends, gets less.",
    "agreement": "How far the agents of this judge give the same story the same score.",
    "version": "Stands for the judge's rules and for what of the collection it measures against: another version may "
    "give other scores.",
    "prompt": "Stands for the wording of the question and the form of the answer: another wording has another one.",
}
_PLOT = {"displayModeBar": False, "scrollZoom": False}
_SIDES = {"trail": ("tl-trail", "●", "Trail"), "baseline": ("tl-chance", "○", "Random chronology")}
_SHORT_HASH = 10


def verdict_body(loaded: LoadedCollection, pair: StoryPair, trail: Verdict, baseline: Verdict) -> None:
    """Show what a seat says of both stories side by side, how far its agents agree, and what it took."""
    label = html_text(seat_title(trail.seat))
    st.html(f"<div><b>{label}</b> {html_text(verdict_sentence(trail, baseline))}.</div>")
    if trail.n_asked or baseline.n_asked:
        left, right = st.columns(2, gap="large")
        with left:
            _side(loaded, trail, pair.trail)
        with right:
            _side(loaded, baseline, pair.baseline)
    if trail.seat.n_agents > 1:
        _agreement(loaded, trail.seat)
    _account(trail, baseline)


def scores_figure(rows: Sequence[tuple[Seat, Verdict, Verdict]]) -> None:
    """Show the scores from 1 to 10 of all judges that were asked in one figure, where there are two or more."""
    on_points = [row for row in rows if row[0].judge != "flow" and (row[1].n_asked or row[2].n_asked)]
    if len(on_points) < 2:
        return
    said = [verdict for _, *pair in on_points for verdict in pair]
    figure = judge_scores(said, [seat_title(seat) for seat, _, _ in on_points], mode=frame.mode())
    with st.container(key="judge-scores"):
        st.plotly_chart(figure, theme=None, config=_PLOT, key="plot-judges")


def _side(loaded: LoadedCollection, verdict: Verdict, story: Story) -> None:
    side, mark, name = _SIDES[verdict.kind]
    is_flow = verdict.seat.judge == "flow"
    told = HELP["nats" if is_flow else "scale"]
    unit = "nats per token" if is_flow else f"of {HIGHEST_SCORE:g}"
    answers = answers_words(verdict) if verdict.seat.mode is not None and verdict.n_asked else ""
    beside = " · ".join(filter(None, [unit if verdict.n_ok else "", answers]))
    score = html_text(score_words(verdict))
    with st.container(gap="xsmall", key=f"verdict-{verdict.kind}-{seat_key(verdict.seat)}"):
        st.html(
            f"<div class='tl-head {side}'><span class='mark'>{mark}</span><span class='kind'>{name}</span></div>"
            f"<div title='{html_text(told)}'><span class='tl-score'>{score}</span> "
            f"<span class='tl-quiet'>{html_text(beside)}</span></div>"
        )
        percentile = percentile_sentence(verdict, n_possible=n_possible_random(loaded, verdict.seat))
        if percentile:
            st.html(f"<div class='tl-quiet' title='{html_text(HELP['percentile'])}'>{html_text(percentile)}</div>")
        if not verdict.n_asked:
            return
        _criteria(verdict, side)
        sentences = (named_link_sentence(verdict, story), measured_link_sentence(verdict, story))
        st.html("".join(f"<div class='tl-said' dir='auto'>{html_text(told)}</div>" for told in sentences if told))
        _explanation(verdict)
        _links(verdict, story)


def _criteria(verdict: Verdict, side: str) -> None:
    if not verdict.criteria:
        return
    if verdict.seat.judge == "flow":
        # Nats have no end, so no bar; the mean is the score, which stands above.
        weakest = html_text(format_score(verdict.criteria.get("minimum", math.nan), "flow"))
        st.html(f"<div class='tl-quiet'>weakest link <b>{weakest}</b></div>")
        return
    spoken = spoken_judgement(verdict)
    reasons = {criterion.name: criterion.reason for criterion in (spoken.criteria if spoken else ())}
    lines = [
        f"<div class='tl-criterion'><span>{html_text(criterion_title(name))}</span>"
        f"<div class='tl-bar {side}'><i style='width:{_share(score):.0f}%'></i></div>"
        f"<b>{html_text(format_score(score, verdict.seat.judge))}</b></div>"
        + (f"<div class='tl-quiet' dir='auto'>{html_text(reasons[name])}</div>" if reasons.get(name) else "")
        for name, score in verdict.criteria.items()
    ]
    st.html("".join(lines))


def _share(score: float) -> float:
    return 100 * min(1.0, max(0.0, (score - LOWEST_SCORE) / (HIGHEST_SCORE - LOWEST_SCORE)))


def _explanation(verdict: Verdict) -> None:
    spoken = spoken_judgement(verdict)
    is_one = len(verdict.judgements) == 1
    if spoken is None:
        first = verdict.judgements[0]
        _text(f"No score: {first.status}.", first.message)
    elif spoken.explanation:
        _text("" if is_one else f"The median agent, number {spoken.question.agent + 1}, says:", spoken.explanation)
    elif verdict.seat.judge != "flow":
        st.html(f"<div class='tl-quiet'>{_silence(verdict.seat)}</div>")
    if not is_one:
        with st.expander(f"All {len(verdict.judgements)} agents", type="compact", key=_inner("agents", verdict)):
            for judgement in sorted(verdict.judgements, key=lambda judgement: judgement.question.agent):
                _agent(judgement)


def _silence(seat: Seat) -> str:
    return "It gave no explanation." if seat.is_explained else "It was asked for the score alone, without explanation."


def _agent(judgement: Judgement) -> None:
    said = judgement.explanation if judgement.status == "ok" else judgement.message
    criteria = _criteria_words(judgement)
    st.html(
        f"<div class='tl-agent'><b>{html_text(agent_words(judgement))}</b>"
        f"<div class='tl-quiet'>{html_text(criteria)}</div>"
        f"<div class='tl-said' dir='auto'>{html_text(said)}</div></div>"
    )


def _criteria_words(judgement: Judgement) -> str:
    judge = judgement.question.judge
    return " · ".join(
        f"{criterion_title(found.name)} {format_score(found.score, judge)}" for found in judgement.criteria
    )


def _links(verdict: Verdict, story: Story) -> None:
    spoken = spoken_judgement(verdict)
    scores = spoken.link_scores if spoken else ()
    if len(scores) != len(story.links):
        return
    with st.expander("Link by link", type="compact", key=_inner("links", verdict)):
        unit = "nats" if verdict.seat.judge == "flow" else "score"
        lines = [f"<div class='tl-link tl-quiet'><span>{unit}</span><span>link</span><span>measured</span></div>"]
        lines += [
            f"<div class='tl-link'><b>{html_text(format_score(score, verdict.seat.judge))}</b>"
            f"<span dir='auto'>{html_text(quote_title(first))} → {html_text(quote_title(second))}</span>"
            f"<span class='tl-quiet'>strength {format_strength(link.coherence)}</span></div>"
            for score, link, first, second in zip(
                scores, story.links, story.documents[:-1], story.documents[1:], strict=True
            )
        ]
        st.html("".join(lines))


def _text(head: str, body: str) -> None:
    heading = f"<div class='tl-quiet'>{html_text(head)}</div>" if head else ""
    st.html(f"{heading}<div class='tl-said' dir='auto'>{html_text(body)}</div>")


def _agreement(loaded: LoadedCollection, seat: Seat) -> None:
    found = seat_agreement(loaded, seat)
    sentence = agreement_sentence(found)
    if not sentence:
        return
    numbers = " · ".join(
        f"<span title='{html_text(number.told)}'>{html_text(number.name)} <b>{html_text(number.value)}</b></span>"
        for number in agreement_numbers(found)
    )
    st.html(
        f"<div class='tl-said' title='{html_text(HELP['agreement'])}'>{html_text(sentence)}</div>"
        f"<div class='tl-quiet'>{numbers} · n = {'1 story' if found.n_used == 1 else f'{found.n_used:,} stories'}</div>"
    )


def _account(trail: Verdict, baseline: Verdict) -> None:
    """Say how it was asked and what it took: whatever a person needs to defend a number, or to ask again."""
    judgements = [*trail.judgements, *baseline.judgements]
    if not judgements:
        return
    seat, asked = trail.seat, judgements[0].question
    moments = sorted(judgement.asked_at for judgement in judgements if judgement.asked_at)
    if seat.mode is not None:
        wording = (
            f"<span title='{html_text(HELP['prompt'])}'>prompt {html_text(asked.prompt_hash[:_SHORT_HASH])}</span>"
        )
    else:
        # Reading flow's version is a hash, the lexical reader's a name and a hash.
        *name, version = asked.prompt_hash.rsplit(" ", 1)
        named = [*filter(None, [seat.model]), *name, f"version {version[:_SHORT_HASH]}"]
        wording = f"<span title='{html_text(HELP['version'])}'>{html_text(', '.join(named))}</span>"
    told = [html_text(use_words([trail, baseline])) if seat.judge != "lexical" else "no model, no cost"]
    told += [html_text(f"shown {SHOWN_WORDS[seat.shown]}"), wording]
    told += [html_text(f"asked {format_moment(moments[-1])}")] if moments else []
    remarks = [*dropped_sentences([trail, baseline])]
    if seat.judge == "openai" and not is_endpoint_here(seat):
        remarks.append(
            f"These are recorded answers of {seat.model} at {seat.endpoint}, shown as they came. It cannot be asked "
            "from here now."
        )
    lines = [*map(html_text, remarks), " · ".join(told)]
    st.html("".join(f"<div class='tl-quiet'>{line}</div>" for line in lines))


def _inner(part: str, verdict: Verdict) -> str:
    return f"{part}-{verdict.kind}-{seat_key(verdict.seat)}"
