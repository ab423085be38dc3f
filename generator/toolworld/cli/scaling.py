"""Commands for many packages and many episodes."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from toolworld.cli.commands import app
from toolworld.cli.options import ReportFile
from toolworld.cli.output import FAILED, err, finish, out
from toolworld.errors import ToolworldError

PANEL = "Many packages, many episodes"


class EngineChoice(StrEnum):
    """Where the jobs of many packages run."""

    local = "local"
    ray = "ray"


@app.command(rich_help_panel=PANEL)
def each(
    command: Annotated[
        str, typer.Argument(help="check, build, prove, laws, tasks, certify or replay.")
    ],
    paths: Annotated[list[Path], typer.Argument(help="Packages, and folders of packages.")],
    workers: Annotated[int, typer.Option(min=1, help="How many at once on this machine.")] = 1,
    engine: Annotated[EngineChoice, typer.Option(help="Where they run.")] = EngineChoice.local,
    out_folder: Annotated[
        Path | None, typer.Option("--out", help="Keeps each end; what is done is not done again.")
    ] = None,
    options: Annotated[
        str, typer.Option(help="What else it is given, as '--out servers/{name}'.")
    ] = "",
) -> None:
    """Run a command over many packages: in processes here, or on a Ray cluster."""
    from toolworld.fanout.engines import engine_of
    from toolworld.fanout.run import fan_out, jobs_of

    jobs = jobs_of(command, paths, shlex.split(options))
    with err.status(f"Running {len(jobs)} jobs") as status:
        found = fan_out(jobs, engine_of(engine.value, workers), out_folder, status.update)
    out.print(found)
    if not found.passed:
        raise typer.Exit(FAILED)


@app.command(rich_help_panel=PANEL)
def serve(
    paths: Annotated[list[Path], typer.Argument(help="Packages, and folders of packages.")],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 for any.")] = 8000,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name clients reach it by; needed beyond loopback.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes.")] = 1,
    episodes: Annotated[
        int, typer.Option(min=1, help="Open episodes at once, in each process.")
    ] = 4096,
    idle: Annotated[
        float, typer.Option(min=0, help="Seconds after which an idle episode is closed; 0: never.")
    ] = 3600,
    rate: Annotated[
        float, typer.Option(min=0, help="Calls a second that an episode may make; 0: any.")
    ] = 0,
    most_bytes: Annotated[
        int, typer.Option(min=1000, help="How long the body of a request may be.")
    ] = 4_000_000,
    call_seconds: Annotated[
        float, typer.Option(min=0, help="Seconds that a tool may run; 0: any.")
    ] = 10,
    join: Annotated[
        list[str] | None, typer.Option(help="Domains also served as one world: retail+hotel.")
    ] = None,
) -> None:
    """Serve episodes of many packages: MCP for agents, an HTTP API for who trains them."""
    try:
        from toolworld.serving import HostSettings, serve
    except ImportError as error:
        raise ToolworldError(
            f"A host needs {error.name}. Install it: pip install 'toolworld[serve]'"
        ) from error
    from toolworld.serving.episodes import EpisodeLimits

    limits = EpisodeLimits(episodes, idle, rate)
    settings = HostSettings(
        host, port, allow_host or (), workers, most_bytes, call_seconds, limits, join or ()
    )
    if not serve(paths, settings, lambda text: err.print(text, markup=False, soft_wrap=True)):
        raise typer.Exit(FAILED)


@app.command(rich_help_panel=PANEL)
def join(
    paths: Annotated[list[Path], typer.Argument(help="The folders of two packages or more.")],
    count: Annotated[int, typer.Option("-n", min=1, help="How many tasks.")] = 20,
    seed: Annotated[int, typer.Option(help="Varies which tasks are joined.")] = 0,
    report_file: ReportFile = None,
) -> None:
    """Join packages into one world, and certify tasks that span them."""
    from toolworld.episodes.hosted import HostedPackage
    from toolworld.episodes.joined import JoinedPackages
    from toolworld.episodes.joint_certificate import certify_joint
    from toolworld.packages import load_package

    joined = JoinedPackages([HostedPackage(load_package(path)) for path in paths])
    with err.status("Loading ...") as status:
        report = certify_joint(joined, count, seed, status.update)
    finish(report, report_file, failed=report.short)
