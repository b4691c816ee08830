"""The methods text of a run, filled in from its settings, and the table of what made it."""

from collections.abc import Iterable, Mapping
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import HIGHEST_TEMPERATURE, LOWEST_TEMPERATURE, Seat
from narrative_core.records import Divergence
from narrative_core.reports.judge_methods import FLOW, LEXICAL
from narrative_core.reports.judged_pairs import MODE_WORDS, SHOWN_WORDS, seat_title, short_name
from narrative_core.reports.methods import MethodParagraph, Parameter, format_moment
from narrative_core.reports.sentences import format_list, format_strength, plain_line
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import PARAPHRASED, REORDERED, STRATUM_WORDS, Design, Run, Stratum

DIVERGENCE_WORDS: Final[Mapping[Divergence, str]] = {
    "root": "D = √JSD, the square root of the Jensen–Shannon divergence in nats",
    "plain": "D = JSD, the Jensen–Shannon divergence in nats",
    "base2": "D = √JSD, the square root of the Jensen–Shannon divergence in bits",
}
_DESIGN_WORDS: Final[Mapping[Design, str]] = {
    "trails": "For each endpoint pair there are two stories, a trail and a random chronology.",
    "mixtures": (
        "There are three kinds of stories, as many of each. Trails lie within one of the two collections, in turn, "
        "between two of its documents drawn at random. Alternating stories change collection at every step, the "
        "documents of each in date order; mixed ones take documents at random from both, in the order drawn. Both have "
        "4 to 8 documents. One model and one landscape stand for both collections."
    ),
    "sanity": (
        "For each endpoint pair there are a trail, a random chronology, and the trail damaged on purpose in four ways: "
        "in a random order that is neither its own nor the reverse; in reverse order; with the document of the "
        "collection that has least to do with any of its documents, at a random place inside; and with one of its "
        "documents, drawn at random, told twice in a row. A trail too short for a change goes without."
    ),
}
_WORDING: Final[Mapping[str, str]] = {
    REORDERED: "with the criteria in another order",
    PARAPHRASED: "with the instruction paraphrased",
}


def run_method_paragraphs(run: Run, results: RunResults | None = None) -> tuple[MethodParagraph, ...]:
    """Return how a run was made and measured, a paragraph a subject, with its own settings in the sentences.

    Parameters
    ----------
    run : Run
    results : RunResults, optional
        Adds how many stories there are, and how many answers each judge gave.
    """
    design = run.settings.design
    told = {
        "Collection": _collection(run),
        "Stories": _stories(run, results),
        "Endpoint pairs": "" if design == "mixtures" else _pairs(run),
        "Coherence": _coherence(run),
        "Trails": _TRAILS,
        "Random chronologies": "" if design == "mixtures" else _CHANCE,
        "Judges": _judges(run, results),
        "Statistics": _statistics(design, results),
        "Seeds and versions": _versions(run),
        "What these numbers do not prove": _limits(run),
    }
    return tuple(MethodParagraph(heading, text) for heading, text in told.items() if text)


def run_method_parameters(run: Run) -> tuple[Parameter, ...]:
    """Return what made a run, line by line, enough to ask for it again."""
    asked, cut = run.settings, run.settings.cutoffs
    rows = {
        "Run": run.run_id,
        "Name": run.name,
        "Made": format_moment(run.created_at),
        "Collection": asked.collection,
        "Landscape": run.landscape_id,
        "Embedding model": run.embedding_model,
        "Design": asked.design,
        "Pairs": f"{asked.n_pairs:,}",
        "Pairs taken from run": asked.endpoints_of,
        "Seed": str(asked.seed),
        "Shares": ", ".join(f"{STRATUM_WORDS[stratum]} {100 * share:.3g}%" for stratum, share in asked.shares.items()),
        "Cut-offs": f"short {cut.short:.3g}, long {cut.long:.3g}, hub {cut.hub:.3g}, extreme {cut.extreme:.3g}",
        "Divergence": run.divergence,
        "Critical coherence": format_strength(run.critical_coherence),
        "Median link": format_strength(run.median_link),
        **{f"Judge {number}": _in_a_line(seat) for number, seat in enumerate(asked.seats, start=1)},
        **{f"Version of {library}": version for library, version in run.versions.items()},
    }
    return tuple(Parameter(plain_line(name), plain_line(value) or "–") for name, value in rows.items())


