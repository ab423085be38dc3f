"""The agent that an expert works through: tools, and talk with the person.

An expert sees nothing else: a fact that the person has not told cannot be read, and a call that
may be refused is made through ``attempt``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

from pydantic_core import from_json

from ..calls.definitions import definitions
from ..calls.results import ToolResult, result_of
from ..calls.trace import TraceEvent
from ..environment import Environment
from ..person.persona import ChangesMind, Person, WantsMore, WrongFirst
from ..policy.past import TELLING, leaves
from ..tasks.task import Step, Task
from .draw import as_json
from .facts import Facts
from .language import Ambiguous, Outcome, Redraw
from .speech import finding_none, offering, telling, wondering

MOST_CALLS = 200
ANYTHING_ELSE = "Is there anything else I can do for you?"
CANNOT = "I am sorry, I cannot do that for you."


class ExpertFailed(Exception):  # noqa: N818 - what an expert did wrong, in words
    """An expert does something forbidden, or meets a case it is not written for."""


class PutRight(Exception):  # noqa: N818 - no error: the expert begins anew
    """The person corrects what they said first, or changes their mind."""


class Given:
    """The facts of a situation, as far as the person has told them."""

    def __init__(self, facts: Facts, said: set[str], first: dict[str, Any]) -> None:
        """Take the facts.

        Args:
            facts: All of them.
            said: The names of those told in the opening message.
            first: The facts that the person corrects later, as they say them first; each is removed
                once corrected.
        """
        self._facts, self._told, self._first = facts, set(said), first

    def __getattr__(self, name: str) -> Any:
        """Return a fact that was told."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._facts.values:
            raise ExpertFailed(f"The situation gives no fact {name}.")
        if name not in self._told:
            raise ExpertFailed(
                f'The expert reads {name}, which the person has not told. Ask: agent.ask("{name}").'
            )
        return self._first.get(name, self._facts.values[name])

    def knows(self, name: str) -> bool:
        """Return whether a fact was told."""
        return name in self._told

    def take(self, names: set[str], right: set[str]) -> bool:
        """Add facts that were told, and return whether one of them corrects an earlier value."""
        self._told |= names & self._facts.values.keys()
        found = right & self._first.keys()
        for name in found:
            del self._first[name]
        return bool(found)


def said_first(person: Person | None, facts: Facts) -> dict[str, Any]:
    """Return the first values that a person gives for facts they correct later."""
    found: dict[str, Any] = {}
    for behaviour in person.behaviours if person is not None else ():
        if isinstance(behaviour, WrongFirst):
            found[behaviour.fact] = behaviour.value
        elif isinstance(behaviour, ChangesMind) and person is not None:
            value = person.facts[behaviour.fact].value
            is_day = isinstance(facts.values[behaviour.fact], date)
            found[behaviour.fact] = date.fromisoformat(str(value)) if is_day else value
    return found


