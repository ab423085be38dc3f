"""The recorded domain as far as its stages have settled it, without running anything."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
from pydantic import BaseModel

from tests.draft.conftest import TINY, WISH
from tests.draft.scripted import Scripted
from toolworld.draft import Brief
from toolworld.draft.answers import (
    Asking,
    Bodies,
    Outline,
    People,
    Plan,
    Policy,
    Seeds,
    ThingPlans,
    ToolPlans,
)
from toolworld.draft.blueprint import Blueprint, GroupCode
from toolworld.llm.desk import Desk, ModelLimits
from toolworld.llm.journal import Journal, replies_of

GROUP = "lending-1"
BODIES, MENDED = f"bodies-{GROUP}.1", f"bodies-{GROUP}.2"
RECORDED = {name: reply.text for name, reply in replies_of(TINY).items()}
AnswerT = TypeVar("AnswerT", bound=BaseModel)
Stage = Callable[[Desk, Blueprint], Awaitable[None]]


def with_tools() -> Blueprint:
    """Return it with its signatures and columns."""
    made = Blueprint(Brief(WISH, 4))
    made.outline = _read(Outline, "outline.1", made)
    made.plan = _read(Plan, "plan.1", made)
    made.tools = {one.name: one for one in _read(ToolPlans, "tools-lending.1", made).tools}
    made.things = {one.name: one for one in _read(ThingPlans, "things-1.1", made).things}
    return made


def with_seeds() -> Blueprint:
    """Return it with its seed recipe too."""
    made = with_tools()
    made.seeds = [_read(Seeds, "seeds-1.1", made)]
    return made


def with_code() -> Blueprint:
    """Return it with all but its cases."""
    made, code = with_seeds(), GroupCode()
    for name in (BODIES, MENDED):
        code.take(_read(Bodies, name, made))
    made.code = {GROUP: code}
    made.policy = _read(Policy, "policy.1", made)
    made.people = _read(People, "people.1", made)
    made.asking = [_read(Asking, "asking-1.1", made)]
    return made


def add_twins(made: Blueprint, tool: str, names: Iterable[str]) -> None:
    """Add tools that are like another, but for their names."""
    assert made.plan is not None
    [area], plan = made.areas, made.tools[tool]
    made.tools |= {name: plan.model_copy(update={"name": name}) for name in names}
    area = area.model_copy(update={"tools": [*made.tools]})
    made.plan = made.plan.model_copy(update={"areas": [area]})


def _read(kind: type[AnswerT], prompt: str, made: Blueprint) -> AnswerT:
    return kind.model_validate_json(RECORDED[prompt], context=dict(made.names))


def changed(prompt: str, change: Callable[[Any], None]) -> str:
    """Return a recorded answer, changed."""
    answer = json.loads(RECORDED[prompt])
    change(answer)
    return json.dumps(answer)


def asked(folder: Path, stage: Stage, made: Blueprint, answers: Mapping[str, str]) -> Scripted:
    """Have a stage ask for its part; return the model, which says what was found."""
    folder.mkdir(exist_ok=True)
    backend = Scripted(answers)
    desk = Desk(backend, Journal(folder / "journal.jsonl"), ModelLimits(), lambda _: None)
    anyio.run(partial(stage, desk, made))
    return backend
