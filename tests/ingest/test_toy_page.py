"""docs/toy.md shows a whole computation; everything in it that is a number is made again here and compared."""

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.ingest.builtin import builtin_documents
from narrative_core.trails.capacity import Trail, maximum_capacity_trail
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "toy.md"
SOURCE, TARGET, DEAD_END = 0, 11, 9
DATES = [document.date for document in builtin_documents("toy")[0]]
IDS = [document.document_id for document in builtin_documents("toy")[0]]


def read_array(name: str) -> NDArray[np.float64]:
    with (ROOT / "data" / "toy" / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows[1:]] == IDS
    return np.array([row[1:] for row in rows[1:]], dtype=np.float64)


VECTORS, MEMBERSHIPS = read_array("vectors.csv"), read_array("memberships.csv")
DEGREES = [round(math.degrees(math.atan2(y, x))) % 360 for x, y in VECTORS]
# Equal angles and memberships give coherences that are equal up to rounding; a person with a pencil sees them as equal.
THETA = coherence_matrix(VECTORS, MEMBERSHIPS).round(12)
FLOOR = critical_coherence(THETA)


def trail() -> Trail:
    return maximum_capacity_trail(THETA, SOURCE, TARGET, dates=DATES, floor=FLOOR)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def document_table() -> str:
    documents, _ = builtin_documents("toy")
    rows = [
        [
            document.document_id,
            document.date_text,
            document.title,
            f"{degrees}°",
            " ".join(f"{u:g}" for u in memberships),
        ]
        for document, degrees, memberships in zip(documents, DEGREES, MEMBERSHIPS, strict=True)
    ]
    return table(["", "date", "title", "angle", "plans river works"], rows)


def topic_similarity_table() -> str:
    cases: dict[float, tuple[str, str]] = {}
    for u, v in itertools.combinations(MEMBERSHIPS, 2):
        pair = tuple(" ".join(f"{share:g}" for share in shares) for shares in (u, v))
        cases.setdefault(round(divergence(u, v), 9), (pair[0], pair[1]))
    rows = [
        [u, v, f"{jsd:.4f}", f"{math.sqrt(jsd):.4f}", f"{1 - math.sqrt(jsd):.4f}"]
        for jsd, (u, v) in sorted(cases.items())
    ]
    return table(["û", "v̂", "JSD", "√JSD", "T"], rows)


def divergence(u: NDArray[np.float64], v: NDArray[np.float64]) -> float:
    def entropy(shares: NDArray[np.float64]) -> float:
        return -sum(share * math.log(share) for share in shares if share > 0)

    return entropy((u + v) / 2) - (entropy(u) + entropy(v)) / 2


def coherence_table() -> str:
    rows = [[name, *(f"{theta:.3f}" for theta in row)] for name, row in zip(IDS, THETA, strict=True)]
    return table(["θ", *IDS], rows)


def spanning_tree() -> list[tuple[int, int]]:
    tree, inside = [], {0}
    while len(inside) < len(THETA):
        u, v = max(
            ((u, v) for u in sorted(inside) for v in range(len(THETA)) if v not in inside),
            key=lambda edge: (THETA[edge], -edge[0], -edge[1]),
        )
        tree.append((u, v))
        inside.add(v)
    return tree


def tree_table() -> str:
    rows = [
        [str(step), f"{IDS[u]} – {IDS[v]}", f"{THETA[u, v]:.3f}"]
        for step, (u, v) in enumerate(spanning_tree(), start=1)
    ]
    return table(["step", "edge", "θ"], rows)


def allowed(u: int, v: int) -> bool:
    return u != v and THETA[u, v] >= FLOOR and DATES[u] <= DATES[v]  # type: ignore[operator]


def search_table() -> str:
    """The search of the glossary, written out naively: expand the reached document of highest capacity."""
    capacity, parent, expanded, rows = {SOURCE: math.inf}, {}, set[int](), []
    while TARGET not in expanded:
        u = min((v for v in capacity if v not in expanded), key=lambda v: (-capacity[v], v))
        expanded.add(u)
        raised = []
        for v in range(len(THETA)):
            through = min(capacity[u], THETA[u, v])
            if allowed(u, v) and through > capacity.get(v, 0.0):
                capacity[v], parent[v] = through, u
                raised.append(f"{IDS[v]} {through:.3f}")
        came_from = IDS[parent[u]] if u in parent else "–"
        is_end = u == TARGET
        rows.append([str(len(rows) + 1), IDS[u], f"{capacity[u]:.3f}".replace("inf", "∞"), came_from])
        rows[-1].append("the target: done" if is_end else ", ".join(raised) or "nothing")
    return table(["step", "expanded", "capacity", "reached from", "raises"], rows)


