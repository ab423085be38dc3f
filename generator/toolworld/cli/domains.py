"""Commands for domain folders, and the packages built of them."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from toolworld.cli.commands import app
from toolworld.cli.options import AsJson, Domain
from toolworld.cli.output import FAILED, err, out, print_json, print_rows
from toolworld.errors import SpecError

PANEL = "Domains and packages"


@app.command("list", rich_help_panel=PANEL)
def list_domains(as_json: AsJson = False) -> None:
    """List the bundled domains."""
    from toolworld.bundled import domains
    from toolworld.spec.overview import overview

    rows = [asdict(overview(folder)) for folder in domains().values()]
    if as_json:
        print_json(rows)
        return
    print_rows(rows)


@app.command(rich_help_panel=PANEL)
def check(domain: Domain, as_json: AsJson = False) -> None:
    """Report every problem of a domain folder."""
    from dataclasses import asdict

    from toolworld.bundled import domain_folder
    from toolworld.emit import checking

    folder = domain_folder(domain)
    try:
        spec = checking.load_limited(folder)
    except SpecError as error:
        if not as_json:
            raise
        print_json([asdict(problem) for problem in error.problems])
        raise typer.Exit(FAILED) from error
    if as_json:
        print_json([])
        return
    out.print(
        f"{spec.name}: no problems. {len(spec.domain.entities)} entities, "
        f"{len(spec.tools)} tools, {len(spec.tasks)} tasks."
    )


@app.command(rich_help_panel=PANEL)
def build(
    domain: Domain,
    folder: Annotated[Path, typer.Option("--out", help="Where the package goes.")],
    rows: Annotated[int | None, typer.Option(min=1, help="Rows of the largest table.")] = None,
    seed: Annotated[int, typer.Option(help="Varies the data.")] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; show a diff when --out is stale.")
    ] = False,
) -> None:
    """Build a domain's MCP server package."""
    from toolworld import emit
    from toolworld.bundled import domain_folder

    source = domain_folder(domain)
    if check:
        difference = emit.stale(source, folder, rows=rows, seed=seed)
        if difference:
            sys.stdout.write(difference)
            raise typer.Exit(FAILED)
        err.print(f"{folder} is up to date.")
        return
    with err.status("Building ...") as status:
        report = emit.build(source, folder, rows=rows, seed=seed, on_progress=status.update)
    out.print(str(report))


@app.command(rich_help_panel=PANEL)
def init(
    name: Annotated[str, typer.Argument(help="The new domain's name.")],
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where it goes; by default a folder of its name.")
    ] = None,
) -> None:
    """Start a domain of your own from a small commented example."""
    from toolworld.bundled import start_domain

    target = folder or Path(name)
    for path in start_domain(name, target):
        out.print(str(path))
    err.print(f"Edit it, then: toolworld check {target}")


@app.command(rich_help_panel=PANEL)
def demo(
    folder: Annotated[Path, typer.Option("--out", help="Where to build.")] = Path("build/demo"),
) -> None:
    """Build retail, make tasks, replay them over stdio, and say how to connect a client."""
    from toolworld import harness
    from toolworld.pipeline.demo import run_demo

    with harness.progress_bar(err) as on_progress:
        shown = run_demo(folder, err.print, on_progress)
    out.print(shown.report)
    out.print("\nConnect Claude Code to it:", shown.connect, sep="\n", markup=False)
    if shown.report.failed:
        raise typer.Exit(FAILED)
