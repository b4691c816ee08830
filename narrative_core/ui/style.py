"""The few rules of style that the theme has no word for. Colours come from the figures' palette."""

from narrative_core.figures.theme import Mode, background, baseline_colour, hairline, ink, quiet, trail_colour

PHONE = "@media (max-width: 640px)"


def page_css(mode: Mode) -> str:
    """Return the style sheet of all pages."""
    page, trail, chance, line, soft, text = (
        background(mode),
        trail_colour(mode),
        baseline_colour(mode),
        hairline(mode),
        quiet(mode),
        ink(mode),
    )
    return f"""<style>
:root {{ --page: {page}; --trail: {trail}; --chance: {chance}; --line: {line}; --soft: {soft}; --ink: {text}; }}
[data-testid="stMainBlockContainer"] {{ padding: 4.6rem 1.6rem 3rem; max-width: 1680px; }}
[data-testid="stMainBlockContainer"] h1 {{ font-size: 1.45rem; padding: 0 0 .5rem; }}
[data-testid="stMainBlockContainer"] h2 {{ font-size: 1.15rem; padding: .2rem 0; }}
[data-testid="stMainBlockContainer"] h3 {{ font-size: 1rem; padding: .2rem 0; }}
.tl-quiet {{ color: var(--soft); font-size: .84rem; line-height: 1.4; }}
.tl-date {{ color: var(--soft); font-size: .78rem; line-height: 1.3; letter-spacing: .01em; }}
.tl-date b {{ display: inline-block; min-width: 1.25rem; padding: 0 .3rem; margin-right: .35rem; border-radius: 999px;
  background: var(--ink); color: var(--page); text-align: center; font-size: .74rem; }}
.tl-verdict {{ font-size: 1.02rem; font-weight: 650; line-height: 1.3; }}
.tl-warnings {{ font-size: .84rem; line-height: 1.4; }}
.tl-warnings summary {{ cursor: pointer; font-weight: 600; }}
.tl-warnings ul {{ margin: .2rem 0 .3rem; padding-left: 1.2rem; }}
.tl-note {{ display: block; font-size: .84rem; line-height: 1.4; color: var(--ink); font-style: italic;
  overflow-wrap: anywhere; }}
.tl-edited {{ font-size: .82rem; font-weight: 650; color: var(--trail); }}
[class*="st-key-tools-"] button {{ min-height: 0; padding: 0 .5rem; }}
[class*="st-key-avoid-"] button p {{ text-align: left; }}
@media (min-width: 641px) {{ [data-testid="stLayoutWrapper"]:has(> .st-key-story-actions) {{ position: sticky;
  top: 3.6rem; z-index: 5; background: var(--page); padding: .2rem 0; }} }}
.st-key-hand-switch button {{ min-height: 0; padding: 0; }}
.tl-head {{ display: flex; align-items: baseline; gap: .45rem; flex-wrap: wrap; }}
.tl-head .kind {{ font-weight: 700; letter-spacing: .04em; font-size: .82rem; text-transform: uppercase; }}
.tl-trail .kind, .tl-trail .mark {{ color: var(--trail); }}
.tl-chance .kind, .tl-chance .mark {{ color: var(--chance); }}
[class*="st-key-story-"] [data-testid="stVerticalBlock"] {{ gap: .1rem; }}
[class*="st-key-step-"] button, [class*="st-key-link-"] button {{ text-align: left; justify-content: flex-start;
  min-height: 0; padding: .05rem 0; border: 0; }}
[class*="st-key-step-"] button p {{ font-size: .98rem; font-weight: 600; line-height: 1.28; color: var(--ink);
  white-space: normal; text-align: left; }}
[class*="st-key-step-"] button:hover p {{ color: var(--trail); text-decoration: underline; }}
[class*="st-key-link-trail-"], [class*="st-key-link-baseline-"] {{ margin-left: .35rem; padding-left: .8rem; }}
[class*="st-key-link-trail"] {{ border-left: 3px solid var(--trail); }}
[class*="st-key-link-baseline"] {{ border-left: 2px dashed var(--chance); }}
[class*="st-key-link-"] button p {{ font-size: .82rem; color: var(--soft); white-space: normal; text-align: left; }}
[class*="st-key-link-"] button:hover p {{ color: var(--ink); }}
.st-key-chance-verdict button {{ min-height: 0; padding: 0 .35rem; }}
.tl-bar {{ height: 4px; border-radius: 2px; background: var(--line); max-width: 15rem; overflow: hidden; }}
.tl-bar i {{ display: block; height: 100%; border-radius: 2px; }}
.tl-trail.tl-bar i {{ background: var(--trail); }}
.tl-chance.tl-bar i {{ background: repeating-linear-gradient(90deg, var(--chance) 0 6px, transparent 6px 9px); }}
.st-key-map-topics {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .1rem .6rem;
  max-height: 22rem; overflow-y: auto; }}
.st-key-map-topics button {{ min-height: 0; padding: .1rem .35rem; text-align: left; width: 100%;
  justify-content: flex-start; }}
.st-key-map-topics button p {{ font-size: .86rem; line-height: 1.35; text-align: left; white-space: normal; }}
.st-key-map-topics button p::before {{ content: "⬤"; font-size: .7rem; margin-right: .35rem; }}
.st-key-map-topics .stMarkdownColoredText {{ color: var(--soft) !important; }}
.st-key-colour-by {{ max-width: 19rem; }}
.tl-legend {{ display: flex; flex-wrap: wrap; gap: .15rem .9rem; font-size: .84rem; line-height: 1.4; }}
.tl-legend i {{ display: inline-block; width: .72rem; height: .72rem; border-radius: 50%; margin-right: .2rem; }}
.tl-legend small {{ color: var(--soft); font-size: inherit; font-variant-numeric: tabular-nums; }}
.tl-text {{ font-size: .96rem; line-height: 1.55; white-space: pre-line; overflow-wrap: anywhere; }}
[class*="st-key-said-"] summary p {{ display: grid; grid-template-columns: minmax(13rem, 19rem) 16.5rem 16.5rem 1fr;
  gap: .1rem 1rem; align-items: baseline; }}
[class*="st-key-said-"] summary {{ opacity: 1; }}
[class*="st-key-said-in-run-"] summary p {{ grid-template-columns: minmax(13rem, 19rem) 18.5rem 18.5rem 1fr; }}
[class*="st-key-said-"] summary .stMarkdownColoredText:nth-of-type(1) {{ color: var(--trail) !important; }}
[class*="st-key-said-"] summary .stMarkdownColoredText:nth-of-type(2) {{ color: var(--chance) !important; }}
[class*="st-key-said-"] summary .stMarkdownColoredText:nth-of-type(3) {{ color: var(--soft) !important; }}
.st-key-judge-scores {{ max-width: 58rem; }}
.tl-score {{ font-size: 1.5rem; font-weight: 650; line-height: 1.2; }}
.tl-said {{ font-size: .92rem; line-height: 1.45; white-space: pre-line; overflow-wrap: anywhere; max-width: 46rem; }}
.tl-criterion {{ display: grid; grid-template-columns: 11rem minmax(4rem, 15rem) 2.4rem; gap: .6rem;
  align-items: center; font-size: .86rem; line-height: 1.5; }}
.tl-criterion:not(:first-child) {{ margin-top: .3rem; }}
.tl-criterion b {{ text-align: right; font-variant-numeric: tabular-nums; }}
.tl-agent {{ margin: 0 0 .7rem; font-size: .86rem; }}
.tl-link {{ display: grid; grid-template-columns: 3rem 1fr 6.5rem; gap: .5rem; font-size: .84rem; line-height: 1.4;
  margin: 0 0 .3rem; overflow-wrap: anywhere; }}
.tl-link b, .tl-link > span:first-child {{ text-align: right; font-variant-numeric: tabular-nums; }}
.tl-table {{ overflow-x: auto; max-width: 100%; padding-top: .5rem; }}
.tl-table table {{ border-collapse: collapse; border-top: 1.5px solid var(--ink); border-bottom: 1.5px solid var(--ink);
  font-size: .86rem; line-height: 1.35; font-variant-numeric: tabular-nums; width: auto; margin: 0; }}
.tl-table th, .tl-table td {{ border: 0; padding: .22rem .75rem .22rem 0; vertical-align: baseline;
  white-space: nowrap; }}
.tl-table thead th {{ border-bottom: 1px solid var(--ink); font-weight: 600; white-space: normal;
  vertical-align: bottom; min-width: 3.2rem; cursor: help; }}
.tl-table tbody th {{ font-weight: 400; text-align: left; white-space: normal; min-width: 9rem; max-width: 20rem; }}
.tl-table .number {{ text-align: right; padding-left: .75rem; padding-right: 0; }}
.tl-table .word {{ text-align: left; }}
.tl-table .word:not(:first-child) {{ padding-left: .75rem; }}
.tl-table .study {{ color: var(--soft); font-weight: 400; }}
.tl-table thead th.study {{ white-space: nowrap; }}
.tl-table tr > th:first-child {{ position: sticky; left: 0; background: var(--page); }}
[data-testid="stElementContainer"]:has(.stCacheSpinner),
.stCacheSpinner {{ background: var(--page); width: 100% !important; }}
.tl-table + .tl-remark {{ padding-top: .3rem; }}
.tl-remark {{ max-width: 60rem; }}
[class*="st-key-files-"] button {{ min-height: 0; padding: 0; }}
[class*="st-key-files-"] button p {{ font-size: .82rem; color: var(--soft); }}
[class*="st-key-files-"] button:hover p {{ color: var(--ink); }}
.tl-figure-title {{ font-weight: 600; font-size: .95rem; }}
.tl-method {{ max-width: 46rem; line-height: 1.5; margin: 0 0 .7rem; overflow-wrap: anywhere; }}
.tl-setting {{ display: grid; grid-template-columns: 13rem 1fr; gap: .2rem 1rem; font-size: .86rem; line-height: 1.5;
  overflow-wrap: anywhere; }}
.tl-setting > span:first-child {{ color: var(--soft); }}
.st-key-results-contents [role="radiogroup"] {{ gap: 0; }}
.st-key-results-contents [data-testid="stRadioOption"] > div > div:first-child {{ display: none; }}
.st-key-results-contents label[data-focus-visible] {{ outline: 2px solid var(--trail); }}
.st-key-results-contents [role="radiogroup"] label {{ padding: .22rem .6rem; margin: 0;
  border-left: 2px solid var(--line); }}
.st-key-results-contents [role="radiogroup"] label:has(input:checked) {{ border-left-color: var(--trail); }}
.st-key-results-contents [role="radiogroup"] label:has(input:checked) p {{ font-weight: 650; }}
[class*="st-key-story-of-list-"] button {{ text-align: left; justify-content: flex-start; min-height: 0; padding: 0; }}
[class*="st-key-story-of-list-"] button p {{ white-space: normal; text-align: left; font-weight: 600;
  line-height: 1.3; }}
.tl-of-list {{ margin: -.55rem 0 .1rem; }}
.tl-pair-story {{ margin-top: .4rem; }}
.tl-pair-story .tl-title {{ font-size: .98rem; font-weight: 600; line-height: 1.28; overflow-wrap: anywhere; }}
.tl-pair-story summary {{ cursor: pointer; list-style: none; }}
.tl-pair-story summary:hover .tl-title {{ color: var(--trail); }}
.tl-between {{ margin: .1rem 0 .1rem .35rem; padding: .15rem 0 .15rem .8rem; }}
.tl-between.tl-trail {{ border-left: 3px solid var(--trail); }}
.tl-between.tl-chance {{ border-left: 2px dashed var(--chance); }}
.st-key-sql-text textarea {{ font-family: ui-monospace, monospace; font-size: .84rem; line-height: 1.45; }}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-phone-only"]) {{ display: none; }}
mark, .tl-text mark {{ background: color-mix(in srgb, var(--trail) 22%, transparent); color: inherit; padding: 0 .08em;
  border-radius: 2px; }}
[class*="st-key-hit-"] {{ padding: .45rem .3rem .4rem .5rem; border-bottom: 1px solid var(--line);
  border-left: 3px solid transparent; }}
[class*="st-key-hit-open-"] {{ border-left-color: var(--trail); }}
[class*="st-key-hit-"] .tl-date {{ padding-top: .34rem; }}
[class*="st-key-copy-"] .stButton button > div {{ justify-content: flex-start; width: 100%; text-align: left; }}
[class*="st-key-told-"] button, [class*="st-key-copy-"] button {{ min-height: 0; padding: 0; text-align: left;
  justify-content: flex-start; }}
[class*="st-key-told-"] button p {{ font-weight: 600; line-height: 1.3; color: var(--ink); white-space: normal;
  text-align: start; unicode-bidi: plaintext; }}
[class*="st-key-told-"] button:hover p {{ color: var(--trail); }}
[class*="st-key-told-"] [data-testid="stElementContainer"], [class*="st-key-told-"] .stButton,
[class*="st-key-told-"] button, [class*="st-key-told-"] button :not(p *) {{ width: 100% !important; }}
[data-testid="stMain"] button p, [data-testid="stMain"] textarea, [data-testid="stMain"] input {{
  unicode-bidi: plaintext; }}
.tl-snippet {{ font-size: .86rem; line-height: 1.42; overflow-wrap: anywhere; max-width: 46rem; }}
.tl-meta {{ font-size: .8rem; }}
.tl-meta > span:has(.tl-phone) {{ display: none; }}
.tl-meta > span:not(:last-child)::after {{ content: " · "; white-space: pre; }}
.tl-facet {{ font-weight: 600; font-size: .84rem; }}
[class*="st-key-facets-"] label p {{ font-size: .84rem; line-height: 1.3; }}
.tl-selected {{ font-weight: 650; }}
.tl-under-chart {{ font-size: .78rem; margin-top: -1.6rem; }}
[class*="st-key-told-"] .stMarkdownColoredBackground {{ background: color-mix(in srgb, var(--trail) 22%, transparent)
  !important; color: inherit !important; padding: 0 .08em !important; margin: 0 !important; border-radius: 2px; }}
.tl-extras {{ margin: .2rem 0; }}
.st-key-selection-bar {{ position: sticky; top: 3.6rem; z-index: 5; background: var(--page);
  border: 1px solid var(--trail); border-radius: .5rem; padding: .3rem .7rem; }}
[data-testid="stColumn"]:has(.st-key-documents-side) {{ position: sticky; top: 4rem; align-self: flex-start;
  max-height: calc(100vh - 5rem); overflow-y: auto; }}
[class*="st-key-topic-row-"] summary p {{ display: grid; align-items: baseline; gap: .1rem .7rem;
  grid-template-columns: .8rem 1.5rem minmax(9rem, 1.2fr) minmax(8rem, 1fr) 15rem; }}
[class*="st-key-topic-row-"] summary p::before {{ content: "⬤"; font-size: .7rem; }}
[class*="st-key-topic-row-"] summary p > :nth-child(1) {{ text-align: right; font-variant-numeric: tabular-nums; }}
[class*="st-key-topic-row-"] summary .stMarkdownColoredText {{ color: var(--soft) !important; font-size: .84rem; }}
[class*="st-key-topic-row-"] summary {{ padding-top: .35rem; padding-bottom: .35rem; min-height: 0; }}
.tl-of-topic {{ font-size: .92rem; line-height: 1.4; overflow-wrap: anywhere; margin: .15rem 0; }}
{PHONE} {{
  .st-key-map-topics button {{ min-height: 2.1rem; }}
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-wide-only"]) {{ display: none; }}
  [class*="st-key-tools-"] button {{ min-height: 2.4rem; min-width: 2.8rem; }}
  [class*="st-key-topic-row-"] summary p {{ grid-template-columns: .8rem 1.5rem 1fr; }}
  [class*="st-key-topic-row-"] summary p > :nth-child(n+3) {{ grid-column: 3; }}
  .st-key-facets-folded {{ display: none; }}
  [data-testid="stColumn"]:has(.st-key-documents-side) {{ position: static; max-height: none; }}
  .st-key-documents-side .st-key-reading {{ position: fixed; left: 0; right: 0; bottom: 0; max-height: 68vh;
    overflow-y: auto; z-index: 1000; background: var(--page); border-radius: .8rem .8rem 0 0;
    box-shadow: 0 -4px 24px rgba(0, 0, 0, .25); }}
  .tl-open-hint {{ display: none; }}
  [class*="st-key-copy-"] {{ flex-wrap: wrap !important; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }}
  .tl-meta > span:has(.tl-phone) {{ display: inline; }}
  [class*="st-key-hit-"] > [data-testid="stElementContainer"]:has(.tl-date) {{ display: none; }}
  .st-key-documents-search [data-testid="stHorizontalBlock"] {{ flex-flow: row wrap; gap: .5rem; }}
  .st-key-documents-search [data-testid="stColumn"] {{ flex: 1 1 40%; min-width: 40%; }}
  .st-key-documents-search [data-testid="stColumn"]:first-child {{ flex: 1 1 100%; }}
  [data-testid="stMainBlockContainer"] {{ padding: 4.2rem .8rem 2rem; }}
  .st-key-explore-main > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"],
  .st-key-explore-main > [data-testid="stHorizontalBlock"] {{ flex-direction: column-reverse; }}
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-phone-only"]) {{ display: flex; }}
  [class*="st-key-said-"] summary p, [class*="st-key-said-in-run-"] summary p {{ grid-template-columns: 1fr; }}
  .tl-criterion {{ grid-template-columns: 1fr 6rem 2.4rem; }}
  .tl-link {{ grid-template-columns: 2.6rem 1fr; row-gap: 0; }}
  .tl-link > span:last-child {{ grid-column: 2; }}
  .tl-link.tl-quiet > span:last-child {{ display: none; }}
  .st-key-ask-modes [role="toolbar"], .st-key-prompt-about [role="radiogroup"] {{ flex-wrap: wrap; }}
  .st-key-chance-folded {{ display: none; }}
  .st-key-picker [data-testid="stHorizontalBlock"] {{ flex-flow: row wrap; }}
  .st-key-picker [data-testid="stColumn"]:nth-child(odd) {{ flex: 1 1 100%; min-width: 100%; }}
  .st-key-picker [data-testid="stColumn"]:nth-child(2) {{ order: 3; flex: 1 1 20%; min-width: 20%; }}
  .st-key-picker [data-testid="stColumn"]:nth-child(4) {{ order: 4; flex: 1 1 60%; min-width: 60%; }}
  .st-key-results-contents [role="radiogroup"] {{ flex-flow: row nowrap; overflow-x: auto; position: relative; }}
  .st-key-results-contents [role="radiogroup"] > div {{ flex: none; }}
  .st-key-results-contents [role="radiogroup"] label {{ border-left: 0; border-bottom: 2px solid var(--line);
    white-space: nowrap; }}
  .st-key-results-contents [role="radiogroup"] label:has(input:checked) {{ border-bottom-color: var(--trail); }}
  .tl-table tbody th {{ min-width: 6.5rem; max-width: 8.5rem; }}
  .tl-told td {{ white-space: normal; }}
  .tl-setting {{ grid-template-columns: 1fr; }}
}}
</style>"""
