"""What the judges say of the two stories on show: a line a judge, that opens; and the way to ask."""

from collections.abc import Mapping, Sequence

import streamlit as st

from narrative_core.errors import NarrativeError
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Seat, Verdict
from narrative_core.records import Job, StoryPair
from narrative_core.reports.cost_sentences import forecast_sentence
from narrative_core.reports.judged_pairs import seat_title
from narrative_core.reports.verdict_sentences import missing_words, n_to_come, percentile_words, score_words
from narrative_core.ui import judges, resources
from narrative_core.ui.judge_choice import to_judges_page
from narrative_core.ui.judge_form import ask_form, remark_on
from narrative_core.ui.judging_work import (
    asked_seats,
    can_ask,
    forecasts,
    is_flow_asked,
    is_one_story,
    judging_outcome,
    latest_judging,
    n_possible_random,
    seat_key,
    start_judging,
    tell_that_they_are_asked,
    verdicts,
)
from narrative_core.ui.verdict_view import scores_figure, verdict_body
from narrative_core.ui.words import html_text, markdown_text, sentence

POLL_S = 1.0
BLIND = (
    "A judge gets a story as a numbered list and gives it a score: 1 to 10, reading flow nats per token. It is asked "
    "about both stories without being told which is which, in a random order that is stored. Scores say how well a "
    "story seems to hold together, not that it is true."
)
FLOOR = "words and dates alone: the floor that a language model has to beat"
FLOW_TOLD = "a language model reads the stories, with no prompt."
_FORM = "is_asking_judges"
_ASKING = ("ask-go", "ask-flow", "ask-missing", "again-")
"""How the keys of the buttons begin that ask judges."""

Row = tuple[Seat, Verdict, Verdict]


