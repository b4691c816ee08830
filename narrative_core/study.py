"""What the reference study printed, as data, so that it can stand beside our own numbers.

Facts only: numbers and where they stand. Bounds such as "p < 0.001" are no figures; what the study says in ranges and
bounds alone is in `STUDY_REMARKS`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from narrative_core.judgements import Mode

DataSet = Literal["news", "vispub"]
PrintedFor = Literal["news", "vispub", "both"]
"""The two collections of the study, and the stories that mix them."""

STUDY_SOURCE: Final = (
    "Keith, B. (2025). LLM-as-a-Judge Approaches as Proxies for Mathematical Coherence in Narrative Extraction. "
    "Electronics, 14(13), 2735. https://doi.org/10.3390/electronics14132735"
)
STUDY_JUDGE: Final = "GPT-4.1"
STUDY_DATA_SETS: Final[Mapping[PrintedFor, str]] = {"news": "news", "vispub": "VisPub", "both": "news and VisPub mixed"}
STUDY_AGENTS: Final[Mapping[DataSet, int]] = {"news": 5, "vispub": 3}
STUDY_PLACES: Final[Mapping[str, str]] = {
    "lengths": "table 1 and section 5.1",
    "associations": "table 2",
    "agreement": "table 3",
    "contrasts": "table 4 and section 5.2",
    "use": "table 5",
    "prediction": "table 6",
    "importances": "table 7",
    "disagreement": "table 8",
    "mixtures": "section 5.7",
    "span": "section 5.8.3",
    "complexity": "section 5.8.4",
    "stability": "section 5.9",
}
"""Where the figures of a table stand in the study."""

STUDY_REMARKS: Final[Mapping[str, str]] = {
    "span": "The study gives r from −0.14 to −0.08 for VisPub and no effect for news.",
    "complexity": (
        "The study gives r from −0.30 to −0.22 of judges' scores with the variance of the links, and −0.30 with the "
        "share of weak links."
    ),
    "stability": (
        "The study gives a mean absolute difference below 0.05 between correlations, and a standard deviation of d "
        "below 0.2, over five folds."
    ),
}
"""What the study gives as a range or a bound."""


@dataclass(frozen=True, slots=True)
class StudyFigure:
    """One printed number: ``row`` of ``table`` (a key of `STUDY_PLACES`), of a judge's ``mode`` or of none.

    ``sd`` is what stands behind a "±", nan where nothing does. Shares are in [0, 1].
    """

    table: str
    data_set: PrintedFor
    row: str
    mode: Mode | None
    value: float
    sd: float = float("nan")

    @property
    def place(self) -> str:
        """Where it stands in the study."""
        return STUDY_PLACES[self.table]


_MODES: Final[tuple[Mode, ...]] = ("simple", "cot", "standard", "complex")
_RATED: Final[tuple[Mode, ...]] = ("simple", "standard", "complex")
_SETS: Final[tuple[DataSet, ...]] = ("news", "vispub")

# The blocks below have the shape of the printed tables: a row a line, the columns of news first, then those of VisPub.
_LENGTHS: Final = {
    "news": {"trail": (4.70, 2.03, 2, 12), "baseline": (3.97, 1.80, 2, 8)},
    "vispub": {"trail": (5.91, 4.15, 2, 20), "baseline": (5.64, 3.56, 2, 16)},
}
_ASSOCIATIONS: Final[dict[Mode, tuple[float, ...]]] = {
    "simple": (0.40, 0.41, 0.56, 0.61),
    "cot": (0.46, 0.38, 0.63, 0.58),
    "standard": (0.36, 0.39, 0.57, 0.62),
    "complex": (0.34, 0.38, 0.62, 0.65),
}
_AGREEMENT: Final[dict[str, tuple[float, ...]]] = {
    "icc_single": (0.961, 0.924, 0.952, 0.963, 0.924, 0.963),
    "icc_average": (0.992, 0.984, 0.990, 0.987, 0.973, 0.987),
    "krippendorff_alpha": (0.961, 0.924, 0.952, 0.962, 0.924, 0.963),
    "kendall_w": (0.912, 0.799, 0.816, 0.925, 0.841, 0.863),
    "mean_absolute_deviation": (0.150, 0.119, 0.183, 0.126, 0.089, 0.134),
    "exact": (0.812, 0.612, 0.256, 0.812, 0.582, 0.297),
    "within_one": (0.998, 1.0, 0.986, 0.998, 1.0, 0.995),
}
_CONTRASTS: Final[dict[str, tuple[float, ...]]] = {
    "minimum": (1.591, 0.852, 1.353, 0.834),
    "average": (1.998, 0.891, 1.481, 0.840),
    "simple": (0.568, 0.660, 1.183, 0.795),
    "cot": (0.345, 0.594, 1.083, 0.777),
    "standard": (0.566, 0.650, 1.188, 0.798),
    "complex": (0.582, 0.663, 1.316, 0.823),
}
_MEAN_MINIMUM: Final[dict[DataSet, tuple[float, float]]] = {"news": (0.705, 0.470), "vispub": (0.648, 0.433)}
_USE: Final[dict[Mode, tuple[float, float, float, float]]] = {
    "simple": (0.647, 0.082, 123.0, 53.9),
    "cot": (6.001, 0.109, 279.0, 53.9),
    "standard": (0.867, 0.016, 214.0, 53.9),
    "complex": (1.034, 0.114, 225.0, 53.9),
}
_PREDICTION: Final[dict[str, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "linear": (
        (0.188, 0.188, 0.188, 0.208, 0.327, 0.356, 0.348, 0.421),
        (0.034, 0.071, 0.049, 0.062, 0.101, 0.085, 0.115, 0.100),
    ),
    "ridge": (
        (0.186, 0.176, 0.187, 0.206, 0.328, 0.358, 0.350, 0.420),
        (0.032, 0.066, 0.051, 0.065, 0.089, 0.080, 0.101, 0.096),
    ),
    "forest": (
        (0.332, 0.315, 0.350, 0.290, 0.406, 0.410, 0.393, 0.554),
        (0.115, 0.075, 0.110, 0.121, 0.147, 0.149, 0.121, 0.078),
    ),
    "polynomial": (
        (0.166, 0.168, 0.164, 0.184, 0.277, 0.328, 0.312, 0.398),
        (0.059, 0.050, 0.075, 0.089, 0.128, 0.083, 0.117, 0.087),
    ),
}
_IMPORTANCES: Final[dict[Mode, tuple[float, ...]]] = {
    "simple": (0.602, 0.315, 0.083, 0.312, 0.562, 0.127),
    "cot": (0.636, 0.282, 0.082, 0.517, 0.373, 0.110),
    "standard": (0.542, 0.340, 0.117, 0.268, 0.621, 0.111),
    "complex": (0.469, 0.402, 0.129, 0.366, 0.526, 0.108),
}
_DISAGREEMENT: Final[dict[Mode, tuple[float, ...]]] = {
    "simple": (0.171, 0.025, 0.134, 0.024),
    "cot": (0.271, 0.035, 0.233, 0.036),
    "standard": (0.138, 0.023, 0.096, 0.018),
    "complex": (0.215, 0.036, 0.146, 0.028),
}
_MIXTURES: Final = (
    StudyFigure("mixtures", "both", "alternating judge", None, 1.99, 0.35),
    StudyFigure("mixtures", "both", "mixed judge", None, 2.41, 0.69),
    StudyFigure("mixtures", "both", "alternating coherence", None, 0.303, 0.009),
    StudyFigure("mixtures", "both", "mixed coherence", None, 0.337, 0.108),
    StudyFigure("mixtures", "both", "r", None, 0.729),
    StudyFigure("mixtures", "both", "t", None, -2.93),
    StudyFigure("mixtures", "both", "p", None, 0.0048),
    StudyFigure("mixtures", "both", "d", None, -0.77),
)


def _lengths() -> Iterator[StudyFigure]:
    for data_set in _SETS:
        for made, (mean, sd, shortest, longest) in _LENGTHS[data_set].items():
            yield StudyFigure("lengths", data_set, f"{made} mean", None, mean, sd)
            yield StudyFigure("lengths", data_set, f"{made} minimum", None, shortest)
            yield StudyFigure("lengths", data_set, f"{made} maximum", None, longest)
    yield StudyFigure("lengths", "news", "difference", None, 0.73)
    yield StudyFigure("lengths", "vispub", "difference", None, 0.27)
    yield StudyFigure("lengths", "vispub", "difference p", None, 0.62)


def _by_mode(table: str, block: Mapping[Mode, tuple[float, ...]], rows: tuple[str, ...]) -> Iterator[StudyFigure]:
    """Yield a block with a line a mode, whose columns are ``rows`` of news and then ``rows`` of VisPub."""
    for mode, line in block.items():
        columns = [(data_set, row) for data_set in _SETS for row in rows]
        for (data_set, row), value in zip(columns, line, strict=True):
            yield StudyFigure(table, data_set, row, mode, value)


def _agreement() -> Iterator[StudyFigure]:
    columns = [(data_set, mode) for data_set in _SETS for mode in _RATED]
    for row, line in _AGREEMENT.items():
        for (data_set, mode), value in zip(columns, line, strict=True):
            yield StudyFigure("agreement", data_set, row, mode, value)


def _contrasts() -> Iterator[StudyFigure]:
    columns = [(data_set, measure) for data_set in _SETS for measure in ("d", "auc")]
    modes: dict[str, Mode] = {str(mode): mode for mode in _MODES}
    for name, line in _CONTRASTS.items():
        for (data_set, measure), value in zip(columns, line, strict=True):
            row = f"judge {measure}" if name in modes else f"{name} {measure}"
            yield StudyFigure("contrasts", data_set, row, modes.get(name), value)
    for data_set, (trail, baseline) in _MEAN_MINIMUM.items():
        yield StudyFigure("contrasts", data_set, "minimum trail", None, trail)
        yield StudyFigure("contrasts", data_set, "minimum baseline", None, baseline)


def _use() -> Iterator[StudyFigure]:
    for mode, (seconds, seconds_sd, tokens, tokens_sd) in _USE.items():
        yield StudyFigure("use", "vispub", "seconds", mode, seconds, seconds_sd)
        yield StudyFigure("use", "vispub", "input_tokens", mode, tokens, tokens_sd)


def _prediction() -> Iterator[StudyFigure]:
    columns = [(data_set, mode) for data_set in _SETS for mode in _MODES]
    for model, (means, sds) in _PREDICTION.items():
        for (data_set, mode), mean, sd in zip(columns, means, sds, strict=True):
            yield StudyFigure("prediction", data_set, model, mode, mean, sd)


STUDY_FIGURES: Final[tuple[StudyFigure, ...]] = (
    *_lengths(),
    *_by_mode("associations", _ASSOCIATIONS, ("minimum", "average")),
    *_agreement(),
    *_contrasts(),
    *_use(),
    *_prediction(),
    *_by_mode("importances", _IMPORTANCES, ("minimum", "average", "length")),
    *_by_mode("disagreement", _DISAGREEMENT, ("spread", "variation")),
    *_MIXTURES,
)
_BY_PLACE: Final = {(figure.table, figure.data_set, figure.row, figure.mode): figure for figure in STUDY_FIGURES}


def study_value(table: str, data_set: PrintedFor, row: str, mode: Mode | None = None) -> StudyFigure | None:
    """Return the figure that the study printed there, ``None`` where it printed none.

    Examples
    --------
    >>> study_value("associations", "news", "minimum", "cot").value
    0.46
    >>> study_value("agreement", "news", "icc_single", "cot") is None
    True
    """
    return _BY_PLACE.get((table, data_set, row, mode))
