"""Finds the tools that a fault in drafted code belongs to: all that use the faulty part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from toolworld.draft.blueprint import Blueprint, GroupCode, result_of, things_of
from toolworld.draft.trial import Fault

HERE = ("", "tools.py")
"""The files of faults that lie in the code of tools."""
SETTLED = "it was settled by an earlier stage and cannot be mended here."


@dataclass
class Blame:
    """What is wrong with some tools.

    Attributes:
        wrong: What new code can mend, by tool.
        beyond: What new code cannot mend, by tool: what earlier stages settled.
    """

    wrong: dict[str, list[str]] = field(default_factory=dict)
    beyond: dict[str, list[str]] = field(default_factory=dict)

    def __contains__(self, tool: str) -> bool:
        """Return whether something is wrong with a tool."""
        return tool in self.wrong or tool in self.beyond

    def add(self, tool: str, text: str) -> None:
        """Note a fault that new code can mend."""
        self.wrong.setdefault(tool, []).append(text)

    def spread(
        self, faults: Iterable[Fault], tools: Sequence[str], code: GroupCode, blueprint: Blueprint
    ) -> None:
        """Give each fault to its tools; remove faulty helpers and constants that no tool uses."""
        for fault in faults:
            if fault.file not in HERE:
                self._settled(fault, tools, blueprint)
                continue
            owners = [fault.owner] if fault.owner in tools else users_of(fault.owner, tools, code)
            if not owners and _drop(fault.owner, code):
                continue
            for name in owners or tools:
                inside = f" ({fault.owner})" if fault.owner not in (name, "") else ""
                self.add(name, f"{name}{inside} {fault.text}")

    def _settled(self, fault: Fault, tools: Sequence[str], blueprint: Blueprint) -> None:
        """Give a fault of an earlier stage to the tools that name the faulty part."""
        named = [name for name in tools if _names(name, fault.owner, blueprint)]
        for name in named or tools:
            text = f"{name}: {fault.text} In {fault.file}: {SETTLED}"
            self.beyond.setdefault(name, []).append(text)


def users_of(part: str, tools: Sequence[str], code: GroupCode) -> list[str]:
    """Return the tools whose code uses a helper or constant, directly or through others."""
    if not part:
        return []
    parts, waiting = {part}, [part]
    while waiting:
        one = waiting.pop()
        users = {name for name, helper in code.helpers.items() if _uses(helper.code, one)}
        users |= {name for name, line in code.constants.items() if _uses(line.value, one)}
        waiting += users - parts
        parts |= users
    return [name for name in tools if any(_uses(code.bodies[name], one) for one in parts)]


def _uses(code: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", code) is not None


def _drop(part: str, code: GroupCode) -> bool:
    """Remove a helper or constant; return whether it was there."""
    helper, constant = code.helpers.pop(part, None), code.constants.pop(part, None)
    return bool(helper or constant)


def _names(tool: str, owner: str, blueprint: Blueprint) -> bool:
    plan = blueprint.tools[tool]
    types = {argument.type for argument in plan.arguments} | {part.type for part in plan.fields}
    return owner in {result_of(plan)[0], *things_of(plan, blueprint.kinds), *types}
