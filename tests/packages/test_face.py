"""What is in a package is named in one place: `toolworld.packages`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools import committed
from toolworld.packages import PackageModules, files, files_of

REPOSITORY = Path(__file__).parents[2]
FACE = REPOSITORY / "generator" / "toolworld" / "packages"
MODULE = re.compile(r"\.module\(")
NAMED = {
    files.TASKS, files.CASES, files.SEED, files.TOOLS, files.EFFECTS, files.POLICY, files.PHRASES,
    files.EXPLAINED, files.SURVIVORS, files.SCENARIOS,
}  # fmt: skip


def sources() -> Iterator[Path]:
    for room in ("generator/toolworld", "tools"):
        for path in (REPOSITORY / room).rglob("*.py"):
            if not path.is_relative_to(FACE):
                yield path


def test_nothing_else_names_a_file_or_module_of_a_package() -> None:
    names = NAMED | {Path(name).name for name in NAMED}
    found = []
    for path in sources():
        text = path.read_text("utf-8")
        if MODULE.search(text) or names & set(re.findall(r'"([^"\n]+)"', text)):
            found.append(path.relative_to(REPOSITORY))
    assert found == []


def test_every_module_that_the_face_has_is_one_of_a_package() -> None:
    has = {name for name, kind in vars(PackageModules).items() if isinstance(kind, property)}
    retail = files_of(committed.SERVERS / "retail")
    inside = {path.stem for path in retail.module.rglob("*")}
    assert has <= inside
