"""The checks of an emitted package and of the fixture; each passes or says why not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jsonschema

from tools.conformance.node import Finished, Node
from tools.conformance.server_schema import SERVER_SCHEMA

UNIVERSAL = {
    "2025-11-25": (
        "server-initialize",
        "ping",
        "tools-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "server-session-lifecycle",
    ),
    "2026-07-28": (
        "tools-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "http-header-validation",
        "sep-2164-resource-not-found",
        "input-required-result-unsupported-methods",
    ),
}
"""The scenarios that need no fixture, by the wire they run on."""

ERAS = {"2025-11-25": "legacy", "2026-07-28": "modern"}
RAN = re.compile(r"^[✓✗] (\S+): ", re.MULTILINE)
NOT_SCORED = re.compile(r"^  [✓✗] (\S+) \(", re.MULTILINE)
RESULTS = re.compile(r"^Passed: .*", re.MULTILINE)


@dataclass(frozen=True)
class ConformanceCheck:
    """One check of one server.

    Attributes:
        output: All that the program printed.
    """

    name: str
    passed: bool
    summary: str
    output: str


def check_server(node: Node, url: str) -> Iterator[ConformanceCheck]:
    """Check a package's running server: the universal scenarios and its tools' schemas."""
    for wire, scenarios in UNIVERSAL.items():
        for name in scenarios:
            arguments = ("--scenario", name, "--spec-version", wire)
            done = node.run("conformance", "server", "--url", url, *arguments)
            yield scenario(f"{name}, {wire}", done)
    for wire, era in ERAS.items():
        yield inspect(node, url, wire, era)


def check_fixture(node: Node, url: str) -> Iterator[ConformanceCheck]:
    """Check the running fixture for all that each revision requires of a server."""
    for wire in UNIVERSAL:
        done = node.run("conformance", "server", "--url", url, "--requirements", wire)
        yield required(f"required set, {wire}", done)


def scenario(name: str, done: Finished) -> ConformanceCheck:
    """Return what the suite found in one scenario."""
    found = RESULTS.search(done.output)
    summary = found[0] if found else f"exit code {done.code}"
    return ConformanceCheck(name, done.code == 0, summary, done.output)


def required(name: str, done: Finished) -> ConformanceCheck:
    """Return what the suite found; it exits with 0 only if all that is scored passed."""
    scored = set(RAN.findall(done.output)) - set(NOT_SCORED.findall(done.output))
    return ConformanceCheck(name, done.code == 0, f"{len(scored)} scenarios", done.output)


def inspect(node: Node, url: str, wire: str, era: str) -> ConformanceCheck:
    """Check that the tools' schemas are portable between clients."""
    arguments = ("--protocol-era", era, "--method", "tools/list", "--strict", "-q")
    done = node.run("mcp-inspector", "--cli", url, *arguments, "--format", "json")
    count = done.output.count('"inputSchema"')
    return ConformanceCheck(
        f"inspector --strict, {wire}", done.code == 0, f"{count} tools", done.output
    )


def check_files(node: Node, package: Path) -> Iterator[ConformanceCheck]:
    """Check the files that describe a package to registries and clients."""
    done = node.run("mcpb", "validate", str(package / "manifest.json"))
    yield ConformanceCheck("mcpb validate", done.code == 0, f"exit code {done.code}", done.output)
    yield check_server_json(package / "server.json")


def check_server_json(path: Path) -> ConformanceCheck:
    """Check a package's ``server.json``."""
    validator = jsonschema.Draft7Validator(SERVER_SCHEMA)
    found = [
        f"{error.json_path}: {error.message}"
        for error in validator.iter_errors(json.loads(path.read_text(encoding="utf-8")))
    ]
    return ConformanceCheck(
        "server.json", not found, found[0] if found else "valid", "\n".join(found)
    )
