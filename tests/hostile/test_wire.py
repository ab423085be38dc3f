"""Lines and requests that a client could send, or somebody who means harm.

The corpus is ``lines.yaml`` and ``requests.yaml``. Whatever of it is sent, the server lives,
answers no internal error, writes no traceback, and the state of the episode is as before. Whoever
finds bytes that break something adds them; ``make fuzz`` looks for such.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest
import yaml

from tools.committed import golden
from tools.fuzz.episode import Fuzzer
from tools.fuzz.wire.http import HttpSession, fuzz_http
from tools.fuzz.wire.messages import MODERN, OLDER, MessageMaker, WireLine
from tools.fuzz.wire.requests import WireRequest
from tools.fuzz.wire.stdio import StdioSession, fuzz_stdio, process_of
from tools.fuzz.wire.tally import Tally
from tools.servers import Server, host_command, started
from toolworld.harness.launch import Command, package_command
from toolworld.packages import Package, load_package

HERE = Path(__file__).parent
MESSAGES = 120
PACKAGE, HOST, HOST_OF_TWO = "package", "host", "host of two workers"
POST = (
    "POST PATH HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\nContent-Length: "
)


def corpus(name: str) -> list[bytes]:
    """Return what is in a file."""
    return [text.encode("latin-1") for text in yaml.safe_load((HERE / name).read_text("utf-8"))]


@pytest.fixture(scope="module")
def package() -> Package:
    return load_package(golden()[1])


@pytest.fixture
def maker(package: Package) -> MessageMaker:
    return MessageMaker(Fuzzer(package), random.Random(0))  # noqa: S311 - guards nothing


@pytest.fixture
def tally(tmp_path: Path) -> Tally:
    return Tally(tmp_path / "kept")


@pytest.mark.parametrize("version", [MODERN, OLDER[0]])
def test_no_line_ends_a_server(
    package: Package, maker: MessageMaker, tally: Tally, tmp_path: Path, version: str
) -> None:
    async def send() -> bool:
        log = tmp_path / "log"
        async with process_of(package_command(package, "--control"), log) as process:
            session = StdioSession(process, log, maker, version)
            await session.greet()
            lives = await session.run([WireLine(line) for line in corpus("lines.yaml")], tally)
            await session.end(tally, b'{"jsonrpc": ')
            return lives

    assert asyncio.run(send())
    assert tally.faults == {}


def command_of(kind: str, package: Package) -> Command:
    if kind == PACKAGE:
        return package_command(package, "--http", "--port", "0", "--control")
    return host_command(package.path, "--workers", "2" if kind == HOST_OF_TWO else "1")


@pytest.mark.parametrize("kind", [PACKAGE, HOST, HOST_OF_TWO])
def test_no_request_ends_a_server(
    package: Package, maker: MessageMaker, tally: Tally, tmp_path: Path, kind: str
) -> None:
    bodies = [f"{POST}{len(line)}\r\n\r\n".encode() + line for line in corpus("lines.yaml")]
    opens = {} if kind == PACKAGE else {"domain": "library"}

    async def send() -> bool:
        log = tmp_path / "log"
        async with started(kind, command_of(kind, package), log, opens) as server:
            session = HttpSession(server, maker, random.Random(0))  # noqa: S311 - guards nothing
            async with aclosing(session.client):
                await session.open()
                return await session.send([*_requests(session, server, bodies)], tally)

    assert asyncio.run(send())
    assert tally.faults == {}


def _requests(session: HttpSession, server: Server, bodies: Sequence[bytes]) -> list[WireRequest]:
    path, address = session.path.encode(), server.address.encode()
    filled = (
        raw.replace(b"PATH", path, 1).replace(b"HOST", address)
        for raw in [*bodies, *corpus("requests.yaml")]
    )
    return [WireRequest([raw], is_sound=False, is_left=True) for raw in filled]


def test_made_up_messages_leave_servers_alive(
    package: Package, maker: MessageMaker, tally: Tally, tmp_path: Path
) -> None:
    async def send() -> None:
        log = tmp_path / "log"
        await fuzz_stdio(package_command(package, "--control"), maker, MESSAGES, tally, log)
        command = command_of(PACKAGE, package)
        async with started(PACKAGE, command, tmp_path / "http", {}) as server:
            await fuzz_http(server, maker, MESSAGES, tally)

    asyncio.run(send())
    assert tally.faults == {}
    assert tally.counts["messages"] >= 2 * MESSAGES


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}', "an internal error"),
        (b"Internal Server Error", "no JSON object"),
        (b'{"id":1,"result":{"content":"because of a defect of the server"}}', "a tool failed"),
    ],
)
def test_what_is_wrong_with_an_answer_is_seen(tally: Tally, answer: bytes, fault: str) -> None:
    tally.take("here", answer, b"sent")
    assert [kind for kind in tally.faults if fault in kind]


def test_a_server_that_changes_what_it_may_not_is_seen(
    package: Package, maker: MessageMaker, tally: Tally, tmp_path: Path
) -> None:
    async def send() -> None:
        log = tmp_path / "log"
        async with process_of(package_command(package, "--control"), log) as process:
            session = StdioSession(process, log, maker, MODERN)
            await session.greet()
            fee = {"reason": "damaged", "amount": 5, "charged_on": "2026-03-02"}
            call = {"name": "charge_fee", "arguments": {"loan_id": "LOA-00001", "fee": fee}}
            request = maker.request("tools/call", call, MODERN)
            # Sent as if it could change nothing.
            await session.run([WireLine(json.dumps(request).encode(), request["id"])], tally)

    asyncio.run(send())
    assert [kind for kind in tally.faults if "the state changed" in kind]
