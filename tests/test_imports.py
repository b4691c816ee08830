"""The house as DESIGN.md draws it: imports go downwards only, and `import narrative_core` stays light."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "narrative_core"

LAYER_0 = {
    "errors",
    "free_memory",
    "settings",
    "records",
    "judgements",
    "runs",
    "estimates",
    "run_outcomes",
    "study",
    "curation",
    "desk",
    "desk_edits",
    "time_axis",
    "callouts",
    "bidi",
    "clock",
    "counting",
}
LAYER_1 = {"ingest", "space", "trails", "judging", "stats", "store", "figures", "reports"}
LAYER_2 = {"pipeline", "build_stages", "extraction", "remedies", "bundle", "intake", "jobs"}
LAYER_2 |= {"bundle_files", "bundle_documents", "landscape_file", "json_fields", "document_record"}
LAYER_2 |= {"bundle_target", "bundle_texts"}
LAYER_2 |= {"panel", "assessment", "findings", "recordings", "recording_fields"}
LAYER_2 |= {"experiments", "run_designs", "run_results", "run_comparison", "run_export", "run_export_figures", "joint"}
LAYER_2 |= {"sanity_results", "mixture_results", "run_export_figures"}
LAYER_2 |= {"curating", "naming", "curation_record", "desk_record", "document_search", "updates", "stability", "health"}
LAYER_2 |= {"import_jobs", "repairs", "story_warnings", "story_files", "story_surroundings"}
LAYER_2 |= {"project_file", "project_stories"}
LAYER_2 |= {"project_archive", "project_packing", "project_parts"}
LAYER_2 |= {"topic_outline", "wishes", "alternatives", "annotating"}
LAYER_2 |= {"document_query", "document_index", "document_filters", "document_spelling", "holdings"}
LAYER_2 |= {"differences", "placing", "update_vectors", "copy_groups", "build_memory", "colourings"}
LAYER_3 = {"ui", "commands", "__main__"}
FOR_PAGES = {
    "ui",
    "figures",
    "records",
    "judgements",
    "runs",
    "estimates",
    "run_outcomes",
    "errors",
    "desk",
    "curation",
}
HEAVY = ("umap", "hdbscan", "openai", "wordllama", "streamlit", "torch", "xllamacpp", "llama_cpp")
MAY_IMPORT_STREAMLIT = ("app.py", "pages/", "narrative_core/ui/", "tests/pages/", "tests/ui/")
MAY_IMPORT_DUCKDB = ("narrative_core/store/", "tests/store/")


def python_files() -> dict[str, str]:
    """Return the source of every file that the rules are about, by its path in the project."""
    folders = ("narrative_core", "pages", "tests", "benchmarks")
    paths = [*PROJECT.glob("*.py"), *(path for folder in folders for path in (PROJECT / folder).rglob("*.py"))]
    return {path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def imported_names(source: str, path: str) -> Iterator[str]:
    """Yield the full name of all that a file imports: anywhere in it, relative or not, by statement or by call.

    ``from a import b`` is ``a.b``, whether ``b`` is a module or not.
    """
    package = path.split("/")[:-1]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package[: len(package) - node.level + 1] if node.level else []
                base = ".".join([*above, *([node.module] if node.module else [])])
                yield from (f"{base}.{alias.name}" for alias in node.names)
            case ast.Call(func=ast.Name(id="__import__" | "import_module"), args=[ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
                yield name


def part_of(path: str) -> str:
    """Return the part of the package that a file belongs to: a folder or a module, "" for the package itself."""
    name = path.removeprefix("narrative_core/").split("/")[0].removesuffix(".py")
    return "" if name == "__init__" else name


def allowed_parts(part: str) -> set[str]:
    """Return the parts of the package that a part may import."""
    if part == "":
        return set()
    if part in LAYER_0:
        return LAYER_0
    if part in LAYER_1:
        return LAYER_0 | {part}
    if part in LAYER_2:
        return LAYER_0 | LAYER_1 | LAYER_2
    return LAYER_0 | LAYER_1 | LAYER_2 | LAYER_3


def forbidden_imports(source: str, path: str) -> list[str]:
    """Return the names that a file imports against the table."""
    names = sorted(set(imported_names(source, path)))
    forbidden = [name for name in names if _is_library(name, "streamlit") and not path.startswith(MAY_IMPORT_STREAMLIT)]
    forbidden += [name for name in names if _is_library(name, "duckdb") and not path.startswith(MAY_IMPORT_DUCKDB)]
    ours = [name for name in names if _is_library(name, "narrative_core")]
    if path.startswith("narrative_core/"):
        forbidden += [name for name in ours if not _parts_named(name) <= allowed_parts(part_of(path))]
    if path.startswith("pages/"):
        forbidden += [name for name in ours if not _parts_named(name) <= FOR_PAGES]
        known = sys.stdlib_module_names | {"streamlit", "narrative_core"}
        forbidden += [name for name in names if name.split(".")[0] not in known]
    return forbidden


def _is_library(name: str, library: str) -> bool:
    return name.split(".", maxsplit=1)[0] == library


def _parts_named(name: str) -> set[str]:
    """Return the part that an import of ours names; the bare package, and what is not a part of it, name none."""
    return {*name.split(".")[1:2]} - {"__version__"}


def test_every_file_imports_only_what_its_place_allows() -> None:
    found = {path: names for path, source in python_files().items() if (names := forbidden_imports(source, path))}
    assert found == {}


def test_every_part_of_the_package_has_a_place_in_a_layer() -> None:
    parts = {part_of(path) for path in python_files() if path.startswith("narrative_core/")}
    assert {"trails", "records"} <= parts
    assert parts - {""} <= LAYER_0 | LAYER_1 | LAYER_2 | LAYER_3


def test_a_script_directly_in_pages_only_hands_over_to_the_app() -> None:
    direct = {path: source for path, source in python_files().items() if path.count("/") == 1 and path[:6] == "pages/"}
    for path, source in direct.items():
        assert set(imported_names(source, path)) == {"runpy", "pathlib.Path"}, path
        assert 'runpy.run_path(str(Path(__file__).parents[1] / "app.py"))' in source, path


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("narrative_core/trails/x.py", "from narrative_core.space.terms import shared_terms"),
        ("narrative_core/trails/x.py", "import narrative_core.store.database as db"),
        ("narrative_core/trails/x.py", "from narrative_core import figures"),
        ("narrative_core/trails/x.py", "from ..stats import agreement"),
        ("narrative_core/trails/x.py", "from .. import stats"),
        ("narrative_core/trails/x.py", "def f():\n    from narrative_core.pipeline import load"),
        (
            "narrative_core/trails/x.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from narrative_core.ui import state",
        ),
        ("narrative_core/stats/deep/x.py", "from ...judging import panel"),
        ("narrative_core/records.py", "from narrative_core.trails.capacity import Trail"),
        ("narrative_core/__init__.py", "from narrative_core.records import Document"),
        ("narrative_core/pipeline.py", "from narrative_core.ui.state import keys"),
        ("narrative_core/jobs.py", "import narrative_core.__main__"),
        ("narrative_core/extraction.py", "import duckdb"),
        ("narrative_core/extraction.py", "import importlib\nimportlib.import_module('duckdb')"),
        ("narrative_core/ui/x.py", "import duckdb"),
        ("narrative_core/__main__.py", "def f():\n    import streamlit.web.cli"),
        ("narrative_core/figures/x.py", "import streamlit as st"),
        ("benchmarks/x.py", "from streamlit.testing.v1 import AppTest"),
        ("tests/trails/test_x.py", "import streamlit"),
        ("app.py", "import duckdb"),
        ("pages/explore/x.py", "import numpy as np"),
        ("pages/explore/x.py", "from narrative_core.store.database import Database"),
        ("pages/explore/x.py", "from narrative_core.extraction import tell"),
        ("pages/explore/x.py", "from narrative_core import pipeline"),
    ],
)
def test_an_import_against_the_table_is_found(path: str, source: str) -> None:
    assert forbidden_imports(source, path) != []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("narrative_core/trails/x.py", "from narrative_core.records import Divergence\nimport numpy"),
        ("narrative_core/trails/x.py", "from narrative_core.trails.graph import TrailGraph\nfrom . import via"),
        ("narrative_core/remedies.py", "from narrative_core.extraction import tell\nfrom narrative_core import store"),
        ("narrative_core/store/x.py", "import duckdb\nfrom narrative_core import __version__"),
        ("narrative_core/ui/x.py", "import streamlit as st\nfrom narrative_core.pipeline import load"),
        ("narrative_core/__main__.py", "from narrative_core.pipeline import build"),
        ("pages/explore/x.py", "import datetime\nimport streamlit as st\nfrom narrative_core.ui import state"),
        ("pages/explore/x.py", "from narrative_core.figures.landscape_map import draw\nimport narrative_core.errors"),
        ("app.py", "import streamlit as st"),
        ("tests/trails/test_x.py", "import networkx\nfrom narrative_core.ui import state"),
    ],
)
def test_an_import_within_the_table_is_let_through(path: str, source: str) -> None:
    assert forbidden_imports(source, path) == []


_PROGRAM = f"""
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
    loaded = [name for name in {HEAVY!r} if name in sys.modules]
    if loaded:
        sys.exit(f"{{module}} imports {{', '.join(loaded)}}")
print(len(sys.argv) - 1)
"""


def _light_modules() -> list[str]:
    paths = [path for path in python_files() if path.startswith("narrative_core/") and part_of(path) != "ui"]
    names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
    return ["narrative_core", *(name for name in names if name != "narrative_core")]


def test_nothing_below_the_pages_imports_a_heavy_library_until_it_needs_it() -> None:
    modules = _light_modules()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *modules], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.strip(), done.stdout.strip()) == (0, "", str(len(modules)))


def test_the_package_itself_imports_nothing_but_the_standard_library() -> None:
    program = "import sys; before = set(sys.modules); import narrative_core; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded - sys.stdlib_module_names == {"narrative_core"}


def test_a_heavy_library_would_be_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.replace("'torch'", "'wave'"), "narrative_core", "wave"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (1, "wave imports wave")
