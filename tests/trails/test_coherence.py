import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy.spatial.distance import jensenshannon

from narrative_core.errors import InvalidInput
from narrative_core.records import Divergence
from narrative_core.trails.coherence import (
    coherence_matrix,
    degenerate_rows,
    link_similarities,
    membership_shares,
    unit_rows,
)

DIVERGENCES: tuple[Divergence, ...] = ("root", "plain", "base2")


def collection(n: int, k: int, *, d: int = 6, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.dirichlet(np.full(k, 0.3), size=n)


def scipy_distance(p: NDArray[np.float64], q: NDArray[np.float64], divergence: Divergence) -> float:
    if divergence == "base2":
        return float(jensenshannon(p, q, base=2))
    distance = float(jensenshannon(p, q))
    return distance if divergence == "root" else distance**2


def plain_coherence(
    vectors: NDArray[np.float64], memberships: NDArray[np.float64], divergence: Divergence
) -> NDArray[np.float64]:
    n = len(vectors)
    theta = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                cosine = vectors[i] @ vectors[j] / (np.linalg.norm(vectors[i]) * np.linalg.norm(vectors[j]))
                wording = 1 - math.acos(max(-1.0, min(1.0, cosine))) / math.pi
                theta[i, j] = math.sqrt(wording * (1 - scipy_distance(memberships[i], memberships[j], divergence)))
    return theta


@pytest.mark.parametrize(
    ("divergence", "floor"), [("root", 1 - math.sqrt(math.log(2))), ("plain", 1 - math.log(2)), ("base2", 0.0)]
)
def test_disjoint_topics_leave_the_floor_of_the_divergence(divergence: Divergence, floor: float) -> None:
    theta = coherence_matrix([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], divergence=divergence)
    assert theta[0, 1] == pytest.approx(math.sqrt(floor), abs=1e-12)


@pytest.mark.parametrize(
    ("other", "wording"), [([1.0, 0.0], 1.0), ([1.0, 1.0], 0.75), ([0.0, 2.0], 0.5), ([-3.0, 0.0], 0.0)]
)
def test_the_angle_between_vectors_is_the_wording_similarity(other: list[float], wording: float) -> None:
    theta = coherence_matrix([[1.0, 0.0], other], [[0.5, 0.5], [0.5, 0.5]])
    assert theta[0, 1] == pytest.approx(math.sqrt(wording), abs=1e-8)


def test_half_shared_topics_have_the_divergence_worked_out_by_hand() -> None:
    # p = (1, 0), q = (½, ½), m = (¾, ¼): JSD = ½ ln(4/3) + ¼ ln(2/3) + ¼ ln 2 = ½ ln(4/3) + ¼ ln(4/3) = ¾ ln(4/3).
    theta = coherence_matrix([[1.0], [1.0]], [[1.0, 0.0], [0.5, 0.5]], divergence="plain")
    assert theta[0, 1] ** 2 == pytest.approx(1 - 0.75 * math.log(4 / 3), abs=1e-14)


@pytest.mark.parametrize("divergence", DIVERGENCES)
def test_coherence_is_what_scipy_computes_pair_by_pair(divergence: Divergence) -> None:
    vectors, memberships = collection(25, 7)
    ours = coherence_matrix(vectors, memberships, divergence=divergence)
    np.testing.assert_allclose(ours, plain_coherence(vectors, memberships, divergence), atol=1e-12)


@given(
    hnp.arrays(np.int8, (5, 3), elements=st.integers(0, 4)).filter(lambda rows: rows.sum(axis=1).all()),
    st.sampled_from(DIVERGENCES),
)
def test_topic_similarity_is_scipys_where_topics_are_empty_or_equal(
    counts: NDArray[np.int8], divergence: Divergence
) -> None:
    memberships = counts.astype(float)
    vectors = np.ones((5, 1))
    ours = coherence_matrix(vectors, memberships, divergence=divergence)
    # The square root of θ turns scipy's rounding at disjoint topics (T = 1e-16) into 1e-8; T itself is compared.
    np.testing.assert_allclose(ours**2, plain_coherence(vectors, memberships, divergence) ** 2, atol=1e-12)


def test_nearly_equal_memberships_keep_their_difference() -> None:
    # With p, q = ½ ± e the divergence is 2 e² to first order, so the root is e √2: far below the rounding of entropies.
    e = 1e-9
    theta = coherence_matrix([[1.0], [1.0]], [[0.5 + e, 0.5 - e], [0.5 - e, 0.5 + e]])
    assert 1 - theta[0, 1] ** 2 == pytest.approx(math.sqrt(2) * e, rel=1e-5)


@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.sampled_from(DIVERGENCES))
def test_identical_memberships_have_topic_similarity_one(seed: int, k: int, divergence: Divergence) -> None:
    row = np.random.default_rng(seed).dirichlet(np.full(k, 0.2))
    _, topic = link_similarities([[1.0, 0.0], [0.3, 0.4]], [row, row], divergence=divergence)
    assert abs(topic[0] - 1.0) <= 1e-12


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_type_of_the_input_changes_no_more_than_its_rounding(dtype: type[np.floating[Any]]) -> None:
    vectors, memberships = (rows.astype(dtype) for rows in collection(12, 4))
    theta = coherence_matrix(vectors, memberships)
    assert theta.dtype == np.float64
    np.testing.assert_array_equal(theta, coherence_matrix(vectors.astype(float), memberships.astype(float)))


