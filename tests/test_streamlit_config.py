"""The app's own settings of Streamlit: local, silent, asking nothing."""

import tomllib
from pathlib import Path

CONFIG = tomllib.loads((Path(__file__).parents[1] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_the_first_start_asks_nothing_and_tells_nobody() -> None:
    assert CONFIG["server"]["showEmailPrompt"] is False
    assert CONFIG["browser"]["gatherUsageStats"] is False


def test_the_server_listens_on_this_machine_only() -> None:
    assert CONFIG["server"]["address"] == "localhost"


def test_no_font_is_fetched_from_anywhere() -> None:
    assert "fontFaces" not in CONFIG["theme"]
    assert not [value for value in CONFIG["theme"].values() if isinstance(value, str) and "http" in value]
