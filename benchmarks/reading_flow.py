"""Reading flow against the mathematics: which way of reading tells trails from random chronologies? See README.md."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.sampled_stories import SampledStory, read_news, sample_stories
from benchmarks.trails import NEWS
from narrative_core.judgements import Shown
from narrative_core.judging.flow import BREAK, N_FOILS, choose_foils, read_text
from narrative_core.judging.reader import best_scorer
from narrative_core.judging.scorers import LlamaServerScorer, Scorer
from narrative_core.records import Document

NEUTRAL = "News article\nThe article begins with some words about its subject and goes on from there."
"""A text about nothing."""
RESAMPLES = 2000
COLUMNS = ("AUC", "d", "r average", "r minimum")


class Reader:
    """Log-probabilities by document position, kept in a file so that a table can be made again in seconds."""

    def __init__(self, documents: Sequence[Document], scorer: Scorer, keep: Path | None) -> None:
        self.documents = documents
        self._scorer = scorer
        self._keep = keep
        self._known: dict[str, list[float]] = {}
        self.seconds: list[float] = []
        if keep is not None and keep.exists():
            kept = json.loads(keep.read_text(encoding="utf-8"))
            self._known = kept["values"] if kept["scorer"] == self._name() else {}

    def read(self, context: str, continuation: str) -> NDArray[np.float64]:
        """Return the log-probabilities, from the file where they are known."""
        key = json.dumps([context, continuation])
        if key not in self._known:
            started = time.perf_counter()
            values = self._scorer.log_probabilities(context, continuation)
            self.seconds.append(time.perf_counter() - started)
            self._known[key] = [round(float(value), 4) for value in values]
            if len(self.seconds) % 200 == 0:
                self.save()
        return np.array(self._known[key])

    def save(self) -> None:
        """Write the file."""
        print(f"  {len(self._known)} texts read", file=sys.stderr)
        if self._keep is not None:
            self._keep.write_text(json.dumps({"scorer": self._name(), "values": self._known}), encoding="utf-8")

    def _name(self) -> list[str]:
        return [self._scorer.model, self._scorer.version, self._scorer.path]


@dataclass(frozen=True, slots=True)
class Told:
    """A story as the methods see it: its documents, and the log-probabilities of each link's title by what was read."""

    story: SampledStory
    reader: Reader
    foils: tuple[int, ...]

    def gains(self, against: str = "foils", *, shown: Shown = "leads", n_foils: int = N_FOILS) -> NDArray[np.float64]:
        """Return the gain of each link in nats a token, (n_links,), against foils, a neutral text or nothing."""
        return np.array(
            [
                self._title(self._text(before, shown), after).mean()
                - self._otherwise(before, after, against, shown, n_foils)
                for before, after in pairwise(self.story.documents)
            ]
        )

    def whole_gains(self) -> NDArray[np.float64]:
        """Return the gains of titles and leads together, against nothing."""
        texts = [self._text(place, "leads") for place in self.story.documents]
        return np.array([(self.reader.read(x + BREAK, y) - self.reader.read("", y)).mean() for x, y in pairwise(texts)])

    def shares(self, against: str) -> NDArray[np.float64]:
        """Return the share of each title's surprise that the previous document takes away."""
        return np.array(
            [
                1 - self._title(self._text(before), after).mean() / self._otherwise(before, after, against)
                for before, after in pairwise(self.story.documents)
            ]
        )

    def sums(self, against: str) -> NDArray[np.float64]:
        """Return the gains in nats a title."""
        lengths = [len(self._title("", after)) for after in self.story.documents[1:]]
        return self.gains(against) * lengths

    def after_two(self) -> NDArray[np.float64]:
        """Return the gains where the two documents before a title are read, if there are two."""
        gains = self.gains()
        told = self.story.documents
        for place in range(1, len(gains)):
            before = self._text(told[place - 1]) + BREAK + self._text(told[place])
            one = self._title(self._text(told[place]), told[place + 1]).mean()
            gains[place] += self._title(before, told[place + 1]).mean() - one
        return gains

    def both_ways(self) -> NDArray[np.float64]:
        """Return the mean of the gains forwards and backwards."""
        backwards = Told(replace(self.story, documents=self.story.documents[::-1]), self.reader, self.foils)
        return (self.gains() + backwards.gains()[::-1]) / 2

    def _otherwise(
        self, before: int, after: int, against: str, shown: Shown = "leads", n_foils: int = N_FOILS
    ) -> float:
        titles = {self._text(before, "titles"), self._text(after, "titles")}
        contexts = {
            "nothing": [""],
            "neutral": [NEUTRAL],
            "foils": [self._text(f, shown) for f in self.foils[:n_foils] if self._text(f, "titles") not in titles],
        }[against]
        return float(np.mean([self._title(context, after).mean() for context in contexts]))

    def _title(self, context: str, document: int) -> NDArray[np.float64]:
        return self.reader.read(context + BREAK if context else "", self._text(document, "titles"))

    def _text(self, document: int, shown: Shown = "leads") -> str:
        return read_text(self.reader.documents[document], shown)


