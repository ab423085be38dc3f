"""What a rejection recommends can be done."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at
from toolworld.laws.caller import RefusedCall
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

TRIES = 8
"""How often what is recommended is tried at a state."""
FEWEST = 5
"""At how many states it must be refused to be a suspect."""
SAME = 6
"""How many letters of a noun must be the same."""
FEWEST_LETTERS = 4
"""How many letters a noun has at least; what is shorter belongs to the verb, as in "check out"."""
SENTENCE = re.compile(r"[.;:,!?]|\b(?:or|and|then)\b")
"""What ends a sentence, or a part of one that may recommend something."""
WORD = re.compile(r"[a-z]+")


@dataclass
class _Tried:
    """What came of recommending one tool."""

    worked: int = 0
    refused: int = 0
    text: str = ""
    shortest: tuple[PlannedCall, ...] = ()
    codes: set[str] = field(default_factory=set)


class AdviceWorks(Property):
    """A rejection's advice works: the tool it recommends succeeds in some such state."""

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Take the states to play calls in."""
        super().__init__(states, totals)
        self._tried: dict[tuple[str, str, str], _Tried] = defaultdict(_Tried)

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Try what rejections recommend; suspects come at the end."""
        seen: set[tuple[str, str]] = set()
        for refusal in state.refused:
            if (refusal.call.tool, refusal.code) not in seen:
                seen.add((refusal.call.tool, refusal.code))
                for tool in self._recommended(refusal):
                    self._try(state, refusal, tool)
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield recommendations that never worked."""
        for (refused, code, advised), tried in self._tried.items():
            if not tried.worked and tried.refused >= FEWEST:
                codes = ", ".join(sorted(tried.codes))
                says = f"It says: {tried.text} That was refused, too, at each state: {codes}."
                yield Suspect((refused, advised), code, says, tried.shortest)

    def _recommended(self, refusal: RefusedCall) -> list[ToolFacts]:
        """Return the tools whose verb and nouns a rejection mentions, except the rejecting one."""
        text = refusal.text.lower()
        return [
            tool
            for tool in self._states.caller.writers
            if tool.name != refusal.call.tool and _is_named(tool.name, text)
        ]

    def _try(self, state: EpisodeState, refusal: RefusedCall, tool: ToolFacts) -> None:
        tried = self._tried[refusal.call.tool, refusal.code, tool.name]
        caller = self._states.caller
        self._states.restore(state)
        call = caller.changing(tool, self._about(state, refusal.call), TRIES)
        if call is not None:
            tried.worked += 1
        elif caller.refusals:
            tried.refused += 1
            tried.codes |= {one.code for one in caller.refusals}
            calls = (*state.before, refusal.call, caller.refusals[0].call)
            if not tried.shortest or len(calls) < len(tried.shortest):
                tried.shortest, tried.text = calls, refusal.text

    def _about(self, state: EpisodeState, call: PlannedCall) -> Knowledge:
        """Return the values known at a state, those of the rows that a call names first."""
        known = state.known
        for path, named in self._states.surface.tools[call.tool].names.items():
            for key in at(call.arguments, path) if "." not in named else ():
                known = self._states.caller.about(named, key, known)
        return known


def _is_named(tool: str, text: str) -> bool:
    """Return whether some part of a text begins with a tool's verb, and the text has its nouns."""
    verb, *nouns = tool.split("_")
    parts = [WORD.findall(part) for part in SENTENCE.split(text)]
    words = [word for part in parts for word in part]
    return any(
        part[:1] == [verb] and all(noun in part for noun in nouns if len(noun) < FEWEST_LETTERS)
        for part in parts
    ) and all(any(word.startswith(noun[:SAME]) for word in words) for noun in nouns)
