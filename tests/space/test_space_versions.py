import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import narrative_core.space
from narrative_core.space.versions import library_versions

HEAVY = ("umap", "hdbscan", "numba", "sklearn", "openai", "wordllama", "tokenizers", "safetensors", "stopwordsiso")


def test_versions_are_those_of_the_installed_packages() -> None:
    assert library_versions()["umap-learn"] == version("umap-learn")
    assert library_versions()["python"].startswith("3.")


def test_no_module_of_the_package_imports_a_heavy_library() -> None:
    modules = [path.stem for path in Path(narrative_core.space.__path__[0]).glob("[a-z]*.py")]
    assert "worker" in modules
    code = "import sys\n" + "".join(f"import narrative_core.space.{module}\n" for module in modules)
    code += f"print([name for name in {HEAVY!r} if name in sys.modules])"
    root = Path(narrative_core.space.__path__[0]).parents[1]
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert said.stdout.strip() == "[]"
