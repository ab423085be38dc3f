"""Commands that make tasks, and run them."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from toolworld.cli.commands import app
from toolworld.cli.options import ReportFile
from toolworld.cli.output import err, finish, out, print_json, print_rows

PANEL = "Tasks"


class Transport(StrEnum):
    """How a replay reaches a package."""

    inproc = "inproc"
    memory = "memory"
    stdio = "stdio"
    http = "http"


@app.command(rich_help_panel=PANEL)
def tasks(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    count: Annotated[int, typer.Option("-n", min=1, help="How many.")] = 100,
    seed: Annotated[int, typer.Option(help="Varies the tasks.")] = 0,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Also run mutants of the experts, and breaches.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 1,
    report_file: ReportFile = None,
) -> None:
    """Make certified tasks of a package's scenarios, and write them into it."""
    from toolworld import tasks as making

    order = making.TaskOrder(count, seed, workers, mutants)
    with err.status("Loading ...") as status:
        report = making.make_tasks(path, order, progress=status.update)
    finish(report, report_file, failed=bool(report.short or report.faulty))


@app.command(rich_help_panel=PANEL)
def certify(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    report_file: ReportFile = None,
) -> None:
    """Certify every task of a package again, and compare with the certificates they carry."""
    from toolworld.tasks import verify

    with err.status("Loading ...") as status:
        report = verify.certify_package(path, status.update)
    finish(report, report_file, failed=bool(report.failed))


@app.command(rich_help_panel=PANEL)
def replay(
    paths: Annotated[list[Path] | None, typer.Argument(help="Package folders.")] = None,
    transport: Annotated[Transport, typer.Option(help="How to reach them.")] = Transport.inproc,
    report_file: ReportFile = None,
    server: Annotated[
        str | None, typer.Option(help="Any MCP server's command, instead of packages.")
    ] = None,
    calls: Annotated[
        Path | None, typer.Option(help="Calls and expectations for --server, as JSON.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds to wait for the answer to a call.")
    ] = 30,
    start_timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds to wait for a server to start.")
    ] = 30,
) -> None:
    """Replay verified calls against packages, or against any MCP server."""
    if (server is None) != (calls is None):
        raise typer.BadParameter("--server and --calls go together.")
    if bool(paths) == bool(server):
        raise typer.BadParameter("Give package folders, or --server with --calls.")

    from toolworld import harness

    timeouts = harness.Timeouts(start_timeout, timeout)
    if server is not None and calls is not None:
        report = harness.replay_calls(server, calls, timeouts=timeouts)
    else:
        with harness.progress_bar(err) as on_progress:
            report = harness.replay_packages(
                paths or [], transport.value, on_progress, timeouts=timeouts
            )
    finish(report, report_file, failed=bool(report.failed))


@app.command(rich_help_panel=PANEL)
def play(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    task: Annotated[str | None, typer.Argument(help="A task's id; by default the first.")] = None,
    seed: Annotated[int, typer.Option(help="Varies the ids of new rows.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON command and a JSON answer a line, for programs.")
    ] = False,
    list_tasks: Annotated[bool, typer.Option("--list", help="List the tasks instead.")] = False,
) -> None:
    """Play a task of a package in the terminal, as the agent."""
    from toolworld import play as playing

    if list_tasks:
        rows = playing.task_rows(path)
        print_json(rows) if as_json else print_rows(rows)
        return
    session = playing.open_session(path, task, seed)
    if as_json:
        playing.play_in_json(session, sys.stdin.buffer, sys.stdout)
    else:
        playing.play_in_terminal(session, out)
