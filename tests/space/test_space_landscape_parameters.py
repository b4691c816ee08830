import pytest

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters
from narrative_core.space.landscape_parameters import shrink_parameters


@pytest.mark.parametrize(
    ("n", "n_components", "n_neighbors", "min_cluster_size"),
    [(1, 2, 2, 3), (2, 2, 2, 3), (3, 2, 2, 3), (10, 2, 2, 3), (50, 12, 12, 5), (100, 25, 25, 8), (192, 48, 32, 8)],
)
def test_parameters_shrink_with_the_number_of_documents(
    n: int, n_components: int, n_neighbors: int, min_cluster_size: int
) -> None:
    shrunk, _ = shrink_parameters(LandscapeParameters(), n)
    assert (shrunk.n_components, shrunk.n_neighbors, shrunk.min_cluster_size) == (
        n_components,
        n_neighbors,
        min_cluster_size,
    )


def test_the_notice_names_every_change_and_only_changes() -> None:
    _, notices = shrink_parameters(LandscapeParameters(), 50)
    assert notices == (
        "With 50 documents the landscape uses 12 dimensions instead of 48, 12 neighbours instead of 32, "
        "5 documents in the smallest topic instead of 8.",
    )
    _, notices = shrink_parameters(LandscapeParameters(), 150)
    assert notices == ("With 150 documents the landscape uses 37 dimensions instead of 48.",)


@pytest.mark.parametrize(("n", "said"), [(1, "With 1 document the map"), (7, "With 7 documents the map")])
def test_a_tiny_collection_is_told_about_the_linear_projection(n: int, said: str) -> None:
    (notice,) = shrink_parameters(LandscapeParameters(), n)[1]
    assert notice.startswith(said)
    assert "linear projection" in notice


def test_a_large_collection_keeps_its_parameters_without_notice() -> None:
    parameters = LandscapeParameters()
    assert shrink_parameters(parameters, 192) == (parameters, ())


@pytest.mark.parametrize("n", [1, 5, 10, 77, 500])
def test_shrinking_twice_changes_nothing_more(n: int) -> None:
    once, _ = shrink_parameters(LandscapeParameters(seed=3, metric="euclidean"), n)
    assert shrink_parameters(once, n) == (once, ())
    assert (once.seed, once.metric) == (3, "euclidean")


def test_a_setting_below_the_limit_is_kept() -> None:
    shrunk, _ = shrink_parameters(LandscapeParameters(min_cluster_size=2, n_neighbors=5), 50)
    assert (shrunk.min_cluster_size, shrunk.n_neighbors) == (2, 5)


def test_no_document_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 1 document; got 0"):
        shrink_parameters(LandscapeParameters(), 0)
