import csv
import io

from narrative_core.records import Document
from narrative_core.reports.document_table import documents_csv


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_document_is_a_row_with_all_that_is_known_of_it() -> None:
    documents = [
        Document("a", "Flood, and “more”", "text", source="AP", url="https://example.org", extras={"desk": "city"}),
        Document("b", "مرحبا", "", extras={"page": "7", "note": "theirs"}),
    ]
    found = rows(documents_csv(documents, topics={"a": "river"}, copies={"a": 2}, notes={"b": "ours"}))
    assert [row["id"] for row in found] == ["a", "b"]
    assert (found[0]["title"], found[0]["topic"], found[0]["copies"], found[0]["desk"]) == (
        "Flood, and “more”", "river", "2", "city",
    )  # fmt: skip
    assert (found[1]["title"], found[1]["note"], found[1]["note (file)"], found[1]["page"]) == (
        "مرحبا", "ours", "theirs", "7",
    )  # fmt: skip


def test_no_cell_and_no_name_of_a_column_is_run_as_a_formula() -> None:
    (row,) = rows(documents_csv([Document("=1", "@x", "", source="+2", extras={"=cmd": "-3"})], notes={"=1": "=a"}))
    assert (row["id"], row["title"], row["source"], row["note"], row["'=cmd"]) == ("'=1", "'@x", "'+2", "'=a", "'-3")


def test_no_document_gives_the_names_of_the_columns_alone() -> None:
    assert documents_csv([]).strip() == "id,title,date,date as given,source,url,topic,copies,note"
