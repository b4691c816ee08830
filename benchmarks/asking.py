"""What asking costs beside what the endpoint takes: many calls against a server of fixed latency, 16 at a time.

``python -m benchmarks.asking`` starts the server in a process of its own, puts 400 questions to it, and prints the
time, the ideal time and their ratio: once when nothing is known of the model, so that the first question is asked
alone, and once when it is known.
"""

import argparse
import math
import statistics
import time

from narrative_core.judgements import Capabilities, Judgement
from narrative_core.judging.asking import CONCURRENCY, ask_all
from narrative_core.judging.endpoint import Endpoint
from tests.judging.asking_samples import MODEL, asks_of, put_to
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import SlowServer, slow_server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--latency", type=float, default=0.25, help="seconds that the server takes for a call")
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    options = parser.parse_args()
    print("| known before | calls | took | ideal | ratio | processor time a call |")
    print("|---|---|---|---|---|---|")
    with slow_server(options.latency, good_reply("simple")) as server:
        measure(server, 1, options.concurrency, Capabilities("h", MODEL))
        for name, known in (
            ("nothing", Capabilities("h", MODEL)),
            ("all", Capabilities("h", MODEL, True, True, "schema")),
        ):
            took, ideal, processor = measure(server, options.calls, options.concurrency, known)
            each = f"{1000 * processor / options.calls:.2f} ms"
            print(f"| {name} | {options.calls} | {took:.2f} s | {ideal:.2f} s | {took / ideal:.3f} | {each} |")


def measure(server: SlowServer, n_calls: int, concurrency: int, known: Capabilities) -> tuple[float, float, float]:
    """Return the seconds that calls took, those of full rounds at the server's own mean time, and processor seconds."""
    judgements: list[Judgement] = []
    n_before = len(server.held_s())
    endpoint = Endpoint(MODEL, server.url)
    asks = put_to(endpoint, asks_of(n_calls))
    began, processor = time.perf_counter(), time.process_time()
    ask_all(
        endpoint,
        asks,
        capabilities=known,
        on_judgement=judgements.append,
        heartbeat=lambda: None,
        concurrency=concurrency,
    )
    took, processor = time.perf_counter() - began, time.process_time() - processor
    if [judgement.status for judgement in judgements] != ["ok"] * n_calls:
        raise SystemExit("a call failed, so the time means nothing")
    held_s = server.held_s()[n_before:]
    return took, math.ceil(n_calls / concurrency) * statistics.mean(held_s), processor


if __name__ == "__main__":
    main()
