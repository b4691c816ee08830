"""Out of distribution: which two collections are mixed, and what came of runs of such stories."""

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.mixture_figure import mixture_figure, mixture_means
from narrative_core.joint import joint_name
from narrative_core.records import STAGES, CollectionSummary, Job
from narrative_core.reports.mixture_tables import mixture_tables
from narrative_core.runs import RunSummary
from narrative_core.ui import frame, resources, run_work
from narrative_core.ui.builds import POLL_S, STAGE_WORDS
from narrative_core.ui.design_results import mixtures_of
from narrative_core.ui.run_figures import figure_view, picture_format
from narrative_core.ui.run_form import run_form
from narrative_core.ui.run_table_view import table_view
from narrative_core.ui.selection import stories_of_judge, stories_of_mark
from narrative_core.ui.words import markdown_text, sentence

TOLD = (
    "Stories that alternate between two collections, or mix both at random, are no stories; a measure of coherence "
    "should rate them below the trails within one collection. Both collections are read by the same model and put on "
    "one map, so that a link from one to the other has a strength like any."
)
STUDY_TOLD = (
    "Puts beside these numbers what the reference study printed for news mixed with papers: other documents, another "
    "judge, for orientation."
)
FIRST_PAIRS = 30


def mixture_form(summary: CollectionSummary | None) -> None:
    """Show what a collection can be mixed with, the way to their joint collection, and the form of a run on it."""
    st.markdown(TOLD)
    if summary is None:
        st.info("This collection is not here. Choose another above.")
        return
    stored = {one.collection.name: one for one in resources.summaries()}
    name = summary.collection.name
    parts = mixed_of(name, list(stored))
    if parts is not None:
        titles = " and ".join(f"**{markdown_text(stored[part].collection.title)}**" for part in parts)
        st.markdown(f"This collection is made of two: {titles}.")
        _joint(*parts)
        return
    others = [other for other in stored if other != name and mixed_of(other, list(stored)) is None]
    if not others:
        st.info("There is no other collection to mix this one with. Add one on the page Collections.")
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")
        return
    left, _ = st.columns([2, 5])
    other = left.selectbox(
        "Mixed with",
        others,
        format_func=lambda one: f"{stored[one].collection.title} · {stored[one].n_documents:,} documents",
        key=f"mixed-with-{name}",
        help="Whether it has a map or not: both are read anew.",
    )
    _joint(name, other)


def mixed_of(name: str, names: list[str]) -> tuple[str, str] | None:
    """Return the two collections that a joint one is made of, ``None`` where it is none of these.

    Examples
    --------
    >>> mixed_of("news+papers", ["news", "papers", "news+papers"]), mixed_of("news", ["news", "papers"])
    (('news', 'papers'), None)
    """
    pairs = [(one, other) for one in names for other in names if one < other] if "+" in name else []
    return next((pair for pair in pairs if joint_name(*pair) == name), None)


def mixture_results_view(summary: RunSummary) -> None:
    """Show what came of a run of mixed stories: its tables, with the study's figures if wanted, and its figures."""
    table = run_work.table(summary)
    if not table.stories:
        st.info("This run has no stories. Start another on the page Out of distribution.")
        return
    if table.seats and not summary.n_answered:
        st.info("No judge has answered yet. Coherence is here already; the rest fills as the answers come.")
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom", key="mixture-controls"):
        is_study = st.toggle("The reference study beside it", key="mixture-study", help=STUDY_TOLD)
        picture = picture_format()
    results, mode = mixtures_of(summary), frame.mode()
    means, contrasts, associations = mixture_tables(results, study=is_study)
    run_id = summary.run.run_id
    left, right = st.columns([5, 6], gap="large")
    with left:
        table_view(means, key=means.key, summary=summary)
        if associations.rows:
            table_view(associations, key=associations.key, summary=summary)
    with right:
        figure_view(
            mixture_means(results, mode=mode),
            key=f"mixture-means-{run_id}",
            picture=picture,
            title="Means by how stories were made",
            summary=summary,
            finder=lambda key: stories_of_judge(key, table),
        )
    table_view(contrasts, key=contrasts.key, summary=summary)
    if not table.seats:
        st.caption("No judge was asked in this run, so there is no score to set against coherence.")
        return
    figure_view(
        mixture_figure(results, table, mode=mode),
        key=f"mixture-points-{run_id}",
        picture=picture,
        title="Mean link against score, story by story: a click on a point opens its story",
        summary=summary,
        finder=lambda key: stories_of_mark(key, table, {}),
    )


def _joint(first: str, second: str) -> None:
    """Show the form of a run on the joint collection of two; where there is none, the way to it."""
    name = joint_name(first, second)
    job = run_work.latest_job(name, run_work.JOIN)
    if job is not None and job.state == "running":
        joining_progress(name)
        return
    stored = resources.summary(name)
    if stored is not None and stored.is_built:
        loaded: LoadedCollection = resources.loaded(name, stored.landscape_id or "")
        run_form(loaded, "mixtures", pairs=FIRST_PAIRS)
        return
    _joining_outcome(job)
    n = sum(one.n_documents for part in (first, second) if (one := resources.summary(part)) is not None)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="join-offer"):
        st.markdown(
            f"The two have no joint map yet. Making it reads {n:,} documents and compares all pairs of them: about a "
            "minute for a thousand. Both collections stay as they are."
        )
        is_again = job is not None and job.state in ("failed", "cancelled", "interrupted")
        st.button(
            "Go on making it" if is_again else "Make the joint map",
            key="start-joining",
            type="primary",
            icon=":material/join:",
            on_click=run_work.start_joining,
            args=(first, second),
        )


@st.fragment(run_every=POLL_S)
def joining_progress(name: str) -> None:
    """Show how far the making of a joint collection is, with the way to stop it; the page is drawn anew at its end."""
    job = run_work.latest_job(name, run_work.JOIN)
    if job is None or job.state != "running":
        st.rerun()
    number = STAGES.index(job.stage) if job.stage in STAGES else 0
    share = min(1.0, job.done / job.total) if job.total else 0.0
    st.progress(
        (number + share) / len(STAGES),
        text=f"Step {number + 1} of {len(STAGES)}: {STAGE_WORDS[STAGES[number]]}, {share:.0%}",
    )
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-join-{name}", on_click=resources.runner().cancel, args=(job.job_id,))


def _joining_outcome(job: Job | None) -> None:
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
    elif job.state == "cancelled":
        st.caption("The making of the joint map was stopped. The steps that were finished are kept.")
    else:
        st.caption("The program ended while the joint map was being made. The steps that were finished are kept.")
