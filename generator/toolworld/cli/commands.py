"""The command itself: its subcommands, and what becomes of their errors."""

from __future__ import annotations

from errno import ENAMETOOLONG
from importlib.metadata import version
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from toolworld.cli.output import FAILED, err, out
from toolworld.errors import SpecError, ToolworldError
from toolworld.visible import visible


class Commands(TyperGroup):
    """Runs a subcommand and turns its errors into exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run; a known error is one message and 1."""
        try:
            return super().invoke(ctx)
        except SpecError as error:
            err.print(f"{escape(str(error))}\n[red]{len(error.problems)} problems[/]")
            raise typer.Exit(FAILED) from error
        except ToolworldError as error:
            err.print(f"[red]error:[/] {escape(visible(str(error)))}")
            raise typer.Exit(FAILED) from error
        except OSError as error:
            if error.errno != ENAMETOOLONG:
                raise
            err.print("[red]error:[/] A path is too long for this system; give a shorter one.")
            raise typer.Exit(FAILED) from error


def _show_version(wanted: bool) -> None:
    if wanted:
        out.print(version("toolworld"))
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Turn a domain spec into a standalone MCP server package, and replay tasks on it."""
