"""A saved story as one offline HTML page, for a screen, a phone or paper."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from narrative_core.judgements import Verdict
from narrative_core.records import SavedStory
from narrative_core.reports import palette
from narrative_core.reports.draws_svg import draws_svg
from narrative_core.reports.judge_sections import caveat_sentences, judge_sections
from narrative_core.reports.methods import method_paragraphs, method_parameters
from narrative_core.reports.profile_svg import profile_svg
from narrative_core.reports.sentences import (
    comparison_sentence,
    counts_sentence,
    format_strength,
    plain_line,
)
from narrative_core.reports.steps import plain_lines, story_steps
from narrative_core.reports.story_head import origin_parts, remark_sentences
from narrative_core.reports.svg import checked_picture
from narrative_core.reports.timeline_svg import timeline_svg
from narrative_core.reports.wish_lines import NO_NAMES, Names, told_wishes

TIMELINE_WIDTH: Final = 1040.0
TIMELINE_HEIGHT: Final = 480.0


def story_html(
    saved: SavedStory,
    *,
    map_svg: str = "",
    density: Sequence[dt.date] = (),
    settings: Mapping[str, str] | None = None,
    verdicts: Sequence[Verdict] = (),
    warnings: Sequence[str] = (),
    names: Names = NO_NAMES,
) -> str:
    """Return the story as one HTML file that needs no network, no script and no other file.

    Parameters
    ----------
    saved : SavedStory
    map_svg : str
        What `map_svg.map_svg` returns; without it the page has no map.
    density : sequence of date
        Dates of the documents of the collection, for the timeline.
    settings : mapping, optional
        Further lines for the methods box that the story does not carry, name to value.
    verdicts : sequence of Verdict
        What judges say of both stories; without one the page has no word of judges.
    warnings : sequence of str
        What an editor should look at, in sentences.
    names : Names
        Titles of the collection and of documents, and labels of topics.

    Raises
    ------
    InvalidInput
        If ``map_svg`` is not a plain picture.
    """
    pair = saved.pair
    told = partial(story_steps, median_link=pair.median_link, annotations=saved.annotations)
    return _template().render(
        palette=palette,
        name=plain_line(saved.name) or "Untitled story",
        origin=origin_parts(saved, names),
        note=plain_lines(saved.note),
        pair=pair,
        counts=counts_sentence(pair.trail),
        comparison=comparison_sentence(pair),
        wishes=told_wishes(pair, names),
        warnings=[plain_line(warning) for warning in warnings],
        remarks=remark_sentences(pair, has_warnings=bool(warnings)),
        trail_steps=told(pair.trail),
        baseline_steps=told(pair.baseline),
        is_chance_the_same=pair.baseline.documents == pair.trail.documents,
        strength=format_strength,
        timeline=timeline_svg(pair, density=density, width=TIMELINE_WIDTH, height=TIMELINE_HEIGHT),
        has_partial_dates=any(one.date_precision in ("month", "year") for one in pair.trail.documents),
        profile=profile_svg(pair) if len(pair.trail.links) > 1 else "",
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
