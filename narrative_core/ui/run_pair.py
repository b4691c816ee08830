"""Both stories of a pair of a run, as they are read, and what each judge gave them."""

import math
from collections.abc import Mapping, Sequence

import streamlit as st

from narrative_core.figures.run_marks import made_name
from narrative_core.judgements import Judgement, Seat, Verdict
from narrative_core.judging.verdicts import sum_up
from narrative_core.records import Document, Link, Story
from narrative_core.reports.judged_pairs import NATS
from narrative_core.reports.sentences import (
    counts_sentence,
    format_date,
    format_strength,
    format_title,
    gap_between,
    weak_label,
)
from narrative_core.reports.verdict_sentences import (
    agent_words,
    answers_words,
    criterion_title,
    format_score,
    measured_link_sentence,
    named_link_sentence,
    score_words,
    spoken_judgement,
)
from narrative_core.runs import METRIC_WORDS, Made, Metric, RunStory, RunTable
from narrative_core.store.runs import load_run_questions, run_judgements
from narrative_core.ui import resources
from narrative_core.ui.run_documents import documents_of, told_story
from narrative_core.ui.words import clamp, html_text, markdown_text

MARKS: Mapping[Made, str] = {"trail": "●", "baseline": "○"}
LONGEST_LEAD = 600
NEVER_ASKED = "not asked"
_TOLD: tuple[Metric, ...] = ("minimum", "average", "efficiency", "weak share")


def side_of(made: Made) -> str:
    """Return the class of a story's marks: trails and what is made of them are blue, chance is orange."""
    return "tl-trail" if made == "trail" else "tl-chance"


def pair_story(table: RunTable, story: RunStory) -> None:
    """Show a story as dated headlines with the strength of each link between them; a headline opens its text."""
    told = told_story(story, documents_of(table.run.settings.collection))
    side = side_of(story.made)
    steps = "".join(
        _headline(told, step) + (_link(told, step, side, table.run.median_link) if step < len(told.links) else "")
        for step in range(len(told.documents))
    )
    st.html(
        f"<div class='tl-head {side}'><span class='mark'>{MARKS.get(story.made, '◇')}</span>"
        f"<span class='kind'>{html_text(made_name(story.made))}</span>"
        f"<span class='tl-quiet'>{html_text(counts_sentence(told))}</span></div>"
        f"<div class='tl-quiet'>{_numbers(story)}</div><div class='tl-pair-story'>{steps}</div>"
    )


def pair_judges(table: RunTable, pair: int, stories: Mapping[Made, RunStory], shown: Sequence[Made]) -> None:
    """Show what each judge of the run gave the stories on show, a line a judge that opens to its reasons.

    Parameters
    ----------
    table : RunTable
    pair : int
    stories : mapping of Made to RunStory
        Those of the pair.
    shown : sequence of Made
        Those on show, one or two.
    """
    if not table.seats:
        st.caption("No judge was asked in this run.")
        return
    given: dict[tuple[int, Made], list[Judgement]] = {}
    for asked, judgement in run_judgements(resources.database(), table.run.run_id, pair):
        given.setdefault((asked.seat, asked.made), []).append(judgement)
    st.html("<div class='tl-head'><span class='kind'>What the judges gave</span></div>")
    documents = documents_of(table.run.settings.collection)
    never = _never_asked(table, pair, given, shown)
    for number, scores in enumerate(table.seats):
        verdicts = {made: _verdict(scores.seat, made, given.get((number, made), [])) for made in shown}
        told = [_given(made, one, is_asked=(number, made) not in never) for made, one in verdicts.items()]
        label = f"**{markdown_text(scores.label)}** {' '.join(told)}"
        with st.expander(label, type="compact", key=f"said-in-run-{number}"):
            for column, (made, verdict) in zip(st.columns(2, gap="large"), verdicts.items(), strict=False):
                with column:
                    is_asked = (number, made) not in never
                    _verdict_side(verdict, made, told_story(stories[made], documents), is_asked=is_asked)


def _never_asked(
    table: RunTable, pair: int, given: Mapping[tuple[int, Made], object], shown: Sequence[Made]
) -> set[tuple[int, Made]]:
    """Return which judges have no question about which story: in a sanity run most wordings skip damaged ones."""
    silent = {(number, made) for number in range(len(table.seats)) for made in shown} - set(given)
    if not silent:
        return silent
    questions = load_run_questions(resources.database(), table.run.run_id)
    return silent - {(asked.seat, asked.made) for asked in questions if asked.pair == pair}


