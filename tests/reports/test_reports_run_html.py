import base64
import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.reports import palette
from narrative_core.reports.methods import MethodParagraph, Parameter
from narrative_core.reports.run_html import RunFigure, run_html
from narrative_core.reports.tables import Column, Row, Table
from narrative_core.runs import Run
from tests.run_samples import sample_run, sample_table

BREAKOUT = "</script><script>alert(1)</script><!-- <script> \u2028 ]]> & \" '"
VOID = {"meta", "br"}
COLUMNS = (Column("judge", "Judge", "Who gives the scores.", "text"), Column("n", "n", "Stories.", "count"))


class Page(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, and what stands in them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "script":
            self.scripts.append(({name: value or "" for name, value in attrs}, ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            kind, before = self.scripts[-1]
            self.scripts[-1] = (kind, before + data)
        else:
            self.words.append((self.open[-1] if self.open else "", data))

    def text_of(self, tag: str) -> list[str]:
        return [" ".join(words.split()) for inside, words in self.words if inside == tag and words.strip()]

    @property
    def programs(self) -> list[str]:
        return [text for kind, text in self.scripts if kind.get("type") != "application/json"]

    @property
    def figures(self) -> list[Any]:
        told = [text for kind, text in self.scripts if kind.get("type") == "application/json"]
        # A browser reads "<!--" and "<script" inside a script in a way that this parser does not know.
        assert not [text for text in told if "<" in text or ">" in text]
        return [json.loads(text) for text in told]


def figure(name: str = "points", **layout: object) -> go.Figure:
    points = go.Scatter(x=[1, 2], y=[3, 4], name=name, hovertext=[name, name])
    return go.Figure(points).update_layout(height=310, **layout)


def table(key: str = "agreement", title: str = "Agreement", judge: str = "gpt", *, is_empty: bool = False) -> Table:
    return Table(key, title, COLUMNS, () if is_empty else (Row((judge, 12)),), "A note.", 12)


def page(
    *,
    run: Run | None = None,
    tables: tuple[Table, ...] = (table(),),
    figures: tuple[RunFigure, ...] = (),
    text: str = "So.",
    source_note: str = "",
) -> str:
    paragraphs, parameters = (MethodParagraph("Trails", text),), (Parameter("Seed", text),)
    return run_html(run or sample_run(), tables, figures, paragraphs, parameters, source_note=source_note)


def hash_of(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def policy(read: Page) -> str:
    return next(value for tag, name, value in read.attributes if tag == "meta" and "script-src" in value)


def test_the_page_asks_nothing_from_elsewhere() -> None:
    text = page(figures=(RunFigure("means", "Means", figure()),))
    read = Page(text)
    assert not {"link", "img", "iframe", "object", "form", "base"} & set(read.tags)
    assert not [name for _, name, _ in read.attributes if name in {"src", "action", "data", "srcset", "ping"}]
    assert all(value.startswith("#") for _, name, value in read.attributes if name == "href")
    assert not re.search(r"url\(|@import", " ".join(words for inside, words in read.words if inside == "style"))
    assert "default-src 'none'" in policy(read)
    assert "connect-src" not in policy(read)


def test_only_the_two_scripts_of_ours_may_run_and_plotly_is_there_once() -> None:
    text = page(figures=(RunFigure("means", "Means", figure()), RunFigure("auc", "AUC", figure())))
    read = Page(text)
    assert len(read.programs) == 2
    assert [program.count("plotly.js v") > 0 for program in read.programs] == [True, False]
    allowed = re.search(r"script-src ([^;]*);", policy(read))
    assert allowed is not None
    assert allowed[1].split() == [hash_of(program) for program in read.programs]
    assert "\r" not in "".join(read.programs)


def test_a_page_without_figures_has_no_script_at_all() -> None:
    read = Page(page())
    assert read.scripts == []
    assert "script-src 'none'" in policy(read)


def test_a_figure_is_in_the_page_as_it_is() -> None:
    drawn = figure("weakest link")
    read = Page(page(figures=(RunFigure("means", "Means", drawn),)))
    assert read.figures == [json.loads(drawn.to_json())]
    assert ("figure", "data-key", "means") in read.attributes
    assert ("div", "style", "min-height:310px") in read.attributes


@pytest.mark.parametrize("hostile", [BREAKOUT, "<b onclick=x>", "{{ 7 * 7 }}", "</figure></main>"])
def test_no_text_can_leave_its_place(hostile: str) -> None:
    run = sample_run()
    named = Run(**{name: getattr(run, name) for name in run.__slots__ if name != "name"}, name=hostile)
    plain = Page(page(figures=(RunFigure("means", "Means", figure()),), source_note="From somewhere."))
    read = Page(
        page(
            run=named,
            tables=(table(title=hostile, judge=hostile),),
            figures=(RunFigure("means", hostile, figure(hostile, title={"text": hostile})),),
            text=hostile,
            source_note=hostile,
        )
    )
    assert read.tags == plain.tags
    assert read.programs == plain.programs
    assert read.figures[0]["data"][0]["name"] == hostile
    shown = " ".join(hostile.replace("\u2028", " ").split())
    for tag in ("title", "h1", "h2", "td", "p"):
        assert shown in [*read.text_of(tag), *read.text_of("th")], tag


@settings(deadline=None, max_examples=40)
@given(st.text(st.sampled_from("<>/scriptSCRIPT!-&\"'\\u003{}%\u2028\n "), max_size=40))
def test_any_name_in_a_figure_comes_back(name: str) -> None:
    read = Page(page(figures=(RunFigure("means", "Means", figure(name)),)))
    assert read.figures[0]["data"][0]["name"] == name
    assert len(read.scripts) == 3


def test_figures_stand_under_their_table_and_are_numbered_in_reading_order() -> None:
    tables = (table("lengths", "Documents"), table("agreement", "Agreement"), table("use", "Use", is_empty=True))
    figures = (
        RunFigure("spread", "Spread", figure(), "agreement"),
        RunFigure("seconds", "Seconds", figure(), "use"),
        RunFigure("lengths", "Lengths", figure(), "lengths"),
    )
    read = Page(page(tables=tables, figures=figures))
    headings = [words for words in read.text_of("h2") if words != "How this was made"]
    assert headings == ["Contents", "Documents", "Agreement", "More figures"]
    keys = [value for tag, name, value in read.attributes if name == "data-key"]
    assert keys == ["lengths", "spread", "seconds"]
    assert read.text_of("h3")[:3] == ["Figure 1.", "Figure 2.", "Figure 3."]


def test_every_line_of_the_contents_leads_somewhere() -> None:
    read = Page(page(tables=(table("a", "A"), table("b", "B")), figures=(RunFigure("m", "M", figure()),)))
    targets = [value[1:] for tag, name, value in read.attributes if name == "href"]
    ids = Counter(value for _, name, value in read.attributes if name == "id")
    assert len(targets) == 4
    assert set(targets) <= set(ids)
    assert max(ids.values()) == 1


def test_the_head_says_what_was_run_and_methods_and_parameters_are_there() -> None:
    read = Page(page(text="Made so.", source_note="Collection: Spaceflight."))
    assert "Trails beside random chronologies: 30 endpoint pairs and 2 judges." in read.text_of("p")
    assert "Collection: Spaceflight." in read.text_of("p")
    assert "Made so." in read.text_of("p")
    assert read.text_of("dt") == ["Seed"]
    assert "n = 12 stories. A note." in read.text_of("p")


@pytest.mark.parametrize(
    ("design", "told"),
    [
        ("mixtures", "Stories that mix two collections, beside trails: 30 stories of each kind and 2 judges."),
        ("sanity", "Trails, random chronologies, and trails damaged on purpose: 30 endpoint pairs and 2 judges."),
    ],
)
def test_every_design_is_told_in_words(design: str, told: str) -> None:
    assert told in Page(page(run=sample_run(design=design))).text_of("p")  # type: ignore[arg-type]


def test_a_judge_that_is_asked_in_several_ways_is_one_judge() -> None:
    run = sample_table(2, design="sanity").run
    assert len(run.settings.seats) > 2
    told = "Trails, random chronologies, and trails damaged on purpose: 2 endpoint pairs and 2 judges."
    assert told in Page(page(run=run)).text_of("p")


def test_the_pairs_that_were_found_are_told_and_not_those_that_were_asked_for() -> None:
    run = sample_run()
    first, *others = run.strata
    fewer = replace(run, strata=(replace(first, found=first.found - 4), *others))
    told = "Trails beside random chronologies: 26 endpoint pairs and 2 judges."
    assert told in Page(page(run=fewer)).text_of("p")


def test_a_run_without_judges_says_so() -> None:
    assert "Trails beside random chronologies: 30 endpoint pairs and no judge." in Page(
        page(run=sample_run(seats=()))
    ).text_of("p")


def test_the_page_has_the_colours_of_the_other_reports() -> None:
    text = page()
    for colour in (palette.TRAIL, palette.INK, palette.QUIET, palette.RULE):
        assert colour in text
    assert "@media print" in text
    assert 'name="viewport"' in text
