"""The three plots under the stories: strength along both, length against strength, the random draws."""

import streamlit as st

from narrative_core.figures.draws_histogram import draws_histogram
from narrative_core.figures.length_curve import length_curve_figure
from narrative_core.figures.strength_profile import strength_profile
from narrative_core.records import StoryPair
from narrative_core.ui import frame, state
from narrative_core.ui.selection import picked_length

_CONFIG = {"displayModeBar": False, "scrollZoom": False}


def story_plots(pair: StoryPair, canonical: StoryPair) -> None:
    """Show the plots of a pair; ``canonical`` is the same request without a limit on the length."""
    profile, curve, draws = st.columns(3, gap="medium")
    with profile:
        st.subheader("Strength along both stories", anchor=False)
        figure = strength_profile(pair.trail, pair.baseline, median_link=pair.median_link, mode=frame.mode())
        st.plotly_chart(figure, theme=None, config=_CONFIG, key="plot-profile")
    with curve:
        st.subheader("Length against strength", anchor=False)
        _curve(pair, canonical)
    with draws:
        st.subheader(f"{pair.drawn} random chronologies", anchor=False)
        st.plotly_chart(draws_histogram(pair, mode=frame.mode()), theme=None, config=_CONFIG, key="plot-draws")


def take_curve_click() -> None:
    """Follow a click on the curve: the trail of that length becomes the one on show."""
    length = picked_length(st.session_state.get(_curve_key()))
    if length is not None:
        state.forget_curve_click()
        _choose_length(length)


def _curve(pair: StoryPair, canonical: StoryPair) -> None:
    if pair.request.is_edited:
        st.caption("A story made by hand is as long as you made it: there is no length to choose.")
        return
    if canonical.curve is None:
        st.caption("A trail through chosen documents has no length to choose: every leg is as strong as it can be.")
        return
    figure = length_curve_figure(
        canonical.curve,
        chosen_length=len(pair.trail.documents),
        chosen_bottleneck=pair.trail.bottleneck,
        canonical_length=len(canonical.trail.documents),
        canonical_bottleneck=canonical.trail.bottleneck,
        mode=frame.mode(),
    )
    st.plotly_chart(figure, theme=None, config=_CONFIG, on_select="rerun", selection_mode="points", key=_curve_key())
    lengths = [point.length for point in canonical.curve]
    present = pair.request.maximum_length
    st.segmented_control(
        "Documents in the trail",
        [*lengths, "strongest"],
        format_func=str,
        default=present if present in lengths else "strongest",
        key=f"length-{pair.request.source}-{pair.request.target}-{present}",
        on_change=_take_length,
        args=(f"length-{pair.request.source}-{pair.request.target}-{present}",),
        help="Fewer documents are easier to tell; what that costs in strength is the step down on the curve.",
    )


def _take_length(key: str) -> None:
    choice = st.session_state.get(key)
    _choose_length(choice if isinstance(choice, int) else None)


def _choose_length(length: int | None) -> None:
    state.change_request("Another length", maximum_length=length)


def _curve_key() -> str:
    return f"plot-curve-{state.curve_generation()}"
