"""Arabic, Chinese, Spanish, Russian and mixed news, from the file to the report."""

import contextlib
import datetime as dt
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from narrative_core import build_stages
from narrative_core.__main__ import main
from narrative_core.build_stages import Model
from narrative_core.curation import Annotations, Curation
from narrative_core.document_filters import Filter, find
from narrative_core.document_index import index_documents
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.holdings import hold, shelve
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.documents import build_documents
from narrative_core.pipeline import build, load
from narrative_core.records import Collection, SavedStory, TrailRequest
from narrative_core.space.tokens import is_stop
from narrative_core.store.collections import load_documents
from narrative_core.store.database import Database, open_database
from narrative_core.store.vectors import load_vectors
from narrative_core.story_files import PictureKind, PictureWish, story_files, story_picture, unsaved_story
from narrative_core.story_surroundings import surroundings
from tests.languages.news import LANGUAGES, by_subject, store, table
from tests.space.fake_endpoint import FakeEndpoint

ALL = (*LANGUAGES, "mixed")
SCRIPTS = {"ar": "ARABIC", "zh_hans": "CJK", "zh_hant": "CJK", "es": "LATIN", "ru": "CYRILLIC"}
FIRST_TWO_WORDS = {
    "ar": (
        {"السد", "نهر", "سيلين"},
        {"القمر", "أورورا"},
        {"المعلمين", "الإضراب"},
        {"كسرة", "الحمى"},
        {"بنك", "ميريديان"},
    ),
    "zh_hans": ({"河堤", "洪水"}, {"月球", "曙光三号"}, {"教师", "罢工"}, {"凯斯拉", "发热"}, {"子午银行", "储户"}),
    "zh_hant": ({"河堤", "洪水"}, {"月球", "曙光三號"}, {"教師", "罷工"}, {"凱斯拉", "病毒"}, {"子午銀行", "儲戶"}),
    "es": ({"dique", "Selen"}, {"Luna", "Aurora"}, {"maestros", "huelga"}, {"Kesra", "fiebre"}, {"Banco", "Meridiano"}),
    "ru": (
        {"дамбу", "Селен"},
        {"Луны", "Аврора"},
        {"учителей", "забастовки"},
        {"Кесры", "лихорадки"},
        {"банка", "Меридиан"},
    ),
}
ENDS = ("f1", "f8")


@dataclass(frozen=True, slots=True, eq=False)
class News:
    database: Database
    loaded: LoadedCollection
    language: str

    @property
    def ends(self) -> tuple[str, str]:
        own = "ar" if self.language == "mixed" else self.language
        return f"{own}-{ENDS[0]}", f"{own}-{ENDS[1]}"


