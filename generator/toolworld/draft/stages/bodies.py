"""The code of tools: drafted in small groups, each checked, typed and proven by itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolworld.draft.answers import Area, Bodies
from toolworld.draft.blueprint import SUMMARY, Blueprint, GroupCode, result_of, things_of
from toolworld.draft.effects import unlike
from toolworld.draft.owners import Blame, users_of
from toolworld.draft.pieces import constant_line, is_one_function
from toolworld.draft.texts import whole_tool
from toolworld.draft.trial import try_tools
from toolworld.draft.views import choices_view, header_view, things_view
from toolworld.errors import DraftError
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact

TOOLS_A_PROMPT = 6
AGAIN = "-again"


async def bodies(desk: Desk, blueprint: Blueprint) -> None:
    """Settle the code of every tool, all groups at once; drop tools that do not pass.

    Raises:
        DraftError: Without the dropped tools, no tool would use some things.
    """
    groups = [
        _Group(desk, blueprint, f"{area.name}-{number}", some, area.things)
        for area in blueprint.areas
        for number, some in enumerate(_split(area), 1)
    ]
    blueprint.code = {group.name: GroupCode() for group in groups}
    await _ask(groups)
    lacking = _lacking(blueprint, groups)
    await _ask([group.again() for group in groups if group.could_use(lacking)])
    for group in groups:
        for tool in group.failed:
            desk.ledger.account("bodies").failed += 1
            blueprint.dropped[tool] = " ".join(group.left.get(tool, ()))
    lacking = _lacking(blueprint, groups)
    if lacking:
        may_pass = any(group.could_use(lacking) for group in groups)
        raise DraftError(_hanging(lacking, blueprint, desk.limits.rounds if may_pass else 0))
    _drop(blueprint)


async def _ask(groups: Sequence[_Group]) -> None:
    async with anyio.create_task_group() as tasks:
        for group in groups:
            tasks.start_soon(group.ask)


def _lacking(blueprint: Blueprint, groups: Sequence[_Group]) -> set[str]:
    """Return the things that no tool uses once the failed tools are gone."""
    failed = {name for group in groups for name in group.failed}
    kept = [tool for name, tool in blueprint.tools.items() if name not in failed]
    used = {name for tool in kept for name in things_of(tool, blueprint.kinds)}
    return {name for name in blueprint.things if name not in used}


def _split(area: Area) -> list[list[str]]:
    """Divide the tools of an area evenly."""
    parts = -(-len(area.tools) // TOOLS_A_PROMPT)
    size = -(-len(area.tools) // parts)
    return [area.tools[start : start + size] for start in range(0, len(area.tools), size)]


def _hanging(things: Collection[str], blueprint: Blueprint, rounds: int) -> str:
    """Return why a draft with things that no tool uses ends, and what can be done."""
    why = "; ".join(f"{name}: {text}" for name, text in blueprint.dropped.items())
    again = f"Opened again, the draft asks for them up to {rounds} times more."
    mend = again if rounds else "Start another draft."
    return f"Nothing is left that uses {', '.join(sorted(things))}. Dropped were {why} {mend}"


def _drop(blueprint: Blueprint) -> None:
    """Remove the dropped tools."""
    for name in blueprint.dropped:
        blueprint.tools.pop(name, None)
        for code in blueprint.code.values():
            code.bodies.pop(name, None)


@dataclass
class _Group:
    """Some tools of an area that are asked for together.

    Attributes:
        things: The things of the area.
        waiting: The tools that have not passed, but still may.
        settled: What no code can mend, by tool.
        left: What was last found wrong, by tool.
        turn: The end of the question's name.
    """

    desk: Desk
    blueprint: Blueprint
    name: str
    tools: Sequence[str]
    things: Sequence[str]
    waiting: list[str] = field(init=False)
    settled: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)
    turn: str = ""

    def __post_init__(self) -> None:
        self.waiting = [*self.tools]

    @property
    def failed(self) -> list[str]:
        """The tools whose code has not passed."""
        return [name for name in self.tools if name in self.waiting or name in self.settled]

    def could_use(self, things: Collection[str]) -> bool:
        """Return whether a tool that may still pass names one of some things."""
        plans = [self.blueprint.tools[name] for name in self.waiting]
        return any(name in things for tool in plans for name in things_of(tool, things))

    def again(self) -> _Group:
        """Return the group, to be asked for once more: the draft cannot go on without it."""
        self.turn = AGAIN
        return self

    async def ask(self) -> None:
        """Ask until all tools pass or the rounds are used up."""
        question = Question(
            "bodies", self.name + self.turn, Bodies, "bodies", self._values, self._names,
            self._judge, needed=bool(self.turn),
        )  # fmt: skip
        found = await self.desk.ask(question)
        for name in self.waiting:
            own = [text for text in found if re.match(rf"{name}\b", text)]
            self.left[name] = own or [*found]
        self.left |= self.settled

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

    async def _judge(self, answer: Bodies, number: int) -> AnswerVerdict:
        code = self.blueprint.code[self.name]
        blame = await anyio.to_thread.run_sync(self._tried, answer, code)
        asked = [name for name in self.tools if name not in self.settled]
        fresh = {name: blame.beyond[name] for name in asked if name in blame.beyond}
        self.settled |= fresh
        again = [name for name in asked if name not in fresh
                 and (name not in code.bodies or name in blame)]  # fmt: skip
        passed = [name for name in self.waiting if name not in again and name not in fresh]
        self.desk.ledger.passed("bodies", passed, number)
        self.waiting = again
        found = [text for name in again for text in blame.wrong.get(name, [f"{name} is missing."])]
        mend = {
            "helpers": [one.model_dump() for one in code.helpers.values()],
            "tools": [{"tool": name, "body": code.bodies.pop(name)}
                      for name in again if name in code.bodies],
        }  # fmt: skip
        for name in fresh:
            code.bodies.pop(name, None)
        return AnswerVerdict(
            found, compact(mend), [text for texts in fresh.values() for text in texts]
        )

    def _tried(self, answer: Bodies, code: GroupCode) -> Blame:
        """Add an answer, and return what is wrong; tools accepted before stay as they are."""
        accepted = [name for name in self.tools if name in code.bodies]
        before = GroupCode({**code.constants}, {**code.helpers})
        code.take(answer)
        blame = self._wrong(code)
        if not any(name in blame for name in accepted):
            return blame
        changed = before.unlike(code)
        code.constants |= before.constants
        code.helpers |= before.helpers
        blame = self._wrong(code)
        for part in changed:
            for name in users_of(part, [name for name in blame.wrong if name in code.bodies], code):
                blame.add(name, f"{name}: {part} serves accepted tools as it is; name yours anew.")
        return blame

    def _wrong(self, code: GroupCode) -> Blame:
        """Return what is wrong with each tool: first with its text, then with what it does."""
        blame = Blame(self._malformed(code))
        while sound := [name for name in self.tools if name in code.bodies and name not in blame]:
            faults = try_tools(self.blueprint, sound)
            if not faults:
                break
            # This ends: each time a tool gets a fault, or a part of the code is removed.
            blame.spread(faults, sound, code, self.blueprint)
        for name in sound:
            for text in unlike(name, self.blueprint):
                blame.add(name, text)
        return blame

    def _malformed(self, code: GroupCode) -> dict[str, list[str]]:
        wrong = {}
        for name in [*code.bodies]:
            text = whole_tool(name, self.blueprint, self.name)
            if not is_one_function(text, name):
                wrong[name] = [f"{name}: its body is not statements that Python can read."]
        for helper in [*code.helpers.values()]:
            if not is_one_function(helper.code, helper.name):
                del code.helpers[helper.name]
                text = f"the helper {helper.name} is not one function of that name."
                users = users_of(helper.name, [*code.bodies], code)
                wrong |= {name: [f"{name}: {text}"] for name in users}
        return wrong


def _with_neighbours(things: Iterable[str], blueprint: Blueprint) -> list[str]:
    """Return things and what they refer to, in the outline's order."""
    named = {name for name in things if name in blueprint.things}
    for name in [*named]:
        plan = blueprint.things[name]
        named |= {column.type for column in plan.columns if column.type in blueprint.kinds}
    return [name for name in blueprint.kinds if name in named]
