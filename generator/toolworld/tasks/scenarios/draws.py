"""Situations drawn from a package's database, each in an episode of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.jsonvalues import JsonValue
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.code import place_of
from toolworld.tasks.scenarios.making import Making

MOST_KNOWN = 500
Patch = Mapping[str, Mapping[str, Any]]


class NotDrawn(Exception):  # noqa: N818 - a draw that comes to nothing; the text says why
    """A situation does not come about.

    Attributes:
        is_fault: Whether its author has to mend something; else another draw may do.
        where: The file and line to mend; empty unless it is a fault.
    """

    def __init__(self, reason: str, *, is_fault: bool = False, where: str = "") -> None:
        """Say why."""
        super().__init__(reason)
        self.is_fault, self.where = is_fault, where

    @property
    def named(self) -> str:
        """The reason, with the place if there is one."""
        return f"{self.where}: {self}" if self.where else str(self)


@dataclass(frozen=True, eq=False)
class Situation:
    """A situation that was drawn.

    Attributes:
        scenario: The scenario it is of.
        number: Which draw it is.
        facts: What the person knows, as the package has it.
        initial: The rows laid over the seed database.
        later: What changes in mid-episode.
        turns: Cells that may be turned to make a twin: table, key, column and value.
        opening: The state it starts at, as the package keeps it; None if it is to be laid first.
    """

    scenario: Scenario
    number: int
    facts: Any
    initial: Patch
    later: tuple[Any, ...] = ()
    turns: tuple[tuple[str, str, str, Any], ...] = ()
    opening: Any = None


class Drawer:
    """Draws the situations of a package."""

    def __init__(self, making: Making, seed: int) -> None:
        """Take the seed that varies the draws."""
        self._making, self._seed = making, seed
        self._environment = making.package.environment()
        self._draw = making.package.modules.draw.Draw
        self._redraw = making.package.modules.language.Redraw
        self._errors = making.package.modules.errors
        # Whoever certifies a task draws its situation again.
        self._known: dict[tuple[str, int], Situation] = {}

    def draw(self, scenario: Scenario, number: int) -> Situation:
        """Return a situation.

        Args:
            scenario: What to draw.
            number: Which draw it is: the same number gives the same situation.

        Raises:
            NotDrawn: It does not come about with these rows, or its code fails.
        """
        known = self._known.get((scenario.name, number))
        if known is None or known.scenario != scenario:
            known = self._drawn(scenario, number)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[scenario.name, number] = known
        return known

    def _drawn(self, scenario: Scenario, number: int) -> Situation:
        environment = self._environment
        environment.reset()
        rng = random.Random(f"{self._seed}/{scenario.name}/{number}")  # noqa: S311 - no secret
        draw = self._draw(environment, rng)
        database = environment._database
        where = self._making.code.place(scenario.name)
        try:
            facts = self._making.code.function(scenario.name)(database, draw)
            database.commit()
        except self._redraw as error:
            raise NotDrawn(str(error)) from error
        except self._errors.Rejected as error:
            raise NotDrawn(f"a row is not there: {error}") from error
        except self._errors.IntegrityError as error:
            reason, where = f"it breaks a rule of the data: {error}", place_of(error) or where
            raise NotDrawn(reason, is_fault=True, where=where) from error
        except Exception as error:
            reason, where = f"{type(error).__name__}: {error}", place_of(error) or where
            raise NotDrawn(reason, is_fault=True, where=where) from error
        finally:
            database.rollback()
        initial = as_patch(environment.diff())
        later, turns = tuple(draw.changes), tuple(draw.turns)
        opening = state_of(environment)
        return Situation(scenario, number, facts, initial, later, turns, opening)


def state_of(environment: Any) -> Any:
    """Return the state an environment is in, with keys minted as in one that begins there."""
    return environment.snapshot().state._replace(numbers={})


def as_patch(changes: Any) -> dict[str, dict[str, JsonValue]]:
    """Return changes as rows to lay over a database."""
    patch: dict[str, dict[str, JsonValue]] = {}
    for change in changes:
        patch.setdefault(change.table, {})[change.key] = change.after
    return patch
