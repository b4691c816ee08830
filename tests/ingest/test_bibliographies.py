import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.ingest.bibtex import read_bibtex
from narrative_core.ingest.raw_rows import ReadRows
from narrative_core.ingest.references import partial_date
from narrative_core.ingest.ris import read_ris

BIBTEX = r"""% Encoding: UTF-8
@comment{jabref-meta: databaseType:bibtex;}
@string{jb = "Journal of Bridges"}
@article{garcia2021,
  title = {The {Bridge} of S{\~a}o \& \emph{Paulo} -- again},
  author = {Garc{\'i}a M{\'a}rquez, Gabriel and {Bread and Water} and Doe, Jane},
  year = 2021, month = jul, journal = jb, doi = {10.1000/a_b}, keywords = {bridge, river},
  abstract = {One,
    two, 50\% more \textbf{words}.}
}
@book{broken, title = {Never closed
@inproceedings{k3, title = "Third", booktitle = {Proc.}, year = {2020}, month = {Spring}, url = {https://example.org/a\_b}}
@online{, title = {No key}, date = {2020-05-06}, publisher = nobody}
"""

RIS = """TY  - JOUR
ID  - r1
AU  - García, Ana
AU  - Doe, Jane
TI  - First
AB  - A long abstract
 over two lines
JO  - Journal of Bridges
DA  - 2021/07/11/
PY  - 2021///
UR  - https://example.org/a;b
UR  - https://example.org/c
KW  - bridge
KW  - river
XX  - odd
ER  -

TY  - NEWS
T1  - Second
N2  - Short.
Y1  - 2020/03//Spring
DO  - 10.1000/x
TY  - GEN
TI  - Third
ER  -
"""


def rows(found: ReadRows) -> list[dict[str, str]]:
    return [
        {name: value for name, value in zip(found.columns, row, strict=True) if value} for row in found.collected.rows
    ]


def test_an_entry_of_bibtex_has_its_latex_decoded_and_its_parts_named() -> None:
    found = read_bibtex(BIBTEX, max_rows=99)
    assert rows(found)[0] == {
        "id": "garcia2021",
        "title": "The Bridge of São & Paulo – again",
        "text": "One, two, 50% more words.",
        "date": "2021-07",
        "source": "Journal of Bridges",
        "url": "10.1000/a_b",
        "author": "García Márquez, Gabriel; Bread and Water; Doe, Jane",
        "type": "article",
        "keywords": "bridge, river",
    }


def test_a_month_that_is_none_stays_a_field_and_the_year_the_date() -> None:
    third = rows(read_bibtex(BIBTEX, max_rows=99))[1]
    assert (third["date"], third["month"], third["url"], third["source"]) == (
        "2020",
        "Spring",
        "https://example.org/a_b",
        "Proc.",
    )


def test_an_entry_that_never_closes_costs_itself_only() -> None:
    found = read_bibtex(BIBTEX, max_rows=99)
    assert [(problem.row, "premature end" in problem.reason) for problem in found.collected.problems] == [(2, True)]
    assert found.collected.row_numbers == [1, 3, 4]


def test_an_entry_without_a_key_and_an_abbreviation_without_a_meaning_are_kept_and_said() -> None:
    found = read_bibtex(BIBTEX, max_rows=99)
    assert rows(found)[2] == {"title": "No key", "date": "2020-05-06", "type": "online"}
    assert [(remark.row, remark.reason) for remark in found.collected.remarks] == [
        (4, '"nobody" is an abbreviation that the file does not define')
    ]


def test_an_address_goes_before_a_doi_which_is_then_kept() -> None:
    (row,) = rows(read_bibtex("@misc{a, title={T}, url={http://e.org}, doi={10.1/x}}", max_rows=9))
    assert (row["url"], row["doi"]) == ("http://e.org", "10.1/x")


@pytest.mark.parametrize(
    ("year", "month", "day", "date"),
    [
        ("2021", "7", "", "2021-07"),
        ("2021", "07", "3", "2021-07-03"),
        ("2021", "July", "11", "2021-07-11"),
        ("2021", "11 July", "", "2021-07-11"),
        ("2021", "July 11", "", "2021-07-11"),
        ("2021", "juillet", "", "2021-07"),
        ("2021", "13", "", ""),
        ("2021", "June/July", "", ""),
        ("in press", "July", "", ""),
    ],
)
def test_year_month_and_day_make_a_date_as_exact_as_they_are(year: str, month: str, day: str, date: str) -> None:
    assert partial_date(year, month, day) == date


