"""A panel that was asked about a saved story, for the report tests: every judge, every way to fail, hostile text."""

from collections.abc import Sequence
from dataclasses import replace

from report_samples import HOSTILE_TITLES

from narrative_core.judgements import CriterionScore, Judgement, Question, Seat, Status, Verdict
from narrative_core.judging.verdicts import sum_up
from narrative_core.records import SavedStory, Story

PROMPT = "0123456789abcdef" * 4
STANDARD = Seat("openai", "gpt-4.1", "api.openai.com", "standard", 3)
SIMPLE = Seat("openai", "local-model", "127.0.0.1:8080", "simple", 1, "dates", is_explained=False)
FLOW = Seat("flow", "gemma-3-270m", shown="leads", version="f" * 64)
LEXICAL = Seat("lexical", "", shown="leads", version="lexical reader 1")

CRITERIA = ("logical_flow", "thematic_consistency", "temporal_coherence", "narrative_completeness")


def answer(
    seat: Seat, agent: int, score: float, *, step: int | None = 2, said: str = "", reason: str = ""
) -> Judgement:
    """Return what one agent says; with criteria around the score for a seat that has them."""
    named = CRITERIA if seat.mode == "standard" or seat.judge == "lexical" else ()
    return Judgement(
        question(seat, agent),
        "ok",
        score,
        criteria=tuple(CriterionScore(name, score + row / 4, reason) for row, name in enumerate(named)),
        weakest_step=step,
        explanation=said,
        reply='{"score": 7}' if seat.mode else "",
        input_tokens=420 if seat.mode else None,
        output_tokens=80 if seat.mode else None,
        seconds=1.5,
        cost_usd=0.002 if seat.mode else 0.0,
        asked_at="2026-11-30T12:40:00+00:00",
        place=agent,
    )


def lost(seat: Seat, agent: int, status: Status, message: str = "The server did not answer in 60 s.") -> Judgement:
    """Return a judgement without a score."""
    return Judgement(question(seat, agent), status, message=message, asked_at="2026-11-30T12:41:00+00:00", place=agent)


def question(seat: Seat, agent: int) -> Question:
    """Return what an agent of a seat is asked."""
    temperatures = {1: [0.5], 2: [0.3, 0.7], 3: [0.3, 0.5, 0.7]}[seat.n_agents]
    return Question(
        seat.judge,
        seat.model,
        seat.endpoint,
        seat.mode,
        agent,
        temperatures[agent] if seat.mode else None,
        1001 + agent if seat.mode else None,
        "story",
        seat.shown,
        "shown",
        PROMPT if seat.mode else seat.version,
    )


def panel(saved: SavedStory) -> tuple[Verdict, ...]:
    """Return the verdicts of four judges: two prompted ones, reading flow and the lexical reader."""
    trail, baseline = saved.pair.trail, saved.pair.baseline
    return (
        *both(
            STANDARD,
            [
                answer(
                    STANDARD, 0, 7.0, said="A steady course from the first satellite to the Moon.\n\nIt leaps once."
                ),
                answer(STANDARD, 1, 7.5, said="It holds, with a leap in 1964."),
                answer(STANDARD, 2, 7.25, said="It holds together."),
            ],
            [
                answer(STANDARD, 0, 3.5, step=1, said="The entries have little to do with each other."),
                answer(STANDARD, 1, 4.0, step=1, said="Hardly a story."),
                lost(STANDARD, 2, "timed out"),
            ],
        ),
        *both(
            SIMPLE, [answer(SIMPLE, 0, 6.0, step=None)], [lost(SIMPLE, 0, "unreadable", "expected a score; got none.")]
        ),
        *both(FLOW, [flow(1.51, trail)], [flow(0.2, baseline)]),
        *both(
            LEXICAL,
            [answer(LEXICAL, 0, 5.1, said="What ties it is “Moon”.", reason="5 of 7 steps take up telling words.")],
            [answer(LEXICAL, 0, 2.9, said="Little ties it.", reason="No step takes up telling words.")],
        ),
    )


def flow(mean: float, story: Story) -> Judgement:
    """Return what reading flow says of a story; the second link is the smallest."""
    gains = [mean + 0.1] * len(story.links)
    step = min(1, len(gains) - 1)
    gains[step] = mean - 0.1 * (len(gains) - 1)
    said = f"On average, reading a document makes the next one likelier ({mean:+.2f} nats per token)."
    criteria = (CriterionScore("mean", mean), CriterionScore("minimum", gains[step]))
    return replace(
        answer(FLOW, 0, mean, step=step, said=said), link_scores=tuple(gains), criteria=criteria, reply='{"links": []}'
    )


def both(seat: Seat, trail: Sequence[Judgement], baseline: Sequence[Judgement]) -> tuple[Verdict, Verdict]:
    """Return what a seat says of a trail and of its random chronology."""
    others = [replace(found, question=replace(found.question, story_hash="another story")) for found in baseline]
    return sum_up(seat, "trail", trail), sum_up(seat, "baseline", others)


def hostile_panel() -> tuple[Verdict, ...]:
    """Return verdicts in which every text that others write tries to be something else than text."""
    verdicts: list[Verdict] = []
    for row, text in enumerate(HOSTILE_TITLES):
        seat = Seat("openai", f"{text}{row}", text, "standard", 2)
        said = replace(answer(seat, 0, 5.0, said=f"{text}\n{text}\n\n- {text}\n# {text}", reason=text), dropped=(text,))
        odd = replace(said, criteria=(*said.criteria, CriterionScore(text, 4.0, text)))
        verdicts += both(seat, [odd, lost(seat, 1, "failed", text)], [lost(seat, 0, "refused", text)])
    return tuple(verdicts)
