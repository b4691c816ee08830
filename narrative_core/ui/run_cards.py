"""The runs that there are: what each is, how far it is, and the ways on."""

import streamlit as st

from narrative_core.counting import count
from narrative_core.runs import Design, RunSummary
from narrative_core.store.runs import delete_run, rename_run
from narrative_core.ui import resources, run_work, state
from narrative_core.ui.run_form import open_results
from narrative_core.ui.run_rest import ask_for_rest
from narrative_core.ui.words import clamp, html_text, markdown_text

EMPTY: dict[Design, str] = {
    "trails": "Here will be the runs: tables and figures over many pairs of stories. Start one above.",
    "mixtures": "Here will be the runs of mixed stories. Start one above.",
    "sanity": "Here will be the runs that check a judge. Start one above.",
}

FIRST_SHOWN = 12
"""Cards before a person asks for all."""


def run_list(design: Design) -> None:
    """Show every run of one design, the newest first."""
    st.header("Runs", anchor=False)
    found = run_work.runs(design=design)
    if not found:
        st.caption(EMPTY[design])
        return
    titles = {stored.collection.name: stored.collection.title for stored in resources.summaries()}
    is_all = len(found) <= FIRST_SHOWN or st.session_state.get(f"all-runs-{design}", False)
    shown = found if is_all else found[:FIRST_SHOWN]
    for start in range(0, len(shown), 2):
        for column, summary in zip(st.columns(2, gap="medium"), shown[start : start + 2], strict=False):
            name = summary.run.settings.collection
            with column, st.container(border=True, height="stretch", key=f"run-card-{summary.run.run_id}"):
                _card(summary, titles.get(name, f"{name} (not here any more)"))
    if len(found) > FIRST_SHOWN:
        st.toggle(f"All {len(found):,} runs", key=f"all-runs-{design}")


def going_on(summary: RunSummary) -> None:
    """Show how far a run is: progress while it runs, how it ended, and the way to ask for what is missing."""
    run_id = summary.run.run_id
    job = run_work.latest_job(run_id)
    if job is not None and job.state == "running":
        run_work.run_progress(run_id)
        return
    run_work.run_outcome(job)
    if job is not None and job.state == "failed" and any(seat.judge == "openai" for seat in summary.run.settings.seats):
        st.page_link("pages/manage/judges.py", label="Look at the judge on the page Judges", icon=":material/gavel:")
    if run_work.can_go_on(summary):
        n_missing = summary.n_questions - summary.n_answered
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"going-on-{run_id}"):
            told = f"{count(n_missing, 'answer')} of {summary.n_questions:,} not there yet."
            st.html(f"<div class='tl-quiet'>{html_text(told)}</div>", width="content")
            is_wanted = st.button(
                "Ask for the rest",
                key=f"go-on-{run_id}",
                icon=":material/play_arrow:",
                help="Asks what was not asked yet, and once more what timed out or failed. What has an answer stays.",
            )
        if is_wanted:
            ask_for_rest(summary)


def _card(summary: RunSummary, collection: str) -> None:
    run = summary.run
    st.subheader(markdown_text(run.name), anchor=False)
    stories = count(summary.n_stories, "story")
    parts = [collection, stories, "no judge"]
    if run.settings.seats:
        parts[2:] = [count(len(run.settings.seats), "judge"), _answered(summary)]
    st.html(f"<div class='tl-quiet'>{html_text(' · '.join([*parts, run_work.origin_words(run)]))}</div>")
    going_on(summary)
    with st.container(horizontal=True, gap="small"):
        if st.button("Results", key=f"open-run-{run.run_id}", type="primary"):
            open_results(run.run_id)
        with st.popover("Edit", key=f"edit-run-{run.run_id}"):
            _edit(summary)


def _answered(summary: RunSummary) -> str:
    told, n = count(summary.n_questions, "answer"), summary.n_answered
    return f"all {told}" if n == summary.n_questions > 1 else f"{n:,} of {told}"


def _edit(summary: RunSummary) -> None:
    run = summary.run
    with st.form(f"edit-run-form-{run.run_id}", border=False):
        name = st.text_input("Name", run.name, max_chars=200)
        if st.form_submit_button("Save the name"):
            rename_run(resources.database(), run.run_id, name.strip() or run.name)
            st.rerun()
    st.markdown("**Delete** takes the stories and tables of this run away; what judges answered stays in the file.")
    is_sure = st.checkbox("I know that this cannot be undone", key=f"sure-run-{run.run_id}")
    is_running = (job := run_work.latest_job(run.run_id)) is not None and job.state == "running"
    st.button(
        "Delete this run",
        key=f"delete-run-{run.run_id}",
        icon=":material/delete:",
        on_click=_delete,
        args=(summary,),
        disabled=not is_sure or is_running,
    )


def _delete(summary: RunSummary) -> None:
    delete_run(resources.database(), summary.run.run_id)
    if state.run() == summary.run.run_id:
        state.choose_run("")
    state.notify(f"“{clamp(summary.run.name, 60)}” was deleted.")
