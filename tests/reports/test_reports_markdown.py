import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from judged_samples import hostile_panel, panel
from report_samples import annotated_story, by_hand, document, hostile_story, pair, saved, space_story, story

from narrative_core.reports.judge_sections import judge_sections
from narrative_core.reports.markdown_report import escape, story_markdown
from narrative_core.reports.sentences import format_title, plain_line
from narrative_core.reports.wish_lines import Names

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
lines = st.text(st.sampled_from("ab1 \\`*_[]()<>~|&$@#{}.-+=!:/w\"'قé"), max_size=30).map(plain_line)


def readable(markdown: str) -> str:
    return _ESCAPED.sub(r"\1", markdown)


def active(markdown: str) -> str:
    return _ESCAPED.sub("", markdown)


@given(lines)
def test_escaped_text_reads_as_it_was_and_holds_no_markup(text: str) -> None:
    escaped = escape(text)
    assert readable(escaped) == text
    rest = active(escaped)
    assert not re.search(r"[`*_\[\]<>~|&$@#{}]", rest)
    assert "://" not in escaped
    assert not re.search(r"www\.", escaped, re.IGNORECASE)
    assert not re.match(r"[-+=]|\d+[.)]", escaped)


def test_headlines_are_dated_linked_and_numbered() -> None:
    written = story_markdown(space_story())
    assert (
        "1. **4 October 1957** [Soviet Union launches Sputnik, the first artificial satellite, into orbit]"
        "(<https://example.org/news/0>) (NASA)\n\n   Body.\n\n"
        "   *Strength 0.83: 19 months later, sharing satellite and orbit.*"
    ) in written
    assert "2. **18 May 1959** Explorer 1 finds belts of radiation around the Earth (The New York Times)" in written
    assert "**⚠ weakest link** *Strength 0.64" in written
    assert "The weakest link is from “Kennedy" in written
    assert "**What these numbers do not prove.**" in written
    assert written.startswith(
        "# From Sputnik to the Moon\n\nThroughline · spaceflight · 30 November 2025, 09:24 UTC\n\n"
        "**8 documents over 11 years. Stronger than all 200"
    )


def test_notes_copies_leads_wishes_and_warnings_are_told() -> None:
    names = Names({}, {4: "Probes | *Mars*"})
    written = story_markdown(annotated_story(), warnings=["All of it | from *one* source."], names=names)
    assert "UTC · version 3\n" in written
    assert "(The New York Times), and 3 copies of it\n\n   The spacecraft left the pad" in written
    assert "   > Ask the archive.\n   > \\=SUM(A1) needs a second source.\n\n   *Strength 0.71" in written
    assert "satellite and orbit.*\n\n   > Nineteen months: look for 1964.\n\n6. " in written
    assert (
        "## To be checked\n\n- All of it \\| from \\*one\\* source.\n\n## What was asked of the trail\n\n- Passes"
        in written
    )
    assert "- Avoids the topic Probes \\| \\*Mars\\*\n" in written


def test_a_story_made_by_hand_is_marked_as_one() -> None:
    written = story_markdown(by_hand(space_story()))
    assert "UTC · made by hand\n" in written
    assert "A person chose these documents" in written
    assert "| Made | by hand |" in written


def test_hostile_titles_stay_text_and_only_web_addresses_are_links() -> None:
    kept = hostile_story()
    written = story_markdown(kept)
    for told in kept.pair.trail.documents:
        assert escape(format_title(told)) in written
    targets = re.findall(r"(?<!\\)\]\(<([^>]*)>\)", written)
    assert targets
    assert all(re.fullmatch(r"https://example\.org/[^\s<>\"]*", target) for target in targets)
    assert not re.search(r"(?<!\\)\](?!\(<https://example\.org)", written)
    assert not re.search(r"(?<!\\)<(?!https://example\.org)", written)


def test_a_note_stays_a_quotation() -> None:
    note = story_markdown(hostile_story()).split("\n\n")[3]
    assert note.splitlines() == [
        r"> \<img src=x\>",
        r"> \# heading",
        r"> \- \[x\](javascript:1)",
        r"> 1\. one",
    ]


def test_a_story_without_name_note_or_random_chronology_is_whole() -> None:
    written = story_markdown(saved(pair(story([document(0), document(1)], [0.7])), name=" "))
    assert written.startswith("# Untitled story\n")
    assert "Chance gives the same chain." in written
    assert "⚠" not in written
    assert "\n>" not in written


def test_the_table_keeps_its_two_columns() -> None:
    written = story_markdown(replace(space_story(), collection="a | b"), settings={"Model | x": "m\n\n# 1"})
    table = [line for line in written.splitlines() if line.startswith("|")]
    assert len(table) == 23
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in table)
    assert r"| Model \| x | m \# 1 |" in table


def test_without_judges_there_is_no_word_of_them() -> None:
    written = story_markdown(space_story())
    assert story_markdown(space_story(), verdicts=()) == written
    assert not re.search("judges|nats", written, re.IGNORECASE)


def test_judges_stand_between_the_stories_and_the_method() -> None:
    kept = space_story()
    written = story_markdown(kept, verdicts=panel(kept))
    headings = [line for line in written.splitlines() if line.startswith("## ")]
    assert headings[2:] == ["## What the judges say", "## How this was made"]
    assert (
        readable(written).count("| gpt-4.1, standard, 3 agents | 7.2 ± 0.2 of 10 · 3 asked, all ok | 3.8 ± 0.4 of 10")
        == 1
    )
    assert "It gives the trail 7.2 ± 0.2 and the random chronology 3.8 ± 0.4." in readable(written)
    assert "The median agent, number 3, says:\n\n> It holds together.\n\n**The random chronology.**" in written
    assert "1 answer without a score, timed out: The server did not answer in 60 s." in written
    assert "| Temporal coherence | 7.8 | 4.2 |" in readable(written)


def test_what_judges_write_stays_text() -> None:
    kept = hostile_story()
    written = story_markdown(kept, verdicts=hostile_panel())
    for told in judge_sections(kept.pair, hostile_panel()):
        assert escape(told.title) in written
        quoted = "\n".join(f"> {escape(line)}".rstrip() for line in told.trail.explanation.splitlines())
        assert quoted in written
    assert not re.search(r"(?<!\\)\](?!\(<https://example\.org)", written)
    assert not re.search(r"(?<!\\)<(?!https://example\.org)", written)
    tables = [line for line in written.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {3, 4}


def test_a_judge_cannot_open_a_heading_or_leave_its_quotation() -> None:
    written = story_markdown(hostile_story(), verdicts=hostile_panel())
    headings = [line for line in written.splitlines() if re.match(r"\s{0,3}#", line)]
    ours = {"## The trail", "## A random chronology, for comparison", "## What the judges say", "## How this was made"}
    assert set(headings) - {line for line in headings if line.startswith(("# ", "### "))} == ours
    assert len([line for line in headings if line.startswith("### ")]) == len(hostile_panel()) // 2