_TRAILS: Final = (
    "A trail is a chain of documents whose weakest link is as strong as it can be: the path of maximum capacity in the "
    "graph of links with at least the critical coherence, which is the smallest link of the maximum spanning tree. "
    "Where the documents have dates, no link leads back in time; documents of one day may follow each other in either "
    "order, a partial date counts as its first day, and documents without a date are left out."
)
_CHANCE: Final = (
    "One random chronology was drawn for each pair, with the same first and last document. Its length was drawn from"
    " a normal distribution with the mean and standard deviation of the run's trails, rounded, at least 2 and at "
    "most what is available; the documents in between were drawn without replacement from those dated between the "
    "endpoints, and told in date order."
)
_N_FOLDS: Final = 5
_BOOTSTRAP: Final = (
    "Intervals are at 95% (bias-corrected and accelerated bootstrap) and resample endpoint pairs, since the stories "
    "of a pair are not independent of each other; p-values are two-sided, take stories as independent, and are not "
    "corrected for their number."
)
_DESIGN_STATISTICS: Final[Mapping[Design, str]] = {
    "trails": (
        "Judges' scores are correlated with the weakest and the mean link by Pearson's r and Spearman's ρ. Trails "
        "are compared with random chronologies by Cohen's d with the pooled standard deviation, the area under the "
        "ROC curve, Welch's t test and the Mann–Whitney U test. Agreement between agents is given as ICC(2,1) and "
        "ICC(2,k) (two-way random, absolute agreement), Krippendorff's α for intervals, Kendall's W with ties, the "
        "mean absolute deviation, and the shares of equal scores and of scores within one point. Linear, ridge, "
        "polynomial and random-forest regressions predict a judge's score from weakest link, mean link and length, "
        "and are measured by R² on {folds} folds of endpoint pairs that they were not fitted to."
    ),
    "mixtures": (
        "The kinds of stories are compared by Cohen's d with the pooled standard deviation, the area under the ROC "
        "curve, Welch's t test and the Mann–Whitney U test; judges' scores are correlated with the mean link over the "
        "alternating and mixed stories by Pearson's r and Spearman's ρ."
    ),
    "sanity": (
        "Changed and unchanged stories are compared by the mean of their paired differences, or by Spearman's ρ where "
        "alike ranks are expected. A check is passed or failed where the whole interval says so, and undecided "
        "otherwise."
    ),
}


def _collection(run: Run) -> str:
    model = f", with vectors of {name}" if (name := short_name(run.embedding_model)) else ""
    return (
        f"The stories are made from the collection {_quoted(run.settings.collection)}{model} and the landscape "
        f"{plain_line(run.landscape_id)}."
    )


def _stories(run: Run, results: RunResults | None) -> str:
    n = f" The run has {results.n_stories:,} stories." if results else ""
    return f"{_DESIGN_WORDS[run.settings.design]}{n}"


def _pairs(run: Run) -> str:
    asked = run.settings
    found = sum(one.found for one in run.strata)
    if asked.endpoints_of:
        source = plain_line(asked.endpoints_of)
        return (
            f"The endpoint pairs are those of the run {source}, and so are their random chronologies, whatever is said "
            "of their lengths below: both runs compare story by story."
        )
    drawn = f"{count(asked.n_pairs, 'endpoint pair')} {'was' if asked.n_pairs == 1 else 'were'} asked for"
    got = f", {found:,} of which were found" if run.strata and found != asked.n_pairs else ""
    were = "was" if run.n_rejected == 1 else "were"
    rejected = f" {count(run.n_rejected, 'drawn pair')} had no trail and {were} rejected." if run.strata else ""
    return f"{drawn}{got}: {_shares(asked.shares)}. {_cutoffs(run)}{rejected}"


def _shares(shares: Mapping[Stratum, float]) -> str:
    told = [f"{100 * share:.3g}% {STRATUM_WORDS[stratum]}" for stratum, share in shares.items() if share]
    return format_list([text.replace(", ", " and ") for text in told], most=len(told))


def _cutoffs(run: Run) -> str:
    cut = run.settings.cutoffs
    return (
        f"Short and close mean at most the {cut.short:.3g} quantile of the days between the documents of all candidate "
        f"pairs, long and far at least the {cut.long:.3g} quantile; a hub is among the {cut.hub:.0%} of documents with "
        f"the most links and the edge among the {cut.hub:.0%} with the fewest; farthest apart in wording are the "
        f"{cut.extreme:.0%} of pairs with the largest angle between their vectors. No pair stands in two strata."
    )


