import io
import zipfile
from dataclasses import replace

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_samples import hostile_panel, panel
from report_samples import annotated_story, by_hand, document, hostile_story, pair, saved, space_story, story

from narrative_core.records import SavedStory
from narrative_core.reports.addresses import web_address
from narrative_core.reports.docx_report import Illustration, story_docx
from narrative_core.reports.png import png_from_svg
from narrative_core.reports.sentences import format_title
from narrative_core.reports.svg import picture
from narrative_core.reports.wish_lines import Names

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def opened(file: bytes) -> docx.document.Document:
    return docx.Document(io.BytesIO(file))


def lines(paper: docx.document.Document, style: str = "") -> list[str]:
    return [one.text for one in paper.paragraphs if not style or one.style.name == style]


def links(paper: docx.document.Document) -> dict[str, str]:
    return {link.text: link.address for one in paper.paragraphs for link in one.hyperlinks}


def test_the_document_has_the_headlines_as_headings_numbered_and_dated() -> None:
    kept = annotated_story()
    paper = opened(story_docx(kept))
    assert lines(paper, "Title") == ["From Sputnik to the Moon"]
    assert lines(paper, "Heading 3")[:8] == [document.title for document in kept.pair.trail.documents]
    said = lines(paper)
    assert "1.  4 October 1957 · NASA" in said
    assert "2.  18 May 1959 · The New York Times · and 3 copies of it" in said
    assert "Throughline · spaceflight · 30 November 2025, 09:24 UTC · version 3" in said
    assert any(line.startswith("⚠ weakest link  Strength 0.64") for line in said)
    assert sum(line.startswith("The spacecraft left the pad") for line in said) == 8


def test_notes_are_quotations() -> None:
    assert lines(opened(story_docx(annotated_story())), "Intense Quote") == [
        *("Checked against the wire copy.", "The 1961 step needs a second source."),
        *("Ask the archive.", "=SUM(A1) needs a second source.", "Nineteen months: look for 1964."),
    ]


def test_wishes_and_warnings_are_lists() -> None:
    paper = opened(story_docx(annotated_story(), warnings=["One source."], names=Names({}, {4: "Probes"})))
    assert lines(paper, "List Bullet")[0] == "One source."
    assert "Avoids the topic Probes" in lines(paper, "List Bullet")


@pytest.mark.parametrize("kept", [space_story(), hostile_story()], ids=["space", "hostile"])
def test_links_are_real_and_lead_to_the_web_alone(kept: SavedStory) -> None:
    found = links(opened(story_docx(kept)))
    told = [one for story_told in (kept.pair.trail, kept.pair.baseline) for one in story_told.documents]
    assert found == {format_title(one): web_address(one.url) for one in told if web_address(one.url)}


def test_the_methods_are_a_table() -> None:
    paper = opened(story_docx(space_story(), settings={"Permalink": "?collection=spaceflight"}))
    (table,) = paper.tables
    rows = {row.cells[0].text: row.cells[1].text for row in table.rows}
    assert (rows["What"], rows["Seed"], rows["Permalink"]) == ("Value", "7", "?collection=spaceflight")
    assert any("not a causal claim" in line for line in lines(paper))


def test_judges_are_told_where_they_were_asked() -> None:
    kept = space_story()
    assert not any("judges" in line.casefold() for line in lines(opened(story_docx(kept))))
    paper = opened(story_docx(kept, verdicts=panel(kept)))
    assert "What the judges say" in lines(paper, "Heading 1")
    assert paper.tables[0].rows[1].cells[0].text == "gpt-4.1, standard, 3 agents"


def test_a_story_made_by_hand_is_marked_as_one() -> None:
    said = lines(opened(story_docx(by_hand(space_story()))))
    assert any(line.endswith("made by hand") for line in said)
    assert any(line.startswith("A person chose") for line in said)


def test_the_file_has_no_macro_no_outside_part_and_no_trace_of_when_it_was_written() -> None:
    file = story_docx(hostile_story())
    with zipfile.ZipFile(io.BytesIO(file)) as members:
        assert not [
            name for name in members.namelist() if name.endswith((".bin", ".exe", ".dotm")) or "vba" in name.lower()
        ]
        assert {info.date_time for info in members.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        relations = b"".join(members.read(name) for name in members.namelist() if name.endswith(".rels"))
    assert relations.count(b'TargetMode="External"') == relations.count(b"/relationships/hyperlink")
    facts = opened(file).core_properties
    assert (facts.author, facts.created.isoformat()) == ("Throughline", "2025-11-30T09:24:07+00:00")


def test_the_same_story_gives_the_same_file() -> None:
    assert story_docx(annotated_story()) == story_docx(annotated_story())
    odd = replace(space_story(), created_at="some day")
    assert opened(story_docx(odd)).core_properties.created.year == 1980


def test_pictures_stand_before_the_trail_with_their_captions() -> None:
    png = png_from_svg(picture([], width=90, height=60, title="t", description="d"), width=90)
    paper = opened(story_docx(space_story(), pictures=[Illustration("The story in time.", png)]))
    assert len(paper.inline_shapes) == 1
    said = lines(paper)
    assert said.index("The story in time.") < said.index("The trail")


@settings(deadline=None, max_examples=25)
@given(texts, texts, texts, texts)
def test_any_text_stays_text(title: str, source: str, name: str, note: str) -> None:
    first = document(0, title, source=source, url="https://example.org/a")
    kept = saved(
        pair(story([first, document(1, title), document(2)], [0.8, 0.7], terms=(title,))), name=name, note=note
    )
    paper = opened(story_docx(kept, settings={name: note}, warnings=[note]))
    assert "".join(c for c in format_title(first) if c not in "\ufffe\uffff") in lines(paper, "Heading 3")


def test_what_hostile_judges_write_stays_text() -> None:
    paper = opened(story_docx(hostile_story(), verdicts=hostile_panel()))
    assert "<script>alert(1)</script>" in " ".join(lines(paper))


def test_headlines_of_a_right_to_left_script_run_from_the_right() -> None:
    paper = opened(story_docx(hostile_story()))
    turned = [
        one.text
        for one in paper.paragraphs
        if one._p.pPr is not None and one._p.pPr.find(docx.oxml.ns.qn("w:bidi")) is not None
    ]
    assert turned == ["إطلاق أول قمر صناعي في التاريخ"]