def chain_text(documents: tuple[int, ...]) -> str:
    links = [f"{THETA[u, v]:.3f}" for u, v in itertools.pairwise(documents)]
    return IDS[documents[0]] + "".join(f" –{link}→ {IDS[v]}" for link, v in zip(links, documents[1:], strict=True))


def chronologies() -> list[tuple[float, tuple[int, ...]]]:
    """All chronologies of six documents between the endpoints, weakest first."""
    interiors = itertools.combinations(range(1, 11), len(trail().documents) - 2)
    chains = [(SOURCE, *interior, TARGET) for interior in interiors]
    return sorted((min(float(THETA[u, v]) for u, v in itertools.pairwise(chain)), chain) for chain in chains)


def baseline_text() -> str:
    drawn = chronologies()
    median, chain = drawn[(len(drawn) - 1) // 2]
    return f"{chain_text(chain)}, bottleneck {median:.3f}"


BLOCKS = {
    "documents": document_table,
    "topic similarities": topic_similarity_table,
    "coherences": coherence_table,
    "maximum spanning tree": tree_table,
    "search": search_table,
    "trail": lambda: chain_text(trail().documents),
    "bottleneck": lambda: f"bottleneck {trail().bottleneck:.3f}",
    "critical coherence": lambda: f"critical coherence is {FLOOR:.3f}",
    "direct link": lambda: f"{chain_text((SOURCE, TARGET))}",
    "baseline": baseline_text,
    "beaten": lambda: f"{sum(b < trail().bottleneck for b, _ in chronologies())} of the {len(chronologies())}",
}


@pytest.mark.parametrize("block", BLOCKS)
def test_the_page_shows_what_the_data_give(block: str) -> None:
    assert BLOCKS[block]() in PAGE.read_text(encoding="utf-8")


def test_every_vector_is_a_unit_vector_at_a_multiple_of_fifteen_degrees() -> None:
    radians = np.deg2rad(DEGREES)
    np.testing.assert_allclose(VECTORS, np.column_stack([np.cos(radians), np.sin(radians)]), atol=1e-14)
    assert all(degrees % 15 == 0 for degrees in DEGREES)


def test_there_are_three_topics_of_four_documents() -> None:
    np.testing.assert_array_equal(MEMBERSHIPS.sum(axis=1), 1.0)
    assert np.bincount(MEMBERSHIPS.argmax(axis=1)).tolist() == [4, 4, 4]


def test_the_trail_is_the_only_one_as_strong() -> None:
    best = trail()
    assert best.documents == (0, 3, 4, 5, 10, 11)

    def strong_trails(chain: tuple[int, ...]) -> list[tuple[int, ...]]:
        if chain[-1] == TARGET:
            return [chain]
        steps = [v for v in range(12) if v not in chain and allowed(chain[-1], v)]
        strong = [v for v in steps if THETA[chain[-1], v] >= best.bottleneck - 0.01]
        return [found for v in strong for found in strong_trails((*chain, v))]

    assert strong_trails((SOURCE,)) == [best.documents]


def test_the_trail_stays_when_vectors_are_stored_in_half_the_precision() -> None:
    theta = coherence_matrix(VECTORS.astype(np.float32), MEMBERSHIPS)
    floor = critical_coherence(theta)
    found = maximum_capacity_trail(theta, SOURCE, TARGET, dates=DATES, floor=floor)
    assert found.documents == trail().documents


def test_the_direct_link_is_allowed_and_much_weaker() -> None:
    assert allowed(SOURCE, TARGET)
    assert THETA[SOURCE, TARGET] < trail().bottleneck / 1.5


def test_the_off_topic_document_can_be_reached_and_not_left() -> None:
    assert any(allowed(u, DEAD_END) for u in range(12))
    assert not any(allowed(DEAD_END, v) for v in range(12))
    assert THETA[DEAD_END].max() == FLOOR
