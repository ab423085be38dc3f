"""Tries out what a blueprint has settled: checks, builds, type-checks and proves it.

Model-written text is read and run only in limited processes, as building and proving use them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.draft.blueprint import Blueprint
from toolworld.draft.texts import texts_of
from toolworld.emit import build_spec
from toolworld.emit.checking import check_limited
from toolworld.emit.formatting import formatted
from toolworld.errors import Problem, SpecError, ToolworldError
from toolworld.packages import files_of, find_module
from toolworld.packages.files import read_json
from toolworld.packages.tools_modules import tools_modules
from toolworld.prove import ProofSettings, prove
from toolworld.spec import Spec
from toolworld.system.processes import tied
from toolworld.system.temporary import temporary_folder

STAND_IN = """
def list_{table}(db: Database, cursor: str | None = None, limit: int = 50) -> Page[{name}]:
    \"\"\"List all.

    Args:
        cursor: Where to go on.
        limit: Rows on the page.

    Raises:
        Rejected: The cursor or limit is bad.
    \"\"\"
    return page(db.{table}.all(), cursor, limit)
"""
UNFINISHED = frozenset({"unused-table", "missing-phrases", "personas"})
"""Rules that a domain cannot keep before all its tools and words are there."""
CALLS = 300
"""Made-up calls for a tool while it is being drafted."""
SECONDS = 20.0
"""Processor time for each function of a recipe."""
MINUTES = 10.0
"""The time limit for a proof of drafted tools."""
LINT_SECONDS = 300.0
"""The time limit for a linter or type checker."""
ENDS = (0, 1)
"""Exit codes of linters that looked at everything: without and with findings."""
MOST_ROWS = 2
"""A recipe may make this many times the rows asked for."""
LONGEST_REASON = 300
FOR_USERS = "; ask for fewer calls"
"""Advice of a proof that is no use to a model."""
PYTHON = sys.executable
QUIETLY = ("--no-cache", "--quiet", "--output-format", "concise")
SEED_RULES = (
    *QUIETLY, "--isolated", "--select", "E,F,B,UP,PERF,C90", "--ignore", "F821",
    "--config", "line-length=100", "--target-version", "py311",
)  # fmt: skip
DEFINED = re.compile(r"^(?:def (\w+)|([A-Z][A-Z0-9_]*)\b|  (\w+):$)")
"""The first line of a part of a file: a function, a constant, an entity, object or enum."""
LINTED = re.compile(r"^([\w/]+\.py):(\d+):(?:\d+:)? (?:error: )?(.*)$")


@dataclass(frozen=True)
class Fault:
    """Something wrong with code.

    Attributes:
        owner: The function, constant or type it is in; empty if it is in none.
        file: The file of the domain it is in; empty for the code that is being tried.
    """

    owner: str
    text: str
    file: str = ""


def faults_of(texts: dict[str, str], problems: Sequence[Problem]) -> list[Fault]:
    """Return problems as faults, each with the part and the line that it is in."""
    return [_fault(texts.get(problem.file, "").splitlines(), problem) for problem in problems]


def _fault(lines: Sequence[str], problem: Problem) -> Fault:
    owner, line = _place(lines, problem.line)
    where = f"in `{line}`: " if line else ""
    text = f"{where}[{problem.rule}] {problem.message} {problem.mend}"
    return Fault(owner, text, problem.file)


def _place(lines: Sequence[str], number: int) -> tuple[str, str]:
    """Return the name of the part that a line is in, and the line itself."""
    if not 0 < number <= len(lines):
        return "", ""
    for line in reversed(lines[:number]):
        found = DEFINED.match(line)
        if found:
            return next(filter(None, found.groups())), lines[number - 1].strip()
    return "", lines[number - 1].strip()


def check(
    blueprint: Blueprint, tools: Collection[str] | None = None, files: Collection[str] = ()
) -> tuple[Spec | None, list[Fault]]:
    """Check a blueprint by the rules of a domain folder; return the spec and the faults.

    Args:
        blueprint: What is settled.
        tools: The tools to check; None for all that have code.
        files: The files to check; empty for all.
    """
    texts = texts_of(blueprint, tools)
    if tools is not None and not tools:
        texts["tools.py"] = _stand_in(blueprint)
    given = {name: text for name, text in texts.items() if not files or name in files}
    spec, problems = check_limited(given, UNFINISHED)
    return spec, faults_of(texts, problems)


def _stand_in(blueprint: Blueprint) -> str:
    """Return a module with one tool, since a package needs at least one."""
    name, kind = next(iter(blueprint.kinds.items()))
    return STAND_IN.format(table=kind.table, name=name)


@contextmanager
def built(spec: Spec) -> Iterator[Path]:
    """Build a spec's package in a temporary folder.

    Raises:
        SpecError: Its recipe fails, or makes data that break rules.
        ToolworldError: It cannot be built.
    """
    with temporary_folder() as name:
        package = name / "package"
        build_spec(spec, package, seconds=SECONDS)
        yield package


def tables_of(package: Path) -> dict[str, list[Any]]:
    """Return the seed rows of a package, by table."""
    tables: dict[str, list[Any]] = read_json(files_of(package).seed)["tables"]
    return tables


def try_seeds(blueprint: Blueprint) -> list[Fault]:
    """Check, lint and run the recipe as far as it is settled; return all that is wrong."""
    spec, faults = check(blueprint, ())
    if faults or spec is None:
        return faults
    try:
        faults = _linted_seed(spec.seed_code)
        with built(spec) as package:
            return [*faults, *_miscounted(spec.domain.seed, tables_of(package))]
    except SpecError as error:
        return faults_of(texts_of(blueprint, ()), error.problems)
    except ToolworldError as error:
        return [Fault("", f"It could not be tried: {reason(error)}")]


def _miscounted(asked: Mapping[str, int], tables: Mapping[str, Sequence[Any]]) -> list[Fault]:
    """Return the tables for which a recipe makes too few or far too many rows."""
    found = []
    for table, count in asked.items():
        made = len(tables[table])
        if not count <= made <= MOST_ROWS * count:
            text = f"it makes {made} rows of db.{table}; add `count` rows, which are {count}."
            found.append(Fault(f"seed_{table}", text))
    return found


def reason(error: ToolworldError) -> str:
    """Return why something could not be tried, in one line without paths of this machine."""
    text = str(error).partition("cannot be proven: ")[2].replace(FOR_USERS, "") or str(error)
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip()[:LONGEST_REASON] if lines else "no more is known."


def _linted_seed(code: str) -> list[Fault]:
    """Return the linter's findings on a recipe, which is formatted first."""
    text = formatted({"seed.py": code}, "toolworld_draft")["seed.py"]
    with temporary_folder() as name:
        (name / "seed.py").write_text(text, "utf-8")
        said = _output(name, ["ruff", "check", *SEED_RULES, "seed.py"])
    return [fault for line in said for fault in _said(line, {"seed.py": text.splitlines()})]


