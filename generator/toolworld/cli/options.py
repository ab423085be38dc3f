"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _has_folder(path: Path | None) -> Path | None:
    """Refuse a file whose folder is not there, before any work is done for it."""
    if path is not None and not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"The folder {path.absolute().parent} does not exist.")
    return path


ReportFile = Annotated[
    Path | None,
    typer.Option("--json", help="Also write the report here.", callback=_has_folder),
]


def _bundled_names(begun: str) -> list[str]:
    """Return the names of bundled domains that begin so, for a shell to complete."""
    from toolworld import bundled

    return [name for name in bundled.domains() if name.startswith(begun)]


Domain = Annotated[
    str,
    typer.Argument(
        help="A bundled domain's name, or a domain folder.", autocompletion=_bundled_names
    ),
]
Model = Annotated[
    str,
    typer.Option(
        help="anthropic:NAME, openai:NAME, files:FOLDER, replay:FILE, or a name at --base-url."
    ),
]
BaseUrl = Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint, for --model.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Stop after so many.")]
MaxCost = Annotated[float | None, typer.Option(min=0, help="Stop after so many $.")]
Parallel = Annotated[int, typer.Option(min=1, help="Prompts that are open at once.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
