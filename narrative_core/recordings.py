"""Recorded replies: judgements as a file that gives the same figures to someone who has no key.

One JSON object a line, in UTF-8, lines in order of their questions' ids. Of a prompted judge the file has the raw reply
and no score: whoever reads the file reads the reply again, so that no line can claim a score that no reply gave. What
reading flow says is written out, and taken as it is recorded if its numbers agree with each other. The lexical reader
is not recorded: it reads every story anew, at once.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from narrative_core.errors import InvalidInput, UnreadableReply
from narrative_core.judgements import Judgement, Mode, Question
from narrative_core.judging.replies import read_reply
from narrative_core.recording_fields import ASKED_FIELDS, QUESTION_FIELDS, SAID_FIELDS, Field, is_sound
from narrative_core.records import Problem
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements

FORMAT: Final = 1
"""Number that every line carries; a line of another format is not read."""

MOST_BYTES: Final = 256 * 2**20
MOST_LINES: Final = 1_000_000
LONGEST_LINE: Final = 16 * 2**20
MOST_PROBLEMS: Final = 100
"""Problems that are told one by one; all are counted."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file holds: ``read == len(judgements) + skipped`` lines that are not blank.

    ``problems`` names, by line from 1, what was skipped and what was kept with a remark; the first hundred.
    """

    judgements: tuple[Judgement, ...]
    read: int
    skipped: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class RecordingReport:
    """What became of the lines of a file: ``read == kept + known + skipped``.

    ``known`` were here already, and what is here stays · ``problems`` as in `Recording`.
    """

    read: int
    kept: int
    known: int
    skipped: int
    problems: tuple[Problem, ...]


class _Unfit(Exception):
    """A line is not what it must be. Stays inside of this module."""


class _LeftOut(_Unfit):
    """A line is of the lexical reader."""


def write_recording(judgements: Iterable[Judgement]) -> bytes:
    """Return judgements as a recording, without those of the lexical reader; their order does not matter.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.
    """
    # The line decides among judgements of one question, so that the same ones always give the same bytes.
    kept = [judgement for judgement in judgements if judgement.question.judge != "lexical"]
    lines = sorted((judgement.question.question_id, _line(judgement)) for judgement in kept)
    return b"".join(line for _, line in lines)


def read_recording(data: bytes) -> Recording:
    """Return the judgements of a recording, by question id, each question once.

    A line that is not what it must be is skipped and named; lines of the lexical reader are skipped, and the first is
    named. Of several lines about one question the same one counts wherever it stands: one with a reply before one
    without, then the first by its text.

    Parameters
    ----------
    data : bytes
        The file.

    Raises
    ------
    InvalidInput
        If the file is larger than 256 MiB or has more than a million lines.
    """
    _require_size(data)
    found: dict[str, tuple[int, Judgement]] = {}
    problems: list[Problem] = []
    read = skipped = n_left_out = 0

    def note(number: int, reason: str) -> None:
        if len(problems) < MOST_PROBLEMS:
            problems.append(Problem(number, reason))

    for number, line in _lines(data):
        read += 1
        try:
            judgement, remark = _judgement(_fields(line))
        except _Unfit as problem:
            n_left_out += isinstance(problem, _LeftOut)
            if n_left_out < 2 or not isinstance(problem, _LeftOut):
                note(number, str(problem))
            skipped += 1
            continue
        if remark:
            note(number, remark)
        question_id = judgement.question.question_id
        if question_id in found:
            note(number, f"asks the same as line {found[question_id][0]}; one of the two is kept")
            skipped += 1
            found[question_id] = min(found[question_id], (number, judgement), key=_precedence)
        else:
            found[question_id] = number, judgement
    judgements = tuple(found[question_id][1] for question_id in sorted(found))
    return Recording(judgements, read, skipped, tuple(problems))


def install_recording(database: Database, collection: str, data: bytes) -> RecordingReport:
    """Store the judgements of a recording with a collection, all or none; what is there already stays.

    Parameters
    ----------
    database : Database
    collection : str
        Name of the collection whose stories they are about.
    data : bytes
        The file.

    Raises
    ------
    InvalidInput
        If the file is larger than 256 MiB or has more than a million lines.
    """
    recording = read_recording(data)
    kept = save_judgements(database, collection, recording.judgements, keep_failures=True)
    known = len(recording.judgements) - kept
    return RecordingReport(recording.read, kept, known, recording.skipped, recording.problems)


def _line(judgement: Judgement) -> bytes:
    told: dict[str, Any] = {
        "format": FORMAT,
        "question": {name: field.written(getattr(judgement.question, name)) for name, field in QUESTION_FIELDS.items()},
        **{name: field.written(getattr(judgement, name)) for name, field in ASKED_FIELDS.items()},
    }
    if judgement.question.mode is None:
        told["said"] = {name: field.written(getattr(judgement, name)) for name, field in SAID_FIELDS.items()}
    try:
        return json.dumps(told, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError as error:
        msg = "A recording must be valid Unicode; a judgement has half of a surrogate pair. Store it anew without."
        raise InvalidInput(msg) from error


def _require_size(data: bytes) -> None:
    if len(data) > MOST_BYTES:
        msg = f"A recording has at most {MOST_BYTES >> 20} MiB; got {len(data) >> 20} MiB. Divide the file by lines."
        raise InvalidInput(msg)
    if (n_lines := data.count(b"\n")) > MOST_LINES:
        msg = f"A recording has at most {MOST_LINES:,} lines; got {n_lines:,}. Divide the file by lines."
        raise InvalidInput(msg)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, numbered from 1."""
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    file = io.BytesIO(data)
    file.seek(start)
    for number, line in enumerate(file, 1):
        if line.strip():
            yield number, line


