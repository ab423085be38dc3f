"""New cases: made from nothing, from other cases, or at the end of a walk of calls."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from toolworld.prove.arguments import CaseArguments
from toolworld.prove.arrange import Arranger, beside, replaced
from toolworld.prove.bench import Bench, CaseRun
from toolworld.prove.cases import Patch, ProofCase, merged
from toolworld.prove.facts import SeenValues, leaves

WILDNESS = 0.01
PATCHED = 0.6
MATCHED = 0.3
SWARMS = 0.25


class Variation:
    """Makes cases of one tool."""

    def __init__(self, bench: Bench, tool: str, rng: random.Random) -> None:
        """Read the constants and columns in the tool's code."""
        self.tool = tool
        self._bench, self._rng = bench, rng
        self._schema = bench.checker.definitions[tool]["inputSchema"]
        self._values = bench.code.values_of(tool)
        self._arranger = Arranger(bench.world, bench.clock, self._values, rng)

    def fresh(self, facts: SeenValues | None = None, initial: Patch | None = None) -> ProofCase:
        """Return a case about some rows that belong together."""
        if facts is None:
            facts = SeenValues()
            for row in self._bench.world.around(self._rng):
                facts.learn(row)
        arguments = self._maker(facts).arguments(self._schema)
        return ProofCase(self.tool, arguments, initial or {})

    def varied(self, run: CaseRun) -> ProofCase:
        """Return a case beside another: other rows, other arguments, or both."""
        case = run.case
        if run.compared and self._rng.random() < MATCHED:
            return self._matched(case, *self._rng.choice(run.compared))
        arguments, initial, patched = case.arguments, case.initial, case.patched
        if self._rng.random() < PATCHED:
            for _ in range(self._rng.choice((1, 1, 2, 3))):
                change = (
                    self._arranger.swarm if self._rng.random() < SWARMS else self._arranger.patch
                )
                patch = change(arguments, initial)
                initial, patched = merged(initial, patch), patched or bool(patch)
        if initial is case.initial or self._rng.random() < 0.4:
            arguments = self._other(case)
        return ProofCase(self.tool, arguments, initial, "made", patched)

    def turned(self, run: CaseRun) -> ProofCase:
        """Return a case in which a comparison has the other result."""
        if not run.compared:
            return self.varied(run)
        case = run.case
        found, wanted = self._rng.choice(run.compared)
        if found != wanted:
            return self._matched(case, found, wanted)
        patch = self._arranger.unlike(case.arguments, case.initial, found)
        patched = case.patched or bool(patch)
        return ProofCase(self.tool, case.arguments, merged(case.initial, patch), "made", patched)

    def _matched(self, case: ProofCase, found: Any, wanted: Any) -> ProofCase:
        """Return a case in which a compared value is equal or close to the other side."""
        value = beside(wanted, self._rng)
        arguments, done = replaced(case.arguments, found, value)
        if done and self._rng.random() < 0.6:
            return ProofCase(self.tool, arguments, case.initial, "made", case.patched)
        patch = self._arranger.matched(case.arguments, case.initial, found, value)
        if patch:
            return ProofCase(self.tool, case.arguments, merged(case.initial, patch), "made", True)
        return ProofCase(self.tool, arguments, case.initial, "made", case.patched)

    def _other(self, case: ProofCase) -> dict[str, Any]:
        """Return the arguments with one or two of them changed."""
        facts = self._facts_of(case)
        maker, properties = self._maker(facts), self._schema["properties"]
        arguments = dict(case.arguments)
        if not properties:
            return arguments
        for _ in range(self._rng.choice((1, 1, 2))):
            name = self._rng.choice(list(properties))
            if name in arguments and name not in self._schema["required"]:
                if self._rng.random() < 0.25:
                    del arguments[name]
                    continue
            if name in arguments and self._rng.random() < 0.35:
                arguments[name] = self._near(arguments[name], facts)
            else:
                arguments[name] = maker.value(properties[name], name)
        return arguments

    def _facts_of(self, case: ProofCase) -> SeenValues:
        """Note the rows that a case is about, and the rows they name."""
        facts, world = SeenValues(), self._bench.world
        named = {value for _, value in leaves(case.arguments) if isinstance(value, str)}
        rows = world.named(named, case.initial)
        more = {value for _, _, row in rows for _, value in leaves(row) if isinstance(value, str)}
        keys = [key for _, key, _ in rows]
        for _, _, row in world.naming(keys, self._rng) + world.named(more, case.initial) + rows:
            facts.learn(row)
        return facts

    def _near(self, value: Any, facts: SeenValues) -> Any:
        """Return a value just beside one, or beside one of the rows'."""
        rng = self._rng
        if isinstance(value, bool) or value is None:
            return not value
        if isinstance(value, int | float):
            near = rng.choice([value, value, *facts.numbers])
            steps = (1, -1) if isinstance(value, int) else (0, 0.01, -0.01, 1, -1)
            return type(value)(round(near + rng.choice(steps), 2)) if abs(near) < 1e12 else value
        if isinstance(value, str):
            return rng.choice((value.upper(), f" {value} ", value[:-1], f"{value}x", value[:3]))
        if isinstance(value, list) and value:
            if rng.random() < 0.4:
                return [*value, rng.choice(value)]
            index = rng.randrange(len(value))
            return [*value[:index], self._near(value[index], facts), *value[index + 1 :]]
        if isinstance(value, dict) and value:
            name = rng.choice(list(value))
            return {**value, name: self._near(value[name], facts)}
        return value

    def _maker(self, facts: SeenValues) -> CaseArguments:
        return CaseArguments(facts, self._bench.clock, self._rng, self._values, WILDNESS)


def chance(*parts: object) -> random.Random:
    """Return a source of chance that only depends on these parts."""
    return random.Random("/".join(map(str, parts)))  # noqa: S311 - made-up calls guard nothing


def pick(items: Sequence[Any], rng: random.Random) -> Any:
    """Return one of some items, later ones more often: new cases lead further."""
    return items[max(rng.randrange(len(items)), rng.randrange(len(items)))]
