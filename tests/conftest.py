"""Which tests run one after another where two workers share them: a file's, and all that drive a browser."""

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:  # noqa: ANN401  xdist's own logger
    """Return a scheduler that gives the browser to one worker: two on two cores would wait for each other."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.split("::", maxsplit=1)[0]
            return "browser" if path.startswith("tests/browser/") else path

    return ByFile(config, log)