def _fields(line: bytes) -> Mapping[str, Any]:
    """Return the object of a line."""
    if len(line) > LONGEST_LINE:
        raise _Unfit(f"is longer than {LONGEST_LINE >> 20} MiB")
    try:
        told = json.loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        # ValueError covers bad UTF-8, bad JSON and a whole number of more digits than Python converts.
        raise _Unfit("is not a JSON object in UTF-8") from problem
    if not isinstance(told, dict) or "format" not in told:
        raise _Unfit("is not a recorded judgement")
    if told["format"] != FORMAT or told["format"] is True:
        raise _Unfit(f"has another format than {FORMAT}; update the program")
    return told


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _judgement(told: Mapping[str, Any]) -> tuple[Judgement, str]:
    """Return the judgement of a line with a remark on it, which is mostly empty."""
    question = Question(**_values(told.get("question"), QUESTION_FIELDS))
    if question.judge == "lexical" and question.mode is None:
        raise _LeftOut("is of the lexical reader, which reads every story anew; its lines are left out")
    if (question.judge == "openai") != (question.mode is not None):
        raise _Unfit(f"has a judge {question.judge!r} in mode {question.mode!r}")
    recorded = Judgement(question, **_values(told, ASKED_FIELDS))
    if question.mode is not None:
        return _read_again(recorded, question.mode)
    said = _values(told.get("said"), SAID_FIELDS)
    judgement = replace(recorded, **said)
    if not is_sound(judgement):
        raise _Unfit(f"has a score or a link that its judge {question.judge!r} cannot give")
    return judgement, ""


def _values(told: object, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the values of fields, all of which must be there."""
    if not isinstance(told, dict):
        raise _Unfit("lacks a part: an object was expected")
    for name, field in fields.items():
        if name not in told:
            raise _Unfit(f"lacks {name!r}")
        if not field.accepts(told[name]):
            raise _Unfit(f"has a {name!r} that is not {field.expected}")
    return {name: field.read(told[name]) for name, field in fields.items()}


def _read_again(recorded: Judgement, mode: Mode) -> tuple[Judgement, str]:
    """Return a prompted judgement with what its reply says, and a remark where the line says otherwise."""
    if recorded.status not in ("ok", "unreadable"):
        return recorded, ""
    was_ok = recorded.status == "ok"
    try:
        said = read_reply(recorded.reply, mode, n_documents=recorded.n_documents, is_explained=recorded.is_explained)
    except UnreadableReply as problem:
        if not was_ok:
            return recorded, ""
        message = f"The reply cannot be read: {problem}"
        return replace(recorded, status="unreadable", message=message), f"is kept as unreadable: {problem}"
    judgement = replace(
        recorded,
        status="ok",
        message=recorded.message if was_ok else "",
        score=said.score,
        criteria=said.criteria,
        explanation=said.explanation,
        weakest_step=said.weakest_step,
    )
    return judgement, "" if was_ok else "was recorded as unreadable; its reply can be read and is kept as ok"


def _precedence(at: tuple[int, Judgement]) -> tuple[bool, bytes]:
    """Return what decides among lines about one question: the smallest counts."""
    _, judgement = at
    return not judgement.is_final, _line(judgement)
