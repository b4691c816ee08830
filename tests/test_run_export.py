"""Runs taken away: what is in the folder is what was computed and what came, and nothing of it is half there."""

import contextlib
import csv
import io
import json
import math
import os
import shutil
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Judgement, Question
from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, LoadReport, Topic
from narrative_core.reports.pictures import NO_BROWSER
from narrative_core.reports.table_formats import table_facts
from narrative_core.run_export import WrittenRun, figures_of, run_zip, tables_of, write_run
from narrative_core.run_results import results_of
from narrative_core.runs import Design, RunTable
from narrative_core.store.collections import save_collection
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import save_judgements
from narrative_core.store.landscapes import save_landscape
from narrative_core.store.runs import RunQuestion, load_run_table, save_run
from tests.browser.conftest import REQUIRED
from tests.run_samples import sample_table

FORMULA = '=HYPERLINK("http://x.example","</script><script>alert(1)</script>")'
SECRET = "a text that is not ours to pass on"
DESIGNS: tuple[Design, ...] = ("trails", "sanity", "mixtures")


@dataclass(frozen=True, slots=True)
class Exported:
    """A written run, read back."""

    database: Database
    table: RunTable
    folder: Path
    written: WrittenRun

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def rows(self, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.text(name), newline="")))

    @property
    def record(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.text("run.json"))
        return told


def keep_run(database: Database, table: RunTable, *, is_answered: bool = True) -> RunTable:
    """Save a table as the run that it could have come from, and return it as it is read back."""
    stories = tuple(replace(story, story_hash=f"{story.pair} {story.made}") for story in table.stories)
    questions, judgements = [], []
    for seat, scores in enumerate(table.seats):
        who = scores.seat
        for row, story in enumerate(stories):
            for agent in range(who.n_agents):
                question = Question(
                    who.judge, who.model, who.endpoint, who.mode, agent, None, None, story.story_hash, who.shown,
                    "text", f"prompt {who.version}",
                )  # fmt: skip
                questions.append(RunQuestion(story.pair, story.made, seat, agent, question.question_id))
                score = float(scores.scores[row, agent])
                status = "unreadable" if math.isnan(score) else "ok"
                judgements.append(Judgement(question, status, score, reply=SECRET, seconds=0.5, message=FORMULA))  # type: ignore[arg-type]
    save_run(database, table.run, [scores.label for scores in table.seats], stories, questions)
    if is_answered:
        save_judgements(database, table.run.settings.collection, judgements)
    return load_run_table(database, table.run.run_id)


def keep_collection(database: Database, table: RunTable, landscape_id: str = "landscape-1") -> None:
    """Save the collection of a run: every document has a title that wants to be a formula."""
    ids = sorted({document_id for story in table.stories for document_id in story.document_ids})
    documents = [Document(document_id, FORMULA, SECRET) for document_id in ids]
    collection = Collection("spaceflight", "Spaceflight", origin="Our own words", licence="CC0 1.0")
    save_collection(database, collection, documents, LoadReport(len(ids), len(ids), len(ids), 0, 0))
    n = len(ids)
    landscape = Landscape(
        landscape_id=landscape_id,
        positions=np.random.default_rng(0).normal(size=(n, 2)),
        nearest_topic=np.arange(n, dtype=np.int64) % 3 - 1,
        is_outlier=np.zeros(n, dtype=np.bool_),
        memberships=np.full((n, 2), 0.5),
        topics=(Topic(0, "rockets", (), 4), Topic(1, "floods", (), 3)),
        parameters=LandscapeParameters(),
        critical_coherence=0.4,
        median_link=0.7,
        created_at="2026-03-01T12:00:00+00:00",
    )
    save_landscape(database, "spaceflight", landscape)