def test_a_reference_of_ris_has_its_parts_named_and_its_lists_joined() -> None:
    assert rows(read_ris(RIS, max_rows=99))[0] == {
        "id": "r1",
        "title": "First",
        "text": "A long abstract over two lines",
        "date": "2021/07/11",
        "source": "Journal of Bridges",
        "url": "https://example.org/a;b",
        "author": "García, Ana; Doe, Jane",
        "type": "JOUR",
        "year": "2021",
        "keywords": "bridge; river",
        "tag XX": "odd",
        "further addresses": "https://example.org/c",
    }


def test_a_reference_without_an_end_is_read_up_to_the_next_one() -> None:
    found = read_ris(RIS, max_rows=99)
    assert rows(found)[1:] == [
        {"title": "Second", "text": "Short.", "date": "2020/03", "url": "10.1000/x", "type": "NEWS"},
        {"title": "Third", "type": "GEN"},
    ]
    assert [remark.row for remark in found.collected.remarks] == [2]


@settings(deadline=None)
@given(st.text('@{}"=,#\\abAB \n-1%TYER', max_size=120))
def test_no_text_crashes_either_reader(text: str) -> None:
    for read, start in ((read_bibtex, "@a{b,"), (read_ris, "TY  - ")):
        found = read(start + text, max_rows=99)
        assert found.collected.n_read == len(found.collected.rows) + len(found.collected.problems) >= 1


def test_abbreviations_made_of_each_other_do_not_grow_without_end() -> None:
    doubling = '@string{a = "0123456789"}\n' + "@string{a = a # a}\n" * 60
    found = read_bibtex(doubling + "@article{k, title = {Kept}, note = a}\n", max_rows=9)
    assert rows(found)[0]["title"] == "Kept"
    assert max(len(value) for value in rows(found)[0].values()) <= 1_000
    assert "abbreviation" in found.collected.remarks[0].reason


def test_an_entry_that_repeats_an_abbreviation_beyond_measure_is_a_problem() -> None:
    much = '@string{a = "' + "x" * 900 + '"}\n@article{k, title = ' + "a # " * 30_000 + "a}\n"
    found = read_bibtex(much + "@article{l, title={Kept}}\n", max_rows=9)
    assert [row["id"] for row in rows(found)] == ["l"]
    assert [problem.row for problem in found.collected.problems] == [1]
    assert "30,001" in found.collected.problems[0].reason


@pytest.mark.parametrize(
    ("names", "joined"),
    [
        ("Doe, Jane and García, Ana", "Doe, Jane; García, Ana"),
        ("{Barnes and Noble} and Doe, Jane", "Barnes and Noble; Doe, Jane"),
        ("{Simon {and} Schuster} and Doe", "Simon and Schuster; Doe"),
        ("Doe  and\n Roe", "Doe; Roe"),
        ("Sandoval, Andrea", "Sandoval, Andrea"),
    ],
)
def test_people_are_parted_at_each_and_that_is_in_no_braces(names: str, joined: str) -> None:
    assert rows(read_bibtex(f"@book{{k, title={{T}}, author={{{names}}}}}", max_rows=9))[0]["author"] == joined


def test_an_entry_with_very_many_people_takes_no_longer_than_its_length_asks_for() -> None:
    found = read_bibtex("@book{k, title={T}, author={" + "A B and " * 60_000 + "C D}}", max_rows=9)
    assert rows(found)[0]["author"].count(";") == 60_000


def test_the_lines_of_a_long_field_are_joined_and_those_of_a_list_are_its_items() -> None:
    text = "TY  - JOUR\nTI  - A\n b\n\nc\nKW  - one\ntwo\nAB  - " + "x\n" * 300_000 + "ER  - \n"
    row = rows(read_ris(text, max_rows=9))[0]
    assert (row["title"], row["keywords"]) == ("A b  c", "one; two")
    assert row["text"].split() == ["x"] * 300_000
