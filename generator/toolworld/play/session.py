"""One episode at a task, played step by step, without input or output of its own.

It shows only what an agent may know. The goal shows only in the reasons of the grade, and gold
only once the task is finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pydantic_core import from_json

from toolworld.errors import PackageLoadError, PlayError
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.packages import Package, load_package
from toolworld.play.gold import GoldPlayed, play_gold
from toolworld.play.steps import Exchange, Finish, MadeCall, Step, changes_of

ToolDefinition: TypeAlias = dict[str, Any]

LONGEST_START = 40


@dataclass(frozen=True)
class Opening:
    """What a player is told first.

    Attributes:
        task: The task's id.
        message: What the person says first.
        role: The person's role in the domain; may be empty.
        tools: How many tools there are.
        title: The domain's title.
    """

    task: str
    message: str
    role: str
    tools: int
    title: str


class PlaySession:
    """An episode at a task, with everything a player can do in it.

    Attributes:
        opening: What the player is told first.
    """

    def __init__(self, package: Package, task_id: str, seed: int = 0) -> None:
        """Open the episode.

        Raises:
            PlayError: The package has no such task, or it does not fit the database.
        """
        self._package = package
        self._errors = package.modules.errors.PackageError
        with self._explained("Opening the task"):
            self._environment = package.environment(task_id, seed)
            self._task = self._environment.task
            self._tools: dict[str, ToolDefinition] = {
                tool["name"]: tool for tool in self._environment.tools
            }
            title = package.modules.about.TITLE
            task = self._task
            self.opening = Opening(task.id, task.instruction, task.role, len(self._tools), title)
        self._steps: list[tuple[Any, Step]] = []

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        """Turn every error of the package into one for the player."""
        try:
            yield
        except self._errors as error:
            raise PlayError(str(error)) from error
        except Exception as error:
            raise PlayError(
                f"{doing} failed because of a defect of the package, and changed nothing: "
                f"{type(error).__name__}: {error}"
            ) from error

    # ---- what can be seen

    @property
    def log(self) -> list[Step]:
        """What happened so far, in order."""
        return [step for _, step in self._steps]

    @property
    def is_finished(self) -> bool:
        """Whether the last step was to finish."""
        return bool(self._steps) and isinstance(self._steps[-1][1], Finish)

    @property
    def policy(self) -> str:
        """What an agent must and must not do, as agents read it.

        Raises:
            PlayError: The package's text cannot be read.
        """
        with self._explained("Reading the policy"):
            return self._package.files.policy.read_text(encoding="utf-8")

    @property
    def known(self) -> dict[str, JsonValue]:
        """The facts that the person would tell when asked, if the person gives no replies.

        Raises:
            PlayError: The person gives replies.
        """
        if self._task.person is not None:
            raise PlayError("This person answers: ask with say.")
        return dict(self._task.known_info)

    def tools(self, word: str = "") -> list[ToolDefinition]:
        """Return the definitions of the tools that have a word in their name or description."""
        wanted = word.casefold()
        return [
            tool
            for tool in self._tools.values()
            if wanted in f"{tool['name']}\n{tool['description']}".casefold()
        ]

    def tool(self, name: str) -> ToolDefinition:
        """Return the definition of a tool.

        Raises:
            PlayError: There is no such tool.
        """
        if name not in self._tools:
            raise PlayError(f'There is no tool "{name:.80}".')
        return self._tools[name]

    def diff(self) -> list[JsonObject]:
        """Return the rows that the agent changed so far."""
        with self._explained("Comparing the rows"):
            return [change.as_json() for change in self._environment.diff()]

    # ---- what can be done

    def call(self, name: str, arguments: Mapping[str, JsonValue]) -> MadeCall:
        """Call a tool.

        Raises:
            PlayError: There is no such tool, it is broken, or the task is finished.
        """
        self._refuse_if_finished()
        before, trace = self._environment.snapshot(), self._environment.trace
        with self._explained(f"The tool {name:.80}"):
            given = self._environment.call(name, arguments)
        after = self._environment.trace
        writes = [*after][-1].writes if len(after) > len(trace) else ()
        made = MadeCall(
            name, dict(arguments), given.outcome, given.text, given.code, dict(given.values),
            from_json(given.text) if given.outcome == "ok" else None, changes_of(writes),
        )  # fmt: skip
        self._steps.append((before, made))
        return made

    def say(self, text: str) -> str:
        """Tell the person something, and return the reply.

        Raises:
            PlayError: There is nobody to talk to, or the task is finished.
        """
        self._refuse_if_finished()
        before = self._environment.snapshot()
        with self._explained("The person"):
            reply: str = self._environment.say(text).text
        self._steps.append((before, Exchange(text, reply)))
        return reply

    def finish(self, answer: str | None = None) -> Any:
        """End the task, and return the package's grade.

        Args:
            answer: The agent's final answer to the person.

        Raises:
            PlayError: It is finished already.
        """
        self._refuse_if_finished()
        with self._explained("Grading"):
            grade = self._environment.grade(answer)
        self._steps.append((self._environment.snapshot(), Finish(answer)))
        return grade

    def _refuse_if_finished(self) -> None:
        if self.is_finished:
            raise PlayError("The task is finished: no more can be done in it.")

    def undo(self) -> Step:
        """Undo the last step, and return it.

        Raises:
            PlayError: There is none.
        """
        if not self._steps:
            raise PlayError("Nothing has been done yet.")
        before, step = self._steps.pop()
        self._environment.restore(before)
        return step

    def gold(self) -> GoldPlayed:
        """Play the task's gold sequence in an episode of its own.

        Raises:
            PlayError: The task is not finished, or has no gold.
        """
        if not self.is_finished:
            raise PlayError("Gold is shown once the task is finished.")
        if not self._task.gold:
            raise PlayError("This task has no gold.")
        with self._explained("Playing gold"):
            return play_gold(self._package, self._task)


def open_session(path: Path, task_id: str | None = None, seed: int = 0) -> PlaySession:
    """Open a session at a task of the package in a folder.

    Args:
        path: The package's folder.
        task_id: The task; None for the first.
        seed: Varies the keys of new rows.

    Raises:
        PackageLoadError: The folder holds no package, or one without tasks.
        PlayError: There is no such task, or it cannot be opened.
    """
    package = load_package(path)
    if not hasattr(package.modules.environment.Environment, "say"):
        raise PackageLoadError(
            f"{path} was built before people could answer. Build it again: "
            "toolworld build DOMAIN --out DIR"
        )
    ids = [str(task["id"]) for task in package.tasks()]
    if not ids:
        raise PackageLoadError(f"{path} has no tasks. Make some with: toolworld tasks {path}")
    if task_id is not None and task_id not in ids:
        raise PlayError(
            f'{path} has no task "{task_id:.80}". List them with: toolworld play {path} --list'
        )
    return PlaySession(package, ids[0] if task_id is None else task_id, seed)


def task_rows(path: Path) -> list[dict[str, str]]:
    """Return the tasks of the package in a folder: id, scenario and the start of the message.

    Raises:
        PackageLoadError: The folder holds no package, or its tasks cannot be read.
    """
    return [
        {
            "id": task["id"],
            "scenario": task.get("scenario", ""),
            "message": _start_of(task["instruction"]),
        }
        for task in load_package(path).tasks()
    ]


def _start_of(message: str) -> str:
    """Return the first words of a message, on one line."""
    line = " ".join(message.split())
    if len(line) <= LONGEST_START:
        return line
    return f"{line[:LONGEST_START].rsplit(' ', 1)[0]} ..."
