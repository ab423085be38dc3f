"""The commands that are killed, and what may be found in their folders afterwards."""

from __future__ import annotations

import hashlib
import json
import random
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.committed import REPOSITORY, golden
from tools.kills.watching import Blow, Fall, run

TOOLWORLD = (sys.executable, "-m", "toolworld")
RECORDING = REPOSITORY / "tests" / "draft" / "recordings" / "tiny.jsonl"
WISH = "a library that lends board games"
ABSENT = "absent"
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "kills", "version": "1"},
}

Prepare = Callable[[Path, random.Random], None]


def _nothing(_: Path, __: random.Random) -> None:
    return


@dataclass
class Scene:
    """A command in a folder of its own.

    Attributes:
        name: Its name.
        commands: The ways to run it; each is first run to its end.
        artifacts: The files and folders it makes, each of which must be whole.
        texts: The files it makes that are never twice the same; each must be readable JSON.
        stdin: Its standard input.
        lasts: How many seconds it runs if it does not end by itself; else 0.
        prepare: Prepares the folder before each run.
        first: Prepares the folder before the first run.
    """

    name: str
    commands: Sequence[Sequence[str]]
    artifacts: Sequence[str] = ()
    texts: Sequence[str] = ()
    stdin: str = ""
    lasts: float = 0.0
    prepare: Prepare = _nothing
    first: Callable[[Path], None] = lambda _: None
    seconds: float = 0.0
    statuses: set[int] = field(default_factory=set)
    whole: dict[str, set[str]] = field(default_factory=dict)

    def learn(self, folder: Path) -> None:
        """Run every command to its end, and keep what it makes."""
        folder.mkdir()
        self.first(folder)
        for seed in range(4):
            self._keep(folder)
            self.prepare(folder, random.Random(seed))  # noqa: S311 - guards nothing
        for command in self.commands:
            fall = self.finish(folder, command)
            self.seconds = max(self.seconds, fall.seconds)
            self.statuses.add(fall.status)
            self._keep(folder)

    def _keep(self, folder: Path) -> None:
        for name in self.artifacts:
            self.whole.setdefault(name, set()).add(sum_of(folder / name))

    def finish(self, folder: Path, command: Sequence[str]) -> Fall:
        """Run a command to its end."""
        self.prepare(folder, random.Random(0))  # noqa: S311 - guards nothing
        end = Blow(signal.SIGTERM, self.lasts) if self.lasts else Blow()
        return run(command, folder, self.stdin, end)

    def kill(self, folder: Path, rng: random.Random, blow: Blow) -> Fall:
        """Run one of the commands, and tell it to end."""
        self.prepare(folder, rng)
        return run(rng.choice(self.commands), folder, self.stdin, blow)

    @property
    def is_command(self) -> bool:
        """Whether it is one of toolworld's own commands."""
        return not self.name.startswith("serve")

    def broken(self, folder: Path) -> list[str]:
        """Return the artifacts that are neither old nor new, and the texts that cannot be read."""
        return [
            f"{name} is neither the old one nor the new one"
            for name in self.artifacts
            if sum_of(folder / name) not in self.whole[name]
        ] + [f"{name} cannot be read" for name in self.texts if not _is_json(folder / name)]


def sum_of(path: Path) -> str:
    """Return a checksum of a file, or of a folder with all that is in it."""
    if not path.exists():
        return ABSENT
    total = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            total.update(f"{file.relative_to(path)}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return True
    except ValueError:
        return False
    return True


def left_in(folder: Path) -> list[str]:
    """Return the files with temporary names, and the locks."""
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob(".*")
        if ".toolworld" in path.name or path.suffix == ".tmp"
    ) + sorted(
        f"tmp/{path.name}"
        for path in (folder / "tmp").iterdir()
        # mypy's cache, which it keeps from one run to the next.
        if path.name != "toolworld-types" and ".toolworld" not in path.name
    )  # fmt: skip


def _toolworld(*arguments: str) -> tuple[str, ...]:
    return (*TOOLWORLD, *arguments)


def _built(folder: Path) -> None:
    run(_toolworld("build", str(golden()[0]), "--out", "package"), folder, "", Blow())


def _started(folder: Path) -> None:
    run(_toolworld("init", "shop"), folder, "", Blow())
    run(_toolworld("build", "shop", "--out", "package"), folder, "", Blow())


