import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.feeds import read_feed
from narrative_core.ingest.raw_rows import ReadRows
from tests.ingest.source_samples import ROW, rss_bytes

ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Courier</title>
<entry><id>urn:1</id><title>Bridge opens</title><link href="https://example.org/1"/>
<author><name>Ana</name></author><category term="town"/><category term="river" label="River"/>
<published>2021-07-11T23:30:00+02:00</published><updated>2021-07-12T08:00:00Z</updated>
<summary>In short.</summary>
<content type="html">&lt;p&gt;The bridge is &lt;b&gt;open&lt;/b&gt;.&lt;/p&gt;</content></entry>
<entry><id>urn:2</id><title>No more</title><updated>2021-07-13T08:00:00Z</updated></entry></feed>"""


def read(data: bytes) -> ReadRows:
    return read_feed(data, "feed.xml", max_rows=100)


def values(found: ReadRows, row: int) -> dict[str, str]:
    return {name: value for name, value in zip(found.columns, found.collected.rows[row], strict=True) if value}


def test_an_atom_entry_is_a_row_with_all_that_it_says() -> None:
    found = read(ATOM.encode())
    assert values(found, 0) == {
        "id": "urn:1",
        "title": "Bridge opens",
        "text": "<p>The bridge is <b>open</b>.</p>",
        "date": "2021-07-11T23:30:00+02:00",
        "source": "Courier",
        "url": "https://example.org/1",
        "author": "Ana",
        "tags": "town; River",
        "summary": "In short.",
        "updated": "2021-07-12T08:00:00Z",
    }
    assert values(found, 1) == {"id": "urn:2", "title": "No more", "date": "2021-07-13T08:00:00Z", "source": "Courier"}
    assert found.notices == ("The feed is “Courier”.",)


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("Sun, 11 Jul 2021 23:30:00 +0200", "2021-07-11T23:30:00+02:00"),
        ("Tue, 03 Jun 2021 09:39:21 GMT", "2021-06-03T09:39:21+00:00"),
        ("2021-07-11", "2021-07-11"),
        ("soon", "soon"),
        ("", ""),
    ],
)
def test_dates_of_rss_keep_their_day_and_zone(written: str, iso: str) -> None:
    assert values(read(rss_bytes([ROW | {"date": written}])), 0).get("date", "") == iso


def test_entities_of_a_feeds_own_making_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    prologue = f'<!DOCTYPE rss [<!ENTITY l0 "ha">{laughs}]>'
    data = rss_bytes([ROW], prologue=prologue).replace(b"The bridge is open again.", b"&l11;")
    try:
        found = read(data)
    except InvalidInput:
        return
    assert sum(map(len, found.collected.rows[0])) < 1_000


def test_an_entity_that_names_a_file_is_not_read() -> None:
    prologue = '<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    data = rss_bytes([ROW], prologue=prologue).replace(b"The bridge is open again.", b"&file; and more")
    try:
        found = read(data)
    except InvalidInput:
        return
    assert "root:" not in " ".join(found.collected.rows[0])


def test_a_damaged_feed_gives_what_can_be_read_and_says_so() -> None:
    data = rss_bytes([ROW, ROW | {"id": "a2"}])
    found = read(data[: data.rindex(b"<guid>")] + b"<title>A & B")
    assert found.collected.n_read == 2
    assert "The feed is damaged" in found.notices[1]


def test_a_feed_in_another_encoding_is_read_as_it_says() -> None:
    data = rss_bytes([ROW | {"title": "Café"}]).decode().replace("utf-8", "iso-8859-1").encode("latin-1")
    found = read(data)
    assert (values(found, 0)["title"], found.encoding) == ("Café", "iso-8859-1")


@pytest.mark.parametrize(
    ("reference", "character"),
    [
        ("&#55357;&#56832;", "😀"),
        ("&#xD83D;&#xDE00;", "😀"),
        ("&#xd800;", "\ufffd"),
        ("&#x110000;", "\ufffd"),
        ("&#9731;", "☃"),
    ],
)
def test_a_reference_to_half_a_character_costs_no_more_than_that(reference: str, character: str) -> None:
    found = read(rss_bytes([ROW]).replace(b"Bridge opens", f"Bridge {reference} opens".encode()))
    assert values(found, 0)["title"] == f"Bridge {character} opens"
    assert len(found.notices) == 1  # nothing else of the feed was lost on it


@pytest.mark.parametrize("encoding", [b"\x80tf-8", b"\0tf-8"])
def test_an_encoding_that_is_none_ends_in_a_sentence(encoding: bytes) -> None:
    data = rss_bytes([ROW]).replace(b'"utf-8"', b'"' + encoding + b'"')
    with pytest.raises(InvalidInput, match=r"feed.xml cannot be read as a feed: it is damaged \(\w+: "):
        read(data)


def test_a_place_without_its_coordinates_ends_in_a_sentence() -> None:
    place = b'<gml:posList xmlns:gml="http://www.opengis.net/gml" srsDimension="x">1</gml:posList>'
    with pytest.raises(InvalidInput, match="cannot be read as a feed"):
        read(rss_bytes([ROW]).replace(b"<guid>", place + b"<guid>"))
