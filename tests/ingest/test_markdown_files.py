import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.front_matter import split_front_matter
from narrative_core.ingest.markdown_files import first_heading, plain_markdown, read_markdown_file


def test_front_matter_becomes_columns_and_leaves_the_text() -> None:
    content = read_markdown_file(
        b'---\ntitle: "Bridge: open"\ndate: 2021-07-11\nauthor: Ann Lee # staff\nurl: https://a.example/x\n'
        b"tags: [town, 'river']\nsection: Local\n---\n# Another heading\n\nText."
    )
    assert (content.title, content.date, content.author) == ("Bridge: open", "2021-07-11", "Ann Lee")
    assert content.url == "https://a.example/x"
    assert content.extras == {"tags": "town, river", "front matter section": "Local"}
    assert content.text == "Another heading\n\nText."


def test_tags_of_yaml_are_text_and_never_carried_out() -> None:
    given = "!!python/object/apply:os.system ['true']"
    assert split_front_matter(f"---\nx: {given}\n---\n").values == {"x": given}


@pytest.mark.parametrize("text", ["---\nno entry\n---\nText", "---\ntitle: never closed\nText", "Text\n---\na: b\n---"])
def test_rules_across_the_page_are_no_front_matter(text: str) -> None:
    assert split_front_matter(text).body == text


def test_front_matter_keeps_blocks_and_lists_of_several_lines() -> None:
    found = split_front_matter("---\nsummary: >\n  One\n  two.\ntags:\n- a\n- b\nempty:\n---\nText")
    assert found.values == {"summary": "One two.", "tags": "a, b", "empty": ""}


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("***both*** and **bold *in* bold**", "both and bold in bold"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        (r"\*not\* emphasised", "*not* emphasised"),
        ("![a map](x.png) of [the _town_](<a b> 'T')", "a map of the town"),
        ("<https://a.example/x> <br/>[ref][1]\n\n[1]: https://a.example", "https://a.example/x ref"),
        ("> quoted\n> > deeper", "quoted\ndeeper"),
        ("* [x] done\n  + inner", "- done\n  - inner"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a | b\n1 | 2"),
        ("```py\n# *code* stays\n```\n`x*y*z` end[^1]", "# *code* stays\nx*y*z end"),
        ("Title\n=====\n\n***\n\nText<!-- hidden\nlines -->", "Title\n\nText"),
        ("# الجسر\n\n**مفتوح** 桥**开放**了", "الجسر\n\nمفتوح 桥开放了"),
    ],
)
def test_marks_are_removed_and_words_stay(marked: str, plain: str) -> None:
    assert plain_markdown(marked) == plain


def test_the_first_heading_is_not_one_in_code() -> None:
    assert first_heading("```\n# comment\n```\nBridge\n======\n# Later") == "Bridge"
    assert first_heading("no heading") == ""


def test_a_file_of_front_matter_without_a_title_has_no_text() -> None:
    with pytest.raises(InvalidInput, match="has no text"):
        read_markdown_file(b"---\ndate: 2021\n---\n")


@pytest.mark.parametrize(
    "mark", ["[", "![", "*a", "_a ", "`", "<a", "- ", "> ", "|-", "[a](", "#", "~~", "\\", "---\n"]
)
def test_long_runs_of_marks_are_read_in_bounded_time(mark: str) -> None:
    assert isinstance(plain_markdown(mark * 20_000), str)


@settings(deadline=None)
@given(text=st.text(alphabet="ab *_[]()`#>|-~\\\n!<:", max_size=80))
def test_any_text_is_read_and_no_letter_is_invented(text: str) -> None:
    assert plain_markdown(text).count("a") <= text.count("a")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Write `<b>` and ``*x*``, **never `__init__`**.", "Write <b> and *x*, never __init__."),
        ("[`a<i>`](https://e.org) and ![`no`](p.png) `\\*`", "a<i> and no \\*"),
        ("<b>Bold</b> and `1` of `2`", "Bold and 1 of 2"),
    ],
)
def test_code_in_a_line_stays_as_it_is(line: str, words: str) -> None:
    assert plain_markdown(line) == words
