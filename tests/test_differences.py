import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.differences import FieldChange, difference, identified, reconciled
from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import PARTS, Loaded, build_documents
from narrative_core.ingest.loose_files import read_loose_files
from narrative_core.ingest.tables import read_table
from narrative_core.records import Document, LoadReport, Vectors

FLOOD = Document(
    "a", "Flood", "The river rises.", dt.date(2020, 1, 1), "2020-01-01", "day", "Wire", "https://x.example/1"
)


def file_of(documents: Sequence[Document], *, has_ids: bool = True) -> Loaded:
    """Return a file that has a column for all that its documents say."""
    columns = {part: part for part in PARTS} | ({"document_id": "key"} if has_ids else {})
    report = LoadReport(len(documents), len(documents), 0, 0, 0, columns=columns)
    extras = {name for document in documents for name in document.extras}
    return Loaded(tuple(documents), None, report, columns=frozenset((*columns.values(), *extras)))


def file_with(text: str) -> Loaded:
    table = read_table(text.encode(), "news.csv")
    return build_documents(table, detect_columns(table))


@pytest.mark.parametrize(
    ("after", "fields", "is_embedded_anew"),
    [
        (replace(FLOOD, title="Floods"), ("title",), True),
        (replace(FLOOD, text="The river falls."), ("text",), True),
        (replace(FLOOD, date=dt.date(2020, 1, 2)), ("date",), False),
        (replace(FLOOD, date_text="1 Jan 2020"), ("date",), False),
        (replace(FLOOD, date_precision="month"), ("date",), False),
        (replace(FLOOD, source="Paper"), ("source",), False),
        (replace(FLOOD, url=""), ("url",), False),
        (replace(FLOOD, extras={"place": "Oslo"}), ("extras",), False),
        (replace(FLOOD, url="", title="Floods"), ("title", "url"), True),
    ],
)
def test_a_change_names_its_fields(after: Document, fields: tuple[str, ...], is_embedded_anew: bool) -> None:
    found = difference([FLOOD], None, file_of([after]))
    (change,) = found.changed
    assert (change.before, change.after, change.fields) == (FLOOD, after, fields)
    assert change.is_embedded_anew == is_embedded_anew
    assert found.n_embedded_anew == int(is_embedded_anew)
    assert [sample.field for sample in change.samples] == list(fields)


def test_samples_show_where_a_text_begins_to_differ() -> None:
    long = "x" * 500
    (change,) = difference(
        [replace(FLOOD, text=f"{long} old end")], None, file_of([replace(FLOOD, text=f"{long} new")])
    ).changed
    assert change.samples == (FieldChange("text", "…" + "x" * 29 + " old end", "…" + "x" * 29 + " new"),)
    (change,) = difference([FLOOD], None, file_of([replace(FLOOD, text=long)])).changed
    assert [len(part) for part in (change.samples[0].before, change.samples[0].after)] == [16, 119]
    (change,) = difference([FLOOD], None, file_of([replace(FLOOD, extras={"b": "2", "a": "1"})])).changed
    assert change.samples == (FieldChange("extras", "", "a: 1, b: 2"),)


def test_a_vector_has_no_sample_and_is_compared_bit_for_bit() -> None:
    vectors = Vectors(np.eye(2, dtype=np.float32), OWN_VECTORS, "from file, 2 dimensions")
    rain = replace(FLOOD, document_id="b", title="Rain")
    same = replace(file_of([rain, FLOOD]), vectors=np.eye(2, dtype=np.float32)[::-1])
    assert difference([FLOOD, rain], vectors, same).is_empty
    other = replace(same, vectors=np.nextafter(np.eye(2, dtype=np.float32)[::-1], 2))
    found = difference([FLOOD, rain], vectors, other)
    assert [(change.fields, change.samples) for change in found.changed] == [(("vector",), ())] * 2


def test_vectors_of_a_model_and_of_another_length_are_refused() -> None:
    brought = replace(file_of([FLOOD]), vectors=np.eye(1, 3, dtype=np.float32))
    with pytest.raises(InvalidInput, match="vectors are from wordllama"):
        difference([FLOOD], Vectors(np.eye(1, 3, dtype=np.float32), "wordllama", "1"), brought)
    with pytest.raises(InvalidInput, match="have 4 dimensions and those of the file 3"):
        difference([FLOOD], Vectors(np.eye(1, 4, dtype=np.float32), OWN_VECTORS, ""), brought)


def test_a_file_with_ids_is_taken_at_its_word() -> None:
    loaded = file_of([replace(FLOOD, document_id="other")])
    assert identified([FLOOD], loaded) is loaded