def _coherence(run: Run) -> str:
    return (
        "The coherence of two documents is θ = √(S · T). S = 1 − arccos(cos(u, v)) / π compares their vectors; T = 1"
        f" − D compares their soft topic memberships, normalised to sum 1, with {DIVERGENCE_WORDS[run.divergence]}. "
        f"The critical coherence is {format_strength(run.critical_coherence)}, the median link of sampled trails "
        f"{format_strength(run.median_link)}. The weakest link of a story is its smallest coherence, the mean link "
        "the arithmetic mean over its links."
    )


def _judges(run: Run, results: RunResults | None) -> str:
    if not run.settings.seats:
        return "No judge was asked."
    answers = {} if results is None else {one.seat: one for one in results.seats}
    blind = (
        "No judge was told how a story was made. Questions were put in random order, and the place of each is stored "
        "with its answer. Only answers with a score enter a mean; the others are counted."
    )
    return " ".join([blind, *(f"{_judge(seat)}{_answers(answers.get(seat))}." for seat in run.settings.seats)])


def _judge(seat: Seat) -> str:
    if seat.judge == "flow":
        model = f" ({name})" if (name := short_name(seat.model)) else ""
        return f"{FLOW.format(model=model)}; it reads {SHOWN_WORDS[seat.shown]}"
    if seat.mode is None:
        return f"{LEXICAL}; it reads {SHOWN_WORDS[seat.shown]}"
    host = f" at {name}" if (name := short_name(seat.endpoint)) else ""
    wording = f", {words}" if (words := _WORDING.get(seat.version)) else ""
    explained = "with explanations" if seat.is_explained else "without explanations"
    return (
        f"{short_name(seat.model) or 'A language model'}{host} was shown {SHOWN_WORDS[seat.shown]} as a numbered list"
        f" and asked in {MODE_WORDS[seat.mode]} mode{wording} for scores from 1 to 10 {explained}, by "
        f"{count(seat.n_agents, 'agent')} (K = {seat.n_agents:,}){_temperatures(seat)}"
    )


def _temperatures(seat: Seat) -> str:
    if seat.n_agents == 1:
        return f" at temperature {(LOWEST_TEMPERATURE + HIGHEST_TEMPERATURE) / 2:g}"
    spread = f"spread evenly from {LOWEST_TEMPERATURE:g} to {HIGHEST_TEMPERATURE:g}"
    return f" with temperatures {spread} and a seed each, where it takes these"


def _answers(found: SeatResults | None) -> str:
    if found is None:
        return ""
    unasked = f", {found.n_unasked:,} not asked yet" if found.n_unasked else ""
    return f" ({found.n_asked:,} asked, {found.n_ok:,} ok{unasked})"


def _statistics(design: Design, results: RunResults | None) -> str:
    fits = [fit for seat in (results.seats if results else ()) for fit in seat.prediction.fits]
    n_folds = max((len(fit.fold_r2) for fit in fits), default=0) or _N_FOLDS
    return f"{_DESIGN_STATISTICS[design].format(folds=n_folds)} {_BOOTSTRAP}"


def _versions(run: Run) -> str:
    libraries = _names(f"{name} {version}" for name, version in run.versions.items())
    made = f" It was made on {format_moment(run.created_at)}." if run.created_at else ""
    used = f" Versions: {libraries}." if libraries else ""
    drawn = (
        f"All that the program draws follows from seed {run.settings.seed}; prompted judges have a chance of their own."
    )
    return f"{drawn}{made}{used}"


def _limits(run: Run) -> str:
    judges = (
        "A judge's score is a model's reading of the titles or texts that it was shown, not a human verdict; agents of "
        "one model share its errors, so that their agreement is no proof. "
        if run.settings.seats
        else ""
    )
    return (
        "A coherent trail is not a causal claim and not a complete account. Trails are built to have strong links, so "
        f"that their coherence exceeds that of random chronologies by construction. {judges}Correlation with coherence "
        "says that two measures go together, not that either is right. The numbers depend on the collection, on the "
        "embeddings, on the fitted landscape and on the seed, and hold for stories made as described."
    )


def _in_a_line(seat: Seat) -> str:
    parts = [seat_title(seat), short_name(seat.endpoint), f"K = {seat.n_agents:,}", f"shown {SHOWN_WORDS[seat.shown]}"]
    model = short_name(seat.model) if seat.mode is None else ""
    return _names([parts[0], model, *parts[1:], plain_line(seat.version)], joint=", ")


def _names(parts: Iterable[str], *, joint: str = "") -> str:
    told = [text for part in parts if (text := plain_line(part))]
    return joint.join(told) if joint else format_list(told, most=len(told))


def _quoted(name: str) -> str:
    return f"“{plain_line(name)}”"
