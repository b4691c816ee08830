"""The page of one run's results: which run, how far it is, a contents list, and the section that is chosen."""

from collections.abc import Sequence

import streamlit as st

from narrative_core.counting import count
from narrative_core.runs import Design, Run, RunSummary
from narrative_core.study import DataSet
from narrative_core.ui import frame, resources, run_work, state
from narrative_core.ui.results_sections import SECTIONS, WITH_MODELS, Section
from narrative_core.ui.results_shown import Shown
from narrative_core.ui.run_cards import going_on
from narrative_core.ui.run_figures import PictureFormat, picture_format
from narrative_core.ui.run_methods_view import run_methods
from narrative_core.ui.take_away import take_away
from narrative_core.ui.words import clamp, html_text, markdown_text

NO_RUN = (
    "Here will be every table and figure of a run: many pairs of stories, trails beside random chronologies, before "
    "the same judges. Start one on the page New run; an example needs no key and takes some minutes."
)
DESIGN_WORDS: dict[Design, str] = {"trails": "", "mixtures": "out of distribution", "sanity": "sanity"}
STUDIES: dict[str, DataSet | None] = {"none": None, "news": "news", "VisPub": "vispub"}
STUDY_HELP = (
    "Puts what the reference study printed for one of its collections beside these numbers, in quiet type, and as ◇ "
    "in figures. It measured other documents, mostly with another judge: for orientation, not as a target."
)
_SECTION, _KEPT_SECTION = "results-section", "results-section-kept"


def run_results() -> None:
    """Show the results of the run that the address names, or of the newest."""
    found = run_work.runs()
    if not found:
        st.info(NO_RUN)
        st.page_link("pages/research/new_run.py", label="Start a run", icon=":material/science:")
        return
    summary = _chosen(found)
    if summary is None:
        return
    st.html(f"<div class='tl-quiet'>{html_text(run_sentence(summary))}</div>")
    going_on(summary)
    _drawn_so_far(summary)
    match summary.run.settings.design:
        case "trails":
            _trails(summary)
        case "mixtures":
            from narrative_core.ui.mixture_view import mixture_results_view

            mixture_results_view(summary)
            _made_and_taken(summary)
        case "sanity":
            from narrative_core.ui.sanity_view import sanity_results_view

            sanity_results_view(summary)
            _made_and_taken(summary)


def run_sentence(summary: RunSummary) -> str:
    """Return what a run is, on one line: what of, how much, by whom, and what its numbers depend on."""
    run = summary.run
    parts = [_collection_title(run), *_amounts(summary), _judges_words(run)]
    parts += [f"seed {run.settings.seed}", f"divergence {run.divergence}", f"map {run.landscape_id}"]
    if run.n_rejected:
        parts.append(f"{count(run.n_rejected, 'drawn pair')} without a trail left out")
    return " · ".join([*parts, run_work.origin_words(run)])


def _drawn_so_far(summary: RunSummary) -> None:
    """Say of a run that goes on how many answers the numbers on the page rest on, with the way to newer ones."""
    job = run_work.latest_job(summary.run.run_id)
    if job is None or job.state != "running":
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="drawn-so-far"):
        told = f"The numbers below rest on the {count(summary.n_answered, 'answer')} there were when they were drawn."
        st.html(f"<div class='tl-quiet'>{html_text(told)}</div>", width="content")
        st.button("Draw them anew", key=f"draw-anew-{summary.run.run_id}", icon=":material/refresh:", type="tertiary")


def _amounts(summary: RunSummary) -> tuple[str, ...]:
    n_stories, settings = summary.n_stories, summary.run.settings
    stories = count(n_stories, "story")
    if settings.design == "mixtures":
        return (stories,)
    n_pairs = sum(one.found for one in summary.run.strata) or settings.n_pairs
    return count(n_pairs, "pair"), stories


def _judges_words(run: Run) -> str:
    n_seats = len(run.settings.seats)
    return count(n_seats, "judge") if n_seats else "no judge"


def _collection_title(run: Run) -> str:
    stored = resources.summary(run.settings.collection)
    return stored.collection.title if stored is not None else f"{run.settings.collection} (not here any more)"


def _chosen(found: Sequence[RunSummary]) -> RunSummary | None:
    """Show which run is open, and let another be chosen; return it, ``None`` where the address names an unknown one."""
    by_id = {summary.run.run_id: summary for summary in found}
    if not state.run():
        state.choose_run(found[0].run.run_id)
    present = state.run()
    if present not in by_id:
        st.warning(
            f"There is no run “{markdown_text(present)}” here; it may have been deleted, or belong to another "
            "database. Choose one of those that are.",
            icon=":material/search_off:",
        )
    chosen = st.selectbox(
        "Run",
        list(by_id),
        index=list(by_id).index(present) if present in by_id else None,
        format_func=lambda run_id: _label(by_id[run_id]) if run_id in by_id else run_id,
        placeholder="Choose a run",
        label_visibility="collapsed",
    )
    if chosen is not None and chosen != present:
        state.choose_run(chosen)
        st.rerun()
    return by_id.get(present)


def _label(summary: RunSummary) -> str:
    run = summary.run
    parts = [clamp(run.name, 80), DESIGN_WORDS[run.settings.design], run_work.origin_words(run)]
    return " · ".join(filter(None, parts))


def _trails(summary: RunSummary) -> None:
    if not summary.n_answered and summary.n_questions:
        st.info("No judge has answered yet. What needs no judge is here already; the rest fills as answers come.")
    contents, body = st.columns([2, 9], gap="medium")
    with contents, st.container(key="results-contents"):
        section = _contents()
    with body:
        study, picture = _controls()
        table, results = run_work.table(summary), run_work.results(summary, with_models=section in WITH_MODELS)
        if not table.stories:
            st.info("This run has no stories. Delete it on the page New run, and start another.")
            return
        SECTIONS[section](Shown(summary, table, results, study, picture, frame.mode()))


def _made_and_taken(summary: RunSummary) -> None:
    """Show what a run of trails has as sections of its own: how it was made, and all of it as one file."""
    st.subheader("Take away", anchor=False)
    take_away(summary, None)
    st.subheader("Methods", anchor=False)
    run_methods(summary.run)


def _contents() -> Section:
    # A widget's choice is let go with its page; this one is kept for the way back.
    if _SECTION not in st.session_state:
        st.session_state[_SECTION] = st.session_state.get(_KEPT_SECTION, "Overview")
    chosen = st.radio("Contents", list(SECTIONS), key=_SECTION, label_visibility="collapsed", width="stretch")
    st.session_state[_KEPT_SECTION] = chosen
    return chosen


def _controls() -> tuple[DataSet | None, PictureFormat]:
    with st.container(horizontal=True, gap="medium", key="results-controls"):
        study = st.segmented_control(
            "Reference study beside it", list(STUDIES), default="none", key="results-study", help=STUDY_HELP
        )
        return STUDIES[study or "none"], picture_format()
