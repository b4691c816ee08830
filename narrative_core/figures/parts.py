"""What a figure is put together from, in one go: plotly checks the whole layout again at every single addition."""

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go


@dataclass(slots=True)
class Parts:
    """Traces, options of the layout, notes and shapes, in plotly's own terms."""

    layout: dict[str, Any]
    traces: list[Any] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[dict[str, Any]] = field(default_factory=list)

    def figure(self) -> go.Figure:
        """Return the figure."""
        return go.Figure(self.traces, self.layout | {"annotations": self.notes, "shapes": self.shapes})
