import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_samples import hostile_panel, panel
from report_samples import (
    HOSTILE_TITLES,
    annotated_story,
    by_hand,
    document,
    hostile_story,
    pair,
    saved,
    sketch,
    space_story,
    story,
)

from narrative_core.errors import InvalidInput
from narrative_core.records import SavedStory
from narrative_core.reports import palette
from narrative_core.reports.addresses import web_address
from narrative_core.reports.html_report import story_html
from narrative_core.reports.judge_sections import judge_sections, said_text
from narrative_core.reports.map_svg import map_svg
from narrative_core.reports.sentences import format_title, plain_line
from narrative_core.reports.wish_lines import Names

VOID = {"meta", "br"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "div", "span", "p", "h1", "h2"),
    *("h3", "ol", "li", "a", "time", "strong", "bdi", "figure", "figcaption", "dl", "dt", "dd"),
    *("h4", "table", "thead", "tbody", "tr", "th", "td", "blockquote", "ul"),
    *("details", "summary", "svg", "desc", "g", "rect", "circle", "line", "polyline", "path", "text"),
}
ADDRESSES = {"src", "action", "formaction", "data", "poster", "srcset", "background", "xlink:href", "ping"}


class Page(HTMLParser):
    """What a browser would make of a page: its elements, attributes and words, with the nesting checked."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    def text_of(self, tag: str) -> list[str]:
        return [words for inside, words in self.words if inside == tag]

    def all_text(self) -> str:
        return " ".join(" ".join(words for inside, words in self.words if inside != "style").split())


def assert_page_is_inert(text: str, kept: SavedStory) -> Page:
    page = Page(text)
    assert set(page.tags) <= TAGS
    assert not page.comments
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in ADDRESSES]
    assert {tag for tag, name, _ in page.attributes if name == "href"} <= {"a"}
    own = {web_address(d.url) for told in (kept.pair.trail, kept.pair.baseline) for d in told.documents}
    assert set(page.values("href")) <= own - {""}
    assert all(re.fullmatch(r"width:\d+(\.\d+)?%", style) for style in page.values("style"))
    assert not re.search(r"url\(|@import|expression|</", " ".join(page.text_of("style")))
    assert max(Counter(page.values("id")).values()) == 1
    return page


@pytest.mark.parametrize(
    "kept", [space_story(2), space_story(8), space_story(20), hostile_story()], ids=lambda s: s.name
)
@pytest.mark.parametrize("drawn", ["", map_svg(sketch())], ids=["no map", "map"])
def test_the_page_is_inert_and_needs_nothing_from_elsewhere(kept: SavedStory, drawn: str) -> None:
    page = assert_page_is_inert(story_html(kept, map_svg=drawn), kept)
    assert ("Map of the collection" in page.all_text()) == bool(drawn)
    assert "default-src 'none'" in " ".join(page.values("content"))


titles = st.text(
    st.one_of(st.sampled_from("<>&\"'/=-! \n{}%#`"), st.characters(exclude_categories=["Cs"])), max_size=30
)


@settings(deadline=None, max_examples=40)
@given(titles, titles, titles, titles, titles)
def test_any_text_stays_text(title: str, source: str, url: str, name: str, note: str) -> None:
    first = document(0, title, source=source, url=f"https://example.org/{url}")
    told = story([first, document(1, title), document(2)], [0.8, 0.7], terms=(title,))
    kept = saved(pair(told), name=name, note=note)
    page = assert_page_is_inert(story_html(kept, settings={name: note}), kept)
    assert format_title(first) in page.text_of("h3") + page.text_of("a")
    assert (plain_line(name) or "Untitled story") in page.text_of("h1")


def test_hostile_titles_are_shown_as_they_are() -> None:
    kept = hostile_story()
    page = Page(story_html(kept))
    shown = page.text_of("h3") + page.text_of("a")
    for told in kept.pair.trail.documents:
        assert format_title(told) in shown
    assert HOSTILE_TITLES[0] in shown
    assert page.text_of("title")[0] == "<script>name</script> | *x*"
    assert sorted(page.text_of("title")[1:]) == [
        "Strength along both stories",
        "The story in time",
        "Weakest links of the random chronologies",
    ]


def test_sources_cannot_turn_the_line_around() -> None:
    told = story([document(0, source="NA\u202eSA\x00 desk"), document(1), document(2)], [0.8, 0.7])
    page = Page(story_html(saved(pair(told))))
    assert "NASA desk" in page.text_of("bdi")


def test_the_page_tells_the_story_in_words() -> None:
    text = Page(story_html(space_story(), map_svg=map_svg(sketch()))).all_text()
    for words in (
        "8 documents over 11 years. Stronger than all 200 random chronologies.",
        "Checked against the wire copy. The 1961 step needs a second source.",
        "The weakest link is from “Kennedy asks Congress for a landing on the Moon before the decade is out” to “Mar",
        "25 March 1964 · The New York Times Kennedy asks Congress",
        "Strength 0.64 ⚠ weakest link 19 months · satellite and orbit",
        "Random chronology Chance, not a finding: draw",
        "What these numbers do not prove",
        "not a causal claim",
    ):
        assert words in text


def test_notes_copies_leads_and_the_version_are_told() -> None:
    page = assert_page_is_inert(story_html(annotated_story()), annotated_story())
    text = page.all_text()
    for words in (
        "spaceflight · 30 November 2025, 09:24 UTC · version 3",
        "18 May 1959 · The New York Times · and 3 copies of it",
        "6 November 1965 · TASS · and 1 copy of it",
        "Note: Ask the archive. =SUM(A1) needs a second source.",
        "Note: Nineteen months: look for 1964.",
        "The spacecraft left the pad at dawn and reached orbit nine minutes later, controllers said. The",
    ):
        assert words in text
    assert "made by hand" not in text
    leads = [words for _, words in page.words if words.startswith("The spacecraft")]
    assert len(leads) == 8
    assert all(len(lead.split()) == 40 and lead.endswith("…") for lead in leads)


def test_wishes_are_told_by_name_and_warnings_as_they_are() -> None:
    names = Names({"x9": "A banned headline"}, {4: "Probes, Mars"})
    text = Page(story_html(annotated_story(), names=names, warnings=["One source tells <all> of it."])).all_text()
    assert "To be checked One source tells <all> of it." in text
    assert (
        "What was asked of the trail Passes through “Gagarin orbits the Earth” Avoids “A banned headline” Avoids the "
        "source TASS Avoids the topic Probes, Mars No gap over 900 days"
    ) in text


def test_without_warnings_or_wishes_there_is_no_word_of_them() -> None:
    text = Page(story_html(space_story())).all_text()
    assert "To be checked" not in text
    assert "What was asked" not in text


def test_a_story_made_by_hand_is_marked_as_one() -> None:
    text = Page(story_html(by_hand(annotated_story()))).all_text()
    assert "version 3 · made by hand" in text
    assert "A person chose these documents and their order." in text
    assert "nothing was searched" in text
    assert "What was asked" not in text


def test_the_random_chronology_is_folded_and_paper_prints_addresses() -> None:
    page = Page(story_html(space_story()))
    assert (page.tags["details"], page.tags["summary"]) == (1, 1)
    assert set(page.values("data-paper")) == {f"example.org/news/{number}" for number in (0, 2, 4, 6)}
    style = " ".join(page.text_of("style"))
    assert "attr(data-paper)" in style
    assert "attr(href)" not in style


def test_the_timeline_and_the_profile_are_part_of_the_page() -> None:
    titles = Page(story_html(space_story())).text_of("title")
    assert {"The story in time", "Strength along both stories"} <= set(titles)


def test_text_stands_out_from_its_ground() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    style = " ".join(Page(story_html(space_story())).text_of("style"))
    inks = set(re.findall(r"(?<![-\w])color: (#[0-9a-f]{6})", style)) | {palette.INK, palette.QUIET, palette.TRAIL}
    for ground in ("#ffffff", "#f5f6f8"):
        for ink in inks:
            assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) >= 4.5, (ink, ground)


def test_bars_are_as_long_as_the_links_are_strong() -> None:
    kept = space_story()
    widths = Page(story_html(kept)).values("style")
    expected = [round(100 * link.coherence, 1) for told in (kept.pair.trail, kept.pair.baseline) for link in told.links]
    assert [float(width.removeprefix("width:").removesuffix("%")) for width in widths] == expected


def test_headlines_take_the_direction_of_their_own_script() -> None:
    page = Page(story_html(hostile_story()))
    assert sum(1 for tag, name, value in page.attributes if (tag, name, value) == ("h3", "dir", "auto")) == 24
    assert ("h1", "dir", "auto") in page.attributes


def test_dates_are_machine_readable_to_their_precision() -> None:
    moments = Page(story_html(hostile_story())).values("datetime")
    assert moments[:3] == ["1961", "1961-04", "1961-04-02"]


def test_a_story_of_two_documents_shows_neither_chance_chain_nor_draws() -> None:
    page = Page(story_html(space_story(2)))
    assert page.tags["ol"] == 1
    assert page.text_of("title")[1:] == ["The story in time"]
    assert "⚠" not in page.all_text()
    assert "only one chronology" in page.all_text()


def test_unknown_numbers_are_said_to_be_unknown() -> None:
    kept = space_story(3)
    nan = float("nan")
    links = tuple(replace(link, coherence=nan, days_between=None) for link in kept.pair.trail.links)
    trail = replace(kept.pair.trail, links=links, bottleneck=nan, mean=nan, reliability=nan)
    told = replace(kept.pair, trail=trail, median_link=nan, draw_bottlenecks=(nan, 0.5), beaten=0, draw=0)
    text = Page(story_html(replace(kept, pair=told))).all_text()
    assert "Weakest link unknown · mean unknown" in text
    assert " nan" not in text


def test_without_judges_the_page_has_no_word_of_them() -> None:
    kept = space_story()
    plain = story_html(kept, map_svg=map_svg(sketch()))
    assert story_html(kept, map_svg=map_svg(sketch()), verdicts=()) == plain
    assert not re.search("judges|nats", plain, re.IGNORECASE)


def test_each_judge_has_a_row_with_both_scores_and_how_many_answered() -> None:
    kept = space_story()
    page = assert_page_is_inert(story_html(kept, verdicts=panel(kept)), kept)
    text = page.all_text()
    for words in (
        "What the judges say A judge's score is not a proof",
        "gpt-4.1, standard, 3 agents 7.2 ± 0.2 of 10 3 asked, all ok 3.8 ± 0.4 of 10 3 asked, 2 ok, 1 timed out",
        "local-model, simple, 1 agent, titles and dates, no explanation 6.0 of 10 1 asked, 1 ok no score 1",
        "Reading flow 1.51 nats per token 1 asked, 1 ok 0.20 nats per token",
        "Lexical reader 5.1 of 10",
        "differ between runs",
        "How the judges were asked",
    ):
        assert words in text
    assert "nan" not in text


def test_the_link_that_a_judge_names_stands_beside_the_one_of_the_mathematics() -> None:
    kept = space_story()
    text = Page(story_html(kept, verdicts=panel(kept))).all_text()
    assert (
        "It names the link from “Luna 3 photographs the far side of the Moon” to “Gagarin orbits the Earth” as the "
        "weakest, as all 3 agents do. By the mathematics another is the weakest, the link from “Kennedy asks Congress"
    ) in text
    assert "The median agent, number 3, says: It holds together." in text
    assert "1 answer without a score, timed out: The server did not answer in 60 s." in text


def test_criteria_are_a_table_with_a_column_a_story() -> None:
    page = Page(story_html(space_story(), verdicts=panel(space_story())))
    cells = page.text_of("td")
    assert page.tags["table"] == 1 + 3
    assert cells[cells.index("7.8") : cells.index("7.8") + 2] == ["7.8", "4.2"]


def test_what_judges_write_stays_text() -> None:
    kept = hostile_story()
    page = assert_page_is_inert(story_html(kept, verdicts=hostile_panel()), kept)
    assert page.tags["img"] == page.tags["script"] == 0
    for told in judge_sections(kept.pair, hostile_panel()):
        assert told.trail.explanation in [*page.text_of("blockquote"), ""]
        assert told.title in page.text_of("bdi")
    assert {value for tag, name, value in page.attributes if (tag, name) == ("blockquote", "dir")} == {"auto"}


@settings(deadline=None, max_examples=40)
@given(titles, titles, titles, titles)
def test_any_judge_stays_text(said: str, reason: str, model: str, message: str) -> None:
    kept = space_story(3)
    verdicts = tuple(
        replace(
            verdict,
            seat=replace(verdict.seat, model=model, endpoint=message),
            criteria={reason: 5.0},
            judgements=tuple(replace(j, explanation=said, message=message) for j in verdict.judgements),
        )
        for verdict in panel(kept)
    )
    page = assert_page_is_inert(story_html(kept, verdicts=verdicts), kept)
    assert said_text(said) in [*page.text_of("blockquote"), ""]


def test_a_story_that_chance_tells_too_is_explained_once() -> None:
    kept = space_story(2)
    text = Page(story_html(kept, verdicts=panel(kept))).all_text()
    assert text.count("The median agent, number") == 1
    assert "Hardly a story." not in text


@pytest.mark.parametrize(
    "picture",
    [
        "<svg",
        "<p>no picture</p>",
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.example/x.png"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(https://evil.example/#x)"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><g style="background:red"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><g xlink:href="x"/></svg>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
        '<svg xmlns="http://www.w3.org/1999/xhtml"></svg>',
    ],
)
def test_a_map_that_is_more_than_a_picture_is_refused(picture: str) -> None:
    with pytest.raises(InvalidInput, match="map"):
        story_html(space_story(), map_svg=picture)
