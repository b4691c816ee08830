"""A saved story as a Word document, for an editor who writes in one: no macro, no template from elsewhere."""

import datetime as dt
import io
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory, Story
from narrative_core.reports.judge_sections import JudgeSide, caveat_sentences, judge_sections
from narrative_core.reports.methods import method_paragraphs, method_parameters
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_strength,
    plain_line,
)
from narrative_core.reports.steps import Step, plain_lines, story_steps
from narrative_core.reports.story_head import origin_parts, remark_sentences
from narrative_core.reports.svg import xml_text
from narrative_core.reports.wish_lines import NO_NAMES, Names, told_wishes

if TYPE_CHECKING:
    from docx.document import Document as Paper
    from docx.text.paragraph import Paragraph

_FIRST_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip file can say: the document is to be the same whenever it is made."""

_QUIET, _TRAIL = "5F6770", "1F4E9C"


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture for a document: its caption and a PNG."""

    caption: str
    png: bytes


def story_docx(
    saved: SavedStory,
    *,
    pictures: Sequence[Illustration] = (),
    settings: Mapping[str, str] | None = None,
    verdicts: Sequence[Verdict] = (),
    warnings: Sequence[str] = (),
    names: Names = NO_NAMES,
) -> bytes:
    """Return the trail as numbered headlines with their leads, notes and links, then judges and the methods as a table.

    Parameters
    ----------
    saved : SavedStory
    pictures : sequence of Illustration
        Stand before the trail, as wide as the text.
    settings : mapping, optional
        Further lines for the table of methods that the story does not carry, name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one there is no word of judges.
    warnings : sequence of str
        What an editor should look at, in sentences.
    names : Names
        Titles of the collection and of documents, and labels of topics.
    """
    paper = _blank(saved)
    _head(paper, saved, names, has_warnings=bool(warnings))
    _listed(paper, "To be checked", warnings)
    _listed(paper, "What was asked of the trail", told_wishes(saved.pair, names))
    _pictures(paper, pictures)
    paper.add_heading("The trail", 1)
    _story(paper, saved, saved.pair.trail)
    paper.add_heading("A random chronology, for comparison", 1)
    _baseline(paper, saved)
    _judges(paper, saved, verdicts)
    paper.add_heading("How this was made", 1)
    for paragraph in method_paragraphs(saved, verdicts=verdicts):
        told = paper.add_paragraph()
        told.add_run(f"{paragraph.heading}. ").bold = True
        _write(told, paragraph.text)
    parameters = method_parameters(saved, settings=settings, verdicts=verdicts)
    _table(paper, [("What", "Value"), *((parameter.name, parameter.value) for parameter in parameters)])
    file = io.BytesIO()
    paper.save(file)
    return _undated(file.getvalue())


def _blank(saved: SavedStory) -> "Paper":
    import docx
    from docx.shared import Mm, Pt

    paper = docx.Document()
    section = paper.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(24)
    section.top_margin = section.bottom_margin = Mm(22)
    paper.styles["Normal"].font.size = Pt(10.5)
    facts, moment = paper.core_properties, _moment(saved.created_at)
    facts.title, facts.author, facts.last_modified_by = _name(saved)[:255], "Throughline", "Throughline"
    facts.comments, facts.created, facts.modified, facts.revision = "", moment, moment, 1
    return paper


def _moment(moment: str) -> dt.datetime:
    try:
        when = dt.datetime.fromisoformat(moment)
    except ValueError:
        return dt.datetime(*_FIRST_MOMENT)
    return when.astimezone(dt.UTC).replace(tzinfo=None) if when.tzinfo else when


def _name(saved: SavedStory) -> str:
    return xml_text(plain_line(saved.name)) or "Untitled story"


def _head(paper: "Paper", saved: SavedStory, names: Names, *, has_warnings: bool) -> None:
    pair = saved.pair
    _directed(paper.add_heading(_name(saved), 0), saved.name)
    _quiet(paper.add_paragraph(), " · ".join(origin_parts(saved, names)))
    told = paper.add_paragraph()
    _write(told, f"{counts_sentence(pair.trail)}. {comparison_sentence(pair)}.", bold=True)
    _note(paper, saved.note)
    for remark in remark_sentences(pair, has_warnings=has_warnings):
        _write(paper.add_paragraph(), remark)


def _listed(paper: "Paper", heading: str, sentences: Sequence[str]) -> None:
    if sentences:
        paper.add_heading(heading, 2)
    for sentence in sentences:
        _write(paper.add_paragraph(style="List Bullet"), plain_line(sentence))


def _pictures(paper: "Paper", pictures: Sequence[Illustration]) -> None:
    section = paper.sections[0]
    room = (section.page_width or 0) - (section.left_margin or 0) - (section.right_margin or 0)
    for picture in pictures:
        paper.add_picture(io.BytesIO(picture.png), width=room)
        _quiet(paper.add_paragraph(), picture.caption)