def test_small_vectors_are_scaled_before_they_are_compared() -> None:
    vectors, memberships = collection(8, 3)
    tiny = coherence_matrix(vectors * 1e-30, memberships * 1e-3)
    np.testing.assert_allclose(tiny, coherence_matrix(vectors, memberships), atol=1e-7)


def test_the_input_is_left_as_it_was() -> None:
    vectors, memberships = collection(6, 3)
    memberships[0] = 0.0
    before = vectors.copy(), memberships.copy()
    coherence_matrix(vectors, memberships)
    np.testing.assert_array_equal(vectors, before[0])
    np.testing.assert_array_equal(memberships, before[1])


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 6), st.integers(0, 4)),
        elements=st.sampled_from([0.0, 0.0, 1e-300, 1e-12, 0.3, 1.0, math.nan]),
    ),
    st.sampled_from(DIVERGENCES),
    st.integers(0, 99),
)
def test_coherence_is_symmetric_and_in_the_unit_interval_whatever_the_memberships(
    memberships: NDArray[np.float64], divergence: Divergence, seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(memberships), 3))
    theta = coherence_matrix(vectors, memberships, divergence=divergence)
    assert theta.shape == (len(memberships), len(memberships))
    assert not np.isnan(theta).any()
    assert theta.min() >= 0.0
    assert theta.max() <= 1.0
    np.testing.assert_array_equal(theta, theta.T)
    assert not theta.diagonal().any()


def test_a_matrix_of_several_blocks_is_that_of_its_parts_and_symmetric() -> None:
    vectors, memberships = collection(1600, 3)
    vectors[1::2] = vectors[::2]  # copies, whose angle is all rounding, within a block
    vectors[1500:] = vectors[:100]  # and across blocks
    theta = coherence_matrix(vectors, memberships)
    rows = np.random.default_rng(1).choice(1600, size=60, replace=False)
    part = coherence_matrix(vectors[rows], memberships[rows])
    np.testing.assert_allclose(theta[np.ix_(rows, rows)], part, atol=1e-8)
    np.testing.assert_array_equal(theta, theta.T)


@pytest.mark.parametrize("k", [0, 1])
def test_with_fewer_than_two_topics_only_the_wording_counts(k: int) -> None:
    memberships = np.zeros((2, k))
    assert coherence_matrix([[1.0, 0.0], [0.0, 1.0]], memberships)[0, 1] == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("bad", [[0.0, 0.0], [math.nan, 1.0], [math.nan, math.nan]])
