"""Writes the arrays that both routes start from, in a process of its own, so that neither pays for making them."""

import argparse
from pathlib import Path

from benchmarks.synthetic import news_arrays, synthetic_arrays

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("arrays", type=Path)
    parser.add_argument("--n", type=int)
    parser.add_argument("--news", type=Path)
    parser.add_argument("--pairs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    if options.news:
        arrays = news_arrays(options.news, n_pairs=options.pairs, seed=options.seed)
    else:
        arrays = synthetic_arrays(options.n, n_pairs=options.pairs, seed=options.seed)
    arrays.save(options.arrays)
