"""Desks and curations as Hypothesis strategies, for the tests of what keeps them."""

from hypothesis import strategies as st

from narrative_core.curation import Curation
from narrative_core.desk import Desk, History, Step
from narrative_core.records import TrailRequest

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(
    ["", '"', "\n", "\0", "مرحبا", "👩‍👩‍👧", "\u2028", "null"]
)
TOPIC = st.integers(0, 20)
IDS = st.lists(TEXT, max_size=3)

merges = st.dictionaries(st.integers(0, 9), st.integers(10, 20), max_size=3)
"""No topic that is merged has another merged into it."""

curations = st.builds(
    Curation,
    excluded=IDS.map(frozenset),
    standalone=IDS.map(frozenset),
    dates=st.dictionaries(TEXT, st.sampled_from(["2021", "2021-05", "3 May 2021"]), max_size=2),
    document_notes=st.dictionaries(TEXT, TEXT, max_size=2),
    link_notes=st.dictionaries(st.tuples(TEXT, TEXT), TEXT, max_size=2),
    landscape_id=TEXT,
    topic_labels=st.dictionaries(TOPIC, TEXT, max_size=2),
    merged_topics=merges,
    hidden_topics=st.frozensets(TOPIC, max_size=2),
)
requests = st.builds(
    TrailRequest,
    source=TEXT,
    target=TEXT,
    via=IDS.map(tuple),
    avoid=IDS.map(tuple),
    maximum_gap_days=st.none() | st.integers(0, 10**6),
    maximum_length=st.none() | st.integers(0, 10**6),
    is_chronological=st.booleans(),
    avoid_sources=IDS.map(tuple),
    avoid_topics=st.lists(TOPIC, max_size=2).map(tuple),
    by_hand=IDS.map(tuple),
)
desks = st.builds(
    Desk,
    request=st.none() | requests,
    note=TEXT,
    selection=IDS.map(tuple),
    curation=curations | st.just(Curation()),
    map_fitted_at=TEXT,
)
steps = st.lists(st.builds(Step, desk=desks, words=TEXT), max_size=3).map(tuple)
histories = st.builds(History, present=desks, past=steps, future=steps)
