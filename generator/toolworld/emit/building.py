"""A domain folder made into a package: rendered, filled with seed data, its tasks made whole."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.emit.checking import load_limited
from toolworld.emit.gold import finish_tasks
from toolworld.emit.limited import MEGABYTES, SECONDS, Doing, limited
from toolworld.emit.render import README, module_name, render, render_readme, spec_digest
from toolworld.emit.sample import WorkingCall, choose_sample
from toolworld.emit.seed import make_base, write_seed
from toolworld.folders import read_files, replacing, write_files
from toolworld.packages import forget, load_package
from toolworld.packages.files import CASES, SEED, SOURCE, TASKS
from toolworld.packages.made import by_hand, count_made
from toolworld.packages.tasks_file import tasks_text
from toolworld.spec import Spec
from toolworld.system.temporary import temporary_folder

Progress = Callable[[str], None]
ROWS_A_SECOND, ROWS_A_MEGABYTE = 1000, 50
"""How slow and how large rows may be, at worst."""


@dataclass(frozen=True)
class BuildReport:
    """What a build made.

    Attributes:
        rows: How many seed rows there are, by table.
        digest: The spec's digest.
        lost: How many made tasks the package had that was there before.
    """

    path: Path
    name: str
    tools: int
    entities: int
    tasks: int
    rows: dict[str, int]
    digest: str
    lost: int = 0

    def __str__(self) -> str:
        """One line for people, with a hint if tasks were dropped."""
        text = (
            f"{self.name}: {self.tools} tools, {self.entities} entities, "
            f"{sum(self.rows.values()):,} rows, {self.tasks} tasks in {self.path}"
        )
        if self.lost:
            text += f"\nIts {self.lost} made tasks are gone; make new ones with: "
            text += f"toolworld tasks {self.path} -n {self.lost}"
        return text


def _silent(_: str) -> None:
    return


def build(
    folder: Path,
    out: Path,
    rows: int | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
    seconds: float = SECONDS,
) -> BuildReport:
    """Build the package of a domain folder; on failure ``out`` keeps its old content.

    The same folder, rows and seed give the same bytes.

    Args:
        folder: The domain folder.
        out: The package's folder; a package there is replaced.
        rows: How many rows the largest table of the seed recipe gets; None for the spec's
            counts. Hand-written tasks and cases name rows of the spec's own counts and seed,
            so any other database is built without them.
        seed: Varies the seed data.
        on_progress: Told what is being done.
        seconds: Processor time for each function of the recipe and each gold call; more rows
            get more.

    Raises:
        SpecError: The domain folder breaks rules, all listed, or its code does not come back.
        BuildError: The package cannot be made or written.
    """
    progress = on_progress or _silent
    progress("Reading the spec")
    return build_spec(load_limited(folder), out, rows, seed, progress, seconds)


def build_spec(
    spec: Spec,
    out: Path,
    rows: int | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
    seconds: float = SECONDS,
) -> BuildReport:
    """Build the package of a spec, as ``build`` does of a folder.

    Raises:
        SpecError: Its code does not come back, or makes data that break rules.
        BuildError: The package cannot be made or written.
    """
    with replacing(out) as made:
        lost = sum(count_made(path.read_text("utf-8")) for path in out.glob(f"{SOURCE}/*/{TASKS}"))
        counts, tasks = _make(spec, made, rows, seed, seconds, on_progress or _silent)
    return BuildReport(
        path=out,
        name=spec.name,
        tools=len(spec.tools),
        entities=len(spec.domain.entities),
        tasks=tasks,
        rows=counts,
        digest=spec_digest(spec),
        lost=lost,
    )


def _make(
    spec: Spec, made: Path, rows: int | None, seed: int, seconds: float, progress: Progress
) -> tuple[dict[str, int], int]:
    progress("Rendering")
    files = render(spec)
    if not _is_own_data(rows, seed):
        files.pop(f"{SOURCE}/{module_name(spec)}/{CASES}", None)
    write_files(made, files)
    more = rows or 0
    counts, tasks, sample = limited(
        lambda doing: _fill(spec, made, rows, seed, doing),
        seconds + more / ROWS_A_SECOND,
        MEGABYTES + more // ROWS_A_MEGABYTE,
        progress,
    )
    write_files(made, {README: render_readme(spec, sample)})
    return counts, tasks


def _is_own_data(rows: int | None, seed: int) -> bool:
    """Whether the rows are those that hand-written tasks and cases name."""
    return rows is None and seed == 0


def _fill(
    spec: Spec, made: Path, rows: int | None, seed: int, doing: Doing
) -> tuple[dict[str, int], int, WorkingCall | None]:
    """Put seed data and tasks into a package; return how many there are, and a call that works."""
    with _NoBytecode():
        package = load_package(made)
        try:
            base = make_base(spec, package, rows, seed, doing)
            own = _is_own_data(rows, seed)
            tasks: list[dict[str, Any]] = finish_tasks(spec, package, base, doing) if own else []
            sample = choose_sample(spec, package, base, tasks, doing)
        finally:
            forget(package.alias)
    doing("seed.py", "the seed data")
    write_seed(made / SOURCE / module_name(spec) / SEED, base)
    write_files(made, {f"{SOURCE}/{module_name(spec)}/{TASKS}": tasks_text(tasks)})
    counts = {name: len(table.rows) for name, table in base.tables.items()}
    return counts, len(tasks), sample


class _NoBytecode:
    """Keeps Python from leaving caches in the package while it is being made."""

    def __enter__(self) -> None:
        self._before = sys.dont_write_bytecode
        sys.dont_write_bytecode = True

    def __exit__(self, *_: object) -> None:
        sys.dont_write_bytecode = self._before


def stale(folder: Path, out: Path, rows: int | None = None, seed: int = 0) -> str:
    """Return how a built package differs from a fresh build of its domain folder.

    Tasks that were made for it are left out of account: they are no part of a build.

    Returns:
        A unified diff, empty when nothing differs.

    Raises:
        SpecError: The domain folder breaks rules.
        BuildError: The package cannot be made.
    """
    with temporary_folder() as name:
        fresh = name / "fresh"
        build(folder, fresh, rows, seed)
        wanted = read_files(fresh)
    found = read_files(out) if out.is_dir() else {}
    found |= {path: by_hand(found[path]) for path in found if path.endswith(TASKS)}
    return "".join(
        _difference(path, found.get(path, ""), wanted.get(path, ""))
        for path in sorted(found.keys() | wanted.keys())
    )


def _difference(path: str, found: str, wanted: str) -> str:
    lines = difflib.unified_diff(
        found.splitlines(keepends=True), wanted.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