def _without(name: str) -> Prepare:
    def remove(folder: Path, _: random.Random) -> None:
        shutil.rmtree(folder / name, ignore_errors=True)

    return remove


def _without_files(*names: str) -> Prepare:
    def remove(folder: Path, _: random.Random) -> None:
        for name in names:
            (folder / name).unlink(missing_ok=True)

    return remove


def _new(out: str, tasks: int, *more: str) -> tuple[str, ...]:
    model = ("--model", f"replay:{RECORDING}", "--tools", "4")
    return _toolworld("new", WISH, *model, "--tasks", str(tasks), "--out", out, *more)


def _new_or_on(folder: Path, rng: random.Random) -> None:
    """Begin anew now and then; otherwise leave the killed run to be resumed."""
    if rng.random() < 1 / 4 or not (folder / "world" / "brief.json").is_file():
        shutil.rmtree(folder / "world", ignore_errors=True)


def _new_command() -> tuple[str, ...]:
    """Return a command that resumes a draft, or begins one if there is none."""
    begin, on = (shlex.join(_new("world", 3, *more)) for more in ((), ("--resume",)))
    return "/bin/sh", "-c", f"if [ -f world/brief.json ]; then exec {on}; else exec {begin}; fi"


def _request(number: int, method: str, params: Mapping[str, object]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def _session(*calls: tuple[str, Mapping[str, object]]) -> str:
    """Return the messages of a client that calls tools."""
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    asked = (
        _request(number, "tools/call", {"name": name, "arguments": given})
        for number, (name, given) in enumerate(calls, 1)
    )
    return _request(0, "initialize", HELLO) + ready + "\n" + "".join(asked)


def _drafted(folder: Path) -> None:
    (folder / "worlds").mkdir()
    run(_new("worlds/games", 0), folder, "", Blow())


def _untasked(folder: Path) -> None:
    run(_new("world", 0), folder, "", Blow())


def scenes() -> list[Scene]:
    """Return all scenes."""
    library = str(golden()[0])
    package = golden()[1]
    serve = (sys.executable, "-m", "toolworld_library")
    serving = (f"PYTHONPATH={package / 'src'}", *serve)
    built, reported = "package", "report.json"
    out = ("--out", built)
    reporting = ("--json", reported)
    world = {"world": "games", "wait_seconds": 0}
    return [
        Scene(
            "build",
            [_toolworld("build", library, *out, "--seed", seed) for seed in "01"],
            [built],
            first=_built,
        ),
        Scene(
            "first build", [_toolworld("build", library, *out)], [built], prepare=_without(built)
        ),
        Scene("init", [_toolworld("init", "shop")], ["shop"], prepare=_without("shop")),
        Scene(
            "tasks",
            [_toolworld("tasks", built, "-n", "4", "--seed", seed) for seed in "01"],
            [built],
            first=_started,
        ),
        Scene(
            "prove",
            [_toolworld("prove", built, "--calls", "600", "--workers", "2", *reporting)],
            [built, reported],
            prepare=_without_files(reported),
            first=_built,
        ),
        Scene(
            "laws",
            [
                _toolworld(
                    "laws", built, "--calls", "4000", "--suspects", "1000",
                    "--mutants", "100", "--workers", "2",
                )
            ],
            [built],
            first=_built,
        ),
        Scene(
            "graph",
            [_toolworld("graph", built, "--json", "graph.json", "--html", "graph.html")],
            [built, "graph.json", "graph.html"],
            prepare=_without_files("graph.json", "graph.html"),
            first=_built,
        ),
        Scene(
            "replay",
            [_toolworld("replay", built, "--transport", by) for by in ("stdio", "http")],
            [built],
            first=_built,
        ),
        Scene(
            "new",
            [_new_command()],
            ["world/package", "world/graph.json", "world/domain", "world/brief.json"],
            ["world/report.json"],
            prepare=_new_or_on,
            first=_untasked,
        ),
        Scene(
            "mcp",
            [_toolworld("mcp", "--folder", "worlds")],
            ["worlds/games/package", "worlds/games/domain"],
            ["worlds/games/report.json"],
            stdin=_session(("build_package", world), ("prove_package", world)),
            lasts=9.0,
            first=_drafted,
        ),
        Scene("serve over stdio", [("env", *serving)], stdin=_session(), lasts=1.5),
        Scene("serve over HTTP", [("env", *serving, "--http", "--port", "0")], lasts=1.5),
    ]  # fmt: skip