def _story(paper: "Paper", saved: SavedStory, story: Story) -> None:
    measures = f"Weakest link {format_strength(story.bottleneck)}, mean {format_strength(story.mean)}."
    _quiet(paper.add_paragraph(), measures)
    steps = story_steps(story, median_link=saved.pair.median_link, annotations=saved.annotations)
    for number, step in enumerate(steps, start=1):
        _step(paper, number, step, is_led=story.kind == "trail")


def _step(paper: "Paper", number: int, step: Step, *, is_led: bool) -> None:
    dated = paper.add_paragraph()
    dated.paragraph_format.keep_with_next = True
    dated.paragraph_format.space_after = 0
    _write(dated, f"{number}.  {step.date}", bold=True)
    beside = "".join(f" · {part}" for part in (step.source, step.copies) if part)
    _write(dated, beside, colour=_QUIET)
    headline = paper.add_heading("", 3)
    _directed(headline, step.title)
    if step.address:
        _link(headline, step.title, step.address)
    else:
        _write(headline, step.title)
    if step.lead and is_led:
        lead = paper.add_paragraph()
        _directed(lead, step.lead)
        _write(lead, step.lead)
    _note(paper, step.note)
    if step.link:
        told = paper.add_paragraph()
        if step.link.warning:
            _write(told, f"{step.link.warning}  ", bold=True)
        _write(told, step.link.sentence, italic=True)
        _note(paper, step.link.note)


def _baseline(paper: "Paper", saved: SavedStory) -> None:
    pair = saved.pair
    if pair.baseline.documents == pair.trail.documents:
        _write(paper.add_paragraph(), f"Chance gives the same chain. {comparison_sentence(pair)}.")
        return
    shown = f"This is chance, not a finding: draw {pair.draw + 1:,} of {pair.drawn:,} between the same two documents."
    _write(paper.add_paragraph(), shown)
    _story(paper, saved, pair.baseline)


def _judges(paper: "Paper", saved: SavedStory, verdicts: Sequence[Verdict]) -> None:
    sections = judge_sections(saved.pair, verdicts)
    if not sections:
        return
    paper.add_heading("What the judges say", 1)
    _write(paper.add_paragraph(), " ".join(caveat_sentences(verdicts)))
    scores = [(told.title, _score(told.trail), _score(told.baseline)) for told in sections]
    _table(paper, [("Judge", "Trail", "Random chronology"), *scores])
    for told in sections:
        paper.add_heading(xml_text(told.title), 2)
        _write(paper.add_paragraph(), told.sentence)
        for name, side in (("The trail", told.trail), ("The random chronology", told.baseline)):
            said = " ".join(part for part in (*side.links, *side.failures, side.speaker) if part)
            if said:
                paragraph = paper.add_paragraph()
                _write(paragraph, f"{name}. ", bold=True)
                _write(paragraph, said)
            _note(paper, side.explanation)
        _quiet(paper.add_paragraph(), " · ".join(told.remarks))


def _score(side: JudgeSide) -> str:
    return " · ".join(part for part in (f"{side.score} {side.unit}".strip(), side.percentile, side.answers) if part)


def _table(paper: "Paper", rows: Sequence[tuple[str, ...]]) -> None:
    table = paper.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 1")
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, words in zip(row.cells, cells, strict=True):
            cell.text = xml_text(words)


def _note(paper: "Paper", note: str) -> None:
    """Write a person's words as a quotation, a paragraph a line."""
    for line in plain_lines(note).splitlines():
        quoted = paper.add_paragraph(style="Intense Quote")
        _directed(quoted, line)
        _write(quoted, line)


def _quiet(paragraph: "Paragraph", words: str) -> None:
    _write(paragraph, words, colour=_QUIET)


def _write(paragraph: "Paragraph", words: str, *, bold: bool = False, italic: bool = False, colour: str = "") -> None:
    from docx.shared import RGBColor

    run = paragraph.add_run(xml_text(words))
    run.bold, run.italic = bold or None, italic or None
    if colour:
        run.font.color.rgb = RGBColor.from_string(colour)


def _link(paragraph: "Paragraph", words: str, address: str) -> None:
    """Write words that open a web address, which the library reads but has no word for writing."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = paragraph.add_run(xml_text(words))
    run.underline = True
    run.font.color.rgb = RGBColor.from_string(_TRAIL)
    link.append(run._r)
    paragraph._p.append(link)


def _directed(paragraph: "Paragraph", words: str) -> None:
    """Let a paragraph run from right to left where its first letter is of such a script."""
    from docx.oxml import OxmlElement

    strong = (unicodedata.bidirectional(letter) for letter in words)
    if next((kind for kind in strong if kind in {"L", "R", "AL"}), "L") != "L":
        paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))


def _undated(file: bytes) -> bytes:
    """Return a zip file with the same members, none of which says when it was written."""
    rewritten = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as source, zipfile.ZipFile(rewritten, "w") as target:
        for member in source.namelist():
            info = zipfile.ZipInfo(member, _FIRST_MOMENT)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(member))
    return rewritten.getvalue()