class Attempt:
    """A call that may have been refused; if it was not, it has the columns of the result.

    Attributes:
        result: What the call returned.
        code: The code of the rejection; empty if there was none.
        values: The values of the rejection.
    """

    def __init__(self, result: Any, refusal: ToolResult | None) -> None:
        """Take the result of a call, or its refusal."""
        self._result, self._refusal = result, refusal
        self.code = refusal.code if refusal else ""
        self.values = Values(refusal.values if refusal else {})
        self.is_handled = refusal is None

    def rejected(self, *codes: str) -> bool:
        """Return whether the call was refused with one of these codes."""
        if self._refusal is not None and self.code in codes:
            self.is_handled = True
            return True
        return False

    @property
    def result(self) -> Any:
        """What the call returned."""
        if self._refusal is not None:
            raise ExpertFailed(f"The call was refused ({self.code}): {self._refusal.text}")
        return self._result

    def __getattr__(self, name: str) -> Any:
        """Return a column of the result."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.result, name)


class Values:
    """The values of a rejection, by name."""

    def __init__(self, values: Any) -> None:
        """Take the values as JSON."""
        self._values = dict(values)

    def __getattr__(self, name: str) -> Any:
        """Return a value."""
        try:
            return self._values[name]
        except KeyError:
            raise ExpertFailed(f"The rejection carries no value {name}.") from None


class Attempts:
    """The tools, for calls that may be refused."""

    def __init__(self, call: Callable[[str, dict[str, Any]], Attempt]) -> None:
        """Take the function that makes a call."""
        self._call = call

    def __getattr__(self, tool: str) -> Callable[..., Attempt]:
        """Return a tool as a function."""
        return lambda *places, **named: self._call(tool, arguments_of(tool, places, named))


class Agent:
    """What an expert can do: call tools and talk.

    Attributes:
        steps: What it did, as gold.
    """

    def __init__(self, environment: Environment, facts: Facts, said: set[str]) -> None:
        """Work in an environment that is open at a task.

        Args:
            environment: The episode.
            facts: What the person knows.
            said: The facts that the opening message tells.
        """
        self._environment = environment
        self._task: Task = environment.task  # type: ignore[assignment]
        self._first = said_first(self._task.person, facts)
        self.given = Given(facts, said, self._first)
        self._may_be_wrong = dict(self._first) if self._behaves(WrongFirst) else {}
        self._results: dict[str, ToolResult] = {}
        self._repeated: dict[str, ToolResult] = {}
        self.steps: list[Step] = []
        self._last: Attempt | None = None

    @property
    def attempt(self) -> Attempts:
        """The tools, for calls that may be refused."""
        return Attempts(self._attempted)

    def __getattr__(self, tool: str) -> Callable[..., Any]:
        """Return a tool as a function; it raises ``ExpertFailed`` if the tool refuses."""
        if tool.startswith("_") or tool not in definitions():
            raise AttributeError(tool)

        def call(*places: Any, **named: Any) -> Any:
            attempt = self._attempted(tool, arguments_of(tool, places, named))
            attempt.is_handled = True
            if attempt.code:
                raise ExpertFailed(f"{tool} refuses ({attempt.code}): use agent.attempt.{tool}.")
            return attempt.result

        return call

    def work(self, expert: Callable[[Agent, Given], Outcome]) -> Outcome:
        """Return an expert's outcome; restart it whenever the person corrects what they said.

        Raises:
            Redraw: The expert ends without the correction, or something is written before it.
        """
        while self._first:
            with suppress(PutRight):
                self._work_by_what_is_said_first(expert)
        return expert(self, self.given)

    def _work_by_what_is_said_first(self, expert: Callable[[Agent, Given], Outcome]) -> None:
        try:
            expert(self, self.given)
        except Ambiguous:
            self._find_none()
        except ExpertFailed as error:
            raise Redraw(f"by what is said first: {error}") from error
        raise Redraw("the person is not led to put right what they said first")

    def _find_none(self) -> None:
        """Tell the person that nothing matches the values that may be wrong."""
        for name, value in self._may_be_wrong.items():
            self._say(finding_none(self._task, name, value))

    def finish(self, reply: str) -> None:
        """Say a final reply, and refuse whatever else the person wants."""
        said = self._say(reply)
        if not self._behaves(WantsMore):
            return
        if not any(act.kind == "wants_more" for act in said.acts):
            said = self._say(ANYTHING_ELSE)
        if any(act.kind == "wants_more" for act in said.acts):
            self._say(CANNOT)

    def _behaves(self, kind: type) -> bool:
        person = self._task.person
        return person is not None and any(isinstance(one, kind) for one in person.behaviours)

    def knows(self, *names: str) -> bool:
        """Return whether the person has told all of some facts."""
        return all(self.given.knows(name) for name in names)

    def ask(self, *names: str) -> None:
        """Ask the person for facts that were not told yet."""
        for name in names:
            if not self.given.knows(name):
                self._say(wondering(self._task, name))
            if not self.given.knows(name):
                raise ExpertFailed(f"The person does not tell {name} when asked for it.")

    def tell(self, **values: Any) -> None:
        """Tell the person something; only once, even if the expert restarts."""
        text = telling(values)
        if not any(step.say == text for step in self.steps):
            self._say(text)

    def agreed(self, **values: Any) -> bool:
        """Tell the person some values, ask for a yes, and return whether they agree."""
        return self._answer(telling(values, ask=True))

    def offer(self, name: str, /, **values: Any) -> bool:
        """Offer something else, and return whether the person takes it.

        Raises:
            Redraw: The person has yet to change their mind about what they want.
        """
        if self._first and self._behaves(ChangesMind):
            raise Redraw("something else is offered for what the person wants first")
        return self._answer(offering(name, values))

    def _answer(self, text: str) -> bool:
        reply = self._say(text)
        kinds = [act.kind for act in reply.acts]
        if "agrees" not in kinds and "declines" not in kinds:
            raise ExpertFailed(f'The person answers neither yes nor no to "{text}".')
        return "agrees" in kinds

    def _say(self, text: str) -> TraceEvent:
        self._check_handled()
        self._environment.say(text)
        self.steps.append(Step(say=text))
        reply = list(self._environment.trace)[-1]
        told = {act.name for act in reply.acts if act.kind in TELLING}
        right = {act.name for act in reply.acts if act.kind in TELLING[1:]}
        if self.given.take(told, right):
            self._begin_anew()
        return reply

    def _begin_anew(self) -> None:
        if any(event.writes for event in self._environment.trace):
            raise Redraw("the person puts right what they said first when something is written")
        self._last = None
        self._repeated, self._results = self._results, {}
        raise PutRight

    def _attempted(self, tool: str, arguments: dict[str, Any]) -> Attempt:
        self._check_handled()
        if tool not in definitions():
            raise ExpertFailed(f"There is no tool {tool}.")
        given = as_json({name: value for name, value in arguments.items() if value is not None})
        result = self._called(tool, given)
        if result.outcome != "ok":
            self._last = Attempt(None, result)
            return self._last
        return Attempt(self._all(tool, given, result), None)

    def _all(self, tool: str, given: dict[str, Any], result: ToolResult) -> Any:
        """Return a call's result; for a page, the rows of all pages."""
        found = result_of(tool, result.text)
        if not isinstance(found, tuple):
            return found
        rows = list(found)
        while cursor := from_json(result.text)["next_cursor"]:
            result = self._called(tool, {**given, "cursor": cursor})
            rows += result_of(tool, result.text)
        return rows

    def _called(self, tool: str, given: dict[str, Any]) -> ToolResult:
        if len(self.steps) >= MOST_CALLS:
            raise ExpertFailed(f"The expert makes more than {MOST_CALLS} calls.")
        key = f"{tool} {given}"
        if key in self._repeated:
            return self._repeated.pop(key)
        result = self._environment.call(tool, given)
        if result.outcome == "invalid":
            raise ExpertFailed(f"The call of {tool} is not valid: {result.text}")
        step = Step(
            tool=tool,
            arguments=given,
            expect="ok" if result.outcome == "ok" else "rejected",
            code=result.code,
        )
        self.steps.append(step)
        if result.outcome == "ok":
            self._results[key] = result
        elif self._first and set(self._may_be_wrong.values()) & set(leaves(given)):
            self._find_none()
        return result

    def _check_handled(self) -> None:
        """Check that the expert handled the last refusal."""
        if self._last is not None and not self._last.is_handled:
            raise ExpertFailed(
                f"A call was refused with the code {self._last.code}, which the expert does not "
                f'look for: if it may be, write attempt.rejected("{self._last.code}").'
            )

    def close(self) -> None:
        """Check that the expert handled the last refusal.

        Raises:
            ExpertFailed: It did not.
        """
        self._check_handled()


def arguments_of(tool: str, places: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments by name."""
    names = definitions()[tool]["inputSchema"]["properties"] if tool in definitions() else ()
    return {**dict(zip(names, places, strict=False)), **named}