def _numbers(story: RunStory) -> str:
    parts = [f"{METRIC_WORDS[name]} <b>{format_strength(story.metrics[name])}</b>" for name in _TOLD]
    if math.isfinite(story.span_days):
        parts.append(f"<b>{story.span_days:,.0f}</b> days")
    return " · ".join(parts)


def _headline(story: Story, step: int) -> str:
    document = story.documents[step]
    letter = "A" if step == 0 else "B" if step == len(story.documents) - 1 else ""
    badge = f"<b>{letter}</b>" if letter else ""
    source = f" · {html_text(clamp(document.source, 40))}" if document.source else ""
    title = f"<span dir='auto' class='tl-title'>{html_text(clamp(format_title(document), 160))}</span>"
    return f"<div class='tl-date'>{badge}{html_text(format_date(document))}{source}</div>{_opened(document, title)}"


def _opened(document: Document, title: str) -> str:
    """Return a headline that opens to the beginning of its text, where it has one."""
    lead = clamp(document.text, LONGEST_LEAD)
    if not lead:
        return f"<div>{title}</div>"
    return f"<details><summary>{title}</summary><div class='tl-said' dir='auto'>{html_text(lead)}</div></details>"


def _link(story: Story, step: int, side: str, median_link: float) -> str:
    link: Link = story.links[step]
    label = weak_label(link, is_only=len(story.links) == 1, median_link=median_link)
    told = [format_strength(link.coherence), label, gap_between(story.documents[step], story.documents[step + 1])]
    return (
        f"<div class='tl-between {side}'><div class='tl-bar {side}'><i style='width:{100 * link.coherence:.0f}%'></i>"
        f"</div><div class='tl-quiet'>{html_text(' · '.join(filter(None, told)))}</div></div>"
    )


def _verdict(seat: Seat, made: Made, judgements: Sequence[Judgement]) -> Verdict:
    return sum_up(seat, "baseline" if made == "baseline" else "trail", judgements)


def _given(made: Made, verdict: Verdict, *, is_asked: bool) -> str:
    words = score_words(verdict) if is_asked else NEVER_ASKED
    unit = f" {NATS}" if verdict.seat.judge == "flow" and verdict.n_ok else ""
    colour = "blue" if made == "trail" else "orange"
    return f":{colour}[{MARKS.get(made, '◇')} {markdown_text(made_name(made))} {markdown_text(words)}{unit}]"


def _verdict_side(verdict: Verdict, made: Made, story: Story, *, is_asked: bool) -> None:
    side = side_of(made)
    answers = answers_words(verdict) if verdict.n_asked else ""
    words = score_words(verdict) if is_asked else NEVER_ASKED
    st.html(
        f"<div class='tl-head {side}'><span class='mark'>{MARKS.get(made, '◇')}</span>"
        f"<span class='kind'>{html_text(made_name(made))}</span></div>"
        f"<div><span class='tl-score'>{html_text(words)}</span> "
        f"<span class='tl-quiet'>{html_text(answers)}</span></div>"
    )
    if not verdict.n_asked:
        return
    sentences = [named_link_sentence(verdict, story), measured_link_sentence(verdict, story)]
    spoken = spoken_judgement(verdict)
    is_one = len(verdict.judgements) == 1 and spoken is not None
    if is_one and spoken is not None:
        sentences.append(spoken.explanation)
    st.html("".join(f"<div class='tl-said' dir='auto'>{html_text(told)}</div>" for told in sentences if told))
    if not is_one:
        st.html("".join(_agent(judgement) for judgement in sorted(verdict.judgements, key=_place)))


def _place(judgement: Judgement) -> int:
    return judgement.question.agent


def _agent(judgement: Judgement) -> str:
    said = judgement.explanation if judgement.status == "ok" else judgement.message
    judge = judgement.question.judge
    criteria = " · ".join(
        f"{criterion_title(found.name)} {format_score(found.score, judge)}" for found in judgement.criteria
    )
    return (
        f"<div class='tl-agent'><b>{html_text(agent_words(judgement))}</b>"
        f"<div class='tl-quiet'>{html_text(criteria)}</div>"
        f"<div class='tl-said' dir='auto'>{html_text(said)}</div></div>"
    )
