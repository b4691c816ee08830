"""Words too common to tell a topic or a link: those of the collection's own languages and the user's.

The lists are those of the stopwordsiso package (MIT), less words that carry news. Only languages that the texts are
written in are used: the union of all lists would silence "war" (German "was") or "sept".
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from narrative_core.space.tokens import has_hiragana, is_bigram, tokenize

FALLBACK_LANGUAGE = "en"

CONTENT_WORDS = {
    "en": "bill caption computer fire free group help hell home invention man men member members microsoft mill "
    "million billion trillion net netscape order problem problems research ring shed shell state states system test "
    "web wed welcome won wonder world young",
    "es": "empleo estado estados pais país paises países trabajo valor",
    "fr": "bas état états",
    "de": "gott mensch menschen ordnung",
    "ru": "вода война голова голос город деньги дом дорога женщина жизнь жить земля книга мать машина мир мира москва "
    "народ отец правда ребенок россия русский свет сила советский страна суть",
}
"""Words of the published lists that are kept because stories are about them."""

CHINESE_PARTICLES = "的了是这那们吗呢她它说很但而或又已在于与"
"""Characters that make a pair meaningless; the list's other single characters also stand inside good words."""

_SIMPLIFIED = (
    "万与两个临为么于仅从们会体余借儿关内况几凭则别区单却后吓吗呕呗呜哗哟喽嘘处宁对将尔尽岂并开归当总愿据无旧时来极样"
    "犹独确离种称类纵经结给继罢虽见让许论设诚话该说请诸谁赖赶较边达过还这进连里鉴针问间随顺齐没现"
)
_TRADITIONAL = (
    "萬與兩個臨為麼於僅從們會體餘藉兒關內況幾憑則別區單卻後嚇嗎嘔唄嗚嘩喲嘍噓處寧對將爾盡豈並開歸當總願據無舊時來極樣"
    "猶獨確離種稱類縱經結給繼罷雖見讓許論設誠話該說請諸誰賴趕較邊達過還這進連裡鑑針問間隨順齊沒現"
)
_TO_TRADITIONAL = str.maketrans(_SIMPLIFIED, _TRADITIONAL)
"""The published Chinese list is written in simplified characters only."""

ADDED_WORDS = {
    "ar": "أمام المئة المائة مئة مائة ألف آلاف مليون ملايين اثنان اثنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع "
    "ثمانية ثماني تسعة تسع عشرة عشر عشرين ثلاثين أربعين ثلاثون أربعون",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez ciento cien mil miles millones",
    "ru": "два две три четыре пять шесть семь восемь девять десять сто процента процентов тысяч тысячи тысячам "
    "миллиона миллионов миллиард миллиарда миллиардов",
    "zh": "没有 我们 你们 他们 一个 一些 什么 怎么 可以 因为 所以 如果 已经 还是 以及 表示 认为 进行 开始 之后 "
    "之前 目前 其中 由于 对于 许多 现在 百分 分之 之一 第一 一天",
}
"""Words of the kind that the lists have and that are missing there; numbers written as words among them."""

MAIN_SHARE = 0.08
"""Smallest share of running tokens that must be stop words of a language before a text counts as written in it."""

LEAD = 0.1
"""How much more of a text another language must cover than the collection's main one."""

SAMPLE = 200
SAMPLE_CHARACTERS = 2000


def stop_words(extra: Iterable[str] = (), *, texts: Sequence[str] = ()) -> frozenset[str]:
    """Stop words as tokens: those of the languages of ``texts`` and the user's ``extra`` ones.

    Parameters
    ----------
    extra : iterable of str
        The user's words; a phrase stops each of its words, a single Chinese character every pair with it.
    texts : sequence of str
        The collection, or a sample; without any the language is English.

    Examples
    --------
    >>> stop = stop_words(["Houston"])
    >>> "the" in stop, "houston" in stop, "fire" in stop
    (True, True, False)
    """
    languages = detect_languages(texts) if texts else (FALLBACK_LANGUAGE,)
    users = {token for word in extra for token in (tokenize(word) or [word.strip().casefold()]) if token}
    return frozenset(users).union(*(_language_tokens(language) for language in languages))


def detect_languages(texts: Sequence[str]) -> tuple[str, ...]:
    """ISO 639-1 codes of the languages of ``texts``, the main one first.

    A language's score in a text is the share of running tokens that are its stop words. The main language has the
    highest total. Another one is added if it beats the main one by 10 points in two sampled texts
    or more and 5 % of them.

    Parameters
    ----------
    texts : sequence of str
        Up to 200 of them, evenly spaced, are read, 2,000 characters each.

    Returns
    -------
    tuple of str
        Empty where no language is recognised.

    Examples
    --------
    >>> detect_languages(["El cohete que llegó a la luna con los astronautas es el más grande de todos."])
    ('es',)
    """
    step = max(1, len(texts) // SAMPLE)
    scores = [_scores(text[:SAMPLE_CHARACTERS]) for text in texts[::step]]
    totals = Counter[str]()
    for score in scores:
        totals.update(score)
    if not totals:
        return ()
    main = min(totals, key=lambda language: (-totals[language], language))
    votes = Counter[str]()
    for score in scores:
        best = min(score, key=lambda language: (-score[language], language), default=main)
        if score and score[best] > score.get(main, 0.0) + LEAD:
            votes[best] += 1
    enough = max(2, 0.05 * len(scores))
    return (main, *(language for language, n in votes.most_common() if n >= enough))


def _scores(text: str) -> dict[str, float]:
    """Share of tokens covered by each language that covers at least `MAIN_SHARE`.

    Chinese pairs count for Japanese if the text has hiragana and for Chinese if not.
    """
    tokens = tokenize(text)
    if not tokens:
        return {}
    covered = Counter(language for token in tokens for language in _languages_of().get(token, ()))
    han = "ja" if has_hiragana(text) else "zh"
    covered[han] += sum(map(is_bigram, tokens))
    return {language: n / len(tokens) for language, n in covered.items() if n / len(tokens) >= MAIN_SHARE}


@lru_cache(maxsize=1)
def _languages_of() -> dict[str, tuple[str, ...]]:
    """For every stop word the languages that have it."""
    from stopwordsiso import langs

    languages: dict[str, tuple[str, ...]] = {}
    for language in sorted(langs()):
        for token in _language_tokens(language):
            languages[token] = (*languages.get(token, ()), language)
    return languages


@lru_cache(maxsize=128)
def _language_tokens(language: str) -> frozenset[str]:
    """The published stop words of a language, cut as texts are, less its content words."""
    from stopwordsiso import stopwords

    tokens = {
        token for word in (*stopwords(language), *ADDED_WORDS.get(language, "").split()) for token in _parts(word)
    }
    if language == "zh":
        tokens.update(CHINESE_PARTICLES)
        tokens.update([token.translate(_TO_TRADITIONAL) for token in tokens])
    return frozenset(tokens.difference(CONTENT_WORDS.get(language, "").split()))


def _parts(word: str) -> list[str]:
    """Tokens of a listed word; a longer Chinese word gives none, since its pairs may belong to good words."""
    tokens = tokenize(word)
    return [] if len(tokens) > 1 and is_bigram(tokens[0]) else tokens
