"""Commands that prove packages: their tools, their laws, their graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolworld.cli.commands import app
from toolworld.cli.options import BaseUrl, MaxCost, MaxTokens, Model, Parallel, ReportFile
from toolworld.cli.output import FAILED, err, finish, out

PANEL = "Proofs"


@app.command(rich_help_panel=PANEL)
def prove(
    path: Annotated[Path, typer.Argument(help="A package folder.")],
    report_file: ReportFile = None,
    only: Annotated[
        list[str] | None, typer.Option(help="A tool to prove, rather than all; can be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Varies the made-up calls.")] = 0,
    calls: Annotated[int, typer.Option(min=0, help="Made-up calls for each tool.")] = 1000,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 1,
) -> None:
    """Run made-up and given calls on every tool of a package, and on mutants of its code."""
    from toolworld import prove as proving

    settings = proving.ProofSettings(
        seed, only or (), calls, seek=3 * calls, search=calls // 2, workers=workers
    )
    with err.status("Loading ...") as status:
        report = proving.prove(path, settings, status.update)
    finish(report, report_file, failed=bool(report.failed))


@app.command(rich_help_panel=PANEL)
def laws(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    calls: Annotated[int, typer.Option(min=1, help="How many calls, about.")] = 200_000,
    seed: Annotated[int, typer.Option(help="Varies the episodes.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 1,
    suspects: Annotated[
        int, typer.Option(min=0, help="Calls for each property that needs no author; 0 for none.")
    ] = 40_000,
    mutants: Annotated[
        int, typer.Option(min=0, help="Calls for each mutant of the tools; 0 to run none.")
    ] = 0,
    again: Annotated[
        Path | None, typer.Option(help="Make the episodes of this report again instead.")
    ] = None,
    report_file: ReportFile = None,
) -> None:
    """Search for sequences of calls that break a law of a package."""
    from toolworld import laws as proving

    if again is not None:
        found = proving.still_broken(path, proving.read_report(again))
        for law, broken in found:
            out.print(f"{law}: {'broken still' if broken else 'holds now'}", markup=False)
        raise typer.Exit(FAILED if any(broken for _, broken in found) else 0)
    search = proving.LawSearch(calls, seed, workers, suspects=suspects, mutants=mutants)
    with err.status("Loading ...") as status:
        report = proving.prove_laws(path, search, status.update)
    finish(report, report_file, failed=not report.passed)


@app.command(rich_help_panel=PANEL)
def graph(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    html: Annotated[Path | None, typer.Option(help="Write a page that shows it.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Write it as JSON.")] = None,
    mermaid: Annotated[Path | None, typer.Option(help="Write it as Mermaid.")] = None,
    graphml: Annotated[Path | None, typer.Option(help="Write it as GraphML.")] = None,
    incidental: Annotated[
        bool, typer.Option("--incidental", help="Draw incidental edges in Mermaid, too.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Varies which calls are tried.")] = 0,
    tries: Annotated[
        int | None, typer.Option(min=1, help="Calls tried for each two tools.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 1,
) -> None:
    """Find which tools of a package feed, enable or show each other, by running them."""
    from toolworld import graph as graphs

    with err.status("Loading ...") as status:
        tries = tries or graphs.TRIES
        found = graphs.build_graph(path, seed, tries, status.update, workers)
    out.print(str(found))
    graphs.write(found, as_json, mermaid, graphml, html, incidental)
    for name, broken in found.broken.items():
        err.print(f"{name} {broken}", style="red", markup=False)
    if found.broken:
        raise typer.Exit(FAILED)


@app.command(rich_help_panel=PANEL)
def audit(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    model: Model,
    base_url: BaseUrl = None,
    seed: Annotated[int, typer.Option(help="Varies the runs, rows and tasks shown.")] = 0,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    parallel: Parallel = 4,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Keep the answers here, to go on from.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is there.")] = False,
    report_file: ReportFile = None,
) -> None:
    """Let a model look for what is wrong with a package, and run what it finds."""
    from toolworld import audit as auditing
    from toolworld.llm import ModelLimits
    from toolworld.llm.backends.choose import backend_of

    limits = ModelLimits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    settings = auditing.AuditSettings(seed, limits, folder, resume)
    backend = backend_of(model, base_url)
    with err.status("Loading ...") as status:
        report = auditing.audit(path, backend, settings, status.update)
    finish(report, report_file, failed=bool(report.failed))
