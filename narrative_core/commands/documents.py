"""Documents: find them by what they say."""

import argparse
from typing import TYPE_CHECKING, Any

from narrative_core.commands.printing import print_json
from narrative_core.errors import InvalidInput
from narrative_core.store.database import Database

if TYPE_CHECKING:
    from narrative_core.document_search import Hit
    from narrative_core.holdings import Holdings


def search_documents(database: Database, options: argparse.Namespace) -> None:
    """Print the documents of a collection, built or not, that a query finds, best first."""
    from narrative_core.document_filters import Filter, find
    from narrative_core.document_query import read_query

    if options.limit < 1:
        raise InvalidInput(f"--limit must be at least 1; got {options.limit}.")
    if read_query(options.query).is_empty:
        raise InvalidInput("Nothing to search for; give a word or two.")
    holdings = _holdings(database, options.name)
    found = find(holdings, Filter(query=options.query), limit=options.limit)
    if options.json:
        print_json(
            {
                "name": options.name,
                "query": options.query,
                "found": len(found.rows),
                "has_all_words": not found.is_partial,
                "hits": [_facts(holdings, hit) for hit in found.hits],
            }
        )
        return
    if found.is_partial:
        print("No document has all of these words; these have some of them.")
    for hit in found.hits:
        document = holdings.documents[hit.row]
        print(f"{document.iso_date or 'no date':>10}  {document.title}  [{document.document_id}]")
        if hit.snippet.spans:
            print(f"            {' '.join(hit.snippet.text.split())}")
    print(f"{len(found.hits):,} of {len(found.rows):,} documents found.")


def _holdings(database: Database, name: str) -> "Holdings":
    from narrative_core.commands.collections import install_if_shipped
    from narrative_core.document_index import index_documents
    from narrative_core.holdings import hold, shelve
    from narrative_core.store.collections import load_collection, load_documents
    from narrative_core.store.curations import load_curation

    install_if_shipped(database, name)
    index = index_documents(load_documents(database, name))
    return hold(shelve(load_collection(database, name), index), load_curation(database, name))


def _facts(holdings: "Holdings", hit: "Hit") -> dict[str, Any]:
    document = holdings.documents[hit.row]
    return {
        "document_id": document.document_id,
        "title": document.title,
        "date": document.iso_date or None,
        "source": document.source,
        "url": document.url,
        "score": round(hit.score, 6),
        "title_spans": [list(span) for span in hit.title_spans],
        "snippet": hit.snippet.text,
        "snippet_spans": [list(span) for span in hit.snippet.spans],
    }