def test_without_ids_a_document_is_known_by_its_content_or_by_an_address_of_its_own() -> None:
    rain = Document("d00002", "Rain", "It rains.", url="https://x.example/2")
    moved = replace(FLOOD, document_id="d00003")
    corrected = replace(rain, document_id="d00001", text="It rained.")
    new = Document("d00002", "Sun", "It shines.")
    found = identified([FLOOD, rain], file_of([corrected, new, moved], has_ids=False)).documents
    assert [(one.document_id, one.title) for one in (found[0], found[2])] == [("d00002", "Rain"), ("a", "Flood")]
    assert found[1] == replace(new, document_id=found[1].document_id)
    assert found[1].document_id not in ("d00001", "d00002", "a")


def test_an_address_that_several_share_names_none_of_them() -> None:
    pages = [replace(FLOOD, document_id=name, text=name) for name in ("a", "b")]
    (found,) = identified(pages, file_of([replace(FLOOD, document_id="d00001")], has_ids=False)).documents
    assert found.document_id not in ("a", "b")


def test_a_new_document_never_has_the_id_of_one_that_was_removed() -> None:
    """What was decided about that one would be about the new one: an exclusion, a date, a note."""
    rows = [Document(f"d{row:05}", title, "") for row, title in enumerate(("Flood", "Rain", "Sun"), 1)]
    first = identified([rows[0]], file_of(rows, has_ids=False)).documents
    kept = [one for one in first if one.title != "Rain"]
    again = identified(kept, file_of([*kept, Document("d00003", "Snow", "")], has_ids=False)).documents
    assert again[-1].document_id not in {one.document_id for one in first}
    back = identified(kept, file_of(rows, has_ids=False)).documents
    assert [one.document_id for one in back] == [one.document_id for one in first], "what comes back is known again"


