"""The command: serves the tools to MCP clients, over stdio or HTTP."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .about import NAME, SUMMARY, VERSION
from .bounds import Bounds, TimeBound, bound_memory
from .errors import PackageError
from .serving.episodes import DEFAULT_EPISODE, Episode, Episodes

TOKEN_VARIABLE = "TOOLWORLD_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
LAST_PORT = 65_535
FAILED, INTERRUPTED = 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client leaves or Ctrl-C; return the exit code."""
    options = parse(argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        bound_memory(options.memory)
        bounds = Bounds(options.call_seconds, options.memory, options.episodes, options.idle)
        bound = TimeBound.of(bounds.seconds)
        episodes = Episodes(Episode(options.task, options.seed), bounds, bound)
        if options.http:
            return serve_http(episodes, options)
        asyncio.run(serve_stdio(episodes, options.control))
    except PackageError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; exit with a message if they do not fit together."""
    parser = argparse.ArgumentParser(prog=NAME, description=f"{SUMMARY} An MCP server.")
    add = parser.add_argument
    add("--version", action="version", version=VERSION)
    add("--task", metavar="ID", help="start at a task instead of the plain seed database")
    add("--seed", type=int, default=0, help="vary the ids of new rows (default: 0)")
    add("--control", action="store_true", help="let the client reset, look and grade")
    add("--http", action="store_true", help="serve streamable HTTP instead of stdio")
    add("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    add(
        "--port",
        type=port_number,
        default=8000,
        help="port to listen on, 0 for any (default: 8000)",
    )
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name clients reach the server by; needed beyond loopback; may be repeated",
    )
    default = Bounds()
    for name, kind, value, says in (
        ("--call-seconds", float, default.seconds, "seconds that a tool may run, 0 for any"),
        ("--memory", int, default.megabytes, "megabytes that all may take, 0 for any"),
        ("--episodes", int, default.episodes, "episodes that may be open"),
        (
            "--idle",
            float,
            default.idle,
            "seconds after which an idle episode is closed, 0 for never",
        ),
    ):
        add(name, type=not_negative(kind), default=value, help=f"{says} (default: {value:g})")
    options = parser.parse_args(argv)
    if options.host not in LOOPBACK_HOSTS and not options.allow_host:
        parser.error(
            f"--host {options.host} can be reached from outside: say with --allow-host under "
            "which names clients may reach it"
        )
    return options


def not_negative(kind: type[float] | type[int]) -> Callable[[str], float]:
    """Return a parser of finite numbers of a type that are 0 or more."""

    def number(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = -1
        if not 0 <= found < float("inf"):
            raise argparse.ArgumentTypeError(f"{text:.20} is not a number from 0 on")
        return found

    return number


def port_number(text: str) -> int:
    """Return the port that a text names.

    Raises:
        ArgumentTypeError: The text is not a port.
    """
    if not text.isascii() or not text.isdigit() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text:.20} is not a port from 0 to {LAST_PORT}")
    return int(text)


@contextmanager
def uncollected() -> Iterator[None]:
    """Load modules without garbage collection, and exempt from it all that they made."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


async def serve_stdio(episodes: Episodes, control: bool) -> None:
    """Serve the default episode over stdio until the client leaves."""
    with uncollected():
        from .serving.methods import add_control
        from .serving.server import build_server
        from .serving.stdio import serve

    if sys.stdin.isatty():
        say("Waiting for an MCP client on stdin. Ctrl-C ends; --help says what else there is.")
    server = build_server(lambda _: episodes.find(DEFAULT_EPISODE))
    if control:
        add_control(server, episodes)
    await serve(server)


def serve_http(episodes: Episodes, options: argparse.Namespace) -> int:
    """Serve all episodes over streamable HTTP until Ctrl-C."""
    with uncollected():
        from .serving.listening import listen, serve, url_of
        from .serving.web import Access, build_app

    try:
        listener = listen(options.host, options.port)
    except OSError as error:
        return fail(f"cannot listen on {options.host}:{options.port}: {error.strerror}")
    token = control_token() if options.control else None
    app = build_app(episodes, Access(options.allow_host, token))
    with listener:
        serve(app, listener, lambda: say(f"Serving {url_of(listener)}/mcp"))
    return 0


def control_token() -> str:
    """Return the control plane's token: from the environment, or a new one, which is printed."""
    token = os.environ.get(TOKEN_VARIABLE)
    if not token:
        token = secrets.token_urlsafe(24)
        say(f"Control plane: Authorization: Bearer {token}")
    return token


def say(text: str) -> None:
    """Write a line to standard error; standard output belongs to the protocol."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def fail(reason: str) -> int:
    """Print why the server did not start, and return the exit code."""
    say(f"{NAME}: {reason}")
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
