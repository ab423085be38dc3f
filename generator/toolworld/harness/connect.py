"""One interface to a package's episodes over four transports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Request
from pydantic import RootModel

from toolworld.errors import ToolworldError
from toolworld.harness.client import Caller, McpCaller
from toolworld.harness.diff import Change
from toolworld.harness.launch import (
    USUAL,
    Command,
    HttpServer,
    Timeouts,
    entered,
    http_server,
    package_command,
    stdio_server,
)
from toolworld.harness.log import ServerLog
from toolworld.harness.pipes import Start
from toolworld.harness.reply import Reply, Verdict

if TYPE_CHECKING:
    from toolworld.packages import Package

Transport = Literal["inproc", "memory", "stdio", "http"]
TRANSPORTS: tuple[Transport, ...] = get_args(Transport)

Json = dict[str, Any]
PREFIX = "toolworld/episode/"


class ControlAnswer(RootModel[Json]):
    """What the control plane answers: a JSON object."""


class Refused(ToolworldError):
    """A package refuses to open, look at or grade an episode; the text says why."""


class Connection(Caller, Protocol):
    """An episode of a package: its tools and its control plane."""

    async def open(self, task: Mapping[str, Any], seed: int = 0) -> str:
        """Go on with a new episode of a task, and return the digest it starts with.

        Like every method here, it raises Refused or LaunchError.
        """

    async def reset(self) -> str:
        """Go back to the start of the episode, and return the digest there."""

    async def digest(self) -> str:
        """Return the digest of the state."""

    async def diff(self) -> list[Change]:
        """Return the rows that differ from the start."""

    async def say(self, text: str) -> Reply:
        """Tell the person something, and return the reply."""

    async def grade(self, answer: str | None) -> Verdict:
        """Return the grade of the episode with a final answer."""


class InProcess:
    """The package's environment itself, with no server."""

    def __init__(self, package: Package) -> None:
        """Take a package; no episode is open yet."""
        self._package = package
        self._environment: Any = None

    async def open(self, task: Mapping[str, Any], seed: int = 0) -> str:
        """Go on with a new episode of a task."""
        with _refusals():
            self._environment = self._package.environment(task, seed)
            return str(self._environment.digest())

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool; an exception becomes an error reply."""
        try:
            with _refusals():
                result = self._environment.call(tool, arguments)
        except Refused as error:
            return Reply("error", str(error))
        return Reply(result.outcome, result.text, result.structured)

    async def reset(self) -> str:
        """Go back to the start of the episode."""
        with _refusals():
            self._environment.reset()
            return str(self._environment.digest())

    async def digest(self) -> str:
        """Return the digest of the state."""
        with _refusals():
            return str(self._environment.digest())

    async def diff(self) -> list[Change]:
        """Return the rows that differ from the start."""
        with _refusals():
            return [change.as_json() for change in self._environment.diff()]

    async def say(self, text: str) -> Reply:
        """Tell the person something, and return the reply."""
        with _refusals():
            return Reply("ok", str(self._environment.say(text).text))

    async def grade(self, answer: str | None) -> Verdict:
        """Return the grade of the episode with a final answer."""
        with _refusals():
            grade = self._environment.grade(answer)
            return Verdict(grade.reward, grade.score, tuple(grade.reasons))


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn any exception of a package into ``Refused``: a package is not trusted to work."""
    try:
        yield
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


class Served(ABC):
    """The part that all transports with a server share: operations named, JSON in and out."""

    @abstractmethod
    async def control(self, operation: str, parameters: Json) -> Json:
        """Do an operation of the control plane."""

    async def reset(self) -> str:
        """Go back to the start of the episode."""
        return str((await self.control("reset", {}))["digest"])

    async def digest(self) -> str:
        """Return the digest of the state."""
        return str((await self.control("digest", {}))["digest"])

    async def diff(self) -> list[Change]:
        """Return the rows that differ from the start."""
        return list((await self.control("diff", {}))["changes"])

    async def say(self, text: str) -> Reply:
        """Tell the person something, and return the reply."""
        return Reply("ok", str((await self.control("say", {"text": text}))["text"]))

    async def grade(self, answer: str | None) -> Verdict:
        """Return the grade of the episode with a final answer."""
        grade = await self.control("grade", {"answer": answer})
        return Verdict(grade["reward"], grade["score"], tuple(grade["reasons"]))