@pytest.fixture(scope="module", params=ALL)
def news(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[News]:
    language = str(request.param)
    with contextlib.closing(open_database(tmp_path_factory.mktemp(language) / "news.duckdb")) as database:
        store(database, language)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(build_stages, "run_stage", by_subject(load_documents(database, language)))
            build(database, language)
        yield News(database, load(database, language), language)


def saved_story(news: News) -> SavedStory:
    pair = tell(news.loaded, TrailRequest(*news.ends))
    first = pair.trail.documents[0]
    return unsaved_story(
        pair,
        collection=news.language,
        landscape_id=news.loaded.landscape.landscape_id,
        annotations=Annotations({first.document_id: first.title}, {}, {}),
        note=first.title,
        now=dt.datetime(2026, 11, 30, tzinfo=dt.UTC),
    )


def script(word: str) -> str:
    return unicodedata.name(next(letter for letter in word if letter.isalpha())).split()[0]


def test_every_row_becomes_a_document_with_a_date_a_source_and_its_own_id(news: News) -> None:
    documents = load_documents(news.database, news.language)
    assert len(documents) == (240 if news.language == "mixed" else 40)
    assert all(one.date and one.date_precision == "day" and one.source and one.title and one.text for one in documents)
    days = {one.document_id.rsplit("-", 1)[1]: one.date for one in documents}
    assert days["s2"] == dt.date(2021, 7, 11)
    assert all(one.date == days[one.document_id.rsplit("-", 1)[1]] for one in documents)


def test_labels_are_words_of_the_subject_in_its_own_script(news: News) -> None:
    labels = [topic.label.split(" · ") for topic in news.loaded.landscape.topics]
    if news.language == "mixed":
        assert len({tuple(label) for label in labels}) == 5
        return
    for label, expected in zip(labels, FIRST_TWO_WORDS[news.language], strict=True):
        assert set(label[:2]) <= expected
        assert {script(word) for word in label} == {SCRIPTS[news.language]}


def test_no_word_of_a_topic_is_a_stop_word_or_a_number(news: News) -> None:
    for topic in news.loaded.landscape.topics:
        assert topic.words
        for word in topic.words:
            assert not is_stop(word.casefold(), news.loaded.stop)
            assert not any(letter.isdecimal() for letter in word)


def test_links_within_a_subject_name_what_both_reports_are_about(news: News) -> None:
    pair = tell(news.loaded, TrailRequest(*news.ends))
    assert pair.trail.documents[0].document_id == news.ends[0]
    assert pair.trail.documents[-1].document_id == news.ends[1]
    shared = [term for link in pair.trail.links for term in link.shared_terms]
    assert shared
    assert all(len(term) <= 40 for term in shared)
    if news.language != "mixed":
        assert {script(term) for term in shared} <= {SCRIPTS[news.language], "LATIN"}


QUERIES = {
    "ar": (("معلم", {"t1", "t3", "t4"}), ("السد", {"f2", "f5", "f8"}), ("اورورا", {"s1", "s2"}), ("المسبار", {"s3"})),
    "zh_hans": (("洪水", {"f2", "f3", "f8"}), ("子午银行", {"b1", "b8"}), ("堤", {"f5"}), ("疫苗 志愿者", {"h5"})),
    "zh_hant": (("洪水", {"f2", "f3", "f8"}), ("子午銀行", {"b1", "b8"}), ("堤", {"f5"}), ("疫苗 志願者", {"h5"})),
    "es": (
        ("huelgas", {"t1", "t2"}),
        ("medicos", {"h1", "h8"}),
        ('"casco antiguo"', {"f2", "f8"}),
        ("hospitales", {"h4"}),
    ),
    "ru": (("дамба", {"f1", "f5", "f7"}), ("учёный", {"s7"}), ("врач", {"h1", "h8"}), ("Аврора-3", {"s1", "s2"})),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_search_finds_other_forms_and_marks_them(language: str) -> None:
    read = table(language)
    documents = build_documents(read, detect_columns(read)).documents
    holdings = hold(shelve(Collection(language, language), index_documents(documents)), Curation())
    for query, wanted in QUERIES[language]:
        found = find(holdings, Filter(query=query), limit=40)
        assert {f"{language}-{event}" for event in wanted} <= set(holdings.ids(found.rows)), query
        assert not found.is_partial
        for hit in found.hits:
            document = holdings.documents[hit.row]
            marked = [document.title[a:b] for a, b in hit.title_spans]
            marked += [hit.snippet.text[a:b] for a, b in hit.snippet.spans]
            assert marked, (query, document.title)


def test_the_report_holds_every_headline_and_lets_it_choose_its_direction(news: News) -> None:
    saved = saved_story(news)
    around = surroundings(news.database, saved)
    report = {file.ending: file.make(saved, around) for file in story_files(around.verdicts)}
    page = report[".html"].decode()
    for document in saved.pair.trail.documents:
        assert document.title in page
        assert document.title in report[".md"].decode().replace("\\", "")
    assert 'dir="auto"' in page


@pytest.mark.parametrize("kind", ["map", "timeline"])
def test_pictures_name_topics_and_documents_in_their_own_script(news: News, kind: PictureKind) -> None:
    saved = saved_story(news)
    drawn = story_picture(saved, surroundings(news.database, saved), PictureWish(kind, 1200, 800, "svg"))
    texts = ["".join(node.itertext()) for node in ElementTree.fromstring(drawn).iter() if node.tag.endswith("text")]
    if kind == "map":
        expected = [topic.label.split(" · ")[0] for topic in news.loaded.landscape.topics]
    else:
        expected = [document.title[:8] for document in saved.pair.trail.documents[:1]]
    assert any(word in text for word in expected for text in texts)
    if SCRIPTS.get(news.language) == "ARABIC":
        arabic = [text for text in texts if any(unicodedata.bidirectional(letter) == "AL" for letter in text)]
        assert arabic
        assert all(text.startswith("\u2068") and text.endswith("\u2069") for text in arabic)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_line_finds_documents_in_each_language(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "news.duckdb"
    with contextlib.closing(open_database(path)) as database:
        store(database, language)
    query, wanted = QUERIES[language][0]
    assert main(["--db", str(path), "search", language, query]) == 0
    told = capsys.readouterr().out
    assert all(f"[{language}-{event}]" in told for event in wanted)
    assert main(["--db", str(path), "search", language, query, "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert {f"{language}-{event}" for event in wanted} <= {hit["document_id"] for hit in hits}


def test_a_multilingual_endpoint_is_kept_by_name_and_asked_for_each_text_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-person")
    with (
        contextlib.closing(open_database(tmp_path / "news.duckdb")) as database,
        contextlib.closing(FakeEndpoint()) as endpoint,
    ):
        model = Model("bge-m3", endpoint.url)
        store(database, "mixed")
        documents = load_documents(database, "mixed")
        monkeypatch.setattr(build_stages, "run_stage", by_subject(documents))
        build(database, "mixed", model=model)
        vectors = load_vectors(database, "mixed")
        assert vectors is not None
        assert (vectors.model, vectors.version) == ("bge-m3", endpoint.url.removeprefix("http://").removesuffix("/v1"))
        sent = [text for body in endpoint.bodies for text in body["input"]]
        assert sorted(sent) == sorted(f"{document.title}\n{document.text}" for document in documents)
        assert {body["model"] for body in endpoint.bodies} == {"bge-m3"}
        endpoint.bodies.clear()
        build(database, "mixed", model=model)
        assert endpoint.bodies == []