@pytest.fixture(scope="module")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "new.duckdb"
    open_database(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, new_file: Path) -> Iterator[Database]:
    path = tmp_path / "store" / "throughline.duckdb"
    path.parent.mkdir()
    shutil.copy(new_file, path)
    with contextlib.closing(open_database(path)) as opened:
        yield opened


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests are not about pictures, which take their time."""
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, new_file: Path) -> Iterator[Exported]:
    """A run with replies of every kind, its collection beside it, written once without a browser."""
    folder = tmp_path_factory.mktemp("exported")
    shutil.copy(new_file, folder / "throughline.duckdb")
    with contextlib.closing(open_database(folder / "throughline.duckdb")) as database:
        table = keep_run(database, sample_table(12, missing=0.1))
        keep_collection(database, table)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BROWSER_PATH", "/nowhere/chromium")
            written = write_run(database, "run-1", folder / "run")
        yield Exported(database, table, folder / "run", written)


def same(told: str, value: float) -> bool:
    return told == "" if math.isnan(value) else float(told) == value


def test_the_tables_in_the_folder_have_the_numbers_that_were_computed(exported: Exported) -> None:
    results = results_of(exported.table)
    contrasts = exported.rows("tables/contrasts.csv")
    computed = [*results.contrasts.values(), *(seat.contrast for seat in results.seats)]
    assert len(contrasts) == len(computed) == 4
    for row, contrast in zip(contrasts, computed, strict=True):
        assert same(row["d_value"], contrast.cohens_d.value)
        assert same(row["d_low"], contrast.cohens_d.low)
        assert same(row["trail_mean"], contrast.first.mean)
        assert same(row["welch_p"], contrast.welch_p)
    for row, seat in zip(exported.rows("tables/associations.csv"), results.seats, strict=True):
        r = seat.associations["minimum"].pearson
        assert [value for value in row.values() if value == repr(r.value)]
        assert str(r.n) in row.values()


def test_every_table_is_there_as_csv_and_latex_and_in_the_record(exported: Exported) -> None:
    tables = tables_of(exported.table)
    names = {path.name for path in (exported.folder / "tables").iterdir()}
    assert names == {f"{table.key}.{form}" for table in tables for form in ("csv", "tex")}
    assert exported.written.n_tables == len(tables) == 14
    assert exported.record["tables"] == json.loads(json.dumps([table_facts(table) for table in tables]))
    assert r"\begin{tabular}" in exported.text("tables/contrasts.tex")


def test_the_record_has_every_story_and_every_score(exported: Exported) -> None:
    record, table = exported.record, exported.table
    assert [tuple(story["document_ids"]) for story in record["stories"]] == [one.document_ids for one in table.stories]
    assert [tuple(story["strengths"]) for story in record["stories"]] == [one.strengths for one in table.stories]
    assert [(story["pair"], story["made"]) for story in record["stories"]] == [
        (story.pair, story.made) for story in table.stories
    ]
    for judge, scores in zip(record["judges"], table.seats, strict=True):
        read = np.array([[math.nan if one is None else one for one in row] for row in judge["scores"]], dtype=float)
        np.testing.assert_array_equal(read, scores.scores)
        assert judge["label"] == scores.label
        assert judge["counts"] == dict(scores.counts)
    run = table.run
    assert record["run"]["settings"]["seed"] == run.settings.seed
    assert record["run"]["versions"] == dict(run.versions)
    assert [one["found"] for one in record["run"]["strata"]] == [one.found for one in run.strata]


def test_the_scores_of_the_sheet_give_the_means_that_were_computed_with(exported: Exported) -> None:
    rows, table = exported.rows("scores.csv"), exported.table
    assert len(rows) == sum(scores.scores.size for scores in table.seats)
    assert {row["status"] for row in rows} == {"ok", "unreadable"}
    found: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        assert (row["score"] == "") == (row["status"] != "ok")
        assert row["seconds"] == "0.5"
        if row["score"]:
            found[row["judge"], row["pair"], row["made"]].append(float(row["score"]))
    for scores in table.seats:
        for story, mean in zip(table.stories, scores.means, strict=True):
            given = found[scores.label, str(story.pair), story.made]
            assert (np.mean(given) if given else math.nan) == pytest.approx(mean, nan_ok=True)
    assert len({row["question_id"] for row in rows}) == len(rows)
    assert {row["mode"] for row in rows} == {"simple", ""}


def test_the_stories_of_the_sheet_are_those_of_the_run(exported: Exported) -> None:
    rows = exported.rows("stories.csv")
    for row, story in zip(rows, exported.table.stories, strict=True):
        assert (row["pair"], row["made"], row["stratum"]) == (str(story.pair), story.made, story.stratum or "")
        assert json.loads(row["strengths"]) == list(story.strengths)
        assert json.loads(row["document_ids"]) == list(story.document_ids)
        assert (row["source"], row["target"]) == (story.document_ids[0], story.document_ids[-1])
        for column, metric in {"weakest_link": "minimum", "mean_link": "average", "variance": "variance"}.items():
            assert same(row[column], story.metrics[metric])  # type: ignore[index]
        assert same(row["span_days"], story.span_days)


def test_no_cell_is_a_formula_and_no_title_is_markup(exported: Exported) -> None:
    sheets = list(exported.folder.rglob("*.csv"))
    assert len(sheets) == 16
    for path in sheets:
        for row in csv.reader(io.StringIO(path.read_bytes().decode(), newline="")):
            numbers = [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]
            assert all(math.isfinite(float(cell)) for cell in numbers), path
    assert {row["source_title"] for row in exported.rows("stories.csv")} == {f"'{FORMULA}"}
    assert {row["message"] for row in exported.rows("scores.csv")} == {f"'{FORMULA}"}
    assert "<script>alert" not in exported.text("report.html")


def test_no_text_of_a_document_or_of_a_reply_is_in_any_file(exported: Exported) -> None:
    files = [path for path in exported.folder.rglob("*") if path.is_file()]
    assert len(files) > 40
    assert not [path.name for path in files if SECRET.encode() in path.read_bytes()]
    assert FORMULA in {document["title"] for document in exported.record["documents"].values()}


def test_every_figure_is_there_as_plotly_has_it(exported: Exported) -> None:
    figures = figures_of(exported.table, database=exported.database)
    assert {path.stem for path in (exported.folder / "figures").glob("*.json")} == set(figures)
    assert exported.written.n_figures == len(figures)
    told = json.loads(exported.text("figures/effect-sizes.json"))
    assert told == json.loads(figures["effect-sizes"].to_json())


def test_a_folder_without_pictures_says_why(exported: Exported) -> None:
    assert exported.written.n_pictures == 0
    assert exported.written.reason == NO_BROWSER
    assert f"Pictures are missing: {NO_BROWSER}." in exported.text("README.txt")
    assert "as a picture (SVG, PNG)" not in exported.text("README.txt")
    assert not [path for path in exported.folder.rglob("*") if path.suffix in {".svg", ".png"}]


def test_the_readme_names_every_file(exported: Exported) -> None:
    told = exported.text("README.txt")
    assert told.startswith("A sample run\n")
    for path in exported.folder.iterdir():
        assert path.name == "README.txt" or f"{path.name}{'/' if path.is_dir() else ''} " in told


def test_the_report_says_where_the_documents_are_from(exported: Exported) -> None:
    text = exported.text("report.html")
    assert "Collection: Spaceflight. Origin: Our own words. Licence: CC0 1.0." in text
    assert "Random chronologies" in text


@pytest.mark.usefixtures("no_browser")
def test_a_zip_has_the_same_files(exported: Exported) -> None:
    with zipfile.ZipFile(io.BytesIO(run_zip(exported.database, "run-1"))) as packed:
        names = {path.relative_to(exported.folder).as_posix() for path in exported.folder.rglob("*") if path.is_file()}
        assert {name.removeprefix("run-run-1/") for name in packed.namelist()} == names
        assert packed.read("run-run-1/stories.csv").decode() == exported.text("stories.csv")
        assert packed.read("run-run-1/run.json").decode() == exported.text("run.json")


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.usefixtures("no_browser")
def test_a_run_of_every_design_can_be_taken_away(database: Database, tmp_path: Path, design: Design) -> None:
    table = keep_run(database, sample_table(6, design=design))
    written = write_run(database, "run-1", tmp_path / "run")
    keys = [table.key for table in tables_of(table)]
    assert (written.n_tables, written.n_figures) == (len(keys), len(figures_of(table)))
    assert {path.stem for path in (tmp_path / "run" / "tables").iterdir()} == set(keys)
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert record["run"]["settings"]["design"] == design
    assert len(record["stories"]) == len(table.stories)
    assert record["documents"] == {}
    text = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "How this was made" in text


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.usefixtures("no_browser")
def test_a_run_without_answers_can_be_taken_away(database: Database, tmp_path: Path, design: Design) -> None:
    table = keep_run(database, sample_table(6, design=design), is_answered=False)
    write_run(database, "run-1", tmp_path / "run")
    with (tmp_path / "run" / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    n_questions = sum(scores.scores.size for scores in table.seats)
    assert len(rows) == n_questions
    assert {(row["status"], row["score"], row["seconds"]) for row in rows} == {("", "", "")}
    assert "" not in {row["question_id"] for row in rows}
    text = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert f"{n_questions} answers had not come yet when this was written." in text


@pytest.mark.usefixtures("no_browser")
def test_a_run_without_judges_can_be_taken_away(database: Database, tmp_path: Path) -> None:
    keep_run(database, sample_table(6, n_seats=0))
    written = write_run(database, "run-1", tmp_path / "run")
    assert written.n_tables == 14
    assert (tmp_path / "run" / "scores.csv").read_text(encoding="utf-8").count("\n") == 1


def test_the_report_shows_where_the_pairs_of_the_run_lie(exported: Exported) -> None:
    assert 'data-key="coverage-map"' in exported.text("report.html")
    assert "rockets" in exported.text("figures/coverage-topics.json")


def test_the_study_stands_beside_where_it_is_asked_for() -> None:
    for design, key in {"trails": "contrasts", "mixtures": "mixtures"}.items():
        table = sample_table(6, design=design)  # type: ignore[arg-type]
        plain, beside = ({one.key: one for one in tables_of(table, study)} for study in (None, "news"))  # type: ignore[arg-type]
        assert len(beside[key].columns) > len(plain[key].columns)
    sanity = sample_table(6, design="sanity")
    assert [table_facts(one) for one in tables_of(sanity, "news")] == [table_facts(one) for one in tables_of(sanity)]


def test_figures_are_light_have_data_and_keys_that_can_name_files() -> None:
    for design in DESIGNS:
        figures = figures_of(sample_table(6, design=design))
        assert len(figures) >= 5
        for key, figure in figures.items():
            assert key.replace("-", "").isalnum()
            assert key == key.lower()
            assert figure.data
            assert figure.layout.font.color == "#1c2430"


def test_every_judge_has_its_own_figures() -> None:
    figures = figures_of(sample_table(6, n_seats=3))
    for number in (1, 2, 3):
        own = {key for key in figures if key.endswith(f"judge-{number}")}
        assert len(own) == 8
    assert not [key for key in figures_of(sample_table(6, n_seats=0)) if "judge" in key]


def test_where_pairs_lie_needs_the_landscape_of_the_run(database: Database) -> None:
    table = sample_table(6)
    coverage = {"coverage-map", "coverage-topics"}
    assert not coverage & set(figures_of(table))
    assert not coverage & set(figures_of(table, database=database))
    keep_collection(database, table)
    figures = figures_of(table, database=database)
    assert coverage <= set(figures)
    of_topics = figures["coverage-topics"].data[0]
    ids = sorted({document_id for story in table.stories for document_id in story.document_ids})
    topic = {document_id: row % 3 - 1 for row, document_id in enumerate(ids)}
    ends = [(story.document_ids[0], story.document_ids[-1]) for story in table.stories if story.made == "trail"]
    known = [pair for pair in ends if topic[pair[0]] >= 0 and topic[pair[1]] >= 0]
    assert np.nansum(np.array(of_topics.z, dtype=float)) == len(known)


def test_another_landscape_than_that_of_the_run_shows_no_pairs(database: Database) -> None:
    table = sample_table(6)
    keep_collection(database, table, landscape_id="a newer one")
    assert "coverage-map" not in figures_of(table, database=database)


@pytest.mark.usefixtures("no_browser")
class TestFolders:
    """What becomes of a folder that is there already."""

    @pytest.fixture(autouse=True)
    def kept(self, database: Database) -> None:
        keep_run(database, sample_table(4, design="mixtures"))

    def content(self, folder: Path) -> Mapping[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_a_folder_and_those_above_it_are_made(self, database: Database, tmp_path: Path) -> None:
        write_run(database, "run-1", str(tmp_path / "deep" / "run"))
        assert (tmp_path / "deep" / "run" / "report.html").is_file()
        assert [path.name for path in (tmp_path / "deep").iterdir()] == ["run"]

    def test_an_empty_folder_is_used(self, database: Database, tmp_path: Path) -> None:
        (tmp_path / "run").mkdir()
        write_run(database, "run-1", tmp_path / "run")
        assert (tmp_path / "run" / "report.html").is_file()

    def test_an_earlier_export_is_replaced_with_nothing_left_of_it(self, database: Database, tmp_path: Path) -> None:
        write_run(database, "run-1", tmp_path / "run")
        before = self.content(tmp_path / "run")
        (tmp_path / "run" / "figures" / "stale-judge-9.svg").write_text("<svg/>")
        (tmp_path / "run" / "run.json").write_text("{}")
        write_run(database, "run-1", tmp_path / "run")
        assert self.content(tmp_path / "run") == before

    @pytest.mark.parametrize("name", ["notes.txt", "tables/notes.txt", "figures/deep/means.svg", ".git/config"])
    def test_a_folder_with_other_content_is_refused(self, database: Database, tmp_path: Path, name: str) -> None:
        write_run(database, "run-1", tmp_path / "run")
        (tmp_path / "run" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "run" / name).write_text("mine")
        before = self.content(tmp_path / "run")
        with pytest.raises(InvalidInput, match="has other content"):
            write_run(database, "run-1", tmp_path / "run")
        assert self.content(tmp_path / "run") == before

    def test_a_file_in_the_place_of_the_folder_is_refused(self, database: Database, tmp_path: Path) -> None:
        (tmp_path / "run").write_text("mine")
        with pytest.raises(InvalidInput, match="is a file"):
            write_run(database, "run-1", tmp_path / "run")
        assert (tmp_path / "run").read_text() == "mine"

    def test_an_unknown_run_leaves_everything_as_it_was(self, database: Database, tmp_path: Path) -> None:
        write_run(database, "run-1", tmp_path / "run")
        before = self.content(tmp_path / "run")
        with pytest.raises(InvalidInput, match="There is no run"):
            write_run(database, "run-2", tmp_path / "run")
        assert self.content(tmp_path / "run") == before
        with pytest.raises(InvalidInput, match="There is no run"):
            run_zip(database, "run-2")

    def test_a_disk_that_fails_midway_leaves_the_earlier_export(
        self, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_run(database, "run-1", tmp_path / "run")
        before, rename = self.content(tmp_path / "run"), Path.rename

        def fails_to_place(self: Path, target: Path) -> Path:
            if self.name == "new":
                raise OSError(28, "No space left on device")
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", fails_to_place)
        with pytest.raises(OSError, match="No space"):
            write_run(database, "run-1", tmp_path / "run")
        assert self.content(tmp_path / "run") == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "store"]


@pytest.mark.browser
def test_with_a_browser_every_figure_is_a_picture_too(database: Database, tmp_path: Path) -> None:
    keep_run(database, sample_table(6, design="mixtures"))
    written = write_run(database, "run-1", tmp_path / "run")
    if written.reason == NO_BROWSER:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{written.reason}, and {REQUIRED} is set")
        pytest.skip(written.reason)
    assert written.reason == ""
    assert written.n_pictures == written.n_figures == 6
    for form in ("svg", "png", "json"):
        assert len(list((tmp_path / "run" / "figures").glob(f"*.{form}"))) == 6
    assert "as a picture (SVG, PNG)" in (tmp_path / "run" / "README.txt").read_text(encoding="utf-8")
    svg = (tmp_path / "run" / "figures" / "distribution-minimum.svg").read_text(encoding="utf-8")
    assert "weakest link, coherence</text>" in svg
