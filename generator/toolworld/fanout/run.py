"""Runs jobs over many packages and keeps their ends: a job that is done is not run again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from toolworld.artifacts import write_report
from toolworld.errors import ToolworldError
from toolworld.fanout.engines import Engine
from toolworld.fanout.jobs import Job, JobEnd
from toolworld.folders import read_files
from toolworld.harness.packages import package_folders

COMMANDS: Mapping[str, bool] = {
    "check": False, "build": False, "prove": True, "laws": True, "tasks": True, "certify": True,
    "replay": True,
}  # fmt: skip
"""The commands that can be fanned out, and whether each writes a report."""
OF_DOMAINS = ("check", "build")


@dataclass(frozen=True)
class FanOut:
    """How all jobs ended. Printing it with rich shows it as people read it."""

    jobs: Sequence[Job]
    ends: Sequence[JobEnd]

    @property
    def passed(self) -> bool:
        """Whether all jobs passed."""
        return all(one.passed for one in self.ends)

    def __rich__(self) -> RenderableType:
        """Show a row for each job, then the output of the failed ones."""
        table = Table("job", "end")
        pairs = list(zip(self.jobs, self.ends, strict=True))
        for job, end in pairs:
            table.add_row(escape(job.name), "passed" if end.passed else f"[red]{end.status}[/]")
        said = [
            f"\n[red]{escape(job.name)}[/]\n{escape(end.said)}"
            for job, end in pairs
            if not end.passed
        ]
        return Group(table, *said)


def jobs_of(command: str, paths: Sequence[Path], options: Sequence[str]) -> list[Job]:
    """Return a job for each package.

    Args:
        command: One of ``COMMANDS``.
        paths: Packages, and folders of packages; domains to check or build.
        options: The other arguments of the command; ``{name}`` stands for the job's name.

    Raises:
        ToolworldError: There is no such command, or two packages have one name.
        PackageLoadError: A path is no package and holds none.
    """
    if command not in COMMANDS:
        raise ToolworldError(
            f"{command} cannot be run over many; these can: {', '.join(COMMANDS)}."
        )
    folders = (
        list(paths)
        if command in OF_DOMAINS
        else [folder for path in paths for folder in package_folders(path)]
    )
    names = [folder.resolve().name for folder in folders]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ToolworldError(f"Two folders are called {min(twice)}; give them one after another.")
    return [
        Job(name, str(folder.resolve()), command, _filled(options, name), COMMANDS[command])
        for name, folder in zip(names, folders, strict=True)
    ]


def _filled(options: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(one.replace("{name}", name) for one in options)


def fan_out(
    jobs: Sequence[Job], engine: Engine, out: Path | None, say: Callable[[str], None]
) -> FanOut:
    """Run jobs, and return how they ended.

    Args:
        jobs: The jobs.
        engine: Runs them.
        out: A folder that keeps each end as soon as there is one. A job that ended well before, and
            whose folder has not changed, is not run again. None to keep nothing.
        say: Called with a line about each end.

    Raises:
        ToolworldError: An end cannot be written.
    """
    kept = {job.name: end for job in jobs if (end := _kept(job, out)) is not None}
    waiting = [job for job in jobs if job.name not in kept]
    for job, end in zip(waiting, engine.ends(waiting), strict=True):
        kept[job.name] = end
        say(f"{job.name}: {'passed' if end.passed else 'failed'}")
        _keep(job, end, out)
    return FanOut(jobs, [kept[job.name] for job in jobs])


def _keep(job: Job, end: JobEnd, out: Path | None) -> None:
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        write_report(out / f"{job.name}.json", {"digest": _digest(job), "end": asdict(end)})


def _kept(job: Job, out: Path | None) -> JobEnd | None:
    """Return how a job ended before; None if it did not, it failed, or it has changed since."""
    file = out / f"{job.name}.json" if out is not None else None
    if file is None or not file.is_file():
        return None
    try:
        told = json.loads(file.read_text("utf-8"))
        end = JobEnd(**told["end"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return end if end.passed and told["digest"] == _digest(job) else None


def _digest(job: Job) -> str:
    """Return a digest of a job's command and of the content of its folder."""
    digest = hashlib.sha256(json.dumps([job.command, *job.options]).encode())
    for part in _parts(Path(job.path)):
        digest.update(part.encode("utf-8", "replace"))
    return digest.hexdigest()


def _parts(folder: Path) -> Iterator[str]:
    for path, text in read_files(folder).items():
        yield f"{path}\0{text}\0"
