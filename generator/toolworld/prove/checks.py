"""What must hold of every call, whatever it was: checked by running it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jsonschema

from toolworld.prove.cases import CallEnd, CaseEnvironments, ProofCase, changes_of
from toolworld.prove.soundness import Soundness

LONGEST_CHECKED = 50_000
LONGEST_REMEMBERED = 2_000
"""The results that are met again and again are short."""


@dataclass(frozen=True)
class Before:
    """An environment just before a call.

    Attributes:
        digest: Its state's digest.
        snapshot: Its state.
    """

    digest: str
    snapshot: Any

    @classmethod
    def of(cls, environment: Any) -> Before:
        """Return the state of an environment, for comparison."""
        return cls(environment.digest(), environment.snapshot())


@dataclass(frozen=True)
class ToolFault:
    """Something a tool does that no tool may do.

    Attributes:
        reason: A short stable code, such as ``unexpected error``.
        detail: What happened.
        mend: What to do about it.
        case: The call that shows it, if it can be told.
        arranged: Whether it needs rows that no known calls lead to. The rules allow them, so
            either a rule is missing or the tool overlooks them.
    """

    tool: str
    reason: str
    detail: str
    mend: str
    case: dict[str, Any] | None = None
    arranged: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the failure as JSON values."""
        return dict(self.__dict__)


class Checker:
    """Checks calls of a package's tools."""

    def __init__(self, stage: CaseEnvironments) -> None:
        """Take the place where calls are made."""
        self._stage = stage
        self._soundness = Soundness(stage.package)
        self._fitting: set[tuple[str, str]] = set()

    @cached_property
    def definitions(self) -> dict[str, Any]:
        """The tools' definitions, by name."""
        return {tool["name"]: tool for tool in self._stage.environment_type().tools}

    @cached_property
    def _outputs(self) -> dict[str, jsonschema.Draft202012Validator]:
        return {
            name: jsonschema.Draft202012Validator(tool["outputSchema"])
            for name, tool in self.definitions.items()
        }

    def failure(
        self, case: ProofCase, environment: Any, before: Before, seen: CallEnd
    ) -> ToolFault | None:
        """Return the fault of the last call, if it has one.

        Args:
            case: The call.
            environment: The environment it was made in, as the call left it.
            before: What it was before.
            seen: How it ended.
        """
        if seen.end == "failed":
            return _unexpected(case, seen)
        hints = self.definitions[case.tool]["annotations"]
        if seen.digest != before.digest:
            if seen.end != "ok":
                return _failure(case, "not atomic", f"{seen.end}, yet the state changed", ATOMIC)
            if hints["readOnlyHint"]:
                changed = sorted(changes_of(environment))
                return _failure(case, "not read-only", f"it changed {changed}", READ_ONLY)
            broken = self._elsewhere(case, environment, before)
            if broken is not None:
                return broken
        if seen.end == "ok":
            return self._output(case, seen) or self._again(case, environment, seen, hints)
        return None

    def _elsewhere(self, case: ProofCase, environment: Any, before: Before) -> ToolFault | None:
        changes = changes_of(environment)
        touched = {(table, key) for table, rows in changes.items() for key in rows}
        broken = self._soundness.broken(before.snapshot, environment.snapshot(), touched)
        if broken is None:
            return None
        return _failure(case, "breaks an invariant elsewhere", broken, ELSEWHERE)

    def _output(self, case: ProofCase, seen: CallEnd) -> ToolFault | None:
        known = (case.tool, seen.text)
        if len(seen.text) > LONGEST_CHECKED or known in self._fitting:
            return None
        wrong = next(self._outputs[case.tool].iter_errors(json.loads(seen.text)), None)
        if wrong is None:
            if len(seen.text) <= LONGEST_REMEMBERED:
                self._fitting.add(known)
            return None
        return _failure(case, "bad output", f"{wrong.json_path}: {wrong.message[:300]}", OUTPUT)

    def _again(
        self, case: ProofCase, environment: Any, seen: CallEnd, hints: Any
    ) -> ToolFault | None:
        if hints["readOnlyHint"] or not hints["idempotentHint"]:
            return None
        again = self._stage.call(environment, case.tool, case.arguments)
        if again.digest == seen.digest:
            return None
        return _failure(case, "not idempotent", "calling it twice changed more", IDEMPOTENT)


ATOMIC = "The store rolls back on any error; look for a change made past it."
READ_ONLY = "Make the tool only read, or build again so that its hint is computed anew."
ELSEWHERE = (
    "Keep the rule in the tool. Rows a call does not touch are not checked when it is served: "
    "state the rule at the entity that changes, too."
)
OUTPUT = "Return what the signature says; build again if the signature changed."
IDEMPOTENT = "Make a second call leave the state alone, or build again for a true hint."
UNEXPECTED = "Check what leads to it before the first write, and raise Rejected."


def _unexpected(case: ProofCase, seen: CallEnd) -> ToolFault:
    if seen.text.startswith("MemoryError"):
        return _failure(case, "eats memory", "the call used up its memory", MEMORY)
    return _failure(case, "unexpected error", seen.text[:600], UNEXPECTED)


MEMORY = "Bound the numbers and lists it works on, and reject what is larger."
TIME = "Bound the loops by checking numbers first, and reject what is larger."


ARRANGED = "Or add the invariant that rules the rows of this case out."


def _failure(case: ProofCase, reason: str, detail: str, mend: str) -> ToolFault:
    mend = f"{mend} {ARRANGED}" if case.patched else mend
    return ToolFault(case.tool, reason, detail, mend, case.as_json(), case.patched)
