"""A saved story as one offline HTML page, for a screen, a phone or paper."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory
from narrative_core.reports import palette
from narrative_core.reports.draws_svg import draws_svg
from narrative_core.reports.judge_sections import caveat_sentences, judge_sections
from narrative_core.reports.methods import format_moment, method_paragraphs, method_parameters
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_strength,
    plain_line,
    price_sentence,
    sources_sentence,
    weakest_link_sentence,
)
from narrative_core.reports.steps import story_steps
from narrative_core.reports.svg import checked_picture


def story_html(
    saved: SavedStory,
    *,
    map_svg: str = "",
    settings: Mapping[str, str] | None = None,
    verdicts: Sequence[Verdict] = (),
) -> str:
    """Return the story as one HTML file that needs no network, no script and no other file.

    Parameters
    ----------
    saved : SavedStory
    map_svg : str
        What `map_svg.map_svg` returns; without it the page has no map.
    settings : mapping, optional
        Further lines for the methods box that the story does not carry, name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one the page has no word of judges.

    Raises
    ------
    InvalidInput
        If ``map_svg`` is not a plain picture.
    """
    pair = saved.pair
    return _template().render(
        palette=palette,
        name=plain_line(saved.name) or "Untitled story",
        collection=plain_line(saved.collection),
        saved_at=format_moment(saved.created_at),
        note="\n".join(plain_line(line) for line in saved.note.strip().splitlines()),
        pair=pair,
        counts=counts_sentence(pair.trail),
        comparison=comparison_sentence(pair),
        remarks=[sentence for sentence in (price_sentence(pair), sources_sentence(pair.trail)) if sentence],
        weakest=weakest_link_sentence(pair.trail),
        baseline_weakest=weakest_link_sentence(pair.baseline),
        trail_steps=story_steps(pair.trail, median_link=pair.median_link),
        baseline_steps=story_steps(pair.baseline, median_link=pair.median_link),
        is_chance_the_same=pair.baseline.documents == pair.trail.documents,
        strength=format_strength,
        map=checked_picture(map_svg),
        draws=draws_svg(pair),
        judges=judge_sections(pair, verdicts),
        caveats=caveat_sentences(verdicts),
        paragraphs=method_paragraphs(saved, verdicts=verdicts),
        parameters=method_parameters(saved, settings=settings, verdicts=verdicts),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("story.html.j2")
