import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.differences import FieldChange, difference, identified
from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import Loaded, build_documents
from narrative_core.ingest.tables import read_table
from narrative_core.records import Document, LoadReport, Vectors

FLOOD = Document(
    "a", "Flood", "The river rises.", dt.date(2020, 1, 1), "2020-01-01", "day", "Wire", "https://x.example/1"
)


def file_of(documents: Sequence[Document], *, has_ids: bool = True) -> Loaded:
    columns = {"document_id": "key"} if has_ids else {}
    return Loaded(tuple(documents), None, LoadReport(len(documents), len(documents), 0, 0, 0, columns=columns))


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
    def loaded(rows: str) -> Loaded:
        table = read_table(f"id,title,text\n{rows}".encode(), "news.csv")
        return build_documents(table, detect_columns(table))

    stored = loaded("1,A,aa\n,B,bb\n3,C,cc\n").documents
    newer = loaded("9,N,nn\n,D,dd\n1,A,aa\n,B,bb\n3,C,cc corrected\n")
    found = difference(stored, None, identified(stored, newer))
    assert [one.title for one in found.new] == ["N", "D"]
    assert [change.after.title for change in found.changed] == ["C"]
    assert (found.unchanged, found.absent) == (("1", stored[1].document_id), ())
