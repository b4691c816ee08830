"""What the import says, without a browser."""

import numpy as np
import pytest

from narrative_core.build_stages import OWN_VECTORS, Model
from narrative_core.differences import Change, Difference
from narrative_core.import_jobs import Compared, Origin
from narrative_core.ingest.documents import Loaded
from narrative_core.records import Document, LoadReport
from narrative_core.ui.import_file import kind_of, size_words
from narrative_core.ui.import_languages import language_words, model_words
from narrative_core.ui.import_understood import preview_html
from narrative_core.ui.import_update import change_rows, embedding_words, fields_line, lacks_vectors
from narrative_core.ui.load_report import build_needs

FLOOD, RAIN = Document("a", "Flood", "High."), Document("b", "Rain", "Wet.")
HIGHER = Document("a", "Flood", "Higher.", source="Radio")


def compared(new: tuple[Document, ...], changed: tuple[Change, ...], model: str, *, vectors: object = None) -> Compared:
    own = np.eye(3, dtype=np.float32) if vectors else None
    loaded = Loaded(new, own, LoadReport(len(new), len(new), 0, 0, 0))
    return Compared(loaded, Difference(new, changed, (), ()), model)


@pytest.mark.parametrize(
    ("scripts", "languages", "told"),
    [
        ({}, [], ""),
        ({"Latin": 1.0}, ["en"], ""),
        ({"Latin": 1.0}, [], ""),
        ({"Latin": 1.0}, ["es"], "Written in Spanish. "),
        ({"Latin": 0.6, "Arabic": 0.4}, ["en", "ar"], "Written in English and Arabic (60 % of the letters Latin, 40 %"),
        ({"Hebrew": 1.0}, [], "100 % of the letters Hebrew. "),
        ({"Cyrillic": 1.0}, ["bg"], "Written in bg. "),
    ],
)
def test_languages_are_named_and_the_local_models_limits_said(
    scripts: dict[str, float], languages: list[str], told: str
) -> None:
    said = language_words(scripts, languages, is_local=True)
    assert said.startswith(told)
    assert ("A multilingual model at an endpoint does better." in said) == bool(told)
    assert "WordLlama" not in language_words(scripts, languages, is_local=False)


def test_a_model_is_told_with_where_it_runs() -> None:
    assert model_words(Model()) == "WordLlama (English words, on this computer)"
    assert model_words(Model("bge-m3")) == "bge-m3 (at the usual endpoint)"


def test_a_preview_shows_what_a_document_says_and_nothing_that_it_would_do() -> None:
    shown = preview_html(Document("a", "<b>Bridge</b>", "<b>Bridge</b>\n\nIt is <i>open</i>.", date_text="02/03/2021"))
    assert "&lt;b&gt;Bridge&lt;/b&gt;" in shown
    assert shown.count("Bridge") == 1
    assert "“02/03/2021”" in shown
    assert "<i>" not in shown
    assert "no date" in preview_html(FLOOD)


def test_changes_are_a_row_for_each_field() -> None:
    rows = change_rows([Change(FLOOD, HIGHER, ("text", "source", "vector"))])
    assert rows == [
        ("Flood", "text", "High.", "Higher."),
        ("Flood", "source", "–", "Radio"),
        ("Flood", "vector", "as stored", "as in the file"),
    ]


def test_fields_are_counted_the_most_frequent_first() -> None:
    changes = [Change(FLOOD, HIGHER, ("text", "source")), Change(RAIN, RAIN, ("source",))]
    assert fields_line(changes) == "source in 2 and text in 1"


def test_what_is_embedded_is_said_with_its_model() -> None:
    change = Change(FLOOD, HIGHER, ("text",))
    told = embedding_words(compared((RAIN,), (change,), "wordllama"), is_built=True)
    assert told.startswith("2 texts are read by WordLlama, the model of this collection; no other text is read again.")
    assert told.endswith("until you build the map again.")
    unbuilt = embedding_words(compared((RAIN,), (), "bge-m3"), is_built=False)
    assert unbuilt == "1 text is read by bge-m3, the model of this collection; no other text is read again."


def test_nothing_is_said_where_nothing_is_embedded() -> None:
    only_source = Change(FLOOD, HIGHER, ("source",))
    assert embedding_words(compared((), (only_source,), "wordllama"), is_built=True) == ""
    assert embedding_words(compared((RAIN,), (), ""), is_built=False) == ""


def test_a_collection_with_its_own_vectors_asks_for_those_of_the_file() -> None:
    lacking, bringing = (compared((RAIN,), (), OWN_VECTORS, vectors=given) for given in (None, True))
    assert (lacks_vectors(lacking), lacks_vectors(bringing)) == (True, False)
    assert "Add a .npy file above" in embedding_words(lacking, is_built=True)
    assert "gets its vector from the file." in embedding_words(bringing, is_built=True)


def test_vectors_that_come_to_a_collection_without_any_are_said() -> None:
    coming = Compared(
        compared((), (), "", vectors=True).loaded, Difference((), (), ("a",), (), brings_vectors=True), ""
    )
    assert embedding_words(coming, is_built=False).startswith("The collection has no vectors yet;")


def test_the_size_of_a_file_is_told_before_it_is_read() -> None:
    assert size_words(Origin("1", "a.csv", data=b"x" * 400), "csv").startswith("a.csv, a table of values between")
    assert ", 1 KB; reading it takes about 100 MB of memory" in size_words(Origin("1", "a.csv", data=b"x" * 400), "csv")
    assert ", 2.5 MB; " in size_words(Origin("1", "a.csv", data=b"x" * 2_500_000), "csv")


def test_the_kind_of_a_file_is_none_where_it_is_not_read() -> None:
    assert kind_of(Origin("1", "a.csv", data=b"title\nOne\n")) == "csv"
    assert kind_of(Origin("1", "a.pdf", data=b"%PDF-1.7")) == "files"
    assert kind_of(Origin("1", "2 files", files=(("a.pdf", b""), ("b.csv", b"")))) == "files"
    assert kind_of(Origin("1", "a.odt", data=b"PK")) is None


def test_what_a_build_needs_is_a_sentence() -> None:
    assert build_needs(100).startswith("Building the map takes at most about 0.9 GB of memory")
