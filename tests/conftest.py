"""Which tests run one after another where two workers share them: a file's, and all that drive a browser."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file together, and the browser's: two browsers on two cores would wait for each other."""
    for item in items:
        group = "browser" if item.get_closest_marker("browser") else item.nodeid.split("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
