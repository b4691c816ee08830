"""What came of the runs of other designs than trails, computed once."""

import streamlit as st

from narrative_core.mixture_results import mixture_results
from narrative_core.run_outcomes import MixtureResults, SanityResults
from narrative_core.runs import RunSummary, RunTable, Version
from narrative_core.sanity_results import sanity_results
from narrative_core.ui import run_work

KEPT_RESULTS = 4


def mixtures_of(summary: RunSummary) -> MixtureResults:
    """Return every estimate of a run of mixed stories; computed anew with another answer."""
    return _mixtures(summary.version, run_work.table(summary))


def checks_of(summary: RunSummary) -> SanityResults:
    """Return every check of a sanity run; computed anew with another answer."""
    return _checks(summary.version, run_work.table(summary))


@st.cache_resource(max_entries=KEPT_RESULTS, show_spinner="Computing the statistics …")
def _mixtures(about: Version, _table: RunTable) -> MixtureResults:
    del about
    return mixture_results(_table)


@st.cache_resource(max_entries=KEPT_RESULTS, show_spinner="Computing the statistics …")
def _checks(about: Version, _table: RunTable) -> SanityResults:
    del about
    return sanity_results(_table)