def judge_panel(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Show what the judges say; while they are asked, it is drawn anew every second and nothing else is."""
    job = latest_judging(loaded, pair)
    is_running = job is not None and job.state == "running"
    with st.container(key="judges"):
        st.fragment(_panel, run_every=POLL_S if is_running else None)(loaded, pair, is_running)


def _panel(loaded: LoadedCollection, pair: StoryPair, was_running: bool) -> None:
    job = latest_judging(loaded, pair)
    is_running = job is not None and job.state == "running"
    if is_running and _is_asked_now():
        tell_that_they_are_asked()
    if is_running != was_running:
        st.rerun()
    st.subheader("What the judges say", anchor=False, help=BLIND)
    try:
        rows = _rows(loaded, pair, is_running=is_running)
        gaps = {} if is_running else _gaps(loaded, pair, rows)
        with st.container(gap="xsmall"):
            for row in rows:
                _entry(loaded, pair, row, gap=gaps.get(row[0], ""))
            if not is_flow_asked(loaded, [row[0] for row in rows]):
                _offer_flow(loaded, pair, is_running=is_running)
        scores_figure(rows)
        if is_running and job is not None:
            _progress(job)
        else:
            judging_outcome(job)
            _ways_to_ask(loaded, pair, rows, gaps)
    except NarrativeError as error:
        # A part that is drawn alone stands outside the frame of the page, which would say this.
        st.error(markdown_text(sentence(str(error))), icon=":material/error:")


def _rows(loaded: LoadedCollection, pair: StoryPair, *, is_running: bool) -> list[Row]:
    """Return the judges that said something; while a round runs also those that are about to."""
    seats = (judges.lexical_seat(loaded), *asked_seats(loaded, pair))
    rows = zip(seats, verdicts(loaded, pair, seats), strict=True)
    return [(seat, *said) for seat, said in rows if is_running or any(verdict.n_asked for verdict in said)]


def _gaps(loaded: LoadedCollection, pair: StoryPair, rows: Sequence[Row]) -> dict[Seat, str]:
    """Return the seats that can be asked for what is missing, with the words of the button that asks them."""
    missing = {row[0]: _missing(loaded, pair, row) for row in rows if row[0].judge != "lexical"}
    return {seat: words for seat, words in missing.items() if words and can_ask(loaded, seat)}


def _missing(loaded: LoadedCollection, pair: StoryPair, row: Row) -> str:
    """Return what to press for what is missing of a seat, "3 answers did not come: ask again"; empty for nothing."""
    seat, said = row[0], _told(pair, row)
    if any(map(n_to_come, said)):
        return _again(said)
    if seat.judge == "flow" and said[0].n_random < n_possible_random(loaded, seat):
        n = sum(forecast.n_calls for forecast in forecasts(loaded, pair, (seat,)))
        return f"{n:,} random {'chronology' if n == 1 else 'chronologies'} not read yet: read on" if n else ""
    return ""


def _told(pair: StoryPair, row: Row) -> list[Verdict]:
    """Return the verdicts on the different stories of a pair."""
    _, trail, baseline = row
    return [trail] if is_one_story(pair) else [trail, baseline]


def _entry(loaded: LoadedCollection, pair: StoryPair, row: Row, *, gap: str) -> None:
    seat, trail, baseline = row
    remark = f" :gray[{FLOOR}]" if seat.judge == "lexical" else ""
    label = (
        f"**{markdown_text(_name(loaded, seat))}** :blue[● trail {markdown_text(_short(trail))}] "
        f":orange[○ random {markdown_text(_short(baseline))}]{remark}"
    )
    # Without the server knowing whether it is open, its words may change and it stays as the person left it.
    with st.expander(label, key=f"said-{seat_key(seat)}"):
        verdict_body(loaded, pair, trail, baseline)
        if gap:
            _ask_button(loaded, pair, (seat,), key=f"again-{seat_key(seat)}", label=gap)


def _name(loaded: LoadedCollection, seat: Seat) -> str:
    is_old = seat.judge == "flow" and judges.is_flow_ready() and not can_ask(loaded, seat)
    return f"{seat_title(seat)}, earlier version" if is_old else seat_title(seat)


def _short(verdict: Verdict) -> str:
    """Return the score as the line of a judge has room for it; a number that is not of 1 to 10 has its unit."""
    percentile, score = percentile_words(verdict), score_words(verdict)
    if verdict.seat.judge == "flow" and verdict.n_ok:
        return f"{percentile} ({score} nats)" if percentile else f"{score} nats per token"
    if verdict.n_asked and not verdict.n_ok:
        ended = ", ".join(f"{n:,} {status}" for status, n in verdict.counts.items() if n)
        return f"{score} ({ended})"
    return f"{score} ({_of(verdict)})" if 0 < verdict.n_ok < verdict.seat.n_agents else score


def _of(verdict: Verdict) -> str:
    return f"{verdict.n_ok:,} of {verdict.seat.n_agents:,}"


def _offer_flow(loaded: LoadedCollection, pair: StoryPair, *, is_running: bool) -> None:
    state, seat = judges.provider_state("flow"), judges.flow_seat(loaded)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="offer-flow"):
        told = f"{FLOW_TOLD} {state.told}" if state.is_ready else f"{state.told} {state.remedy}"
        line = f"<div class='tl-quiet'><b>{html_text(state.title)}</b> not asked yet: {html_text(told)}</div>"
        st.html(line, width="content")
        if not state.is_ready:
            to_judges_page()
        elif seat is not None and not is_running and not st.session_state.get(_FORM):
            # The form has reading flow too: two buttons that say "ask" would leave open which one asks what.
            _ask_button(loaded, pair, (seat,), key="ask-flow", label="Ask reading flow")


def _ways_to_ask(loaded: LoadedCollection, pair: StoryPair, rows: Sequence[Row], gaps: Mapping[Seat, str]) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        is_open = bool(st.session_state.get(_FORM))
        st.button(
            "Close" if is_open else "Ask judges",
            key="ask-judges",
            icon=":material/close:" if is_open else ":material/gavel:",
            on_click=_turn_form,
        )
        if gaps:
            said = [verdict for row in rows if row[0] in gaps for verdict in _told(pair, row)]
            label = next(iter(gaps.values())) if len(gaps) == 1 else _again(said)
            _ask_button(loaded, pair, tuple(gaps), key="ask-missing", label=label)
    if is_open:
        ask = ask_form(loaded, pair, is_flow_asked=is_flow_asked(loaded, [row[0] for row in rows]))
        if ask is not None:
            st.session_state[_FORM] = False
            start_judging(loaded, pair, ask.seats, budget_usd=ask.budget_usd)
            st.rerun()


def _again(said: Sequence[Verdict]) -> str:
    is_lost = any(not judgement.is_final for verdict in said for judgement in verdict.judgements)
    return f"{missing_words(said) or 'Some answers are missing'}: ask {'again' if is_lost else 'now'}"


def _ask_button(loaded: LoadedCollection, pair: StoryPair, seats: tuple[Seat, ...], *, key: str, label: str) -> None:
    expected = forecasts(loaded, pair, seats)
    told = " ".join(filter(None, [forecast_sentence(expected), *(remark_on(loaded, one) for one in expected)]))
    if st.button(markdown_text(label), key=key, help=markdown_text(told), wrap=True):
        start_judging(loaded, pair, seats)
        st.rerun()


def _is_asked_now() -> bool:
    """Return whether the click that this run is for asks judges, even where the button is no longer shown."""
    return any(clicked is True and str(key).startswith(_ASKING) for key, clicked in st.session_state.items())


def _turn_form() -> None:
    st.session_state[_FORM] = not st.session_state.get(_FORM)


def _progress(job: Job) -> None:
    share = job.done / job.total if job.total else 0.0
    told = f"{job.done:,} of {job.total:,} answers" if job.total else "Getting ready …"
    st.progress(min(share, 1.0), text=told)
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key="stop-judging", on_click=resources.runner().cancel, args=(job.job_id,))
