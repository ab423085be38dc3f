"""Commands with which models write domains and scenarios."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from toolworld.cli.commands import app
from toolworld.cli.options import BaseUrl, Domain, MaxCost, MaxTokens, Model, Parallel, ReportFile
from toolworld.cli.output import err, finish, telling
from toolworld.errors import ToolworldError

PANEL = "Drafting with a model"


@app.command(rich_help_panel=PANEL)
def new(
    wish: Annotated[str, typer.Argument(help="A keyword, or a description in your own words.")],
    model: Model,
    folder: Annotated[Path, typer.Option("--out", help="Where everything goes.")],
    tools: Annotated[int, typer.Option(min=4, max=120, help="How many tools.")] = 50,
    tasks: Annotated[int, typer.Option(min=0, help="How many tasks.")] = 100,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    parallel: Parallel = 4,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 1,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="An OpenAPI document, SQL schema or tools/list to start from."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is there.")] = False,
    report_file: ReportFile = None,
) -> None:
    """Draft a domain with a model, and make a proven package with tasks of it."""
    from toolworld.draft import BRIEF, Brief
    from toolworld.draft.sources import read_source
    from toolworld.llm import ModelLimits
    from toolworld.llm.backends.choose import backend_of
    from toolworld.pipeline.new import Wanted, make_world

    limits = ModelLimits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    brief = Brief(wish, tools, read_source(source) if source else "")
    wanted = Wanted(brief, tasks, workers, limits)
    backend = backend_of(model, base_url)
    with telling() as say:
        try:
            report = make_world(folder, wanted, backend, say, resume)
        except (ToolworldError, KeyboardInterrupt):
            if (folder / BRIEF).is_file():
                err.print(f"What there is is kept in {folder}; --resume goes on with it.")
            raise
    finish(report, report_file, failed=bool(report.failed))


@app.command("extend", rich_help_panel=PANEL)
def extend_domain(
    domain: Domain,
    model: Model,
    folder: Annotated[Path, typer.Option("--out", help="Where everything goes.")],
    areas: Annotated[int, typer.Option(min=1, max=40, help="How many areas of the domain.")] = 3,
    seed: Annotated[int, typer.Option(help="Varies the areas.")] = 0,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    parallel: Parallel = 4,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is there.")] = False,
    report_file: ReportFile = None,
) -> None:
    """Let a model write scenarios for a domain, and keep those that make sound tasks."""
    from toolworld import extend as extending
    from toolworld.bundled import domain_folder
    from toolworld.llm import ModelLimits
    from toolworld.llm.backends.choose import backend_of

    limits = ModelLimits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    order = extending.ExtendOrder(areas, seed, limits, resume)
    backend = backend_of(model, base_url)
    with err.status("Loading ...") as status:
        report = extending.extend(domain_folder(domain), folder, backend, order, status.update)
    finish(report, report_file, failed=bool(report.failed))


@app.command("mcp", rich_help_panel=PANEL)
def serve_agent(
    folder: Annotated[
        Path, typer.Option(help="Where worlds are made; nothing outside it is touched.")
    ] = Path(),
) -> None:
    """Serve toolworld itself over MCP: the agent that connects is the model that drafts."""
    import anyio

    from toolworld.mcp_server import serve

    if sys.stdin.isatty():
        err.print("Waiting for an MCP client on stdin; connect one with:")
        err.print("claude mcp add toolworld -- toolworld mcp", markup=False)
    anyio.run(serve, folder)
