from narrative_core.figures.run_distributions import coherence_distribution
from tests.run_samples import sample_table, story, table_of


def test_every_story_is_in_one_bar_of_its_row() -> None:
    table = sample_table(40)
    trail, baseline = coherence_distribution(table).data
    assert (sum(trail.y), sum(baseline.y)) == (40, 40)
    assert (trail.name, baseline.name) == ("trail", "random chronology")
    weakest = table.metric("minimum")[table.rows("trail")]
    for (low, high, made), n in zip(trail.customdata, trail.y, strict=True):
        assert made == "trail"
        assert n == ((weakest >= low) & (weakest < high)).sum()


def test_weakest_and_mean_link_are_named_and_differ() -> None:
    table = table_of([story(0, "trail", (0.4, 0.8))], [])
    weakest, mean = coherence_distribution(table), coherence_distribution(table, "average")
    assert weakest.layout.xaxis.title.text == "weakest link, coherence"
    assert mean.layout.xaxis.title.text == "mean link, coherence"
    assert ["mean 0.40" in weakest.layout.annotations[0].text, "mean 0.60" in mean.layout.annotations[0].text] == [
        True,
        True,
    ]


def test_every_way_of_making_stories_has_a_row() -> None:
    assert len(coherence_distribution(sample_table(10, design="sanity")).data) == 6


def test_n_is_said_and_a_run_without_stories_says_so() -> None:
    assert coherence_distribution(sample_table(10)).layout.title.text == "n = 20 stories"
    assert coherence_distribution(table_of([], [])).layout.annotations[0].text == "This run has no story yet."
