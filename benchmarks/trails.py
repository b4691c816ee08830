"""Ours against the networkx route, on the same data in one run; and from a click to a trail. See README.md."""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# Nothing heavy is imported here: on Linux a child's peak memory starts at what its parent had.

PROJECT = Path(__file__).resolve().parents[1]
NEWS = PROJECT.parent / "shared" / "reference" / "news"
SAME = 1e-9
AIMS = {"ready_s": 20.0, "trail_s": 20.0, "peak_mb": 10.0}
TITLES = {"ready_s": "ready (s)", "peak_mb": "memory (MB)", "trail_s": "a trail (ms)"}
SCALE = {"ready_s": 1.0, "peak_mb": 1.0, "trail_s": 1e3}


def compare(name: str, arrays: list[str], folder: Path) -> None:
    """Run both routes on one collection and print a line of the table for each quantity."""
    path = folder / "arrays.npz"
    _child("benchmarks.prepare", str(path), *arrays)
    results = {route: json.loads(_child("benchmarks.routes", route, str(path))) for route in ("ours", "networkx")}
    _assert_same(results)
    for quantity, title in TITLES.items():
        ours, theirs = (results[route][quantity] * SCALE[quantity] for route in ("ours", "networkx"))
        ratio = theirs / ours
        print(f"| {name} | {title} | {ours:,.2f} | {theirs:,.2f} | {ratio:,.1f} × | {AIMS[quantity]:.0f} × |")
    for route, result in results.items():
        reached = sum(not math.isnan(bottleneck) for bottleneck in result["bottlenecks"])
        steps = ", ".join(f"{step} after {seconds:.2f} s" for step, seconds in result["steps_s"].items())
        print(
            f"  {name}, {route}: {steps}; processor time {result['ready_cpu_s']:.2f} s until ready and "
            f"{1e3 * result['trail_cpu_s']:.2f} ms a trail; {reached} of {len(result['bottlenecks'])} pairs have one",
            file=sys.stderr,
        )


def _assert_same(results: dict[str, dict[str, Any]]) -> None:
    ours, theirs = (results[route]["bottlenecks"] for route in ("ours", "networkx"))
    for pair, (left, right) in enumerate(zip(ours, theirs, strict=True)):
        if not (abs(left - right) <= SAME or (math.isnan(left) and math.isnan(right))):
            raise SystemExit(f"The two routes disagree on pair {pair}: {left} and {right}.")


def _child(module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trails", description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=[500, 1500, 3500], help="documents (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=50, help="trails asked for (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--news", action="store_true", help=f"the reference news in place of made-up data ({NEWS})")
    parser.add_argument("--click", action="store_true", help="from a click to a trail, at the one --n (default: 6000)")
    options = parser.parse_args()
    common = ["--pairs", str(options.pairs), "--seed", str(options.seed)]
    if options.news and not NEWS.is_dir():
        parser.error(f"the reference news are not at {NEWS}; leave --news out for made-up data.")
    if options.click:
        n = 6000 if options.n == parser.get_default("n") else options.n[0]
        print(_child("benchmarks.click", "--n", str(n), *common), end="")
        return
    print("| collection | quantity | ours | networkx | ratio | aim |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        if options.news:
            compare("news", ["--news", str(NEWS), *common], Path(folder))
            return
        for n in options.n:
            compare(f"{n:,}", ["--n", str(n), *common], Path(folder))


if __name__ == "__main__":
    main()
