import json

from narrative_core.judgements import CriterionScore, Judgement, Question, Seat, Verdict
from narrative_core.reports.judge_facts import judgement_facts, total_tokens, verdict_facts

QUESTION = Question("openai", "gpt-4.1", "api.openai.com", "standard", 2, 0.5, 3, "story", "titles", "shown", "prompt")
GOOD = Judgement(
    QUESTION,
    "ok",
    7.5,
    criteria=(CriterionScore("logical_flow", 8.0, "It follows."),),
    weakest_step=1,
    explanation="It holds.",
    input_tokens=120,
    output_tokens=30,
    seconds=0.8,
    cost_usd=0.0005,
)


def test_a_judgement_is_told_with_all_that_a_table_needs() -> None:
    facts = judgement_facts("trail", GOOD)
    assert {"story", "judge", "mode", "agent", "status", "score", "explanation", "seconds", "tokens"} <= set(facts)
    assert (facts["story"], facts["judge"], facts["mode"], facts["agent"]) == ("trail", "openai", "standard", 2)
    assert (facts["score"], facts["tokens"], facts["criteria"]) == (7.5, 150, {"logical_flow": 8.0})


def test_what_is_unknown_is_null_and_never_a_number() -> None:
    facts = judgement_facts("baseline", Judgement(QUESTION, "timed out", message="No answer in 60 s."))
    assert [facts[name] for name in ("score", "tokens", "cost_usd", "weakest_step")] == [None] * 4
    assert facts["message"] == "No answer in 60 s."
    assert "NaN" not in json.dumps(facts)
    assert total_tokens(Judgement(QUESTION, "ok", 5.0, input_tokens=3)) is None


def test_a_verdict_tells_how_many_were_asked_and_what_became_of_the_others() -> None:
    seat = Seat("openai", "gpt-4.1", "api.openai.com", "standard", 3)
    facts = verdict_facts(
        Verdict(seat, "trail", (GOOD, GOOD, GOOD), 7.5, float("nan"), counts={"ok": 1, "refused": 2}, n_random=60)
    )
    assert {"story", "judge", "mode", "mean", "sd", "asked", "ok"} <= set(facts)
    assert (facts["mean"], facts["sd"], facts["asked"], facts["ok"]) == (7.5, None, 3, 1)
    assert facts["not_ok"] == {"refused": 2}
    assert facts["percentile"] is None
