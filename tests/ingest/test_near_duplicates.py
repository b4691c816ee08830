import datetime as dt
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.ingest import near_duplicates
from narrative_core.ingest.builtin import builtin_documents
from narrative_core.ingest.near_duplicates import MOST_DAYS, MOST_DAYS_SHORT, group_copies
from narrative_core.records import DatePrecision, Document

DAY = dt.date(2021, 7, 11)
WORDS = [f"word{number}" for number in range(400)]


def text_of(n_words: int, *, seed: int = 1) -> str:
    return " ".join(np.random.default_rng(seed).permutation(WORDS)[:n_words])


def report(
    text: str, *, days: int | None = 0, title: str = "A title", precision: DatePrecision = "day", name: str = "d"
) -> Document:
    date = None if days is None else DAY + dt.timedelta(days=days)
    return Document(name, title, text, date, "", None if date is None else precision)


def test_the_same_report_in_two_papers_is_one_group_whatever_its_title_source_case_and_punctuation() -> None:
    text = (
        "Thousands took to the streets of Havana on Sunday, in the largest protests for decades; many were arrested. "
    )
    first = replace(report(text * 2, title="Protests"), source="a.example")
    second = replace(report(text.upper().replace(",", " —") * 2, days=5, title="Havana"), source="b.example")
    assert group_copies([first, report(text_of(40)), second]) == ((0, 2),)


def test_texts_are_copies_from_two_fifths_of_their_shingles_on() -> None:
    # 103 words are 100 shingles. The first 61 words of another text are 58 of them: 58 / (100 + 100 - 58) = 0.408;
    # the first 59 words are 56: 56 / 144 = 0.389.
    text, other = text_of(103).split(), [f"other{number}" for number in range(103)]
    just = " ".join([*text[:61], *other[61:]])
    hardly = " ".join([*text[:59], *other[59:]])
    assert group_copies([report(" ".join(text)), report(just)]) == ((0, 1),)
    assert group_copies([report(" ".join(text)), report(hardly)]) == ()


def test_a_copy_that_was_cut_counts_and_a_quotation_does_not() -> None:
    whole = text_of(300)
    cut, quoted = " ".join(whole.split()[:150]), " ".join(whole.split()[100:150])
    assert group_copies([report(whole), report(cut)]) == ((0, 1),)
    assert group_copies([report(cut), report(whole)]) == ((0, 1),)
    assert group_copies([report(whole), report(quoted)]) == ()


def test_a_chain_of_small_changes_does_not_tie_different_texts_together() -> None:
    old, new = text_of(120).split(), [f"other{number}" for number in range(120)]
    versions = [report(" ".join([*new[:n], *old[n:]])) for n in range(0, 121, 20)]

    assert group_copies(versions) == ((0, 1, 2), (3, 4, 5))


@pytest.mark.parametrize(("days", "expected"), [(MOST_DAYS, ((0, 1),)), (MOST_DAYS + 1, ())])
def test_a_text_that_returns_after_more_than_a_month_is_no_copy(
    days: int, expected: tuple[tuple[int, ...], ...]
) -> None:
    assert group_copies([report(text_of(60)), report(text_of(60), days=days)]) == expected


def test_a_formula_that_is_repeated_each_year_is_as_many_texts_as_years() -> None:
    assert group_copies([report(text_of(60), days=365 * year) for year in range(4)]) == ()


def test_dates_of_a_month_or_a_year_leave_room() -> None:
    year = replace(report(text_of(60), precision="year"), date=dt.date(2021, 1, 1))
    assert group_copies([year, report(text_of(60), days=120)]) == ((0, 1),)
    month = replace(report(text_of(60), precision="month"), date=dt.date(2021, 1, 1))
    assert group_copies([month, replace(report(text_of(60)), date=dt.date(2021, 3, 3))]) == ((0, 1),)
    assert group_copies([month, replace(report(text_of(60)), date=dt.date(2021, 3, 4))]) == ()
    last = replace(report(text_of(60), precision="year"), date=dt.date(9999, 1, 1))
    assert group_copies([last, last]) == ((0, 1),)


def test_documents_without_a_date_are_grouped_by_their_text_alone() -> None:
    assert group_copies([report(text_of(60)), report(text_of(60), days=None)]) == ((0, 1),)
    assert group_copies([report(text_of(60), days=None), report(text_of(60), days=None)]) == ((0, 1),)


