"""The same rows written in every format of tables and lists."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from narrative_core.ingest.source_kinds import FileKind

Rows = Sequence[Mapping[str, str]]
"""Rows of ``id``, ``title``, ``text``, ``date`` (ISO), ``source`` and ``url``."""

ROW = {
    "id": "a1",
    "title": "Bridge opens",
    "text": "The bridge is open again.",
    "date": "2021-07-11",
    "source": "Courier",
    "url": "https://example.org/a1",
}


def csv_bytes(rows: Rows, *, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return stream.getvalue().encode(encoding)


def xlsx_bytes(sheets: Mapping[str, Sequence[Sequence[object]]], *, merged: Sequence[str] = ()) -> bytes:
    from openpyxl import Workbook

    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        for reference in merged:
            sheet.merge_cells(reference)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def parquet_bytes(columns: Mapping[str, object], **options: object) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream, **options)
    return stream.getvalue()


def bibtex_bytes(rows: Rows) -> bytes:
    names = {"title": "title", "text": "abstract", "date": "date", "source": "journal", "url": "url"}
    entries = []
    for row in rows:
        fields = ",\n".join(f"  {name} = {{{row[part]}}}" for part, name in names.items())
        entries.append(f"@article{{{row['id']},\n{fields}\n}}\n")
    return "\n".join(entries).encode()


def ris_bytes(rows: Rows) -> bytes:
    tags = {"id": "ID", "title": "TI", "text": "AB", "source": "JO", "url": "UR"}
    lines = []
    for row in rows:
        lines += ["TY  - NEWS", *(f"{tag}  - {row[part]}" for part, tag in tags.items())]
        lines += [f"DA  - {row['date'].replace('-', '/')}/", "ER  - ", ""]
    return "\r\n".join(lines).encode()


def rss_bytes(rows: Rows, *, title: str = "Courier", prologue: str = "") -> bytes:
    items = "".join(
        f"<item><guid>{escape(row['id'])}</guid><title>{escape(row['title'])}</title>"
        f"<description>{escape(row['text'])}</description><pubDate>{row['date']}</pubDate>"
        f"<link>{escape(row['url'])}</link></item>\n"
        for row in rows
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>{prologue}<rss version="2.0"><channel><title>{title}</title>'
        f"<link>https://example.org/</link>{items}</channel></rss>"
    ).encode()


def zip_bytes(rows: Rows) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in rows:
            archive.writestr(f"{row['date']} {row['id']}.txt", f"{row['title']}\n\n{row['text']}")
    return stream.getvalue()


WRITERS: Mapping[FileKind, Callable[[Rows], bytes]] = {
    "csv": csv_bytes,
    "json": lambda rows: json.dumps(
        {"status": "ok", "articles": [dict(row) for row in rows]}, ensure_ascii=False
    ).encode(),
    "jsonl": lambda rows: "\n".join(json.dumps(dict(row), ensure_ascii=False) for row in rows).encode(),
    "parquet": lambda rows: parquet_bytes({name: [row[name] for row in rows] for name in rows[0]}),
    "xlsx": lambda rows: xlsx_bytes({"News": [list(rows[0]), *([*row.values()] for row in rows)]}),
    "bibtex": bibtex_bytes,
    "ris": ris_bytes,
    "feed": rss_bytes,
    "zip": zip_bytes,
}
ENDINGS: Mapping[FileKind, str] = {
    "csv": ".csv",
    "json": ".json",
    "jsonl": ".jsonl",
    "parquet": ".parquet",
    "xlsx": ".xlsx",
    "bibtex": ".bib",
    "ris": ".ris",
    "feed": ".rss",
    "zip": ".zip",
}
