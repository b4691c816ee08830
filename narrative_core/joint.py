"""Two collections as one: the same model reads both, and one landscape is fitted on all of their documents."""

from collections.abc import Sequence
from dataclasses import replace

from narrative_core import pipeline
from narrative_core.build_stages import StageProgress
from narrative_core.curating import curate
from narrative_core.errors import InvalidInput
from narrative_core.records import Collection, Document, LoadReport
from narrative_core.store.collections import has_collection, load_collection, load_documents, save_collection
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape

ORIGIN = "from collection"
"""The extra of a document of a joint collection that names the collection it is from."""


def joint_name(first: str, second: str) -> str:
    """Return the name of the joint collection of two; their order makes no difference.

    Examples
    --------
    >>> joint_name("papers", "news")
    'news+papers'
    """
    return "+".join(sorted((first, second)))


def make_joint(database: Database, first: str, second: str, *, progress: StageProgress) -> str:
    """Store the documents of two collections as one, build its landscape, and return its name.

    Documents that are excluded in one of the two are in no mixture, and dates that were typed count. What is there
    already is left as it is: an unfinished one is finished. The joint collection is one like any other: it can be
    looked at, and deleted.

    Parameters
    ----------
    database : Database
    first, second : str
        Names of two stored collections. Their vectors need not be of one model: the local model reads both anew.
    progress : callable
        Called with (stage, done, total).

    Raises
    ------
    InvalidInput
        If one does not exist, both are the same, or one is joint itself.
    Cancelled
        From ``progress``.
    """
    name = joint_name(first, second)
    if not has_collection(database, name):
        _save_joint(database, first, second)
    if load_landscape(database, name) is None:
        pipeline.build(database, name, progress=progress)
    return name


def origins(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return which collection each document of a joint one is from, "" where it is from none."""
    return tuple(document.extras.get(ORIGIN, "") for document in documents)


def _save_joint(database: Database, first: str, second: str) -> None:
    if first == second:
        raise InvalidInput("A mixture needs two different collections; both are the same. Choose another one.")
    both = [load_collection(database, name) for name in sorted((first, second))]
    documents: list[Document] = []
    for collection in both:
        stored = load_documents(database, collection.name)
        members = curate(stored, load_curation(database, collection.name)).documents
        if any(origins(members)):
            raise InvalidInput(f"The collection {collection.title} is a mixture itself. Choose one that is not.")
        documents += [
            replace(
                document,
                document_id=f"{collection.name}/{document.document_id}",
                extras={**document.extras, ORIGIN: collection.name},
            )
            for document in members
        ]
    documents.sort(key=lambda document: (document.date is None, document.date and document.date.toordinal()))
    undated = sum(document.date is None for document in documents)
    report = LoadReport(len(documents), len(documents), undated, 0, 0)
    save_collection(database, _joint_collection(both[0], both[1]), documents, report)


def _joint_collection(first: Collection, second: Collection) -> Collection:
    return Collection(
        name=joint_name(first.name, second.name),
        title=f"{first.title} and {second.title}",
        noun=first.noun if first.noun == second.noun else "documents",
        description=f"The documents of {first.title} and {second.title} on one landscape, for stories that mix both.",
        origin=" ".join(filter(None, (first.origin, second.origin))),
        licence="; ".join(dict.fromkeys(filter(None, (first.licence, second.licence)))),
        stop_words=tuple(dict.fromkeys((*first.stop_words, *second.stop_words))),
    )