def try_tools(blueprint: Blueprint, tools: Collection[str]) -> list[Fault]:
    """Check, build, lint, type-check and prove some tools; return all that is wrong."""
    spec, faults = check(blueprint, tools)
    if faults or spec is None:
        return faults
    try:
        with built(spec) as package:
            return [*_linted(package), *_proven(package, tools)]
    except SpecError as error:
        return faults_of(texts_of(blueprint, tools), error.problems)
    except ToolworldError as error:
        return _untried(blueprint, tools, reason(error))


def _untried(blueprint: Blueprint, tools: Collection[str], why: str) -> list[Fault]:
    """Return which tools are at fault that some could not be tried: tries each alone."""
    text = f"could not be tried: {why} Write it simpler, or in another way."
    if len(tools) == 1:
        return [Fault(name, text) for name in tools]
    alone = [fault for name in tools for fault in try_tools(blueprint, [name])]
    return alone or [Fault("", text)]


def _linted(package: Path) -> list[Fault]:
    """Return the findings of the linter and the strict type checker on a package's tools."""
    modules = tools_modules(find_module(package))
    lines = {one.path.relative_to(package).as_posix(): one.text.splitlines() for one in modules}
    cache = Path(tempfile.gettempdir()) / "toolworld-types"
    checks = (
        ["ruff", "check", *QUIETLY, *lines],
        ["mypy", "--no-error-summary", "--no-pretty", "--cache-dir", str(cache), *lines],
    )
    said = [line for arguments in checks for line in _output(package, arguments)]
    return [fault for line in said for fault in _said(line, lines)]


def _output(package: Path, arguments: list[str]) -> list[str]:
    """Return the output of a linter.

    Raises:
        ToolworldError: It did not look at the code.
    """
    command = [PYTHON, "-m", *arguments]
    try:
        ended = subprocess.run(
            tied(command),
            cwd=package,
            capture_output=True,
            text=True,
            check=False,
            timeout=LINT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolworldError(f"{arguments[0]} does not come back.") from error
    said = ended.stdout.splitlines()
    if ended.returncode not in ENDS and not any(map(LINTED.match, said)):
        why = (ended.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise ToolworldError(f"{arguments[0]} ended with {ended.returncode}: {why}.")
    return said


def _said(text: str, lines: Mapping[str, Sequence[str]]) -> list[Fault]:
    found = LINTED.match(text)
    if not found or found[1] not in lines:
        return []
    owner, line = _place(lines[found[1]], int(found[2]))
    return [Fault(owner, f"in `{line}`: {found[3]}")]


def _proven(package: Path, tools: Collection[str]) -> list[Fault]:
    settings = ProofSettings(
        only=sorted(tools), calls=CALLS, seek=0, mutants=False, minutes=MINUTES
    )  # fmt: skip
    content = prove(package, settings).content
    return [_failed(one) for one in (*content["failures"], *content["doubts"])]


def _failed(failure: dict[str, Any]) -> Fault:
    where = f" ({failure['detail']})" if failure["detail"] else ""
    return Fault(failure["tool"], f"when run: {failure['reason']}{where}. {failure['mend']}")
