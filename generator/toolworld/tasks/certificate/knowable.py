"""Whether an agent can know every value that gold gives: nothing is left to guess."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import Leaf, fixed, leaves_of
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Step, Track
from toolworld.tasks.certificate.verdict import Flaw, Tally
from toolworld.tasks.certificate.words import Said

Json = Any

WORD = re.compile(r"[a-z0-9_]+")


class Knowable:
    """Where each value of gold can be known from."""

    def __init__(self, track: Track, said: Said) -> None:
        """Take gold as it ran, and what the person says."""
        self._track = track
        self._said = said
        self._facts = track.facts

    def check(self, tally: Tally) -> None:
        """Check that each value can be known, and that the instruction gives away no more.

        Raises:
            Flaw: A value can only be guessed, or the instruction names a tool or an id that is
                of no use.
        """
        for step in self._track.steps:
            for leaf in leaves_of(step.tool, step.given):
                source = self._source(step, leaf)
                if not source:
                    raise Flaw(
                        Reason.UNKNOWABLE,
                        f"{step}: {leaf.place} = {leaf.value!r} is in no text of the task, in no "
                        "earlier result and not fixed by the schema",
                    )
                tally.count("knowable", source)
        self._check_instruction()

    def _source(self, step: Step, leaf: Leaf) -> str:
        """Return where a value is known from; empty if it can only be guessed."""
        value = leaf.value
        if isinstance(value, Mapping):
            return "results" if int(value["$step"]) < step.index else ""
        if value is None or fixed(leaf):
            return "schema"
        if leaf.entity and self._facts.surface.entities[leaf.entity].minted:
            return self._of_id(step, leaf)
        if self._is_said(leaf):
            return "texts"
        if self._seen(step, leaf):
            return "results"
        return "choice" if is_choice(step, leaf) else ""

    def _of_id(self, step: Step, leaf: Leaf) -> str:
        if self._said.verbatim(leaf.value):
            return "texts"
        return "results" if self._seen(step, leaf) else ""

    def _is_said(self, leaf: Leaf) -> bool:
        if leaf.value is False and "default" not in leaf.schema:
            return True  # what must be given is no unless somebody says so
        return self._said.fixes(leaf)

    def _seen(self, step: Step, leaf: Leaf) -> bool:
        """Whether an earlier result shows the value under the same name, or as an id."""
        for earlier in self._track.steps[: step.index]:
            for name, value in earlier.shown:
                if value == leaf.value and type(value) is type(leaf.value):
                    if leaf.entity or name == leaf.name or leaf.name.endswith(f"_{name}"):
                        return True
        return False

    def _check_instruction(self) -> None:
        instruction = self._track.task["instruction"]
        # Few have an underscore or an id at all, so that there is something to look up.
        words = set(WORD.findall(instruction.lower())) if "_" in instruction else ()
        named = sorted(name for name in self._facts.surface.tools if "_" in name and name in words)
        if named:
            raise Flaw(Reason.NAMES_TOOL, ", ".join(named))
        ids = self._facts.ids_in(instruction)
        useful = {value for _, value in self._useful()} if ids else ()
        for found in ids:
            if found.upper() not in useful:
                raise Flaw(
                    Reason.USELESS_ID,
                    f"{found} is neither an argument of gold nor in known_info",
                )

    def _useful(self) -> Iterator[tuple[str, Json]]:
        yield from leaves(self._track.task.get("known_info", {}))
        for step in self._track.steps:
            yield from leaves(dict(step.arguments))


def is_choice(step: Step, leaf: Leaf) -> bool:
    """Whether a value only narrows a look-up, so that an agent may try them or leave it out."""
    optional = not step.tool.parameters[str(leaf.path[0])].required
    listed = "enum" in leaf.schema or leaf.schema.get("type") == "boolean"
    return step.tool.read_only and (optional or listed or leaf.name == "limit")
