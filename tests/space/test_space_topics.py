import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.records import Topic
from narrative_core.space.stops import stop_words
from narrative_core.space.topics import label_topics

TWO_TOPICS = {
    "English": (
        [
            "The Apollo rocket flew to the Moon.",
            "Apollo astronauts walked on the Moon.",
            "A rocket for the Moon: Apollo.",
        ],
        ["The senate passed the budget.", "Taxes and the budget divide the senate.", "The senate debates taxes."],
        ("Moon", "Apollo", "rocket"),
        ("senate", "budget", "taxes"),
    ),
    "Spanish": (
        ["El cohete llegó a la Luna.", "Los astronautas del cohete en la Luna.", "La Luna y los astronautas."],
        ["El senado aprobó los impuestos.", "Los impuestos dividen al senado.", "El presupuesto del senado."],
        ("Luna", "cohete", "astronautas"),
        ("senado", "impuestos"),
    ),
    "Russian": (
        ["Ракета полетела на Луну.", "Космонавт и ракета на орбите.", "Космонавт вышел на орбите."],
        ["Парламент принял бюджет.", "Налог и бюджет обсуждает парламент.", "Парламент и налог."],
        ("ракета", "космонавт", "орбите"),
        ("парламент", "бюджет", "налог"),
    ),
    "Arabic": (
        ["هبط رواد الفضاء على القمر", "صاروخ إلى القمر مع رواد الفضاء", "صاروخ جديد نحو القمر"],
        ["أقر البرلمان الميزانية", "البرلمان يناقش الضرائب", "الضرائب في الميزانية أمام البرلمان"],
        ("القمر", "صاروخ", "الفضاء", "رواد"),
        ("البرلمان", "الضرائب", "الميزانية"),
    ),
    "Chinese": (
        ["航天飞机从肯尼迪起飞。", "宇航员乘坐航天飞机。", "航天飞机上的宇航员。"],
        ["议会通过了预算。", "议会讨论税收和预算。", "税收问题在议会引起争论。"],
        ("航天飞机", "宇航员"),
        ("议会", "预算", "税收"),
    ),
}


def label(texts: list[str], topics: list[int], outliers: list[int] | None = None) -> tuple[Topic, ...]:
    is_outlier = np.isin(np.arange(len(texts)), outliers or [])
    return label_topics(texts, np.array(topics, dtype=np.int64), is_outlier, stop=stop_words(texts=texts))


@pytest.mark.parametrize("language", TWO_TOPICS)
def test_labels_say_what_the_topics_are_about_in_their_own_language(language: str) -> None:
    left, right, left_words, right_words = TWO_TOPICS[language]
    first, second = label([*left, *right], [0, 0, 0, 1, 1, 1])
    assert {word.casefold() for word in first.label.split(" · ")[:2]} <= {word.casefold() for word in left_words}
    assert set(second.label.split(" · ")[:2]) <= {*right_words, *(word.capitalize() for word in right_words)}
    assert first.label.split(" · ")[0] in first.words


def test_weights_are_those_of_class_based_tf_idf() -> None:
    # Uses: topic 0 has sea 4, red 3; topic 1 has sea 6, sky 3; A = 8.
    # Topic 0: sea 4 ln(1 + 8/10) = 2.35 < red 3 ln(1 + 8/3) = 3.90. Topic 1: sea 6 ln(1 + 8/10) = 3.53 < sky 3.90.
    topics = label_topics(
        ["red sea red", "sea red sea sea", "sea sky sea sky", "sea sea sea sea sky"],
        np.array([0, 0, 1, 1]),
        np.zeros(4, dtype=bool),
        stop=(),
    )
    assert [topic.words for topic in topics] == [("red", "sea"), ("sky", "sea")]


def test_outliers_count_in_the_size_but_give_no_words() -> None:
    (topic,) = label(["moon rocket", "rocket moon", "banana banana banana"], [0, 0, 0], outliers=[2])
    assert topic.size == 3
    assert "banana" not in topic.words


def test_a_topic_of_outliers_alone_takes_their_words() -> None:
    (topic,) = label(["moon rocket", "rocket moon"], [0, 0], outliers=[0, 1])
    assert set(topic.words) == {"moon", "rocket"}


def test_a_word_of_one_document_gives_way_to_words_of_several() -> None:
    (topic,) = label(["zebra zebra zebra zebra moon rocket orbit", "moon rocket orbit"], [0, 0])
    assert set(topic.label.split(" · ")) == {"moon", "rocket", "orbit"}
    assert topic.words[-1] == "zebra"


def test_no_two_words_of_a_label_are_inflections_of_each_other() -> None:
    (topic,) = label(["rocket rockets launch launched moon orbit", "rocket rockets launched launch orbit moon"], [0, 0])
    assert len(topic.label.split(" · ")) == 3
    stems = {word[:4] for word in topic.words}
    assert stems == {"rock", "laun", "moon", "orbi"}
    assert len(topic.words) == 4


def test_no_two_topics_have_the_same_label() -> None:
    texts = ["moon rocket orbit crater", "moon rocket orbit dust", "moon rocket orbit", "moon rocket orbit"]
    topics = label(texts, [0, 1, 2, 3])
    assert len({topic.label for topic in topics}) == 4


def test_a_topic_without_words_is_numbered() -> None:
    first, second = label(["the of and", "1969"], [0, 1])
    assert (first.label, first.words) == ("Topic 1", ())
    assert second.label == "Topic 2"


def test_topics_have_at_most_ten_words() -> None:
    (topic,) = label(["alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima"] * 2, [0, 0])
    assert len(topic.words) == 10


def test_the_users_stop_words_are_in_no_label() -> None:
    texts = ["moon rocket Houston", "moon rocket Houston"]
    (topic,) = label_topics(texts, np.array([0, 0]), np.zeros(2, dtype=bool), stop=stop_words(["houston"]))
    assert set(topic.words) == {"moon", "rocket"}


@pytest.mark.parametrize(("texts", "topics"), [([], []), (["moon", "sea"], [-1, -1])])
def test_where_there_is_no_topic_there_is_no_label(texts: list[str], topics: list[int]) -> None:
    assert label(texts, topics) == ()


def test_lengths_must_agree() -> None:
    with pytest.raises(InvalidInput, match="got 1, 2 and 1"):
        label_topics(["moon"], np.array([0, 0]), np.zeros(1, dtype=bool), stop=())
