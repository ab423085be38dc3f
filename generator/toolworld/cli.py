"""The ``toolworld`` command: each subcommand parses, calls one library function, and prints.

Results go to stdout, everything else to stderr. Errors become exit codes in one place.
"""

from __future__ import annotations

import gc
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from errno import ENAMETOOLONG
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from toolworld.console import VisibleConsole
from toolworld.errors import SpecError, ToolworldError
from toolworld.garbage import SELDOM
from toolworld.visible import visible

out = VisibleConsole(soft_wrap=True, highlight=False)
err = VisibleConsole(stderr=True, soft_wrap=True, highlight=False)

FAILED = 1


class Transport(StrEnum):
    """How a replay reaches a package."""

    inproc = "inproc"
    memory = "memory"
    stdio = "stdio"
    http = "http"


class EngineChoice(StrEnum):
    """Where the jobs of many packages run."""

    local = "local"
    ray = "ray"


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
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _has_folder(path: Path | None) -> Path | None:
    """Refuse a file whose folder is not there, before any work is done for it."""
    if path is not None and not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"The folder {path.absolute().parent} does not exist.")
    return path


ReportFile = Annotated[
    Path | None,
    typer.Option("--json", help="Also write the report here.", callback=_has_folder),
]
Domain = Annotated[str, typer.Argument(help="A bundled domain's name, or a domain folder.")]
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


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Turn a domain spec into a standalone MCP server package, and replay tasks on it."""


@app.command("list")
def list_domains(as_json: AsJson = False) -> None:
    """List the bundled domains."""
    from toolworld.bundled import domains
    from toolworld.spec import load_spec

    specs = [load_spec(folder) for folder in domains().values()]
    rows = [
        {
            "name": spec.name,
            "title": spec.domain.title,
            "tools": len(spec.tools),
            "entities": len(spec.domain.entities),
        }
        for spec in specs
    ]
    if as_json:
        _print_json(rows)
        return
    _print_rows(rows)


@app.command()
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
        _print_json([asdict(problem) for problem in error.problems])
        raise typer.Exit(FAILED) from error
    if as_json:
        _print_json([])
        return
    out.print(
        f"{spec.name}: no problems. {len(spec.domain.entities)} entities, "
        f"{len(spec.tools)} tools, {len(spec.tasks)} tasks."
    )


@app.command()
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


@app.command()
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
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command()
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

    settings = proving.Settings(
        seed, only or (), calls, seek=3 * calls, search=calls // 2, workers=workers
    )
    with err.status("Loading ...") as status:
        report = proving.prove(path, settings, status.update)
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command()
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
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if not report.passed:
        raise typer.Exit(FAILED)


@app.command()
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


@app.command()
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

    order = making.Order(count, seed, workers, mutants)
    with err.status("Loading ...") as status:
        report = making.make_tasks(path, order, progress=status.update)
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.short or report.faulty:
        raise typer.Exit(FAILED)


@app.command()
def certify(
    path: Annotated[Path, typer.Argument(help="A package's folder.")],
    report_file: ReportFile = None,
) -> None:
    """Certify every task of a package again, and compare with the certificates they carry."""
    from toolworld.tasks import verify

    with err.status("Loading ...") as status:
        report = verify.certify_package(path, status.update)
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command()
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
        _print_json(rows) if as_json else _print_rows(rows)
        return
    session = playing.open_session(path, task, seed)
    if as_json:
        playing.play_in_json(session, sys.stdin.buffer, sys.stdout)
    else:
        playing.play_in_terminal(session, out)


@app.command()
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
    from toolworld.draft import Limits
    from toolworld.draft.backends.choose import backend_of

    limits = Limits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    settings = auditing.Settings(seed, limits, folder, resume)
    backend = backend_of(model, base_url)
    with err.status("Loading ...") as status:
        report = auditing.audit(path, backend, settings, status.update)
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command("extend")
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
    from toolworld.draft import Limits
    from toolworld.draft.backends.choose import backend_of

    limits = Limits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    order = extending.ExtendOrder(areas, seed, limits, resume)
    backend = backend_of(model, base_url)
    with err.status("Loading ...") as status:
        report = extending.extend(domain_folder(domain), folder, backend, order, status.update)
    out.print(report)
    if report_file is not None:
        report.write(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command()
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
    from toolworld.draft import BRIEF, Brief, Limits
    from toolworld.draft.backends.choose import backend_of
    from toolworld.draft.sources import read_source
    from toolworld.new import Wanted, make_world

    limits = Limits(tokens=max_tokens, cost=max_cost, parallel=parallel)
    brief = Brief(wish, tools, read_source(source) if source else "")
    wanted = Wanted(brief, tasks, workers, limits)
    backend = backend_of(model, base_url)
    with _telling() as say:
        try:
            report = make_world(folder, wanted, backend, say, resume)
        except (ToolworldError, KeyboardInterrupt):
            if (folder / BRIEF).is_file():
                err.print(f"What there is is kept in {folder}; --resume goes on with it.")
            raise
    out.print(report)
    if report_file is not None:
        report.write_json(report_file)
    if report.failed:
        raise typer.Exit(FAILED)


@app.command("mcp")
def serve_agent(
    folder: Annotated[
        Path, typer.Option(help="Where worlds are made; nothing outside it is touched.")
    ] = Path(),
) -> None:
    """Serve toolworld itself over MCP: the agent that connects is the model that drafts."""
    import anyio

    from toolworld.agent import serve

    if sys.stdin.isatty():
        err.print("Waiting for an MCP client on stdin; connect one with:")
        err.print("claude mcp add toolworld -- toolworld mcp", markup=False)
    anyio.run(serve, folder)


@app.command()
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


@app.command()
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
    settings = HostSettings(host, port, allow_host or (), workers, most_bytes, call_seconds, limits)
    if not serve(paths, settings, lambda text: err.print(text, markup=False, soft_wrap=True)):
        raise typer.Exit(FAILED)


@app.command()
def demo(
    folder: Annotated[Path, typer.Option("--out", help="Where to build.")] = Path("build/demo"),
) -> None:
    """Build retail, make tasks, replay them over stdio, and say how to connect a client."""
    from toolworld import harness
    from toolworld.demo import run_demo

    with harness.progress_bar(err) as on_progress:
        shown = run_demo(folder, err.print, on_progress)
    out.print(shown.report)
    out.print("\nConnect Claude Code to it:", shown.connect, sep="\n", markup=False)
    if shown.report.failed:
        raise typer.Exit(FAILED)


@app.command()
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


@contextmanager
def _telling() -> Iterator[Callable[[str], None]]:
    """Show what is being done, and for how long; a line each where nobody watches."""
    if not err.is_terminal:
        yield lambda text: err.print(text, markup=False)
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("Drafting ...")
        yield lambda text: progress.update(task, description=text)


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def _print_rows(rows: list[dict[str, Any]]) -> None:
    table = Table(*rows[0] if rows else ("name",), box=None)
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row.values()))
    out.print(table)


def run() -> None:
    """Run the command."""
    gc.set_threshold(*SELDOM)
    app(prog_name="toolworld")
