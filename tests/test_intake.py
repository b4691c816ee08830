import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core import build_stages, intake
from narrative_core.build_stages import OWN_VECTORS
from narrative_core.bundle import RECORDING, write_bundle
from narrative_core.bundle_target import export_folder
from narrative_core.errors import InvalidInput, NarrativeError
from narrative_core.extraction import tell
from narrative_core.ingest import builtin as builtin_collections
from narrative_core.ingest.builtin import BUILTIN
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.intake import (
    SHIPPED,
    collection_name,
    import_bundle,
    import_table,
    install_builtin,
    install_shipped,
)
from narrative_core.naming import relabel
from narrative_core.pipeline import build, load
from narrative_core.recordings import write_recording
from narrative_core.records import Collection, Document, LandscapeParameters, Problem, SavedStory, TrailRequest
from narrative_core.store.collections import (
    delete_collection,
    list_collections,
    load_collection,
    load_documents,
    load_origin_hash,
    load_report,
    save_collection,
)
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import list_judgements, save_judgement, save_judgements
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.stories import list_stories, save_story
from narrative_core.store.terms import load_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.judgement_samples import answered, flow_judgement
from tests.test_bundle import DOCUMENTS, LINK, ODD_TEXT, landscape, vectors

ROWS = """headline,body,date,key
Late,The flood is over.,2020-03-01,x3
Early,The river rises.,2020-01-01,x1
Undated,The dyke holds.,,x0
Early,The river rises.,2020-01-01,x1
Middle,"The rain, again.",Feb 2020,x2
,,2020-04-01,x9
"""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in which every shipped collection has twelve documents and a landscape."""
    folder = tmp_path / "data"
    for name in SHIPPED:
        ship(folder / name, documents_on_two_themes(12))
    for module in (intake, builtin_collections):
        monkeypatch.setattr(module, "DATA_FOLDER", folder)
    return folder


def ship(folder: Path, documents: Sequence[Document]) -> None:
    """Write an edition of a built-in collection, made by a build in a database of its own."""
    with (
        contextlib.closing(open_database(folder.with_suffix(".duckdb"))) as made,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
        if any(summary.collection.name == "made" for summary in list_collections(made)):
            delete_collection(made, "made")
        save_documents(made, documents, "made")
        build(made, "made")
        write_bundle(folder, documents, load_vectors(made, "made"), load_landscape(made, "made"))


def contents(database: Database) -> list[tuple[str, int, bool]]:
    return [(found.collection.name, found.n_documents, found.is_built) for found in list_collections(database)]


def landscape_id(database: Database, name: str) -> str:
    return load(database, name).landscape.landscape_id


def table(text: str = ROWS, name: str = "news.csv") -> RawTable:
    return read_table(text.encode(), name)


def test_shipped_collections_come_with_the_landscape_of_their_folder(database: Database, data_folder: Path) -> None:
    install_shipped(database)
    assert contents(database) == [(name, 12, True) for name in sorted(SHIPPED)]
    loaded = load(database, SHIPPED[0])
    assert loaded.documents == documents_on_two_themes(12)
    np.testing.assert_array_equal(loaded.vectors.values, np.load(data_folder / SHIPPED[0] / "vectors.npy"))
    assert loaded.vectors.model == "wordllama"
    assert loaded.term_counts["rocket"] > 0
    assert tell(loaded, TrailRequest("d00", "d10")).trail.bottleneck >= loaded.landscape.critical_coherence


def test_shipped_judgements_come_with_their_collection_and_replace_nothing(
    database: Database, data_folder: Path
) -> None:
    name = SHIPPED[0]
    (data_folder / name / RECORDING).write_bytes(write_recording([answered(0), answered(1)]))
    install_shipped(database)
    assert list_judgements(database, name) == (answered(0), answered(1))
    assert list_judgements(database, SHIPPED[1]) == ()
    mine = answered(2, score=2)
    save_judgement(database, name, mine)
    install_shipped(database)
    (data_folder / name / RECORDING).write_bytes(write_recording([answered(1, score=3), answered(2), answered(3)]))
    install_shipped(database)
    assert list_judgements(database, name) == (answered(0), answered(1), mine, answered(3))
    delete_collection(database, name)
    assert list_judgements(database, name) == ()
    install_builtin(database, name)
    assert list_judgements(database, name) == (answered(1, score=3), answered(2), answered(3))


def test_shipped_judgements_are_installed_once(
    database: Database, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data_folder / SHIPPED[0] / RECORDING).write_bytes(write_recording([answered()]))
    install_shipped(database)
    installed: list[str] = []
    monkeypatch.setattr(intake, "install_recording", lambda opened, name, data: installed.append(name))
    install_shipped(database)
    assert installed == []


def test_installing_again_changes_nothing(
    database: Database, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_shipped(database)
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    build(database, SHIPPED[0], parameters=LandscapeParameters(seed=7))
    rebuilt = load(database, SHIPPED[0]).landscape
    install_shipped(database)
    assert load(database, SHIPPED[0]).landscape.landscape_id == rebuilt.landscape_id
    assert load(database, SHIPPED[0]).landscape.parameters.seed == 7


def test_a_newer_edition_replaces_the_older_one_and_keeps_saved_stories(database: Database, data_folder: Path) -> None:
    install_shipped(database)
    name = SHIPPED[0]
    pair = tell(load(database, name), TrailRequest("d00", "d10"))
    story = SavedStory("s1", "Ten", "", name, landscape_id(database, name), "2024-03-01T12:00:00+00:00", pair)
    save_story(database, story)
    ship(data_folder / name, documents_on_two_themes(14))
    install_shipped(database)
    assert (name, 14, True) in contents(database)
    assert list_stories(database, name) == (story,)
    assert landscape_id(database, name) != story.landscape_id


def test_an_installation_that_was_cut_short_is_completed(database: Database, data_folder: Path) -> None:
    install_shipped(database)
    name = SHIPPED[0]
    collection, documents = load_collection(database, name), load_documents(database, name)
    report = load_report(database, name)
    edition = load_origin_hash(database, name)
    delete_collection(database, name)
    save_collection(database, collection, documents, report, origin_hash=edition)
    assert (name, 12, False) in contents(database)
    install_shipped(database)
    assert (name, 12, True) in contents(database)


def test_a_damaged_edition_leaves_what_is_stored(database: Database, data_folder: Path) -> None:
    install_shipped(database)
    name = SHIPPED[0]
    np.save(data_folder / name / "memberships.npy", np.ones((3, 2)))
    with pytest.raises(InvalidInput, match="do not have the rows"):
        install_shipped(database)
    assert (name, 12, True) in contents(database)


def test_a_damaged_edition_is_not_half_stored(database: Database, data_folder: Path) -> None:
    name = SHIPPED[0]
    np.save(data_folder / name / "memberships.npy", np.ones((3, 2)))
    with pytest.raises(InvalidInput, match="do not have the rows"):
        install_builtin(database, name)
    assert contents(database) == []


def test_a_stored_collection_whose_files_are_gone_stays(database: Database, data_folder: Path) -> None:
    install_shipped(database)
    for path in (data_folder / SHIPPED[0]).iterdir():
        path.unlink()
    install_shipped(database)
    assert contents(database) == [(name, 12, True) for name in sorted(SHIPPED)]


def test_files_that_were_never_there_are_named(database: Database, data_folder: Path) -> None:
    (data_folder / SHIPPED[0] / "documents.csv").unlink()
    with pytest.raises(InvalidInput, match=rf"data/{SHIPPED[0]}/documents\.csv cannot be read"):
        install_builtin(database, SHIPPED[0])
    assert contents(database) == []


def test_installing_a_stored_built_in_collection_changes_nothing(database: Database, data_folder: Path) -> None:
    install_builtin(database, SHIPPED[0])
    ship(data_folder / SHIPPED[0], documents_on_two_themes(14))
    install_builtin(database, SHIPPED[0])
    assert contents(database) == [(SHIPPED[0], 12, True)]


def test_an_unknown_built_in_collection_is_refused_with_the_known_ones(database: Database) -> None:
    names = ", ".join(collection.name for collection in BUILTIN)
    with pytest.raises(InvalidInput) as refusal:
        install_builtin(database, "moon")
    assert str(refusal.value) == f"There is no built-in collection “moon”. The built-in ones are {names}."


@pytest.mark.skipif(not (builtin_collections.DATA_FOLDER / "spaceflight").exists(), reason="no data here")
def test_the_collections_that_really_ship_are_built_and_tell_a_story(database: Database) -> None:
    install_shipped(database)
    assert {name for name, _, is_built in contents(database) if is_built} == set(SHIPPED)
    loaded = load(database, "spaceflight")
    dated = [document.document_id for document in loaded.documents if document.date is not None]
    pair = tell(loaded, TrailRequest(dated[0], dated[-1]), draws=20)
    assert pair.trail.bottleneck >= loaded.landscape.critical_coherence > 0.0


def test_every_row_of_an_imported_table_is_accounted_for(database: Database) -> None:
    report = import_table(database, Collection("news", "News"), table(), detect_columns(table()))
    assert (report.read, report.kept, report.undated, report.duplicates, report.dropped) == (6, 4, 1, 1, 1)
    assert report.read == report.kept + report.duplicates + report.dropped
    assert report.problems[-2:] == (
        Problem(4, "the same title, text, date, source, address and further columns as row 2; dropped"),
        Problem(6, "neither title nor text; dropped"),
    )
    assert load_report(database, "news") == report
    assert [document.document_id for document in load_documents(database, "news")] == ["x1", "x2", "x3", "x0"]
    assert load_collection(database, "news") == Collection("news", "News")
    assert load_vectors(database, "news") is None


def test_what_is_said_of_a_file_as_a_whole_is_kept_with_its_report(database: Database) -> None:
    notices = ("The rows are those of “items”, the longest list; “tags” left out.",)
    told = replace(table(), notices=notices)
    assert import_table(database, Collection("news", "News"), told, detect_columns(told)).notices == notices
    assert load_report(database, "news").notices == notices


def test_own_vectors_follow_their_documents_into_position_order(database: Database) -> None:
    given = np.eye(6, 7, dtype=np.float32)
    import_table(database, Collection("news", "News"), table(), detect_columns(table()), vectors=given)
    stored = load_vectors(database, "news")
    assert stored is not None
    np.testing.assert_array_equal(stored.values, given[[1, 4, 0, 2]])
    assert (stored.model, stored.version) == (OWN_VECTORS, "from file, 7 dimensions")


def test_day_and_month_that_cannot_be_told_apart_must_be_chosen(database: Database) -> None:
    ambiguous = table("title,date\nA,02/12/2020\nB,03/11/2020\n")
    choice, news = detect_columns(ambiguous), Collection("news", "News")
    with pytest.raises(InvalidInput, match="say whether the day or the month comes first"):
        import_table(database, news, ambiguous, choice)
    assert contents(database) == []
    import_table(database, news, ambiguous, choice, date_order="day first")
    assert [document.title for document in load_documents(database, "news")] == ["B", "A"]


@pytest.mark.parametrize(
    ("text", "name", "vectors", "said"),
    [
        ("title,text\n,\n , \n", "news", None, r"no row with a title or a text"),
        (ROWS, "spaceflight", None, r"^“spaceflight” is the name of a built-in collection\. Choose another\.$"),
        (ROWS, "taken", None, r"A collection named 'taken' exists already"),
        (ROWS, "  ", None, r"A collection needs a name"),
        (ROWS, "news", np.eye(5, dtype=np.float32), r"one row per data row; got 5 for 6 rows"),
    ],
)
def test_an_import_that_is_refused_stores_nothing(
    database: Database, text: str, name: str, vectors: NDArray[np.float32] | None, said: str
) -> None:
    save_documents(database, documents_on_two_themes(2), "taken")
    with pytest.raises(NarrativeError, match=said):
        import_table(database, Collection(name, "News"), table(text), detect_columns(table(text)), vectors=vectors)
    assert contents(database) == [("taken", 2, False)]


def test_vectors_that_cannot_be_stored_leave_no_documents_behind(database: Database) -> None:
    doubles: Any = np.eye(6)
    with pytest.raises(InvalidInput, match="must be a float32 matrix; got float64"):
        import_table(database, Collection("news", "News"), table(), detect_columns(table()), vectors=doubles)
    assert contents(database) == []


def test_an_imported_collection_can_be_built_on_its_own_vectors(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", child)
    given = np.eye(6, 7, dtype=np.float32)
    import_table(database, Collection("news", "News"), table(), detect_columns(table()), vectors=given)
    build(database, "news")
    assert "embed" not in child.stages
    assert load(database, "news").vectors.model == OWN_VECTORS


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Cuban protests, 2016–2021", "cuban-protests-2016-2021"),
        ("  ÉLECTIONS / 选举  ", "élections-选举"),
        ("…", "collection"),
        ("", "collection"),
        ("a" * 99, "a" * 60),
    ],
)
def test_a_title_becomes_a_name_fit_for_an_address(title: str, name: str) -> None:
    assert collection_name(title) == name


# Some extra columns are called what a bundle calls its own.
AWKWARD = ("id", "headline", "when", "body", "outlet", "link", "title", "url", "url (2)", "date_as_given", "Section")
AWKWARD_CHOICE = ColumnChoice("headline", "body", "when", "outlet", "link", "id")
GIVEN_DATE = st.sampled_from(["", "2021", "2021-05", "2021-05-06", "May 2021", "6 May 2021", "some day", "another day"])
AWKWARD_ROW = st.tuples(
    ODD_TEXT, ODD_TEXT, GIVEN_DATE, ODD_TEXT, ODD_TEXT, LINK | ODD_TEXT, *(ODD_TEXT for _ in range(5))
)
COUNTER = itertools.count()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path_factory.mktemp("intake") / "throughline.duckdb")) as opened:
        yield opened


def export(database: Database, name: str, folder: Path) -> Path:
    """Write all of a collection to a folder, as the command line does."""
    with export_folder(folder) as new:
        write_bundle(
            new,
            load_documents(database, name),
            load_vectors(database, name),
            load_landscape(database, name),
            collection=load_collection(database, name),
            judgements=list_judgements(database, name),
        )
    return folder


def stored_of(database: Database, name: str) -> str:
    """Return all that is stored of a collection except its name, its report and when it came."""
    known, shape = load_vectors(database, name), load_landscape(database, name)
    arrays = [] if shape is None else [shape.positions, shape.nearest_topic, shape.is_outlier, shape.memberships]
    described = replace(load_collection(database, name), name="")
    return repr(
        (
            described,
            [replace(one, extras=dict(sorted(one.extras.items()))) for one in load_documents(database, name)],
            None if known is None else (known.model, known.version, known.values.dtype, known.values.tobytes()),
            [(array.dtype, array.shape, array.tobytes()) for array in arrays],
            None if shape is None else replace(shape, **{field: np.zeros(0) for field in ARRAYS}),
            list_judgements(database, name),
        )
    )


ARRAYS = ("positions", "nearest_topic", "is_outlier", "memberships")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    rows=st.lists(AWKWARD_ROW, min_size=1, max_size=5),
    k=st.integers(0, 3),
    texts=st.tuples(*[ODD_TEXT] * 5),
    stops=st.lists(ODD_TEXT, max_size=3).map(tuple),
    computed=st.sampled_from(["nothing", "vectors", "landscape"]),
)
def test_what_is_exported_comes_back_the_same_under_another_name(
    lasting: Database,
    tmp_path: Path,
    *,
    rows: Sequence[tuple[str, ...]],
    k: int,
    texts: tuple[str, ...],
    stops: tuple[str, ...],
    computed: str,
) -> None:
    given_rows = RawTable(AWKWARD, tuple(rows), tuple(range(1, len(rows) + 1)), "utf-8", ",", "csv")
    loaded = build_documents(given_rows, AWKWARD_CHOICE)
    documents = loaded.documents
    assume(documents)
    name, copy = f"first {next(COUNTER)}", f"copy {next(COUNTER)}"
    save_collection(lasting, Collection(name, *texts, stop_words=stops), documents, loaded.report)
    if computed != "nothing":
        save_vectors(lasting, name, vectors(len(documents)))
    if computed == "landscape":
        save_landscape(lasting, name, landscape(len(documents), k))
    save_judgements(lasting, name, [answered(0), answered(1), flow_judgement()])
    report = import_bundle(lasting, copy, export(lasting, name, tmp_path / "out"))
    assert stored_of(lasting, copy) == stored_of(lasting, name)
    assert (report.documents.read, report.documents.kept) == (len(documents), len(documents))
    assert (report.judgements.kept, report.is_built) == (3, computed == "landscape")


def test_a_bundle_brings_its_landscape_and_the_same_random_chronologies(
    database: Database, data_folder: Path, tmp_path: Path
) -> None:
    install_shipped(database)
    name = SHIPPED[0]
    report = import_bundle(database, "copy", export(database, name, tmp_path / "out"))
    assert report.is_built
    first, second = (tell(load(database, each), TrailRequest("d00", "d10")) for each in (name, "copy"))
    assert repr(second) == repr(first)
    assert load_term_counts(database, "copy") == load_term_counts(database, name)
    assert load_report(database, "copy") == report.documents
    assert load_collection(database, "copy") == replace(load_collection(database, name), name="copy")


def test_the_term_counts_of_a_bundle_know_its_stop_list(database: Database, data_folder: Path, tmp_path: Path) -> None:
    install_shipped(database)
    relabel(database, SHIPPED[0], ["rocket"])
    import_bundle(database, "copy", export(database, SHIPPED[0], tmp_path / "out"))
    counts = load_term_counts(database, "copy")
    assert counts == load_term_counts(database, SHIPPED[0])
    assert "rocket" not in counts


def test_title_and_noun_can_be_other_ones(database: Database, tmp_path: Path) -> None:
    about = Collection("first", "The first", "letters", "Many.", "An attic", "CC0", ("dear",))
    write_bundle(tmp_path, DOCUMENTS, None, None, collection=about)
    import_bundle(database, "copy", tmp_path, title="The copy", noun="postcards")
    assert load_collection(database, "copy") == replace(about, name="copy", title="The copy", noun="postcards")


def test_a_folder_that_does_not_describe_its_collection_is_called_by_its_new_name(
    database: Database, tmp_path: Path
) -> None:
    write_bundle(tmp_path / "old", DOCUMENTS, vectors(), None)
    report = import_bundle(database, "copy", tmp_path / "old")
    assert not report.is_built
    assert load_collection(database, "copy") == Collection("copy", "copy", "documents", origin="imported from old")
    on_one_line = [replace(document, title=document.title.replace("\t", " ")) for document in DOCUMENTS]
    assert load_documents(database, "copy") == tuple(on_one_line)
    stored = load_vectors(database, "copy")
    assert stored is not None
    assert (stored.model, stored.version) == (OWN_VECTORS, "from file, 5 dimensions")
    assert load_report(database, "copy").undated == 1


@pytest.mark.skipif(not (builtin_collections.DATA_FOLDER / "toy").exists(), reason="no data here")
@pytest.mark.parametrize("name", SHIPPED)
def test_the_folder_of_a_built_in_collection_can_be_imported_too(database: Database, name: str) -> None:
    install_builtin(database, name)
    import_bundle(database, "copy", builtin_collections.DATA_FOLDER / name)
    assert repr(load_landscape(database, "copy")) == repr(load_landscape(database, name))
    assert load_documents(database, "copy") == load_documents(database, name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("spaceflight", r"^“spaceflight” is the name of a built-in collection\. Choose another\.$"),
        ("taken", "A collection named 'taken' exists already"),
        ("  ", "A collection needs a name"),
    ],
)
def test_a_bundle_whose_name_will_not_do_is_not_stored(
    database: Database, tmp_path: Path, name: str, said: str
) -> None:
    save_documents(database, documents_on_two_themes(2), "taken")
    write_bundle(tmp_path, DOCUMENTS, vectors(), landscape(), judgements=[answered()])
    with pytest.raises(NarrativeError, match=said):
        import_bundle(database, name, tmp_path)
    assert contents(database) == [("taken", 2, False)]
    assert list_judgements(database, "taken") == ()
