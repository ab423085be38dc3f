"""Extends a domain: chooses areas, drafts their scenarios, and keeps those that pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio

from toolworld import bundled
from toolworld.emit import build_spec
from toolworld.emit.checking import check_limited
from toolworld.errors import SpecError, ToolworldError, first_of
from toolworld.extend.areas import ScenarioArea, areas_of
from toolworld.extend.drafting import AreaDraft
from toolworld.extend.joining import join_areas
from toolworld.extend.report import ExtendReport
from toolworld.extend.trial import Trial
from toolworld.graph import kept_graph
from toolworld.llm import Backend, ModelLimits
from toolworld.llm.desk import Desk
from toolworld.llm.kept import journal_of
from toolworld.packages import Package, forget, load_package
from toolworld.spec import Spec
from toolworld.spec.files import read_files, write_files
from toolworld.system.temporary import temporary_folder
from toolworld.tasks.scenarios.making import Making

Say = Callable[[str], None]
DOMAIN = "domain"
EXAMPLE = ("scenarios/rentals.py", "scenarios/rentals.yaml")


@dataclass(frozen=True)
class ExtendOrder:
    """What is asked for.

    Attributes:
        areas: How many areas get scenarios, two or three each.
        seed: Varies the areas.
        resume: Whether to go on with the answers in the folder.
    """

    areas: int = 3
    seed: int = 0
    limits: ModelLimits = field(default_factory=ModelLimits)
    resume: bool = False


def extend(
    domain: Path, out: Path, backend: Backend, order: ExtendOrder, say: Say | None = None
) -> ExtendReport:
    """Have a model write scenarios for a domain, and keep those that make sound tasks.

    Args:
        domain: The domain's folder; it is left as it is.
        out: Holds the answers, and in the end the extended domain under ``domain``.
        backend: The model.
        order: What is asked for.
        say: Called with each line of progress.

    Raises:
        SpecError: The domain breaks rules, as it was or with all that was added.
        ModelError: There is no answer, or no budget; the answers so far are kept.
        ToolworldError: The domain has no clauses or roles, or cannot be built.
    """
    say = say or _silent
    texts, problems = read_files(domain)
    spec, more = check_limited(texts)
    if spec is None or problems:
        raise SpecError([*problems, *more])
    _check_ready(spec)
    asked = {"domain": _digest(texts), "areas": order.areas, "seed": order.seed}
    with journal_of("extension", asked, out, order.resume) as journal, _built(spec) as package:
        say("Finding the tool graph ...")
        graph = kept_graph(package.path, say)
        areas = areas_of(spec, graph, _used(package), order.areas, order.seed)
        desk = Desk(backend, journal, order.limits, say)
        drafts = _drafts(desk, areas, spec, Trial(texts, graph), package)
        _ask(drafts)
        extended = {**texts, **join_areas(spec, drafts)}
        whole, problems = check_limited(extended)
        if whole is None:
            raise SpecError(problems)
        write_files(out / DOMAIN, extended)
    return ExtendReport.of(spec.name, backend.name, drafts, desk.ledger.as_json())


def _check_ready(spec: Spec) -> None:
    if not (spec.clauses and spec.domain.roles):
        raise ToolworldError(
            f"{spec.name} has no numbered clauses in policy.md or no roles in domain.yaml; "
            "scenarios need both."
        )


def _digest(texts: dict[str, str]) -> str:
    return sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


@contextmanager
def _built(spec: Spec) -> Iterator[Package]:
    with temporary_folder() as folder:
        build_spec(spec, folder / "package")
        package = load_package(folder / "package")
        try:
            yield package
        finally:
            forget(package.alias)


def _used(package: Package) -> list[set[str]]:
    """Return the tools that each scenario of a package uses."""
    making = Making(package)
    if not making.package.files.scenarios.is_file():
        return []
    tools = {tool["name"] for tool in package.environment().tools}
    return [making.code.tools_of(one.expert, tools) for one in making.scenarios]


def _drafts(
    desk: Desk, areas: Sequence[ScenarioArea], spec: Spec, trial: Trial, package: Package
) -> list[AreaDraft]:
    state: dict[str, dict[str, Any]] = package.environment().state()
    sample = {table: [*rows.values()][:1] for table, rows in state.items()}
    counts = {table: len(rows) for table, rows in state.items()}
    starter = bundled.templates() / "starter"
    code, words = ((starter / name).read_text("utf-8") for name in EXAMPLE)
    example = {"code": code, "words": words}
    return [AreaDraft(desk, area, spec, trial, sample, counts, example) for area in areas]


def _ask(drafts: Sequence[AreaDraft]) -> None:
    """Ask for all areas, several at once.

    Raises:
        ToolworldError: No answer comes, or the domain cannot be run.
    """

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for one in drafts:
                group.start_soon(one.ask)

    try:
        anyio.run(ask)
    except BaseExceptionGroup as errors:
        raise first_of(errors) from errors


def _silent(_: str) -> None:
    return
