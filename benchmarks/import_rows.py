"""From a file of rows to documents in the store: seconds, rows a second, and how that stands to bare csv.reader."""

import argparse
import csv
import io
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.synthetic import N_TOPICS, synthetic_texts
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.sources import read_source
from narrative_core.intake import import_table
from narrative_core.records import Collection
from narrative_core.store.database import open_database

_WORDS = 300
_HEADER = ("id", "title", "date", "text", "source", "url", "section", "author")


@dataclass(frozen=True, slots=True)
class Seconds:
    """Wall-clock seconds of each step; ``plain`` is ``csv.reader`` over the same text, the best of three."""

    plain: float
    read: float
    documents: float
    stored: float


def rows_as_csv(n_rows: int, *, seed: int = 5) -> bytes:
    """Return a CSV file of made-up articles of 300 words, one in fifty with HTML, dates written in four ways."""
    rng = np.random.default_rng(seed)
    texts = synthetic_texts(rng.integers(N_TOPICS, size=n_rows), n_words=_WORDS, seed=seed)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(_HEADER)
    for i, text in enumerate(texts):
        year, month, day = 2000 + i % 20, 1 + i % 12, 1 + i % 28
        dates = (
            f"{year}-{month:02d}-{day:02d}",
            f"{year}-{month:02d}-{day:02d}T10:00:00Z",
            f"{day}/{month}/{year}",
            f"{year}",
        )
        body = (
            f"<p>{text[:900]}</p>\n<p>{text[900:]} &amp; more</p>" if i % 50 == 0 else f"{text[:900]}\n\n{text[900:]}"
        )
        writer.writerow(
            (
                f"a{i}",
                text[:60],
                dates[i % 4],
                body,
                f"Outlet {i % 40}",
                f"https://example.org/{i}",
                f"s{i % 9}",
                "N. N.",
            )
        )
    return stream.getvalue().encode()


def measure(data: bytes) -> Seconds:
    """Return how long each step takes; the store's time includes building the documents once more."""
    plains = []
    for _ in range(3):
        started = time.perf_counter()
        n_plain = sum(1 for _ in csv.reader(io.StringIO(data.decode(), newline="")))
        plains.append(time.perf_counter() - started)
    started = time.perf_counter()
    table = read_source(data, "articles.csv")
    choice = detect_columns(table)
    read = time.perf_counter() - started
    started = time.perf_counter()
    loaded = build_documents(table, choice)
    documents = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder) / "import.duckdb")
        started = time.perf_counter()
        report = import_table(database, Collection("articles", "Articles"), table, choice)
        stored = time.perf_counter() - started - documents
        database.close()
    if not n_plain - 1 == report.read == report.kept == len(loaded.documents):
        raise SystemExit(f"{n_plain - 1:,} rows were written and {report.kept:,} kept")
    return Seconds(min(plains), read, documents, max(0.0, stored))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args()
    data = rows_as_csv(options.rows)
    seconds = measure(data)
    total = seconds.read + seconds.documents + seconds.stored
    print(f"{options.rows:,} rows, {len(data) / 1e6:.1f} MB")
    print(f"csv.reader alone          {seconds.plain:6.2f} s")
    print(f"read_source, columns      {seconds.read:6.2f} s")
    print(f"build_documents           {seconds.documents:6.2f} s")
    print(f"store                     {seconds.stored:6.2f} s")
    print(f"all                       {total:6.2f} s, {options.rows / total:,.0f} rows/s, "
          f"{total / seconds.plain:.0f} × csv.reader")  # fmt: skip


if __name__ == "__main__":
    main()