class OneConnection(Served):
    """A server with one client, in memory or over stdio: the control plane is JSON-RPC methods."""

    def __init__(self, caller: McpCaller) -> None:
        """Take a connected client."""
        self._caller = caller

    async def open(self, task: Mapping[str, Any], seed: int = 0) -> str:
        """Go on with a new episode of a task."""
        return str((await self.control("open", {"task": dict(task), "seed": seed}))["digest"])

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool."""
        return await self._caller.call(tool, arguments)

    async def control(self, operation: str, parameters: Json) -> Json:
        """Do an operation of the control plane."""
        request = Request[Json, str](method=PREFIX + operation, params=parameters)
        try:
            answer = await self._caller.client.session.send_request(request, ControlAnswer)
        except MCPError as error:
            self._caller.check(error, f"at {PREFIX}{operation}")
            raise Refused(f"{operation}: {error.message}") from error
        self._caller.check(None, f"at {PREFIX}{operation}")
        return answer.root


class OneUrlEach(Served):
    """A server over HTTP: each episode has a URL and a client of its own."""

    def __init__(self, server: HttpServer, timeouts: Timeouts) -> None:
        """Take a running server."""
        self._server = server
        self._timeouts = timeouts
        self._episode = AsyncExitStack()
        self._url = ""
        self._caller: McpCaller | None = None

    async def open(self, task: Mapping[str, Any], seed: int = 0) -> str:
        """Close the current episode and open a new one of a task."""
        await self.leave()
        if self._url:
            await self._send("DELETE", self._url)
            self._url = ""
        opened = await self._send("POST", "/episodes", {"task": dict(task), "seed": seed})
        self._url = f"/episodes/{opened['id']}"
        transport = streamable_http_client(opened["url"], http_client=self._server.http)
        client = Client(transport, read_timeout_seconds=self._timeouts.start)
        failing = f"{opened['url']} cannot be reached"
        await self._episode.enter_async_context(
            entered(client, self._server.log, failing, self._timeouts.start)
        )
        self._caller = McpCaller(client, self._server.log, self._timeouts.call)
        return str(opened["digest"])

    async def leave(self) -> None:
        """Disconnect from the episode, if one is open."""
        await self._episode.aclose()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool."""
        if self._caller is None:
            raise Refused("No episode is open.")
        return await self._caller.call(tool, arguments)

    async def control(self, operation: str, parameters: Json) -> Json:
        """Do an operation of the control plane."""
        method = "GET" if operation in ("digest", "diff") else "POST"
        body = parameters if method == "POST" else None
        return await self._send(method, f"{self._url}/{operation}", body)

    async def _send(self, method: str, path: str, body: Json | None = None) -> Json:
        headers = {"Authorization": f"Bearer {self._server.token}"}
        url = self._server.url + path
        response = await self._server.http.request(method, url, json=body, headers=headers)
        if response.status_code >= 500:
            raise self._server.log.error(f"The server failed at {method} {path}.")
        answer = response.json() if response.content else {}
        if response.is_error:
            raise Refused(f"{method} {path}: {answer.get('error', response.reason_phrase)}")
        return ControlAnswer.model_validate(answer).root


Opener = Callable[["Package", Timeouts], AsyncIterator[Connection]]


async def _in_process(package: Package, _: Timeouts) -> AsyncIterator[Connection]:
    yield InProcess(package)


async def _memory(package: Package, timeouts: Timeouts) -> AsyncIterator[Connection]:
    with _refusals():
        episodes_module = package.modules.episodes
        episodes = episodes_module.Episodes(episodes_module.Episode())
        server = package.modules.server.build_server(
            lambda _: episodes.find(episodes_module.DEFAULT_EPISODE)
        )
        package.modules.methods.add_control(server, episodes)
    client = Client(server, read_timeout_seconds=timeouts.call)
    log = ServerLog()
    async with entered(client, log, "The server cannot be reached in memory", timeouts.start):
        yield OneConnection(McpCaller(client, log))


async def _stdio(package: Package, timeouts: Timeouts) -> AsyncIterator[Connection]:
    command = package_command(package, "--control")
    async with over_stdio(command, package.module_name, timeouts) as connection:
        yield connection


@asynccontextmanager
async def over_stdio(
    start: Command | Start, name: str, timeouts: Timeouts = USUAL
) -> AsyncIterator[Connection]:
    """Connect to a server over stdio whose control plane is on.

    Args:
        start: Its command, or what else starts it, such as a ``ForkingParent``.
        name: What errors call it.
        timeouts: How long it is waited for.

    Raises:
        LaunchError: It could not be started, died, or did not answer.
    """
    async with stdio_server(start, name, timeouts) as (client, log):
        yield OneConnection(McpCaller(client, log, timeouts.call))


async def _http(package: Package, timeouts: Timeouts) -> AsyncIterator[Connection]:
    async with http_server(package, timeouts) as server:
        connection = OneUrlEach(server, timeouts)
        try:
            yield connection
        finally:
            await connection.leave()


OPENERS: Mapping[Transport, Opener] = {
    "inproc": _in_process,
    "memory": _memory,
    "stdio": _stdio,
    "http": _http,
}


@asynccontextmanager
async def connect(
    package: Package, transport: Transport = "inproc", timeouts: Timeouts = USUAL
) -> AsyncIterator[Connection]:
    """Connect to a package, and start a server of it if the transport needs one.

    Args:
        package: The package.
        transport: ``inproc`` calls its environment directly; ``memory`` puts an MCP client before
            its server in this process; ``stdio`` and ``http`` start the server as its users do.
        timeouts: How long a server is waited for.

    Raises:
        LaunchError: The server could not be started, died, or did not answer.
        Refused: The package does not work in this process.
    """
    async with asynccontextmanager(OPENERS[transport])(package, timeouts) as connection:
        yield connection
