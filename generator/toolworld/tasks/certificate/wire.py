"""The packages' own servers, spoken to directly: one connection, the protocol and nothing else.

An MCP client lists the tools anew for each episode, checks every result against its schema and
waits for it before it goes on, which ``toolworld replay`` does; to compare states over many
episodes the protocol itself is enough, and many times quicker. Gold is known beforehand, so all
that there is to say of a task is said at once, and answered in that order. Over stdio it is the
protocol with a handshake, which most clients speak, and over HTTP the one without.
"""

from __future__ import annotations

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from toolworld.harness.connect import PREFIX
from toolworld.harness.launch import STOP_SECONDS, ServerLog

Json = Any

CALL = "tools/call"
CLIENT = {"name": "toolworld", "version": "1"}


class Call(NamedTuple):
    """A call of gold."""

    tool: str
    arguments: Mapping[str, Json]


class Request(NamedTuple):
    """One thing to ask of a server."""

    method: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True)
class Run:
    """What a server is to do for a task: start it, make calls, and grade.

    Attributes:
        task: The task, or what of it an episode goes by.
        answer: What the agent finally says.
    """

    task: Mapping[str, Json]
    calls: Sequence[Call]
    answer: str

    def requests(self) -> Iterator[Request]:
        """Yield what to ask for, in this order."""
        yield Request(f"{PREFIX}reset", {"task": self.task, "seed": 0})
        for call in self.calls:
            yield Request(CALL, {"name": call.tool, "arguments": call.arguments})
        yield Request(f"{PREFIX}grade", {"answer": self.answer})


class Said(NamedTuple):
    """What came of a call: whether that was an error, and the text it gave."""

    is_error: bool
    text: str


class Outcome(NamedTuple):
    """What came of a run.

    Attributes:
        start: The digest of the state before the first call.
        end: The digest of the state after the last.
    """

    start: str
    said: Sequence[Said]
    end: str
    reward: float


class Wire(ABC):
    """A server of a package, with one episode open.

    The methods may block: while the answer is not there, there is nothing else to do.
    """

    def __init__(self, name: str, log: ServerLog) -> None:
        """Take what to call the transport in errors, and what is known of the server."""
        self._name, self._log = name, log

    @abstractmethod
    def ask(self, run: Run) -> None:
        """Ask for all of a run at once.

        Like every method here, it raises LaunchError where the server fails.
        """

    @abstractmethod
    async def next_answer(self) -> Json:
        """Return the next answer that is due: a JSON-RPC response."""

    async def outcome(self, run: Run) -> Outcome:
        """Return what came of the run that was asked for first of those unanswered."""
        started = self._granted("reset", await self.next_answer())
        said = [said_of(await self.next_answer()) for _ in run.calls]
        graded = self._granted("grade", await self.next_answer())
        return Outcome(started["digest"], said, graded["digest"], graded["reward"])

    def _granted(self, operation: str, answer: Json) -> Json:
        """Return the result of an operation of the control plane."""
        if "result" not in answer:
            raise self._log.error(f"{operation} over {self._name}: {message_of(answer)}")
        return answer["result"]


def jsonrpc(method: str, parameters: Mapping[str, Json], number: int) -> dict[str, Json]:
    """Return a JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


def said_of(answer: Json) -> Said:
    """Return what came of a tool call."""
    result = answer.get("result")
    if result is None:
        return Said(True, message_of(answer))
    return Said(bool(result.get("isError")), "\n".join(part["text"] for part in result["content"]))


def message_of(answer: Json) -> str:
    """Return what an error says."""
    error = answer.get("error", answer)
    return str(error.get("message", error)) if isinstance(error, Mapping) else str(error)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server: by its input where it has one, else and at last by force."""
    if process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.close()
    else:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
