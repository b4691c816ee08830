"""A saved story as Markdown, for a draft, a wiki or a notebook."""

import re
from collections.abc import Mapping, Sequence
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
    weakest_link_sentence,
)
from narrative_core.reports.steps import Step, plain_lines, story_steps
from narrative_core.reports.story_head import origin_parts, remark_sentences
from narrative_core.reports.wish_lines import NO_NAMES, Names, told_wishes

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>~|&$@#{}]|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_BLOCK_START: Final = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")


def story_markdown(
    saved: SavedStory,
    *,
    settings: Mapping[str, str] | None = None,
    verdicts: Sequence[Verdict] = (),
    warnings: Sequence[str] = (),
    names: Names = NO_NAMES,
) -> str:
    """Return the trail as dated, linked headlines, then the random chronology, what judges say, and the methods box.

    Parameters
    ----------
    saved : SavedStory
    settings : mapping, optional
        Further lines for the methods box that the story does not carry, name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one there is no word of judges.
    warnings : sequence of str
        What an editor should look at, in sentences.
    names : Names
        Titles of the collection and of documents, and labels of topics.
    """
    pair = saved.pair
    blocks = [
        f"# {escape(plain_line(saved.name)) or 'Untitled story'}",
        " · ".join(escape(part) for part in origin_parts(saved, names)),
        f"**{escape(counts_sentence(pair.trail))}. {escape(comparison_sentence(pair))}.**",
        *_quotation(saved.note),
        *(escape(remark) for remark in remark_sentences(pair, has_warnings=bool(warnings))),
        *_listed("To be checked", warnings),
        *_listed("What was asked of the trail", told_wishes(pair, names)),
        "## The trail",
        *_story(saved, pair.trail),
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


def _listed(heading: str, sentences: Sequence[str]) -> list[str]:
    lines = [f"- {escape(plain_line(sentence))}" for sentence in sentences]
    return [f"## {heading}", "\n".join(lines)] if lines else []


def _quotation(text: str, *, indent: int = 0) -> list[str]:
    """Return some text as a quotation, set in by so many spaces; nothing for none."""
    quoted = [f"{' ' * indent}> {escape(line)}".rstrip() for line in plain_lines(text).splitlines()]
    return ["\n".join(quoted)] if quoted else []


def _baseline(saved: SavedStory) -> list[str]:
    pair = saved.pair
    if pair.baseline.documents == pair.trail.documents:
        return [f"Chance gives the same chain. {escape(comparison_sentence(pair))}."]
    return [
        f"This is chance, not a finding: draw {pair.draw + 1:,} of {pair.drawn:,} random chronologies between the same "
        "two documents.",
        *_story(saved, pair.baseline),
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
        *_quotation(side.explanation),
        *(["\n".join(reasons)] if reasons else []),
    ]


def _score(side: JudgeSide) -> str:
    parts = [f"{side.score} {side.unit}".strip(), side.percentile, side.answers]
    return escape(" · ".join(part for part in parts if part))


def _story(saved: SavedStory, story: Story) -> list[str]:
    steps = story_steps(story, median_link=saved.pair.median_link, annotations=saved.annotations)
    measures = f"Weakest link {format_strength(story.bottleneck)}, mean {format_strength(story.mean)}."
    is_led = story.kind == "trail"
    return [measures, "\n\n".join(_step(number, step, is_led=is_led) for number, step in enumerate(steps, start=1))]


def _step(number: int, step: Step, *, is_led: bool) -> str:
    title = escape(step.title)
    headline = f"[{title}](<{step.address}>)" if step.address else title
    source = f" ({escape(step.source)})" if step.source else ""
    copies = f", {step.copies}" if step.copies else ""
    start = f"{number}. "
    inside, indent = " " * len(start), len(start)
    blocks = [f"{start}**{step.date}** {headline}{source}{copies}"]
    blocks += [f"{inside}{escape(step.lead)}"] if step.lead and is_led else []
    blocks += _quotation(step.note, indent=indent)
    if step.link:
        warning = f"**{step.link.warning}** " if step.link.warning else ""
        blocks += [f"{inside}{warning}*{escape(step.link.sentence)}*", *_quotation(step.link.note, indent=indent)]
    return "\n\n".join(blocks)


def _table(parameters: tuple[Parameter, ...]) -> str:
    rows = [f"| {escape(parameter.name)} | {escape(parameter.value)} |" for parameter in parameters]
    return "\n".join(["| What | Value |", "| --- | --- |", *rows])