contents = st.builds(
    Document,
    document_id=st.just("row"),
    title=st.sampled_from(["Flood", "Rain"]),
    text=st.sampled_from(["", "Again."]),
    url=st.sampled_from(["", "https://x.example/1", "https://x.example/2"]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(contents, max_size=6), st.lists(contents, max_size=6))
def test_ids_that_are_given_never_repeat(stored: list[Document], others: list[Document]) -> None:
    documents = [replace(one, document_id=f"d{row:05}") for row, one in enumerate(stored, 1)]
    found = identified(documents, file_of(others, has_ids=False)).documents
    assert len({one.document_id for one in found}) == len(others)
    assert [replace(one, document_id="row") for one in found] == others


def test_rows_without_an_id_in_a_file_with_ids_are_known_by_their_content() -> None:
    stored = file_with("id,title,text\n1,A,aa\n,B,bb\n3,C,cc\n").documents
    newer = file_with("id,title,text\n9,N,nn\n,D,dd\n1,A,aa\n,B,bb\n3,C,cc corrected\n")
    found = difference(stored, None, identified(stored, newer))
    assert [one.title for one in found.new] == ["N", "D"]
    assert [change.after.title for change in found.changed] == ["C"]
    assert (found.unchanged, found.absent) == (("1", stored[1].document_id), ())


FULL = "id,title,text,date,source,url,desk\n"


def test_a_column_that_the_file_does_not_have_changes_nothing() -> None:
    stored = file_with(f"{FULL}1,Flood,High.,2021-07-11,Wire,https://x.example/1,City\n2,Rain,Wet.,,,,\n").documents
    loaded = reconciled(stored, file_with("id,title,text\n2,Rain,Wet.\n1,Floods,High.\n3,Sun,Hot.\n"))
    found = difference(stored, None, loaded)
    (change,) = found.changed
    assert change.after == replace(change.before, title="Floods")
    assert (change.fields, found.unchanged) == (("title",), ("2",))
    assert found.staying == ("date", "source", "url", "extras")
    assert all(one in loaded.documents for one in (change.after, *found.new)), "what is shown is what is applied"


def test_a_column_that_the_file_has_empties_what_it_leaves_empty() -> None:
    stored = file_with(f"{FULL}1,Flood,High.,2021-07-11,Wire,https://x.example/1,City\n").documents
    found = difference(stored, None, reconciled(stored, file_with(f"{FULL}1,Flood,High.,,,,\n")))
    assert found.changed[0].fields == ("date", "source", "url", "extras")
    assert found.staying == ()


def test_a_further_column_stays_beside_those_of_the_file() -> None:
    stored = file_with("id,title,desk,page\n1,Flood,City,3\n").documents
    (after,) = reconciled(stored, file_with("id,title,page,size\n1,Flood,4,big\n")).documents
    assert after.extras == {"desk": "City", "page": "4", "size": "big"}
    (after,) = reconciled(stored, file_with("id,headline,page\n1,Flood,\n")).documents
    assert after.extras == {"desk": "City"}


def test_a_headline_stays_where_the_file_has_none_and_one_made_of_the_text_follows_it() -> None:
    stored = file_with("id,title,text\n1,Flood,The river rises.\n2,,The rain is over.\n").documents
    found = difference(stored, None, reconciled(stored, file_with("id,text\n1,The river falls.\n2,It rains.\n")))
    assert [(change.after.title, change.fields) for change in found.changed] == [
        ("Flood", ("text",)),
        ("It rains.", ("title", "text")),
    ]
    assert found.staying == ("title",)


def test_a_date_in_another_wording_is_the_same_document_and_nothing_is_embedded() -> None:
    stored = file_with("title,text,date\nFlood,High.,2021-07-11\nRain,Wet.,2021-07-25\n").documents
    for newer in ("7/11/2021", "2021-07-11 00:00:00"):
        loaded = file_with(f"title,text,date\nFlood,High.,{newer}\nRain,Wet.,7/25/2021\n")
        found = difference(stored, None, reconciled(stored, loaded))
        assert [change.fields for change in found.changed] == [("date",), ("date",)]
        assert (found.new, found.absent, found.n_embedded_anew) == ((), (), 0)


def test_without_ids_a_document_is_known_by_the_columns_that_the_file_has() -> None:
    stored = file_with("title,text,date,source\nFlood,High.,2021,Wire\nRain,Wet.,2022,Wire\n").documents
    found = difference(stored, None, reconciled(stored, file_with("title,text\nFlood,High.\nSun,Hot.\n")))
    assert ([one.title for one in found.new], found.unchanged) == (["Sun"], (stored[0].document_id,))


def test_copies_with_an_address_or_a_column_of_their_own_are_each_known_again() -> None:
    rows = "title,text,paper\nFlood,High.,Herald\nFlood,High.,Tribune\nFlood,High.,Gazette\n"
    stored = file_with(rows).documents
    assert len(stored) == 3
    found = difference(stored, None, reconciled(stored, file_with("title,text,paper\nFlood,High.,Gazette\n")))
    assert found.unchanged == (stored[2].document_id,)
    assert (found.new, found.changed, found.absent) == ((), (), stored[:2])


def test_a_column_that_only_the_file_has_tells_no_documents_apart() -> None:
    stored = file_with("title,text,paper\nFlood,High.,Herald\nFlood,High.,Tribune\n").documents
    newer = file_with("title,text,paper,desk,date\nFlood,High.,Tribune,City,2021\nFlood,High.,Herald,City,2021\n")
    found = difference(stored, None, reconciled(stored, newer))
    assert [change.fields for change in found.changed] == [("date", "extras")] * 2
    assert [change.after.extras["paper"] for change in found.changed] == ["Herald", "Tribune"]
    assert (found.new, found.absent) == ((), ())


def test_documents_are_not_the_same_by_date_and_source_alone() -> None:
    stored = file_with("title,date,source\nFlood,2021,Wire\n").documents
    loaded = file_with("text,date,source\nThe rain is over.,2021,Wire\n")
    found = difference(stored, None, reconciled(stored, loaded))
    assert (len(found.new), len(found.absent)) == (1, 1)


def test_vectors_where_there_were_none_are_a_change() -> None:
    brought = replace(file_of([FLOOD]), vectors=np.eye(1, 3, dtype=np.float32))
    found = difference([FLOOD], None, brought)
    assert (found.is_empty, found.brings_vectors, found.unchanged) == (False, True, ("a",))
    assert difference([FLOOD], None, file_of([FLOOD])).is_empty


def files_of(paths: dict[str, str]) -> Loaded:
    table = read_loose_files([(path, text.encode()) for path, text in paths.items()], "files")
    return build_documents(table, detect_columns(table))


def test_a_file_under_another_path_is_the_same_document() -> None:
    stored = files_of({"a.txt": "Flood\n\nHigh.", "b.txt": "Rain\n\nWet."}).documents
    moved = {"leaks/a.txt": "Flood\n\nHigh.", "b.txt": "Rain\n\nWetter.", "c.txt": "Sun\n\nHot."}
    loaded = reconciled(stored, files_of(moved))
    assert {one.document_id for one in loaded.documents} == {"a.txt", "b.txt", "c.txt"}
    found = difference(stored, None, loaded)
    assert [(change.before.document_id, "text" in change.fields) for change in found.changed] == [
        ("a.txt", False),
        ("b.txt", True),
    ]
    assert ([one.document_id for one in found.new], found.absent) == (["c.txt"], ())
