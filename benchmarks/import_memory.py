"""What reading a file takes in memory, as a multiple of its size: the factors of `narrative_core.ingest.sizes`.

Each kind is written and read in a process of its own, which begins with the libraries loaded by a file of one row.
"""

import argparse
import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.synthetic import N_TOPICS, synthetic_texts
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.sources import read_source
from tests.ingest.source_samples import ENDINGS, ROW, WRITERS

_WORDS = 330


def made_up_rows(n_rows: int, *, seed: int = 5) -> list[dict[str, str]]:
    """Return articles of some 2,000 characters; one in ten has a sign that takes all its characters to four bytes."""
    rng = np.random.default_rng(seed)
    texts = synthetic_texts(rng.integers(N_TOPICS, size=n_rows), n_words=_WORDS, seed=seed)
    return [
        ROW
        | {
            "id": f"a{i}",
            "title": text[:60],
            "text": f"{text} 🌉" if i % 10 == 0 else text,
            "date": f"{2000 + i % 20}-07-11",
        }
        for i, text in enumerate(texts)
    ]


def read_one(path: Path, small: Path) -> None:
    """Print the megabytes that the process grew by, and the seconds that it took."""
    build(small)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    build(path)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(f"{grown} {time.perf_counter() - started}")


def build(path: Path) -> None:
    table = read_source(path.read_bytes(), path.name)
    build_documents(table, detect_columns(table))


def write_both(kind: FileKind, n_rows: int, folder: Path) -> None:
    rows = made_up_rows(n_rows)
    write, ending = WRITERS[kind], ENDINGS[kind]
    (folder / f"all{ending}").write_bytes(write(rows))
    (folder / f"one{ending}").write_bytes(write(rows[:1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--kinds", nargs="*", choices=list(ENDINGS), default=list(ENDINGS))
    parser.add_argument("--write", help="write files of this kind into the folder named by --folder")
    parser.add_argument("--read", help="read the file of this kind in that folder, and say what it took")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.write:
        write_both(options.write, options.rows, options.folder)
        return
    if options.read:
        ending = ENDINGS[options.read]
        read_one(options.folder / f"all{ending}", options.folder / f"one{ending}")
        return
    print("| kind | size | memory | factor | seconds |\n|---|---|---|---|---|")
    # On Linux the peak of a process starts at that of its parent: this one holds nothing.
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds:
            ending = ENDINGS[kind]
            run("--write", kind, "--rows", str(options.rows), "--folder", folder)
            grown, seconds = map(float, run("--read", kind, "--folder", folder).split())
            n_bytes = (Path(folder) / f"all{ending}").stat().st_size
            print(
                f"| {kind} | {n_bytes / 1e6:.1f} MB | {grown / 1e6:,.0f} MB | {grown / n_bytes:.1f} | {seconds:.1f} |",
                flush=True,
            )


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.import_memory", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
