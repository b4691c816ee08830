"""The few colours of the reports: those of the figures on screen in their light form (a test compares them)."""

from typing import Final

TRAIL: Final = "#1f4e9c"
BASELINE: Final = "#c85a00"
INK: Final = "#1c2430"
QUIET: Final = "#5f6770"
RULE: Final = "#d3d8df"
PAPER: Final = "#ffffff"
GREY: Final = "#a4a9b0"
TOPICS: Final = (
    *("#2697d7", "#f7817a", "#ffb246", "#5ddcb1", "#882255"),
    *("#0f865e", "#9a5f9c", "#b89600", "#624b00", "#deb6ff"),
)
FONT_FAMILY: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"


def topic_colour(rank: int) -> str:
    """Return the colour of a topic by its rank in size; grey beyond the tenth and for no topic (-1)."""
    return TOPICS[rank] if 0 <= rank < len(TOPICS) else GREY
