"""The collections that come with Throughline."""

from pathlib import Path

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.presidents import PRESIDENTS, presidents_documents
from narrative_core.ingest.tables import read_table
from narrative_core.records import Collection, Document, LoadReport

DATA_FOLDER = Path(__file__).parents[2] / "data"

SPACEFLIGHT = Collection(
    name="spaceflight",
    title="Spaceflight",
    noun="briefs",
    description=(
        "The history of spaceflight in dated briefs, from the first satellite on: people, probes, telescopes, "
        "stations, launchers, accidents, law and money; and some on computing and networks, for contrast."
    ),
    origin="Written for Throughline in its own words from public facts; each brief links to a reference.",
    licence="CC0 1.0",
)
TOY = Collection(
    name="toy",
    title="The bridge at Alder Ford",
    noun="news items",
    description=(
        "Twelve invented news items about a town and its bridge, with vectors and topics so simple that every number "
        "can be checked by hand; docs/toy.md does so."
    ),
    origin="Written for Throughline; place, people and events are invented.",
    licence="CC0 1.0",
)
BUILTIN: tuple[Collection, ...] = (SPACEFLIGHT, PRESIDENTS, TOY)


def builtin_documents(name: str) -> tuple[tuple[Document, ...], LoadReport]:
    """Return the documents of a built-in collection, in position order, and the report of their loading.

    Raises
    ------
    InvalidInput
        If there is no such collection, or its file is missing.
    """
    if name not in (collection.name for collection in BUILTIN):
        known = ", ".join(collection.name for collection in BUILTIN)
        raise InvalidInput(f'a built-in collection is one of {known}; got "{name}".')
    if name == PRESIDENTS.name:
        documents = presidents_documents()
        return documents, _full_report(documents)
    return _read_file(DATA_FOLDER / name / "documents.csv")


def _read_file(path: Path) -> tuple[tuple[Document, ...], LoadReport]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"the collection's file data/{path.parent.name}/{path.name} cannot be read ({error.strerror}). "
            "Download Throughline again."
        ) from error
    table = read_table(data, path.name)
    loaded = build_documents(table, detect_columns(table))
    return loaded.documents, loaded.report


def _full_report(documents: tuple[Document, ...]) -> LoadReport:
    n_undated = sum(document.date is None for document in documents)
    return LoadReport(
        read=len(documents),
        kept=len(documents),
        undated=n_undated,
        duplicates=0,
        dropped=0,
        date_format="YYYY-MM-DD",
    )
