import pytest

from narrative_core.space.stops import detect_languages, stop_words
from narrative_core.space.tokens import is_stop

SAMPLES = {
    "en": "The shuttle lifted off from the Kennedy Space Center on Monday, and its crew will repair the telescope.",
    "es": "El transbordador despegó del centro espacial el lunes por la mañana y los astronautas que lleva son siete.",
    "fr": "La navette a décollé lundi matin du centre spatial avec sept astronautes à bord, qui sont dans la cabine.",
    "de": "Die Raumfähre startete am Montagmorgen mit sieben Astronauten an Bord, die das Teleskop reparieren werden.",
    "ru": "Шаттл стартовал утром с космодрома, на борту находятся семь астронавтов, они будут чинить телескоп.",
    "ar": "انطلق المكوك صباح يوم الاثنين من مركز الفضاء وعلى متنه سبعة رواد فضاء خلال الأيام العشرة المقبلة.",
    "zh": "航天飞机周一上午从肯尼迪航天中心起飞，机上载有七名宇航员，他们将在未来十天内修复望远镜。",
    "ja": "スペースシャトルは月曜日の朝、宇宙センターから打ち上げられた。乗組員は望遠鏡を修理する予定である。",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_the_language_of_a_text_is_recognised(language: str) -> None:
    assert detect_languages([SAMPLES[language]]) == (language,)


def test_a_second_language_needs_two_documents_and_a_twentieth_of_them() -> None:
    english, spanish = SAMPLES["en"], SAMPLES["es"]
    assert detect_languages([english] * 20 + [spanish] * 2) == ("en", "es")
    assert detect_languages([english] * 20 + [spanish]) == ("en",)
    assert detect_languages([english] * 60 + [spanish] * 2) == ("en",)


@pytest.mark.parametrize("texts", [[""], ["xqzv wrtk"], ["1969 12"]])
def test_a_text_without_known_words_has_no_language(texts: list[str]) -> None:
    assert detect_languages(texts) == ()
    assert stop_words(["ham"], texts=texts) == {"ham"}


def test_without_texts_the_language_is_english() -> None:
    assert {"the", "because", "don"} <= stop_words()
    assert "los" not in stop_words()


@pytest.mark.parametrize("word", ["war", "sept", "mission", "soviet", "fire", "bill", "state", "world", "won"])
def test_words_that_carry_news_are_not_stopped_in_english(word: str) -> None:
    assert word not in stop_words(texts=[SAMPLES["en"]])


@pytest.mark.parametrize(
    ("language", "stopped", "kept"),
    [
        ("es", "el", "luna"),
        ("fr", "dans", "lune"),
        ("de", "die", "mond"),
        ("ru", "они", "война"),
        ("ar", "من", "القمر"),
        ("zh", "他们", "中国"),
        ("zh", "国的", "本月"),
    ],
)
def test_each_language_stops_its_own_common_words(language: str, stopped: str, kept: str) -> None:
    stop = stop_words(texts=[SAMPLES[language]])
    assert is_stop(stopped, stop)
    assert not is_stop(kept, stop)


def test_the_users_words_are_cut_as_texts_are() -> None:
    stop = stop_words(["New York", "HOUSTON", "月", " "])
    assert {"york", "houston", "月"} <= stop
    assert is_stop("月球", stop)
    assert "" not in stop
