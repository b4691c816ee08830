import itertools
import math

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.worked_link import work_out_link

EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def test_opposite_vectors_have_no_wording_in_common() -> None:
    link = work_out_link([EAST, WEST], [[1.0, 0.0], [1.0, 0.0]])
    assert (link.angle_deg, link.wording_similarity, link.coherence) == (180.0, 0.0, 0.0)


def test_equal_shares_have_no_distance() -> None:
    link = work_out_link([EAST, NORTH], [[0.5, 0.5], [1.0, 1.0]])
    assert (link.distance, link.topic_similarity) == (0.0, 1.0)
    assert link.divergence == pytest.approx(0.0, abs=1e-15)
    assert link.spread == pytest.approx(math.log(2))


def test_a_share_of_one_has_no_spread_not_even_a_negative_zero() -> None:
    link = work_out_link([EAST, NORTH], [[1.0, 0.0], [0.0, 1.0]])
    assert str(link.spread) == str(link.other_spread) == "0.0"
    assert link.divergence == pytest.approx(math.log(2))
    assert link.topic_similarity == pytest.approx(1 - math.sqrt(math.log(2)))


def test_the_steps_lead_to_the_coherence_of_the_method() -> None:
    rng = np.random.default_rng(5)
    vectors, memberships = rng.normal(size=(6, 3)), rng.dirichlet([0.4, 0.4, 0.4, 0.4], size=6)
    theta = coherence_matrix(vectors, memberships)
    for u, v in itertools.combinations(range(6), 2):
        link = work_out_link(vectors[[u, v]], memberships[[u, v]])
        assert link.coherence == pytest.approx(theta[u, v])
        assert link.mixture_spread - (link.spread + link.other_spread) / 2 == pytest.approx(link.divergence)
        assert math.sqrt(link.divergence) == pytest.approx(link.distance)
        assert math.sqrt(link.wording_similarity * link.topic_similarity) == pytest.approx(link.coherence)


def test_a_link_needs_two_documents() -> None:
    with pytest.raises(InvalidInput, match="got 3"):
        work_out_link([EAST, NORTH, WEST], [[1.0], [1.0], [1.0]])
