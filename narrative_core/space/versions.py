"""Which libraries made a landscape."""

import platform
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("numpy", "umap-learn", "hdbscan", "scikit-learn", "numba", "wordllama")


def library_versions() -> dict[str, str]:
    """Versions of Python and of the libraries that shape a landscape, read without importing them.

    Returns
    -------
    dict of str to str
        ``python`` and each of `LIBRARIES`; one that is not installed is "not installed".

    Examples
    --------
    >>> sorted(library_versions())
    ['hdbscan', 'numba', 'numpy', 'python', 'scikit-learn', 'umap-learn', 'wordllama']
    """
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            versions[library] = "not installed"
    return versions
