"""The collections of the reference study, where they stand beside the project."""

from pathlib import Path

import pytest

from narrative_core.copy_groups import find_copies
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import Loaded, build_documents
from narrative_core.ingest.own_vectors import read_vectors
from narrative_core.ingest.tables import read_table


@pytest.fixture
def reference() -> Path:
    folder = Path(__file__).parents[2] / ".." / "shared" / "reference"
    if not folder.is_dir():
        pytest.skip("the reference collections are not beside the project (../shared/reference)")
    return folder


def load(path: Path, vectors: Path | None = None) -> Loaded:
    table = read_table(path.read_bytes(), path.name)
    own = None if vectors is None else read_vectors(vectors.read_bytes(), table.n_read)
    return build_documents(table, detect_columns(table), vectors=own)


def test_the_news_are_540_dated_documents_in_the_order_of_their_vectors(reference: Path) -> None:
    loaded = load(reference / "news" / "documents.csv", reference / "news" / "vectors.npy")
    assert (loaded.report.kept, loaded.report.undated, loaded.report.problems) == (540, 0, ())
    assert [document.document_id for document in loaded.documents] == [f"n{i:03d}" for i in range(540)]
    assert loaded.vectors is not None
    assert loaded.vectors.shape == (540, 1536)


def test_the_papers_are_dated_to_the_year_and_two_that_have_two_addresses_are_copies(reference: Path) -> None:
    loaded = load(reference / "papers" / "documents.csv")
    assert (loaded.report.read, loaded.report.kept, loaded.report.undated) == (1514, 1514, 0)
    assert {document.date_precision for document in loaded.documents} == {"year"}
    assert loaded.report.date_format == "YYYY"
    assert [(problem.row, problem.reason[:20]) for problem in loaded.report.problems] == [(61, "HTML is left out of ")]
    copies = find_copies(loaded.documents)
    for one, other in (("p0295", "p0313"), ("p0300", "p0317")):
        assert copies[one] == copies[other]