def test_short_texts_are_copies_only_where_title_and_text_are_the_same_within_a_few_days() -> None:
    short = report("The river rises again.", title="Flood")
    assert group_copies([short, replace(short, source="x")]) == ((0, 1),)
    assert group_copies([short, replace(short, text="The river rises, again!")]) == ((0, 1),)
    assert group_copies([short, replace(short, title="Rain")]) == ()
    assert group_copies([short, replace(short, text="The river rises once again.")]) == ()
    later = DAY + dt.timedelta(days=MOST_DAYS_SHORT)
    assert group_copies([short, replace(short, date=later)]) == ((0, 1),)
    assert group_copies([short, replace(short, date=later + dt.timedelta(days=1))]) == ()


def test_headings_and_empty_texts_are_no_copies() -> None:
    assert group_copies([report("", title="Weather"), report("", title="Weather")]) == ()
    assert group_copies([report("", title=""), report("", title="")]) == ()
    assert group_copies([]) == ()
    assert group_copies([report(text_of(60))]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "昨天夜里下游的堤坝决口，到今天早晨整个小城已经被水淹没，警方说没有人员伤亡，救援工作正在继续进行。",
        "昨夜、下流の堤防が決壊し、今朝までに町全体が浸水したと警察が発表した。けが人はいないという。",
        "เขื่อนทางตอนล่างพังทลายในตอนกลางคืน และเมืองทั้งเมืองจมอยู่ใต้น้ำในตอนเช้า ตำรวจกล่าว",
        "انهار السد عند المخاضة السفلى في الليل وغمرت المياه المدينة كلها بحلول الصباح "
        "وقالت الشرطة إنه لم يصب أحد بأذى وإن العمل مستمر منذ الفجر",
        "Плотина у нижнего брода прорвалась ночью, и к утру весь город оказался под водой; "
        "полиция сообщила, что никто не пострадал и работы идут с рассвета.",
    ],
    ids=["Chinese", "Japanese", "Thai", "Arabic", "Russian"],
)
def test_other_scripts_are_compared_with_and_without_spaces_between_words(text: str) -> None:
    # What one paper put before the report leaves the rest a copy; a short text would have to be the same throughout.
    assert group_copies([report(text * 2), report(f"AFP: {text * 2}"), report(text[::-1] * 2)]) == ((0, 1),)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    text = "Después de la inundación " + text_of(60)
    decomposed = text.replace("é", "e\u0301").replace("ó", "o\u0301")
    assert group_copies([report(text), report(decomposed)]) == ((0, 1),)


def test_a_footer_that_all_share_makes_no_copies() -> None:
    footer = text_of(40, seed=99)
    documents = [report(f"{text_of(200, seed=seed)} {footer}") for seed in range(60)]
    assert group_copies(documents) == ()


def test_many_copies_are_one_group_and_their_original_is_the_first() -> None:
    documents = [report(text_of(60), days=row % 20) for row in range(150)]
    assert group_copies(documents) == (tuple(range(150)),)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_groups_are_those_of_comparing_every_pair(data: st.DataObject) -> None:
    seeds = data.draw(st.lists(st.integers(0, 3), min_size=2, max_size=12))
    documents = []
    for position, seed in enumerate(seeds):
        words = text_of(80, seed=seed).split()
        start = data.draw(st.integers(0, 60))
        words[start : start + data.draw(st.integers(0, 60))] = [f"edit{position}"]
        documents.append(report(" ".join(words), days=data.draw(st.integers(0, 40))))
    documents.sort(key=lambda document: document.date or dt.date.min)
    assert group_copies(documents) == by_every_pair(documents)


def by_every_pair(documents: list[Document]) -> tuple[tuple[int, ...], ...]:
    """The definition, without sketches: each document is compared with the first of every group."""
    texts = [near_duplicates._read(document, near_duplicates._WordHashes()) for document in documents]
    groups: list[list[int]] = []
    for position, text in enumerate(texts):
        shares = [near_duplicates._share(texts[group[0]], text) for group in groups]
        if shares and max(shares) > 0:
            groups[shares.index(max(shares))].append(position)
        else:
            groups.append([position])
    return tuple(tuple(group) for group in groups if len(group) > 1)


@pytest.mark.parametrize("name", ["spaceflight", "toy"])
def test_the_built_in_collections_have_no_copies(name: str) -> None:
    documents, _ = builtin_documents(name)
    assert group_copies(documents) == ()
