"""The test of a judge on the screen: the button, the progress, and what the judge made of the two known stories."""

import streamlit as st

from narrative_core.judgements import Judgement, ReplyForm, Seat
from narrative_core.records import Job
from narrative_core.reports.cost_sentences import format_usd
from narrative_core.reports.methods import format_moment
from narrative_core.reports.verdict_sentences import format_score
from narrative_core.ui import resources, state, trial
from narrative_core.ui.words import clamp, html_text, markdown_text, sentence

POLL_S = 0.5
LONGEST_EXPLANATION = 1200
FORM_WORDS: dict[ReplyForm, str] = {
    "schema": "came as strict structured output",
    "function": "came as a function call",
    "text": "came as JSON in plain text",
}


WHAT_IS_TESTED = (
    "The judge reads two stories of six headlines, without being told which is which. One tells "
    f"{trial.COHERENT_TOLD}; the other is {trial.SCRAMBLED_TOLD}. A judge that is worth its score gives more to the "
    "first."
)


def known_stories_note() -> None:
    """Say what the two stories are that a test shows to a judge, with both to read."""
    with st.expander("What a test shows to a judge", key="known-stories"):
        st.markdown(WHAT_IS_TESTED)
        titles = ("In order", "Scrambled")
        for column, title, story in zip(st.columns(2, gap="medium"), titles, trial.known_stories(), strict=True):
            lines = [f"{number}. {markdown_text(document.title)}" for number, document in enumerate(story, 1)]
            column.markdown(f"**{title}**\n" + "\n".join(lines))


def trial_view(seat: Seat, found: trial.Trial, *, is_ready: bool) -> None:
    """Show the test of a judge: the way to start it, how far it is, or how it ended."""
    job = trial.latest_trial(seat)
    if job is not None and job.state == "running":
        _progress(seat)
        return
    is_asked = st.button(
        "Test this judge", key=f"try-{seat.judge}", disabled=not is_ready, icon=":material/science:",
        help=WHAT_IS_TESTED,
    )  # fmt: skip
    if is_asked:
        _begin(seat, is_known=found.is_complete)
        st.rerun()
    if found.judgements:
        _result(seat, found)
    if not found.is_complete:
        _ending(job)


def _begin(seat: Seat, *, is_known: bool) -> None:
    if is_known:
        state.notify("Both stories were judged before. The stored replies are shown; nothing was asked or paid again.")
    elif seat.judge == "lexical":
        trial.run_trial(seat)
    else:
        trial.start_trial(seat)


@st.fragment(run_every=POLL_S)
def _progress(seat: Seat) -> None:
    job = trial.latest_trial(seat)
    if job is None or job.state != "running":
        st.rerun()
    told = f"{job.done} of {job.total} stories judged" if job.total else "getting ready"
    st.progress(job.done / job.total if job.total else 0.0, text=f"Asking the judge: {told}")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-try-{seat.judge}", on_click=resources.runner().cancel, args=(job.job_id,))


def _ending(job: Job | None) -> None:
    if job is None or job.state == "done":
        return
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
    else:
        st.caption("The last test was stopped before both stories were judged.")


def _result(seat: Seat, found: trial.Trial) -> None:
    apart = found.tells_apart
    coherent, scrambled = (
        "–" if one is None else format_score(one.score, seat.judge) for one in (found.coherent, found.scrambled)
    )
    unit = " nats per token" if seat.judge == "flow" else " of 10"
    told = f"**{coherent}**{unit} for the story in order, **{scrambled}** for the scrambled one"
    if apart:
        st.success(f"It tells them apart: {told}.", icon=":material/check_circle:")
    elif apart is False:
        remedy = " Choose another model." if seat.judge == "openai" else ""
        st.warning(
            f"It does not tell them apart: {told}. Be careful with its scores of other stories.{remedy}",
            icon=":material/warning:",
        )
    else:
        _failures(found)
    with st.expander("What it said", key=f"said-{seat.judge}"):
        for title, judgement in (("In order", found.coherent), ("Scrambled", found.scrambled)):
            if judgement is not None:
                _said(title, judgement)


def _failures(found: trial.Trial) -> None:
    reasons: dict[str, list[str]] = {}
    for title, judgement in (("the story in order", found.coherent), ("the scrambled one", found.scrambled)):
        if judgement is not None and judgement.status != "ok":
            why = markdown_text(sentence(judgement.message)) if judgement.message else "No reason was given."
            reasons.setdefault(f"({judgement.status}). {why}", []).append(title)
    for reason, titles in reasons.items():
        st.error(f"No score for {' and '.join(titles)} {reason}", icon=":material/error:")


def _said(title: str, judgement: Judgement) -> None:
    judge = judgement.question.judge
    score = format_score(judgement.score, judge) if judgement.status == "ok" else judgement.status
    st.html(f"<div class='tl-verdict'>{title}: {html_text(score)}</div><div class='tl-quiet'>{_facts(judgement)}</div>")
    if judgement.explanation:
        st.markdown(markdown_text(clamp(judgement.explanation, LONGEST_EXPLANATION)))
    # Reading flow's own criteria, its mean and its minimum, are in its explanation.
    for criterion in judgement.criteria if judge != "flow" else ():
        name = criterion.name.replace("_", " ").capitalize()
        reason = f": {criterion.reason}" if criterion.reason else ""
        st.caption(markdown_text(f"{name} {format_score(criterion.score, judge)}{reason}"))


def _facts(judgement: Judgement) -> str:
    """Return what one reply took and how it came, as one line of HTML."""
    parts = []
    if judgement.weakest_step is not None:
        parts.append(f"names the link from {judgement.weakest_step + 1} to {judgement.weakest_step + 2} as weakest")
    parts.append(f"{judgement.seconds:.1f} s")
    if judgement.question.mode is None and judgement.input_tokens is not None:
        parts.append(f"{judgement.input_tokens:,} tokens read")
    elif judgement.input_tokens is not None and judgement.output_tokens is not None:
        parts.append(f"{judgement.input_tokens:,} tokens in, {judgement.output_tokens:,} out")
    if judgement.question.mode is not None:
        parts.append(format_usd(judgement.cost_usd))
    if judgement.form is not None:
        parts.append(FORM_WORDS[judgement.form] + _repair(judgement))
    if judgement.dropped:
        parts.append(f"{' and '.join(judgement.dropped)} not sent, the model refuses {_it(len(judgement.dropped))}")
    parts.append(format_moment(judgement.asked_at))
    return html_text(" · ".join(parts))


def _repair(judgement: Judgement) -> str:
    if not judgement.is_repaired:
        return ""
    return ", after one repair" if judgement.status == "ok" else ", and a second request did not put it right"


def _it(n: int) -> str:
    return "it" if n == 1 else "them"
