"""A saved story as Markdown, for a draft, a wiki or a notebook."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory, Story
from narrative_core.reports.judge_sections import JudgeSection, JudgeSide, caveat_sentences, judge_sections
from narrative_core.reports.methods import Parameter, method_paragraphs, method_parameters
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_strength,
    plain_line,
    price_sentence,
    sources_sentence,
    weakest_link_sentence,
)
from narrative_core.reports.steps import Step, story_steps

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>~|&$@#{}]|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_BLOCK_START: Final = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")


def story_markdown(
    saved: SavedStory, *, settings: Mapping[str, str] | None = None, verdicts: Sequence[Verdict] = ()
) -> str:
    """Return the trail as dated, linked headlines, then the random chronology, what judges say, and the methods box.

    Parameters
    ----------
    saved : SavedStory
    settings : mapping, optional
        Further lines for the methods box that the story does not carry, name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one there is no word of judges.
    """
    pair = saved.pair
    blocks = [
        f"# {escape(plain_line(saved.name)) or 'Untitled story'}",
        f"**{escape(counts_sentence(pair.trail))}. {escape(comparison_sentence(pair))}.**",
        *_note(saved.note),
        "## The trail",
        *_story(pair.trail, pair.median_link),
        *[
            escape(sentence)
            for sentence in (weakest_link_sentence(pair.trail), price_sentence(pair), sources_sentence(pair.trail))
            if sentence
        ],
        "## A random chronology, for comparison",
        *_baseline(saved),
        *_judges(saved, verdicts),
        "## How this was made",
        *[
            f"**{escape(paragraph.heading)}.** {escape(paragraph.text)}"
            for paragraph in method_paragraphs(saved, verdicts=verdicts)
        ],
        _table(method_parameters(saved, settings=settings, verdicts=verdicts)),
    ]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    r"""Return one line of text in which Markdown finds no markup, HTML, entity, table border or bare address.

    Examples
    --------
    >>> escape("a](x) <b> *c*")
    'a\\](x) \\<b\\> \\*c\\*'
    """
    escaped = _SPECIAL.sub(lambda match: f"\\{match.group()}", text)
    return _BLOCK_START.sub(lambda match: _escape_start(match.group()), escaped)


def _escape_start(start: str) -> str:
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _note(note: str) -> list[str]:
    return _quotation(plain_line(line) for line in note.strip().splitlines())


def _quotation(lines: Iterable[str]) -> list[str]:
    quoted = [f"> {escape(line)}".rstrip() for line in lines]
    return ["\n".join(quoted)] if quoted else []


def _baseline(saved: SavedStory) -> list[str]:
    pair = saved.pair
    if pair.baseline.documents == pair.trail.documents:
        return [f"Chance gives the same chain. {escape(comparison_sentence(pair))}."]
    return [
        f"This is chance, not a finding: draw {pair.draw + 1:,} of {pair.drawn:,} random chronologies between the same "
        "two documents.",
        *_story(pair.baseline, pair.median_link),
        escape(weakest_link_sentence(pair.baseline)),
    ]


def _judges(saved: SavedStory, verdicts: Sequence[Verdict]) -> list[str]:
    sections = judge_sections(saved.pair, verdicts)
    if not sections:
        return []
    is_one_chain = saved.pair.baseline.documents == saved.pair.trail.documents
    overview = [
        "| Judge | Trail | Random chronology |",
        "| --- | --- | --- |",
        *(f"| {escape(told.title)} | {_score(told.trail)} | {_score(told.baseline)} |" for told in sections),
    ]
    return [
        "## What the judges say",
        escape(" ".join(caveat_sentences(verdicts))),
        "\n".join(overview),
        *(block for told in sections for block in _judge(told, is_one_chain=is_one_chain)),
    ]


def _judge(told: JudgeSection, *, is_one_chain: bool) -> list[str]:
    rows = [f"| {escape(row.title)} | {escape(row.trail)} | {escape(row.baseline)} |" for row in told.criteria]
    head = ["| Criterion | Trail | Random chronology |", "| --- | --- | --- |"]
    sides = (
        {"The trail": told.trail} if is_one_chain else {"The trail": told.trail, "The random chronology": told.baseline}
    )
    return [
        f"### {escape(told.title)}",
        escape(told.sentence),
        *(["\n".join([*head, *rows])] if rows else []),
        *(block for name, side in sides.items() for block in _judge_side(name, side)),
        escape(" · ".join(told.remarks)),
    ]


def _judge_side(name: str, side: JudgeSide) -> list[str]:
    told = [*side.links, *side.failures, side.speaker]
    words = " ".join(escape(sentence) for sentence in told if sentence)
    reasons = [f"- {escape(reason.title)}: {escape(reason.text)}" for reason in side.reasons]
    return [
        *([f"**{name}.** {words}"] if words else []),
        *(_quotation(side.explanation.splitlines()) if side.explanation else []),
        *(["\n".join(reasons)] if reasons else []),
    ]


def _score(side: JudgeSide) -> str:
    parts = [f"{side.score} {side.unit}".strip(), side.percentile, side.answers]
    return escape(" · ".join(part for part in parts if part))


def _story(story: Story, median_link: float) -> list[str]:
    steps = story_steps(story, median_link=median_link)
    measures = f"Weakest link {format_strength(story.bottleneck)}, mean {format_strength(story.mean)}."
    return [measures, "\n\n".join(_step(number, step) for number, step in enumerate(steps, start=1))]


def _step(number: int, step: Step) -> str:
    title = escape(step.title)
    headline = f"[{title}](<{step.address}>)" if step.address else title
    source = f" ({escape(step.source)})" if step.source else ""
    start = f"{number}. "
    lines = [f"{start}**{step.date}** {headline}{source}"]
    if step.link:
        warning = f"**{step.link.warning}** " if step.link.warning else ""
        lines += ["", f"{' ' * len(start)}{warning}*{escape(step.link.sentence)}*"]
    return "\n".join(lines)


def _table(parameters: tuple[Parameter, ...]) -> str:
    rows = [f"| {escape(parameter.name)} | {escape(parameter.value)} |" for parameter in parameters]
    return "\n".join(["| What | Value |", "| --- | --- |", *rows])
