"""Log-probabilities of a text after another: from a llama.cpp server, by llama-cpp-python, from an endpoint."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.judging import llama_cpp_scorer, scorers
from narrative_core.judging.endpoint_scorer import EndpointScorer
from narrative_core.judging.llama_cpp_scorer import LlamaCppPythonScorer
from narrative_core.judging.local_model import local_model_state
from narrative_core.judging.scorers import LlamaServerScorer, RememberingScorer
from tests.judging.llama_servers import START, Reply, letters_as_tokens, scripted_server
from tests.judging.scripted_server import Step, scripted
from tests.judging.scripted_server import answer as scripted_answer

STATE = local_model_state()
needs_model = pytest.mark.skipif(not STATE.is_ready, reason=f"{STATE.what} {STATE.remedy}")
KEY = "sk-a-secret-of-ours"


class CountingScorer(RememberingScorer):
    """A token a letter, each of log-probability −1 less one for each letter of context."""

    model, version, path = "counting", "1", "test"

    def __init__(self, wait_s: float = 0.0) -> None:
        super().__init__()
        self.evaluated: list[tuple[str, str]] = []
        self._wait_s = wait_s

    def _evaluate(self, context: str, continuation: str) -> list[float]:
        self.evaluated.append((context, continuation))
        time.sleep(self._wait_s)
        return [-1.0 - len(context)] * len(continuation)


# ---- What all scorers do


def test_a_pair_is_computed_once() -> None:
    scorer = CountingScorer()

    first, again = scorer.log_probabilities("a", "bcd"), scorer.log_probabilities("a", "bcd")

    assert first.tolist() == again.tolist() == [-2.0, -2.0, -2.0]
    assert scorer.evaluated == [("a", "bcd")]


def test_threads_that_ask_the_same_share_one_computation() -> None:
    scorer = CountingScorer(wait_s=0.05)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: scorer.log_probabilities("a", "b").tolist(), range(4)))

    assert answers == [[-2.0]] * 4
    assert len(scorer.evaluated) == 1


def test_what_was_not_asked_for_longest_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorers, "REMEMBERED", 2)
    scorer = CountingScorer()

    for text in ("a", "b", "a", "c", "a", "b"):
        scorer.log_probabilities("", text)

    assert [text for _, text in scorer.evaluated] == ["a", "b", "c", "b"]


def test_an_empty_continuation_has_no_tokens_and_asks_nothing() -> None:
    scorer = CountingScorer()

    assert scorer.log_probabilities("a", "").shape == (0,)
    assert scorer.evaluated == []


def test_a_remembered_answer_cannot_be_changed_by_who_got_it() -> None:
    scorer = CountingScorer()

    with pytest.raises(ValueError, match="read-only"):
        scorer.log_probabilities("", "a")[0] = 0.0


def test_a_lone_surrogate_is_replaced_and_an_impossible_token_counts_as_e_to_the_minus_100() -> None:
    scorer = CountingScorer()

    assert scorer.log_probabilities("x" * 200 + "\ud800", "\udfff").tolist() == [-100.0]
    assert scorer.evaluated == [("x" * 200 + "?", "?")]


# ---- llama.cpp's server


def test_the_server_is_made_to_say_each_token_of_the_continuation() -> None:
    with scripted_server(letters_as_tokens) as server:
        values = LlamaServerScorer(server).log_probabilities("ab", "cd")

        assert values == pytest.approx([-(3 + 0.099), -(4 + 0.100)])
        opening, *forced = server.asked("/completion")
        assert (opening["prompt"], opening["n_predict"]) == ([START, 97], 0)
        assert [request["prompt"] for request in forced] == [[START, 97, 98], [START, 97, 98, 99]]
        for request, token in zip(forced, (99, 100), strict=True):
            assert request["logit_bias"] == [[token, 1e6]]
            assert (request["n_predict"], request["n_probs"], request["temperature"]) == (1, 1, 0)


def test_a_context_is_read_anew_once_for_all_continuations_in_a_row() -> None:
    with scripted_server(letters_as_tokens) as server:
        scorer = LlamaServerScorer(server)
        for context, continuation in (("ab", "c"), ("ab", "de"), ("x", "c"), ("ab", "f")):
            scorer.log_probabilities(context, continuation)

        openings = [request["prompt"] for request in server.asked("/completion") if not request["cache_prompt"]]
        assert openings == [[START, 97], [START], [START, 97]]


@pytest.mark.parametrize(("n_disturbed", "is_read"), [(0, True), (1, True), (4, True), (5, False)])
def test_a_continuation_is_read_again_when_another_program_came_between(n_disturbed: int, is_read: bool) -> None:
    disturbances = iter([3] * n_disturbed)

    def answer(path: str, request: dict[str, Any]) -> Reply:
        status, reply = letters_as_tokens(path, request) or (500, {})
        if path == "/completion" and request["n_predict"]:
            reply["timings"] = {"prompt_n": next(disturbances, 1)}
        return status, reply

    with scripted_server(answer) as server:
        if is_read:
            assert LlamaServerScorer(server).log_probabilities("", "cd") == pytest.approx([-1.099, -2.1])
            return
        with pytest.raises(JudgeUnavailable, match="Another program"):
            LlamaServerScorer(server).log_probabilities("", "cd")


def test_text_that_spells_a_special_token_stays_text() -> None:
    with scripted_server(letters_as_tokens) as server:
        LlamaServerScorer(server).log_probabilities("<bos>", "<eos>")

        assert {request["parse_special"] for request in server.asked("/tokenize")} == {False}
        assert [request["add_special"] for request in server.asked("/tokenize") if request["content"]] == [False] * 2


def test_a_kept_context_is_read_anew_after_another_program_came_between() -> None:
    disturbances = iter([1, 3])

    def answer(path: str, request: dict[str, Any]) -> Reply:
        status, reply = letters_as_tokens(path, request) or (500, {})
        if path == "/completion" and request["n_predict"]:
            reply["timings"] = {"prompt_n": next(disturbances, 1)}
        return status, reply

    with scripted_server(answer) as server:
        scorer = LlamaServerScorer(server)
        scorer.log_probabilities("ab", "c")
        scorer.log_probabilities("ab", "d")

        assert [request["n_predict"] for request in server.asked("/completion")] == [0, 1, 1, 0, 1]


def test_a_context_that_does_not_fit_is_cut_at_its_beginning() -> None:
    with scripted_server(letters_as_tokens) as server:
        LlamaServerScorer(server).log_probabilities("a" * 100 + "z", "c")

        assert server.asked("/completion")[-1]["prompt"] == [START, *[ord("a")] * 61, ord("z")]


def test_a_continuation_longer_than_the_context_is_an_error() -> None:
    with scripted_server(letters_as_tokens) as server, pytest.raises(InvalidInput, match="at most 64 tokens"):
        LlamaServerScorer(server).log_probabilities("", "a" * 64)


def test_a_line_break_opens_the_text_of_a_model_that_has_no_token_for_it() -> None:
    def without_start(path: str, request: dict[str, Any]) -> Reply:
        return letters_as_tokens(path, {**request, "add_special": False})

    with scripted_server(without_start) as server:
        LlamaServerScorer(server).log_probabilities("", "c")

        assert server.asked("/completion")[0]["prompt"] == [ord("\n")]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((500, {"error": "out of memory"}), "failed with status 500"),
        ((200, b"<html>"), "failed with status 200"),
        ((200, {"content": "x"}), "no log-probability"),
        ((200, {"completion_probabilities": []}), "no log-probability"),
        ((200, {"completion_probabilities": [{"id": 7, "logprob": -1.0}]}), "no log-probability"),
        ((200, {"completion_probabilities": [{"id": 99, "logprob": None}]}), "no log-probability"),
        (None, "ended while it read"),
    ],
)
def test_a_server_that_does_not_answer_the_question_is_an_error_and_no_number(reply: Reply, message: str) -> None:
    def answer(path: str, request: dict[str, Any]) -> Reply:
        return letters_as_tokens(path, request) if path == "/tokenize" else reply

    with scripted_server(answer) as server, pytest.raises(JudgeUnavailable, match=message):
        LlamaServerScorer(server).log_probabilities("", "c")


def test_a_server_that_is_no_llama_cpp_is_an_error() -> None:
    with (
        scripted_server(lambda path, request: (200, {})) as server,
        pytest.raises(JudgeUnavailable, match="does not answer as a llama"),
    ):
        LlamaServerScorer(server).log_probabilities("", "c")


def test_a_connection_that_is_cut_once_is_made_again() -> None:
    replies = iter([None])

    def cut_first(path: str, request: dict[str, Any]) -> Reply:
        return (
            next(replies, letters_as_tokens(path, request))
            if path == "/completion"
            else letters_as_tokens(path, request)
        )

    with scripted_server(cut_first) as server:
        assert LlamaServerScorer(server).log_probabilities("", "c") == pytest.approx([-1.099])


def test_a_server_that_moved_is_found_at_its_new_address() -> None:
    with scripted_server(letters_as_tokens) as moved:
        with scripted_server(letters_as_tokens) as server:
            scorer = LlamaServerScorer(server)
            scorer.log_probabilities("", "a")
        server.address = moved.address

        assert scorer.log_probabilities("", "c") == pytest.approx([-1.099])


def test_a_server_that_hangs_is_a_time_out() -> None:
    hang = threading.Event()

    def answer(path: str, request: dict[str, Any]) -> Reply:
        hang.wait(5.0)
        return None

    with scripted_server(answer) as server:
        try:
            with pytest.raises(TimeoutError, match=r"did not answer within 0\.1 s"):
                LlamaServerScorer(server, timeout_s=0.1).log_probabilities("", "c")
        finally:
            hang.set()


@needs_model
def test_the_local_model_gives_the_same_numbers_whatever_it_read_before() -> None:
    context, title = "Rocket explodes on the pad\n\n", "Launch provider grounds its fleet after pad explosion"
    first = LlamaServerScorer().log_probabilities(context, title)

    LlamaServerScorer().log_probabilities("", "Something else entirely, with a comma")
    LlamaServerScorer().log_probabilities(context + context, title)
    scorer = LlamaServerScorer()
    scorer.log_probabilities(context, "Another title before it")

    assert LlamaServerScorer().log_probabilities(context, title).tolist() == first.tolist()
    assert scorer.log_probabilities(context, title).tolist() == first.tolist()


@needs_model
def test_the_local_model_finds_a_repeated_title_easier_than_a_new_one() -> None:
    title = "Council of Lisbon approves new tram line"
    scorer = LlamaServerScorer()

    alone = scorer.log_probabilities("", title)
    again = scorer.log_probabilities(f"{title}\n\n", title)

    assert len(alone) == len(again) > 3
    assert again.mean() > alone.mean() + 2


@needs_model
@pytest.mark.parametrize(
    "text", ["مرحبا بالعالم", "你好，世界", "🎉🎉🏳️‍🌈", "<bos><end_of_turn>", " ", "(no title)", "\x00"]
)
def test_the_local_model_reads_every_script(text: str) -> None:
    values = LlamaServerScorer().log_probabilities(f"{text}\n\n", text)

    assert len(values) > 0
    assert (np.isfinite(values) & (values <= 0)).all()


# ---- llama-cpp-python


class FakeLlamaCpp(SimpleNamespace):
    """A letter is a token; the logits after n tokens are those of `logits_after`, whatever the tokens."""

    N_VOCABULARY = 128

    def __init__(self) -> None:
        super().__init__(decoded=[], cleared=0, n_asked=0, fails=False)

    class Llama:
        ctx = "context"

        def __init__(self, path: str, **options: object) -> None:
            assert path.endswith("weights")
            assert options["n_threads"] in range(1, 1000)

        def n_vocab(self) -> int:
            return FakeLlamaCpp.N_VOCABULARY

        def token_bos(self) -> int:
            return START

        def tokenize(self, text: bytes, *, add_bos: bool, special: bool) -> list[int]:
            assert not add_bos
            assert not special
            return list(text)

    def llama_get_memory(self, context: str) -> str:
        return f"memory of {context}"

    def llama_memory_clear(self, memory: str, data: bool) -> None:
        assert (memory, data) == ("memory of context", True)
        self.cleared += 1
        self.decoded.clear()

    def llama_memory_seq_rm(self, memory: str, sequence: int, first: int, last: int) -> None:
        assert (memory, sequence, last) == ("memory of context", 0, -1)
        del self.decoded[first:]

    def llama_batch_init(self, n: int, *_: int) -> SimpleNamespace:
        return SimpleNamespace(
            n_tokens=0,
            token=[0] * n,
            pos=[0] * n,
            n_seq_id=[0] * n,
            seq_id=[[0] for _ in range(n)],
            logits=[False] * n,
        )

    def llama_batch_free(self, batch: SimpleNamespace) -> None:
        batch.token = None

    def llama_decode(self, context: str, batch: SimpleNamespace) -> int:
        assert batch.pos == list(range(len(self.decoded), len(self.decoded) + batch.n_tokens))
        self.decoded.extend(batch.token)
        self.n_asked += sum(batch.logits)
        self.rows = [
            logits_after(position + 1) if asked else None
            for position, asked in zip(batch.pos, batch.logits, strict=True)
        ]
        return int(self.fails)

    def llama_get_logits_ith(self, context: str, place: int) -> "ctypes.Array[ctypes.c_float]":
        row = self.rows[place]
        assert row is not None, "logits that were not asked for"
        return (ctypes.c_float * len(row))(*row)


def logits_after(n: int) -> NDArray[np.float64]:
    return np.random.default_rng(n).normal(size=FakeLlamaCpp.N_VOCABULARY)


def log_softmax_after(n: int, token: int) -> float:
    logits = logits_after(n).astype(np.float32).astype(np.float64)
    return float(logits[token] - np.log(np.exp(logits).sum()))


@pytest.fixture
def llama_cpp(monkeypatch: pytest.MonkeyPatch) -> FakeLlamaCpp:
    fake = FakeLlamaCpp()
    monkeypatch.setitem(sys.modules, "llama_cpp", fake)
    monkeypatch.setattr(llama_cpp_scorer, "weights_file", lambda folder: "weights")
    return fake


@pytest.mark.parametrize(("n_context", "n_wanted"), [(0, 1), (2, 3), (700, 1), (5, 150), (511, 64), (512, 65)])
def test_llama_cpp_python_reads_a_continuation_in_one_pass(
    llama_cpp: FakeLlamaCpp, n_context: int, n_wanted: int
) -> None:
    wanted = [33 + place % 90 for place in range(n_wanted)]

    values = LlamaCppPythonScorer().log_probabilities("a" * n_context, bytes(wanted).decode())

    expected = [log_softmax_after(1 + n_context + place, token) for place, token in enumerate(wanted)]
    assert values == pytest.approx(expected, abs=1e-5)
    assert llama_cpp.decoded == [START, *[97] * n_context, *wanted[:-1]]
    assert llama_cpp.n_asked == n_wanted


def test_llama_cpp_python_forgets_one_text_before_the_next(llama_cpp: FakeLlamaCpp) -> None:
    scorer = LlamaCppPythonScorer()

    scorer.log_probabilities("ab", "cd")
    scorer.log_probabilities("", "x")

    assert llama_cpp.cleared == 2
    assert llama_cpp.decoded == [START]


def test_llama_cpp_python_keeps_a_context_for_the_next_continuation(llama_cpp: FakeLlamaCpp) -> None:
    scorer = LlamaCppPythonScorer()
    first = scorer.log_probabilities("ab", "cd")

    again = scorer.log_probabilities("ab", "cdef")

    assert llama_cpp.cleared == 1
    assert llama_cpp.decoded == [START, *b"abcde"]
    assert again[:2].tolist() == first.tolist()


def test_a_text_that_llama_cpp_python_cannot_read_is_an_error(llama_cpp: FakeLlamaCpp) -> None:
    llama_cpp.fails = True

    with pytest.raises(JudgeUnavailable, match="could not read"):
        LlamaCppPythonScorer().log_probabilities("ab", "cd")


# ---- An endpoint


def echoing(path: str, request: dict[str, Any]) -> Reply:
    """Answer as an endpoint that echoes: a letter is a token, the nth has log-probability −n; one token is said."""
    tokens = [*request["prompt"], "!"]
    logprobs = {"tokens": tokens, "token_logprobs": [None, *[-float(n) for n in range(1, len(tokens))]]}
    return 200, completion(request["prompt"], logprobs=logprobs if request.get("echo") else None)


def like_vllm(path: str, request: dict[str, Any]) -> Reply:
    """Answer as an endpoint that does not echo but gives ``prompt_logprobs``; its prompts begin with a start token."""
    entries = [None, *[{str(ord(letter)): {"logprob": -float(n)}} for n, letter in enumerate(request["prompt"], 1)]]
    return 200, completion("^" + request["prompt"], prompt_logprobs=entries if "prompt_logprobs" in request else None)


def completion(prompt: str, *, logprobs: object = None, prompt_logprobs: object = None) -> dict[str, Any]:
    choice = {"index": 0, "text": "!", "finish_reason": "length", "logprobs": logprobs}
    return {
        "id": "1",
        "object": "text_completion",
        "created": 0,
        "model": "m",
        "choices": [choice | ({"prompt_logprobs": prompt_logprobs} if prompt_logprobs else {})],
        "usage": {"prompt_tokens": len(prompt), "completion_tokens": 1, "total_tokens": len(prompt) + 1},
    }


def endpoint(address: str, *, timeout_s: float = 20.0) -> EndpointScorer:
    return EndpointScorer("m", f"{address}/v1", api_key=KEY, max_retries=0, timeout_s=timeout_s)


@pytest.mark.parametrize(("answer", "offset"), [(echoing, 0), (like_vllm, 1)])
def test_an_endpoints_log_probabilities_are_those_of_the_continuation(
    answer: Callable[[str, dict[str, Any]], Reply], offset: int
) -> None:
    with scripted_server(answer) as server:
        scorer = endpoint(server.address)

        # "\n" opens the prompt; the said "!" is not a part of it.
        assert scorer.log_probabilities("ab", "cde").tolist() == [-3.0 - offset, -4.0 - offset, -5.0 - offset]
        assert scorer.log_probabilities("", "cde").tolist() == [-1.0 - offset, -2.0 - offset, -3.0 - offset]
        assert {request["max_tokens"] for request in server.asked("/v1/completions")} == {1}
        assert scorer.version == server.address.removeprefix("http://")


def test_the_length_of_a_context_is_asked_for_once() -> None:
    with scripted_server(echoing) as server:
        scorer = endpoint(server.address)
        for text in "cde":
            scorer.log_probabilities("ab", text)

        assert [request["prompt"] for request in server.asked("/v1/completions")].count("\nab") == 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((200, completion("\nabc")), "no log-probabilities of the prompt"),
        ((200, completion("\n", prompt_logprobs=[{"x": "y"}])), "no log-probabilities of the prompt"),
        ((401, {"error": {"message": f"Incorrect API key {KEY}"}}), "failed with status 401"),
        ((404, {"error": {"message": "no such model"}}), "failed with status 404"),
        ((500, {"error": {"message": "sorry"}}), "failed with status 500"),
        (None, "cannot be reached"),
    ],
)
def test_an_endpoint_that_gives_no_numbers_is_an_error_that_keeps_the_key(reply: Reply, message: str) -> None:
    with scripted_server(lambda path, request: reply) as server:
        scorer = endpoint(server.address)
        with pytest.raises(JudgeUnavailable, match=message) as raised:
            scorer.log_probabilities("", "abc")

    assert KEY not in f"{raised.value}{raised.value.__cause__}{scorer!r}"


def test_what_is_read_is_not_sent_on_to_another_address() -> None:
    with scripted(lambda _: scripted_answer({})) as other:
        with scripted(lambda _: Step(307, headers={"location": f"{other.url}/completions"})) as server:
            scorer = endpoint(server.url.removesuffix("/v1"))
            with pytest.raises(JudgeUnavailable) as raised:
                scorer.log_probabilities("", "abc")
        assert (len(server.asked), other.asked) == (1, [])
    assert str(raised.value) == (
        f"127.0.0.1:{server.port} sends the request on to another address. Enter that address if you trust it."
    )


def test_an_endpoint_that_hangs_is_a_time_out() -> None:
    hang = threading.Event()

    def answer(path: str, request: dict[str, Any]) -> Reply:
        hang.wait(5.0)
        return None

    with scripted_server(answer) as server:
        try:
            with pytest.raises(TimeoutError, match=r"did not answer within 0\.2 s"):
                endpoint(server.address, timeout_s=0.2).log_probabilities("", "c")
        finally:
            hang.set()


def test_an_address_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(JudgeUnavailable, match="http://"):
        EndpointScorer("m", "localhost:8000")
