import csv
import datetime as dt
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_samples import hostile_panel, panel
from report_samples import annotated_story, document, hostile_story, pair, saved, space_story, story

from narrative_core.curation import Annotations
from narrative_core.reports.csv_report import COLUMNS, JUDGEMENT_COLUMNS, judgements_csv, safe_cell, story_csv

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRIGGERS = ("=", "+", "-", "@", "\t", "\r")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_document_of_both_stories_has_a_row() -> None:
    kept = space_story()
    rows = rows_of(story_csv(kept))
    assert [row["story"] for row in rows] == ["trail"] * 8 + ["baseline"] * 8
    assert [row["step"] for row in rows[:8]] == [str(step) for step in range(1, 9)]
    assert [row["document_id"] for row in rows[:8]] == [d.document_id for d in kept.pair.trail.documents]
    assert [float(row["strength_to_next"]) for row in rows[:7]] == [link.coherence for link in kept.pair.trail.links]
    assert [row["weakest"] for row in rows[:8]] == ["no", "no", "no", "no", "yes", "no", "no", ""]
    assert rows[0]["days_to_next"] == "591"
    assert rows[0]["shared_terms"] == "satellite; orbit"
    assert [rows[7][column] for column in COLUMNS[9:16]] == [""] * 7


def test_a_partial_date_stands_as_given_beside_the_day_it_counts_as() -> None:
    documents = [document(0, "T", dt.date(1961, 4, 1), precision="month"), document(1, "T", None)]
    first, second = rows_of(story_csv(saved(pair(story(documents, [0.7])))))[:2]
    assert (first["date_as_given"], first["date"], first["date_precision"]) == ("1961-04", "1961-04-01", "month")
    assert (second["date_as_given"], second["date"], second["date_precision"]) == ("", "", "")
    assert first["days_to_next"] == ""


@given(texts, texts, texts, st.lists(texts, max_size=3))
def test_what_went_in_is_parsed_back(title: str, source: str, url: str, terms: list[str]) -> None:
    documents = [document(0, title, source=source, url=url), document(1)]
    row = rows_of(story_csv(saved(pair(story(documents, [0.7], terms=tuple(terms))))))[0]
    cells = (row["title"], row["source"], row["url"], row["shared_terms"])
    for cell, text in zip(cells, (title, source, url, "; ".join(terms)), strict=True):
        assert cell == safe_cell(text)
        assert cell.removeprefix("'") == text.removeprefix("'")


@given(texts)
def test_no_text_starts_a_formula(text: str) -> None:
    assert not safe_cell(text).startswith(TRIGGERS)
    assert safe_cell(text) in {text, f"'{text}"}


@pytest.mark.parametrize("start", [*TRIGGERS, "\n", "＝", "＋", "－", "＠"])
def test_every_formula_start_is_defused(start: str) -> None:
    assert safe_cell(f"{start}cmd()") == f"'{start}cmd()"


def test_notes_and_copies_stand_beside_their_document_and_are_defused() -> None:
    rows = rows_of(story_csv(annotated_story()))[:8]
    assert [row["copies"] for row in rows] == ["0", "3", "0", "0", "0", "1", "0", "0"]
    assert rows[2]["note"] == "Ask the archive.\n=SUM(A1) needs a second source."
    assert [row["note_on_link"] for row in rows] == ["", "", "", "", "Nineteen months: look for 1964.", "", "", ""]
    noted = replace(annotated_story(), annotations=Annotations({"d0": "=1"}, {("d0", "d1"): "+1"}))
    first = rows_of(story_csv(noted))[0]
    assert (first["note"], first["note_on_link"]) == ("'=1", "'+1")


def test_every_column_of_text_is_defused() -> None:
    first = replace(document(0, "=a", source="=b", url="=c"), document_id="=d", date_text="=e")
    row = rows_of(story_csv(saved(pair(story([first, document(1)], [0.7], terms=("=f", "g"))))))[0]
    cells = [row[column] for column in ("title", "source", "url", "document_id", "date_as_given", "shared_terms")]
    assert cells == ["'=a", "'=b", "'=c", "'=d", "'=e", "'=f; g"]


def test_no_cell_of_a_hostile_story_is_a_formula() -> None:
    kept = hostile_story()
    documents = tuple(replace(told, document_id=f"={told.document_id}") for told in kept.pair.trail.documents)
    told = replace(kept.pair.trail, documents=documents)
    rows = list(csv.reader(io.StringIO(story_csv(replace(kept, pair=replace(kept.pair, trail=told))), newline="")))
    assert len(rows) == 25
    assert not [cell for row in rows for cell in row if cell.startswith(TRIGGERS)]
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_lines_end_as_the_standard_says_and_unknown_numbers_are_empty() -> None:
    kept = space_story(3)
    links = tuple(replace(link, coherence=float("nan")) for link in kept.pair.trail.links)
    told = replace(kept, pair=replace(kept.pair, trail=replace(kept.pair.trail, links=links)))
    text = story_csv(told)
    assert text.count("\r\n") == text.count("\n") == 7
    assert rows_of(text)[0]["strength_to_next"] == ""
    assert "nan" not in text


def test_going_back_in_time_stays_a_number() -> None:
    documents = [document(0), document(1, "Before", dt.date(1961, 4, 2))]
    assert rows_of(story_csv(saved(pair(story(documents, [0.7])))))[0]["days_to_next"] == "-10"


def test_each_agent_has_a_row_for_each_story() -> None:
    kept = space_story()
    rows = rows_of(judgements_csv(panel(kept)))
    assert [row["story"] for row in rows] == [*["trail"] * 3, *["baseline"] * 3, *["trail", "baseline"] * 3]
    assert [row["agent"] for row in rows[:3]] == ["3", "1", "2"]
    assert [row["score"] for row in rows[:3]] == ["7.25", "7.0", "7.5"]
    assert {row["weakest_link_after_step"] for row in rows[:3]} == {"3"}
    assert (rows[5]["status"], rows[5]["score"], rows[5]["message"]) == (
        "timed out",
        "",
        "The server did not answer in 60 s.",
    )
    assert rows[8]["criteria"].startswith("mean 1.51; minimum ")
    assert len(rows[8]["link_scores"].split("; ")) == 7


def test_judges_cannot_write_a_formula() -> None:
    text = judgements_csv(hostile_panel())
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert {len(row) for row in rows} == {len(JUDGEMENT_COLUMNS)}
    assert not [cell for row in rows for cell in row if cell.startswith(TRIGGERS)]
    assert any(row[2].startswith("'=cmd") for row in rows)
    assert "nan" not in text


def test_a_negative_gain_stays_a_number_and_a_list_of_gains_is_defused() -> None:
    verdicts = panel(space_story())
    (said,) = verdicts[4].judgements
    odd = replace(verdicts[4], judgements=(replace(said, score=-0.2, link_scores=(-0.3, 0.1)),))
    (row,) = rows_of(judgements_csv([odd]))
    assert (row["score"], row["link_scores"]) == ("-0.2", "'-0.3; 0.1")


def test_the_table_of_the_stories_is_the_same_with_judges_and_without() -> None:
    assert not re.search("judge|score", story_csv(space_story()))