def read_ahead(told: Sequence[Told], foils: Sequence[int]) -> None:
    """Read what the chosen method needs, context by context, which takes half the time."""
    links = sorted({link for one in told for link in pairwise(one.story.documents)})
    titles = sorted({after for _, after in links})
    reader = told[0].reader
    for before, after in [*links, *((foil, title) for foil in foils for title in titles)]:
        context = read_text(reader.documents[before], "leads") + BREAK
        reader.read(context, read_text(reader.documents[after], "titles"))


def halfway(links: NDArray[np.float64]) -> float:
    """Return the mean of the mean and the minimum."""
    return float(links.mean() + links.min()) / 2


METHODS: Mapping[str, Callable[[Told], float]] = {
    "titles, over nothing": lambda told: told.gains("nothing", shown="titles").mean(),
    "leads, over nothing (plain)": lambda told: told.gains("nothing").mean(),
    "... smallest link": lambda told: told.gains("nothing").min(),
    "... summed over the title": lambda told: told.sums("nothing").mean(),
    "... share of the surprise": lambda told: told.shares("nothing").mean(),
    "... titles and leads to be predicted": lambda told: told.whole_gains().mean(),
    "leads, over a neutral text": lambda told: told.gains("neutral").mean(),
    "titles, over 4 foils": lambda told: told.gains(shown="titles").mean(),
    "leads, over 2 foils": lambda told: told.gains(n_foils=2).mean(),
    "leads, over 4 foils (chosen)": lambda told: told.gains().mean(),
    "leads, over 8 foils": lambda told: told.gains(n_foils=8).mean(),
    "4 foils, smallest link": lambda told: told.gains().min(),
    "4 foils, median link": lambda told: float(np.median(told.gains())),
    "4 foils, mean and smallest halved": lambda told: halfway(told.gains()),
    "4 foils, summed over the title": lambda told: told.sums("foils").mean(),
    "4 foils, share of the surprise": lambda told: told.shares("foils").mean(),
    "4 foils, two documents before": lambda told: told.after_two().mean(),
    "4 foils, both ways": lambda told: told.both_ways().mean(),
}
SHORT = ("leads, over nothing (plain)", "leads, over 4 foils (chosen)")


def figures(stories: Sequence[SampledStory], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return AUC, Cohen's d, and Pearson's r with average and with minimum coherence, (4,)."""
    is_trail = np.array([story.is_trail for story in stories])
    trails, baselines = scores[is_trail], scores[~is_trail]
    difference = trails[:, None] - baselines[None, :]
    auc = (difference > 0).mean() + (difference == 0).mean() / 2
    d = (trails.mean() - baselines.mean()) / np.sqrt((trails.var(ddof=1) + baselines.var(ddof=1)) / 2)
    average = [float(np.mean(story.strengths)) for story in stories]
    minimum = [min(story.strengths) for story in stories]
    return np.array([auc, d, np.corrcoef(scores, average)[0, 1], np.corrcoef(scores, minimum)[0, 1]])


def interval(stories: Sequence[SampledStory], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 95 % bootstrap intervals of the figures, (2, 4); whole pairs are drawn, not stories."""
    rng = np.random.default_rng(0)
    of_pair = np.arange(len(stories)).reshape(-1, 2)
    drawn = [of_pair[rng.integers(len(of_pair), size=len(of_pair))].ravel() for _ in range(RESAMPLES)]
    values = [figures([stories[int(place)] for place in places], scores[places]) for places in drawn]
    return np.quantile(values, [0.025, 0.975], axis=0)


def table(told: Sequence[Told], methods: Iterable[str]) -> None:
    """Print a line for each method."""
    stories = [one.story for one in told]
    print(f"| {len(stories) // 2} pairs | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for name in methods:
        scores = np.array([METHODS[name](one) for one in told])
        low, high = interval(stories, scores)
        cells = [f"{v:.2f} ({a:.2f} to {b:.2f})" for v, a, b in zip(figures(stories, scores), low, high, strict=True)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Read the arguments, read the stories, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading_flow", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100, help="endpoint pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which pairs; 0 are those that the method was chosen on")
    parser.add_argument("--all", action="store_true", help="every method that was tried, not only two")
    parser.add_argument("--keep", type=Path, help="a file for what was read, to go on from")
    parser.add_argument(
        "--server", action="store_true", help="llama.cpp's server even where llama-cpp-python is installed"
    )
    options = parser.parse_args()
    if not NEWS.is_dir():
        parser.error(f"the reference news are not at {NEWS}.")
    documents = read_news(NEWS)
    stories, n_rejected = sample_stories(NEWS, documents, options.pairs, options.seed)
    scorer = LlamaServerScorer() if options.server else best_scorer()
    reader = Reader(documents, scorer, options.keep)
    foils = tuple(documents.index(foil) for foil in choose_foils(documents, 8))
    print(f"{scorer.model} by {scorer.version} ({scorer.path}); {n_rejected} pairs without a trail", file=sys.stderr)
    told = [Told(story, reader, foils) for story in stories]
    read_ahead(told, foils[:N_FOILS])
    table(told, METHODS if options.all else SHORT)
    reader.save()
    if reader.seconds:
        print(f"{np.mean(reader.seconds):.2f} s a text, {len(reader.seconds)} texts", file=sys.stderr)


if __name__ == "__main__":
    main()
