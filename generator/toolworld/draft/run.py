"""Drafts a domain: runs the stages one after another, and keeps everything in one folder.

A run that is resumed in its folder takes the answers it has, makes the same checks, and asks only
what has no answer yet. So it ends with the same domain as a run that never stopped.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anyio

from toolworld.artifacts import write_whole
from toolworld.draft.blueprint import Blueprint, Brief
from toolworld.draft.stages.bodies import bodies
from toolworld.draft.stages.cases import cases
from toolworld.draft.stages.outline import outline, plan
from toolworld.draft.stages.seeds import seeds
from toolworld.draft.stages.things import things
from toolworld.draft.stages.tools import tools
from toolworld.draft.stages.words import words
from toolworld.draft.texts import texts_of
from toolworld.emit.checking import check_limited
from toolworld.emit.formatting import formatted
from toolworld.errors import DraftError, SpecError, ToolworldError, first_of
from toolworld.llm.backend import Backend
from toolworld.llm.desk import Desk, ModelLimits, Say, defect
from toolworld.llm.journal import FILE, Journal
from toolworld.spec.files import write_files
from toolworld.system.locks import LOCK

Stage = Callable[[Desk, Blueprint], Awaitable[None]]
STAGES: tuple[Stage, ...] = (outline, plan, tools, things, seeds, bodies, words, cases)
BRIEF, DOMAIN = "brief.json", "domain"


@dataclass(frozen=True)
class Drafted:
    """A domain that was drafted.

    Attributes:
        folder: The domain's folder.
        name: The domain's name.
        figures: The figures of the run, as in ``Ledger.as_json``.
        tools: How many tools were asked for, drafted, and passed at which answer.
    """

    folder: Path
    name: str
    figures: dict[str, Any]
    tools: dict[str, Any]


def open_draft(folder: Path, brief: Brief, resume: bool) -> None:
    """Make the folder of a draft, or check the one to go on with.

    Raises:
        DraftError: The folder is in use, holds another draft, or has no draft to go on with.
    """
    file = folder / BRIEF
    if resume:
        _check_brief(file, brief)
        return
    if folder.exists() and (not folder.is_dir() or _is_used(folder)):
        raise DraftError(f"{folder} is in use; choose another, or go on with --resume.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(asdict(brief), indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise DraftError(f"{folder} cannot be used: {error.strerror}.") from error


def _is_used(folder: Path) -> bool:
    return any(path.name != LOCK for path in folder.iterdir())


def _check_brief(file: Path, brief: Brief) -> None:
    """Check that a folder holds a draft of the same brief.

    Raises:
        DraftError: It holds another draft, or none.
    """
    if not file.is_file():
        raise DraftError(f"{file.parent} holds no draft to go on with; leave out --resume.")
    try:
        before = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DraftError(f"{file} is broken ({error}); start in another folder.") from error
    if before != asdict(brief):
        raise DraftError(f"{file.parent} holds a draft of something else; see its {BRIEF}.")


def draft(
    folder: Path, brief: Brief, backend: Backend, limits: ModelLimits | None = None,
    say: Say | None = None,
) -> Drafted:  # fmt: skip
    """Draft a domain in a folder made by ``open_draft``.

    Args:
        folder: Holds the journal, and in the end the domain.
        brief: What is wished for.
        backend: Answers the prompts.
        limits: When to stop.
        say: Called with each line of progress.

    Raises:
        DraftError: A stage fails or there is no answer; the folder keeps what was done.
    """
    return anyio.run(drafted, folder, brief, desk_in(folder, backend, limits, say))


def desk_in(
    folder: Path, backend: Backend, limits: ModelLimits | None = None, say: Say | None = None
) -> Desk:
    """Return the desk of a draft's folder, with the answers kept there.

    Raises:
        DraftError: Its journal is broken.
    """
    return Desk(backend, Journal(folder / FILE), limits or ModelLimits(), say or _silent)


async def drafted(folder: Path, brief: Brief, desk: Desk) -> Drafted:
    """Draft a domain as ``draft`` does, inside a running event loop.

    Raises:
        DraftError: A stage fails or there is no answer; the folder keeps what was done.
    """
    blueprint = Blueprint(brief)
    try:
        await _stages(desk, blueprint)
        return await anyio.to_thread.run_sync(_finish, folder, blueprint, desk)
    except BaseExceptionGroup as errors:
        raise _told(first_of(errors)) from errors
    except Exception as error:
        raise _told(error) from error


def _told(error: BaseException) -> BaseException:
    """Return an error as a ``DraftError``; a stop by the user is returned as it is."""
    if isinstance(error, DraftError) or not isinstance(error, Exception):
        return error
    if isinstance(error, ToolworldError):
        return DraftError(str(error))
    return DraftError(f"The draft cannot go on. {defect(error)}")


async def _stages(desk: Desk, blueprint: Blueprint) -> None:
    for stage in STAGES:
        desk.say(f"{stage.__name__} ...")
        await stage(desk, blueprint)


def _finish(folder: Path, blueprint: Blueprint, desk: Desk) -> Drafted:
    texts = texts_of(blueprint)
    code = {name: texts[name] for name in texts if name.endswith(".py")}
    texts |= formatted(code, "toolworld_draft")
    spec, problems = check_limited(texts)
    if spec is None:
        raise DraftError(f"The domain breaks rules as a whole:\n{SpecError(problems)}")
    write_files(folder / DOMAIN, texts)
    passed = desk.ledger.account("bodies").as_json()
    return Drafted(
        folder=folder / DOMAIN,
        name=spec.name,
        figures=desk.ledger.as_json(),
        tools={
            "asked": blueprint.brief.tools,
            "delivered": len(spec.tools),
            "passed_by_round": passed["passed_by_round"],
            "dropped": blueprint.dropped,
        },
    )


def _silent(_: str) -> None:
    return
