"""Hypothesis strategies for what a person may decide about a collection."""

from collections.abc import Sequence

from hypothesis import strategies as st

from narrative_core.curation import Curation

TYPED = ("2019", "2019-02", "March 2020", "2019-01-18", "12 July 1969")
notes = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8)


@st.composite
def curations(draw: st.DrawFn, ids: Sequence[str], n_topics: int = 3, landscape_id: str = "land-1") -> Curation:
    """Decisions about some of the documents, at least two of which stay, and about some topics of a landscape."""
    some = st.frozensets(st.sampled_from(ids), max_size=len(ids) - 2)
    topics = st.integers(0, n_topics - 1)
    roots = draw(st.permutations(range(n_topics)))
    n_merged = draw(st.integers(0, n_topics - 1))
    merged = {topic: draw(st.sampled_from(roots[n_merged:])) for topic in roots[:n_merged]}
    labels, hidden = draw(st.dictionaries(topics, notes, max_size=2)), draw(st.frozensets(topics, max_size=2))
    return Curation(
        excluded=draw(some),
        standalone=draw(some),
        dates=draw(st.dictionaries(st.sampled_from(ids), st.sampled_from(TYPED), max_size=4)),
        document_notes=draw(st.dictionaries(st.sampled_from(ids), notes, max_size=3)),
        link_notes=draw(st.dictionaries(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), notes, max_size=3)),
        landscape_id=landscape_id if labels or merged or hidden else "",
        topic_labels=labels,
        merged_topics=merged,
        hidden_topics=hidden,
    )