def test_a_row_that_says_nothing_counts_as_uniform(bad: list[float]) -> None:
    vectors = [[1.0, 0.0], [1.0, 1.0]]
    expected = coherence_matrix(vectors, [[0.5, 0.5], [0.2, 0.8]])
    np.testing.assert_array_equal(coherence_matrix(vectors, [bad, [0.2, 0.8]]), expected)


def test_rows_that_say_nothing_are_pointed_out() -> None:
    memberships = np.array([[0.0, 0.0], [0.0, 0.1], [math.nan, 0.5], [1.0, 0.0]])
    assert degenerate_rows(memberships).tolist() == [True, False, True, False]
    np.testing.assert_allclose(membership_shares(memberships), [[0.5, 0.5], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])


def test_memberships_count_by_their_shares_only() -> None:
    vectors, memberships = collection(6, 3)
    scaled = memberships * np.array([[1.0], [2.0], [0.5], [4.0], [0.25], [8.0]])
    np.testing.assert_allclose(coherence_matrix(vectors, memberships), coherence_matrix(vectors, scaled), atol=1e-14)


@pytest.mark.parametrize("n", [0, 1])
def test_no_pair_no_coherence(n: int) -> None:
    assert coherence_matrix(np.ones((n, 2)), np.ones((n, 2))).tolist() == [[0.0]] * n


@pytest.mark.parametrize("divergence", DIVERGENCES)
def test_the_parts_of_a_link_multiply_to_its_coherence(divergence: Divergence) -> None:
    vectors, memberships = collection(6, 4)
    chain = [4, 0, 5, 2]
    theta = coherence_matrix(vectors, memberships, divergence=divergence)
    wording, topic = link_similarities(vectors[chain], memberships[chain], divergence=divergence)
    np.testing.assert_allclose(np.sqrt(wording * topic), theta[chain[:-1], chain[1:]], atol=1e-12)


def test_a_chain_of_one_document_has_no_links() -> None:
    wording, topic = link_similarities([[1.0, 0.0]], [[1.0, 0.0]])
    assert (wording.shape, topic.shape) == ((0,), (0,))


def test_unit_rows_have_length_one() -> None:
    units = unit_rows(np.array([[3.0, 4.0], [1e-100, 0.0]]))
    np.testing.assert_allclose(units, [[0.6, 0.8], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("vectors", "memberships", "divergence", "words"),
    [
        ([1.0, 2.0], [[1.0], [1.0]], "root", r"vectors must be a table.*got shape \(2,\)"),
        ([[1.0], [0.0]], [[1.0], [1.0]], "root", "row 1 is not"),
        ([[1.0], [math.nan]], [[1.0], [1.0]], "root", "row 1 is not"),
        ([[math.inf], [1.0]], [[1.0], [1.0]], "root", "row 0 is not"),
        ([[1.0], [1.0]], [1.0, 1.0], "root", r"memberships must be a table.*got shape \(2,\)"),
        ([[1.0], [1.0]], [[1.0, -0.1], [1.0, 0.0]], "root", "at least 0"),
        ([[1.0], [1.0]], [[1.0, math.inf], [1.0, 0.0]], "root", "finite"),
        ([[1.0], [1.0]], [[1.0]], "root", "got 2 and 1 rows"),
        ([[1.0], [1.0]], [[1.0], [1.0]], "cosine", "root, plain, base2; got 'cosine'"),
    ],
)
def test_input_that_has_no_coherence_is_refused_in_words(
    vectors: list[Any], memberships: list[Any], divergence: Divergence, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        coherence_matrix(vectors, memberships, divergence=divergence)
    with pytest.raises(InvalidInput, match=words):
        link_similarities(vectors, memberships, divergence=divergence)
