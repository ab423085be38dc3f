"""A console that shows control characters as text, whatever their source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from toolworld.visible import visible


class VisibleConsole(Console):
    """A console that writes control characters out, so that no terminal obeys them.

    Packages, servers and models are strangers: their texts come through here last, also those
    that nobody thought of. The console's own control codes, as of a progress bar, stay.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render, with all text made visible: before it is laid out, or else after."""
        if isinstance(renderable, Text) and visible(renderable.plain) != renderable.plain:
            plain = visible(renderable.plain)
            renderable = Text(plain, renderable.style, overflow="fold", end=renderable.end)
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)

    def render_str(self, text: str, **options: Any) -> Text:
        """Render a plain text; rich would drop some of its control characters unseen."""
        return super().render_str(visible(text), **options)
