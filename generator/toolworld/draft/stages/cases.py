"""Cases for what made-up calls do not reach, drafted where the proof of the package has gaps."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio

from toolworld.draft.answers import Case, Cases, ToolBody
from toolworld.draft.blueprint import Blueprint, GroupCode, things_of
from toolworld.draft.coverage import CoverageGap, Module, fewer_sites, gaps_of
from toolworld.draft.effects import unlike
from toolworld.draft.trial import built, check, reason, tables_of, try_tools
from toolworld.draft.views import choices_view, things_view
from toolworld.errors import DraftError, ToolworldError
from toolworld.llm.desk import AnswerVerdict, Desk, Question, compact
from toolworld.llm.prompts import estimate
from toolworld.prove import ProofSettings, prove

TOOLS_A_PROMPT = 5
ROWS_SHOWN = 2
TOKENS_FOR_CODE_AND_ROWS = 3600
TURNS = ("", "again-")
LONGEST_CASE = 80
DIFFERS = "drafted case differs"
UNSOUGHT = ProofSettings(seek=0)
"""No seeking: code that is seldom reached gets a drafted case, which also tells readers its use."""


async def cases(desk: Desk, blueprint: Blueprint) -> None:
    """Draft cases for the gaps of the proof; gaps that stay open are left to the report.

    A group of tools is proven by itself while cases for it are drafted. So code that only other
    tools' cases reached by chance shows in a second proof of the whole package.

    Raises:
        DraftError: The package cannot be built or proven as a whole.
    """
    for turn in TURNS:
        gaps, module, samples = await anyio.to_thread.run_sync(_proof, blueprint)
        by_tool = _by_tool(gaps, module, blueprint)
        names = [name for name in blueprint.tools if name in by_tool]
        works = []
        async with anyio.create_task_group() as group:
            for number, start in enumerate(range(0, len(names), TOOLS_A_PROMPT), 1):
                some = {name: by_tool[name] for name in names[start : start + TOOLS_A_PROMPT]}
                works.append(_Gaps(desk, blueprint, module, samples, f"{turn}{number}", some))
                group.start_soon(works[-1].ask)
        for work in works:  # in their order, whichever came first
            blueprint.cases |= work.cases
        if not names:
            break


def _by_tool(
    gaps: Sequence[CoverageGap], module: Module, blueprint: Blueprint
) -> dict[str, list[CoverageGap]]:
    found: dict[str, list[CoverageGap]] = {}
    for gap in gaps:
        user = module.user_of(gap.function, [*blueprint.tools])
        if user:
            found.setdefault(user, []).append(gap)
    return found


def _proof(blueprint: Blueprint) -> tuple[list[CoverageGap], Module, dict[str, list[Any]]]:
    spec, faults = check(blueprint)
    if spec is None:
        raise DraftError("The domain as a whole breaks rules:\n" + "\n".join(
            f"- {fault.owner} {fault.text}" for fault in faults
        ))  # fmt: skip
    with built(spec) as package:
        module = Module.of(package)
        samples = {name: rows[:ROWS_SHOWN] for name, rows in tables_of(package).items()}
        return gaps_of(prove(package, UNSOUGHT), module), module, samples


@dataclass
class _Gaps:
    """The gaps of some tools.

    Attributes:
        open: What is still to be reached, by tool.
        cases: The cases that end as they say, by name.
    """

    desk: Desk
    blueprint: Blueprint
    module: Module
    samples: dict[str, list[Any]]
    name: str
    open: dict[str, list[CoverageGap]]
    tools: Sequence[str] = field(init=False)
    cases: dict[str, Case] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tools = [*self.open]

    async def ask(self) -> None:
        """Ask until everything is reached or the rounds are used up."""
        question = Question(
            "cases", self.name, Cases, "cases", self._values, self._names, self._judge
        )
        await self.desk.ask(question)
        account = self.desk.ledger.account("cases")
        account.failed += sum(gap.needed for gaps in self.open.values() for gap in gaps)

    def _names(self) -> dict[str, Sequence[str]]:
        return {**self.blueprint.names, "tool": [*self.blueprint.tools]}

    def _values(self) -> dict[str, Any]:
        blueprint = self.blueprint
        names = [name for name, gaps in self.open.items() if gaps]
        plans = [blueprint.tools[name] for name in names]
        things = [name for name in blueprint.kinds
                  if any(name in things_of(tool, blueprint.kinds) for tool in plans)]  # fmt: skip
        tables = [blueprint.kinds[name].table for name in things]
        return {
            "tools": [{"code": self._code(name), "lines": self.open[name]} for name in names],
            "things": things_view(blueprint, things) + "\n" + choices_view(blueprint, things, ()),
            "samples": self._sampled(tables, sum(estimate(self._code(name)) for name in names)),
            "today": blueprint.world.today,
        }

    def _sampled(self, tables: Sequence[str], code: int) -> str:
        """Return rows of tables; fewer if the code leaves little room."""
        for rows in range(ROWS_SHOWN, 0, -1):
            lines = [f"{name}: {compact(self.samples[name][:rows])}" for name in tables]
            if estimate("\n".join(lines)) + code <= TOKENS_FOR_CODE_AND_ROWS:
                break
        return "\n".join(lines)

    def _code(self, tool: str) -> str:
        functions = dict.fromkeys([tool, *(gap.function for gap in self.open[tool])])
        return "\n\n".join(self.module.functions.get(name, "") for name in functions)

    async def _judge(self, answer: Cases, number: int) -> AnswerVerdict:
        return AnswerVerdict(await anyio.to_thread.run_sync(self._tried, answer, number))

    def _tried(self, answer: Cases, number: int) -> list[str]:
        """Take the good parts of an answer; return what is wrong, or why it could not be tried."""
        bodies = {name: self._code_of(name).bodies[name] for name in self.tools}
        known = (self.cases, self.module, {**self.open})
        try:
            return self._take(answer, number)
        except ToolworldError as error:
            for name, body in bodies.items():
                self._code_of(name).bodies[name] = body
            self.cases, self.module, self.open = known
            return [f"These cases could not be tried: {reason(error)} Leave out what causes it."]

    def _take(self, answer: Cases, number: int) -> list[str]:
        fresh = self._named(answer.cases, number)
        replaced, findings = self._replace(answer)
        sound, wrong = self._sound(fresh)
        self.cases = self.cases | {case.name: case for case in sound}
        before = {name: len(gaps) for name, gaps in self.open.items()}
        self._look_again(replaced)
        reached = [
            name for name, gaps in self.open.items() for _ in range(before[name] - len(gaps))
        ]
        self.desk.ledger.passed("cases", reached, number)
        left = [f"{name}: {gap} is still open." for name, gaps in self.open.items()
                for gap in gaps if gap.needed]  # fmt: skip
        return [*findings, *wrong, *left] if left else []

    def _named(self, cases: Sequence[Case], number: int) -> list[Case]:
        """Return the cases of this group's tools, no two under one name."""
        prefix = self.name.replace("-", "_")
        found: dict[str, Case] = {}
        for place, case in enumerate(cases, 1):
            if case.call.tool in self.tools:
                name = f"{prefix}_{number}_{case.name}"[:LONGEST_CASE]
                if name in found:
                    name = f"{prefix}_{number}_{place}_{case.name}"[:LONGEST_CASE]
                found[name] = case.model_copy(update={"name": name})
        return [*found.values()]

    def _code_of(self, tool: str) -> GroupCode:
        [code] = [code for code in self.blueprint.code.values() if tool in code.bodies]
        return code

    def _replace(self, answer: Cases) -> tuple[list[str], list[str]]:
        """Take new code that is as good as the old; return its tools, and what is wrong."""
        replaced: list[str] = []
        findings: list[str] = []
        for one in answer.tools:
            wrong = self._worse(one)
            findings += [f"{one.tool}, as given anew: {text}" for text in wrong]
            if not wrong:
                replaced.append(one.tool)
        return replaced, findings

    def _worse(self, given: ToolBody) -> list[str]:
        """Replace old code with new, unless that is worse; return in which ways it is."""
        tool = given.tool
        if tool not in self.tools:
            return ["its code is not asked for here; give only that of tools above."]
        code = self._code_of(tool)
        old = code.bodies[tool]
        wrong = fewer_sites(old, given.body, self.open[tool])
        if not wrong:
            code.bodies[tool] = given.body
            wrong = [fault.text for fault in try_tools(self.blueprint, [tool])]
            wrong += wrong or unlike(tool, self.blueprint)
            wrong += wrong or self._differing(tool)
        if wrong:
            code.bodies[tool] = old
        return wrong

    def _differing(self, tool: str) -> list[str]:
        """Return which of a tool's cases end otherwise with its new code."""
        known = [*self.blueprint.cases.values(), *self.cases.values()]
        own = [case for case in known if case.call.tool == tool]
        failures = self._proof_of(own)["failures"] if own else []
        return [f"the case {one['detail']}" for one in failures if one["reason"] == DIFFERS]

    def _sound(self, fresh: Sequence[Case]) -> tuple[list[Case], list[str]]:
        """Return the cases that end as they say, and what is wrong with the others."""
        sound: list[Case] = []
        wrong: list[str] = []
        for case in fresh:
            text = self._misfit(case)
            if text:
                wrong.append(f"the case {case.name}: {text}")
            else:
                sound.append(case)
        if not sound:
            return sound, wrong
        try:
            failures = self._proof_of(sound)["failures"]
        except ToolworldError as error:
            return self._one_by_one(sound, wrong, reason(error))
        for failure in failures:
            name = failure["detail"].partition(":")[0]
            if failure["reason"] == DIFFERS:
                wrong.append(f"the case {failure['detail']}")
                sound = [case for case in sound if case.name != name]
        return sound, wrong

    def _one_by_one(
        self, cases: Sequence[Case], wrong: Sequence[str], why: str
    ) -> tuple[list[Case], list[str]]:
        """Do as ``_sound`` does, for cases that cannot be tried together."""
        if len(cases) == 1:
            return [], [*wrong, f"the case {cases[0].name}: it could not be tried: {why}"]
        each = [self._sound([case]) for case in cases]
        told = [text for _, texts in each for text in texts]
        return [case for sound, _ in each for case in sound], [*wrong, *told]

    def _misfit(self, case: Case) -> str:
        """Return the findings of the domain's rules on a case."""
        try:
            _, faults = check(self._with([case]), self.tools)
        except (ValueError, AttributeError) as error:
            return str(error)
        return " ".join(fault.text for fault in faults)

    def _with(self, cases: Sequence[Case]) -> Blueprint:
        copy = Blueprint(**self.blueprint.__dict__)
        copy.cases = {case.name: case for case in cases}
        return copy

    def _proof_of(self, cases: Sequence[Case]) -> dict[str, Any]:
        with ExitStack() as stack:
            package = self._package(cases, stack)
            return dict(
                prove(
                    package, ProofSettings(only=self.tools, calls=0, seek=0, mutants=False)
                ).content
            )

    def _package(self, cases: Sequence[Case], stack: ExitStack) -> Path:
        spec, faults = check(self._with(cases), self.tools)
        if spec is None:
            raise DraftError(" ".join(fault.text for fault in faults))
        return stack.enter_context(built(spec))

    def _look_again(self, replaced: Sequence[str]) -> None:
        """Keep the gaps that another proof still shows, and add all that new code has."""
        known = [*self.blueprint.cases.values(), *self.cases.values()]
        own = [case for case in known if case.call.tool in self.tools]
        with ExitStack() as stack:
            package = self._package(own, stack)
            module = Module.of(package)
            seen = gaps_of(prove(package, replace(UNSOUGHT, only=self.tools)), module)
            shown = _by_tool(seen, module, self.blueprint)
            self.module = module
            for name, gaps in self.open.items():
                brought = shown.get(name, []) if name in replaced else []
                kept = [gap for gap in gaps if gap in seen and gap not in brought]
                self.open[name] = [*kept, *brought]
