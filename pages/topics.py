"""The address of a page, where it is the first one that a new server is asked for: hand over to ``app.py``."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[1] / "app.py"))
