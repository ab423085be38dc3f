"""The code of tools: drafted in small groups, each checked, typed and proven by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolworld.draft.answers import Area, Bodies, Helper
from toolworld.draft.blueprint import SUMMARY, Blueprint, Code, result_of, things_of
from toolworld.draft.desk import Desk, Question, Verdict, compact
from toolworld.draft.effects import unlike
from toolworld.draft.pieces import constant_line, is_one_function
from toolworld.draft.texts import whole_tool
from toolworld.draft.trial import Fault, try_tools
from toolworld.draft.views import choices_view, header_view, things_view
from toolworld.errors import DraftError

TOOLS_A_PROMPT = 6


async def bodies(desk: Desk, blueprint: Blueprint) -> None:
    """Settle the code of every tool, all groups at once; what does not pass is dropped.

    Raises:
        DraftError: Without the dropped tools, others or things would be left hanging.
    """
    groups = [
        _Group(desk, blueprint, f"{area.name}-{number}", some, area.things)
        for area in blueprint.areas
        for number, some in enumerate(_split(area), 1)
    ]
    blueprint.code = {group.name: Code() for group in groups}
    left: dict[str, Sequence[str]] = {}
    async with anyio.create_task_group() as tasks:
        for group in groups:
            tasks.start_soon(group.ask, left)
    for group in groups:
        for tool in group.waiting:
            desk.ledger.account("bodies").failed += 1
            blueprint.dropped[tool] = " ".join(left[group.name])
    _drop(blueprint)


def _split(area: Area) -> list[list[str]]:
    """Divide the tools of an area evenly."""
    parts = -(-len(area.tools) // TOOLS_A_PROMPT)
    size = -(-len(area.tools) // parts)
    return [area.tools[start : start + size] for start in range(0, len(area.tools), size)]


def _drop(blueprint: Blueprint) -> None:
    """Take dropped tools out, and see to it that nothing needs them."""
    for name in blueprint.dropped:
        blueprint.tools.pop(name, None)
        for code in blueprint.code.values():
            code.bodies.pop(name, None)
    used = {name for tool in blueprint.tools.values() for name in things_of(tool, blueprint.kinds)}
    for thing in blueprint.things:
        if thing not in used:
            why = "; ".join(f"{name}: {text}" for name, text in blueprint.dropped.items())
            raise DraftError(f"Nothing is left that uses {thing}. Dropped were {why}")


@dataclass
class _Group:
    """Some tools of an area that are asked for together.

    Attributes:
        things: What the area is about.
        waiting: Those that have not passed.
    """

    desk: Desk
    blueprint: Blueprint
    name: str
    tools: Sequence[str]
    things: Sequence[str]
    waiting: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = [*self.tools]

    async def ask(self, left: dict[str, Sequence[str]]) -> None:
        """Ask until all tools pass or the rounds are used up; what is wrong goes to ``left``."""
        names = self._names
        question = Question("bodies", self.name, Bodies, "bodies", self._values, names, self._judge)
        left[self.name] = await self.desk.ask(question)

    def _names(self) -> dict[str, Sequence[str]]:
        return {**self.blueprint.names, "tool": self.waiting}

    def _values(self) -> dict[str, Any]:
        blueprint = self.blueprint
        plans = [blueprint.tools[name] for name in self.waiting]
        named = {name for tool in plans for name in things_of(tool, blueprint.kinds)}
        things = _with_neighbours([*named, *self.things], blueprint)
        summaries = [result_of(tool)[0] for tool in plans if tool.returns == SUMMARY]
        return {
            "headers": [header_view(tool, blueprint) for tool in plans],
            "things": things_view(blueprint, things)
            + "\n"
            + choices_view(blueprint, things, plans),
            "helpers": self._shared(),
            "today": blueprint.world.today,
            "example": things[0],
            "result": summaries[0] if summaries else "GetTotals",
            "rest": [name for name in self.tools if name not in self.waiting],
        }

    def _shared(self) -> str:
        code = self.blueprint.code[self.name]
        parts = [constant_line(one) for one in code.constants.values()]
        return "\n".join([*parts, *(one.code for one in code.helpers.values())])

    async def _judge(self, answer: Bodies, number: int) -> Verdict:
        code = self.blueprint.code[self.name]
        code.take(answer)
        wrong = await anyio.to_thread.run_sync(self._wrong, code)
        passed = [name for name in self.waiting if name in code.bodies and not wrong.get(name)]
        again = [name for name in self.tools if name not in code.bodies or wrong.get(name)]
        self.desk.ledger.passed("bodies", passed, number)
        self.waiting = again
        found = [text for name in again for text in wrong.get(name, [f"{name} is missing."])]
        mend = {
            "helpers": [one.model_dump() for one in code.helpers.values()],
            "tools": [{"tool": name, "body": code.bodies.pop(name)}
                      for name in again if name in code.bodies],
        }  # fmt: skip
        return Verdict(found, compact(mend))

    def _wrong(self, code: Code) -> dict[str, list[str]]:
        """Return what is wrong with each tool: of its text first, then of what it does."""
        wrong = self._malformed(code)
        while sound := [name for name in self.tools if name in code.bodies and name not in wrong]:
            faults = try_tools(self.blueprint, sound)
            if not faults:
                break
            _spread(faults, sound, code, wrong)  # to one tool at least, so this ends
        differing = {name: unlike(name, self.blueprint) for name in sound}
        return wrong | {name: texts for name, texts in differing.items() if texts}

    def _malformed(self, code: Code) -> dict[str, list[str]]:
        wrong = {}
        for name in [*code.bodies]:
            text = whole_tool(name, self.blueprint, self.name)
            if not is_one_function(text, name):
                wrong[name] = [f"{name}: its body is not statements that Python can read."]
        for helper in [*code.helpers.values()]:
            if not is_one_function(helper.code, helper.name):
                del code.helpers[helper.name]
                text = f"the helper {helper.name} is not one function of that name."
                wrong |= {name: [f"{name}: {text}"] for name in _users(helper, code)}
        return wrong


def _with_neighbours(things: Iterable[str], blueprint: Blueprint) -> list[str]:
    """Return things and what they refer to, in the outline's order."""
    named = {name for name in things if name in blueprint.things}
    for name in [*named]:
        plan = blueprint.things[name]
        named |= {column.type for column in plan.columns if column.type in blueprint.kinds}
    return [name for name in blueprint.kinds if name in named]


def _users(helper: Helper, code: Code) -> list[str]:
    return [name for name, body in code.bodies.items() if f"{helper.name}(" in body]


def _spread(
    faults: Iterable[Fault], tools: Sequence[str], code: Code, wrong: dict[str, list[str]]
) -> None:
    """Give each fault to its tool; one in a helper or constant to those that use it."""
    for fault in faults:
        owners = [fault.owner] if fault.owner in tools else _naming(fault.owner, tools, code)
        for name in owners:
            inside = f" ({fault.owner})" if fault.owner not in (name, "") else ""
            wrong.setdefault(name, []).append(f"{name}{inside} {fault.text}")


def _naming(owner: str, tools: Sequence[str], code: Code) -> Sequence[str]:
    helpers = {name for name, one in code.helpers.items() if owner and owner in one.code} | {owner}
    users = [name for name in tools if any(one and one in code.bodies[name] for one in helpers)]
    return users or tools
