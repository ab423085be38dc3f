"""The container's files name what is there, and what they start answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.serving.conftest import StartedHost
from toolworld.packages import Package

FROM_EARLIER = "--from="


@pytest.fixture
def instructions(repository: Path) -> list[tuple[str, str]]:
    """The instructions of the image, in order."""
    text = (repository / "tools" / "container" / "Containerfile").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def test_what_is_copied_is_there(repository: Path, instructions: list[tuple[str, str]]) -> None:
    copied = [rest.split() for name, rest in instructions if name == "COPY"]
    sources = [
        one for parts in copied if not parts[0].startswith(FROM_EARLIER) for one in parts[:-1]
    ]
    assert len(sources) == 6
    assert all((repository / source).exists() for source in sources)


def test_what_the_image_starts_answers_its_health_check(
    start: Callable[..., StartedHost], starter: Package, instructions: list[tuple[str, str]]
) -> None:
    said = dict(instructions)
    assert json.loads(said["ENTRYPOINT"]) == ["toolworld", "serve"]
    (packages, *options) = json.loads(said["CMD"])
    assert ("COPY", f"generated_servers {packages}") in instructions
    host = start(starter.path, *options)
    port = host.url.rpartition(":")[2]
    _, program, code = json.loads(said["HEALTHCHECK"].partition(" CMD ")[2])
    check = [sys.executable, program, code.replace(":8000", f":{port}")]
    assert subprocess.run(check, check=False, timeout=20).returncode == 0
    host.process.terminate()
    host.process.wait(20)
    gone = subprocess.run(check, check=False, timeout=20, stderr=subprocess.DEVNULL)
    assert gone.returncode == 1


def test_it_has_no_rights_and_writes_nothing(
    repository: Path, instructions: list[tuple[str, str]]
) -> None:
    file = repository / "tools" / "container" / "compose.yaml"
    service = yaml.safe_load(file.read_text())["services"]["toolworld"]
    context = (file.parent / service["build"]["context"]).resolve()
    assert (context / service["build"]["dockerfile"]).is_file() and context == repository
    assert service["user"] == dict(instructions)["USER"] == "10001:10001"
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
