"""The servers of a conformance run start; the suite itself takes Node and a minute."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tools.conformance.serving import fixture_server, package_server

Serve = Callable[[Path], AbstractContextManager[str]]
ASK = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@pytest.mark.parametrize("serve", [package_server, fixture_server])
def test_a_server_of_a_conformance_run_greets_its_client(repository: Path, serve: Serve) -> None:
    with serve(repository / "tests/golden/package/library") as url:
        asked = Request(url, json.dumps(ASK).encode(), HEADERS)  # noqa: S310 - our own server
        with urlopen(asked, timeout=20) as answer:  # noqa: S310
            assert '"serverInfo"' in answer.read().decode()
