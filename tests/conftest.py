"""Which tests run one after another where two workers share them: a file's, and all that drive a browser."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file together, and the browser's: two browsers on two cores would wait for each other."""
    for item in items:
        path = item.nodeid.split("::")[0]
        group = "browser" if path.startswith("tests/browser/") else path
        item.add_marker(pytest.mark.xdist_group(group))
