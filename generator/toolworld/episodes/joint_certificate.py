"""The certificate of a joint task: what must hold of it as a whole, all of it executed.

What holds of each part alone stands in the certificate of that part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult

from toolworld.episodes.joined import JoinedEpisode, JoinedPackages
from toolworld.episodes.joint_gold import GoldMove, GoldPlay, in_turns, moves_of
from toolworld.episodes.joint_tasks import JointTask, sampled
from toolworld.errors import EpisodeError
from toolworld.packages.task import first_answers
from toolworld.reports import JsonReport

Progress = Callable[[str], None]


class JointTrial:
    """The claims about one joint task, each a method that says whether it holds."""

    def __init__(self, joined: JoinedPackages, task: JointTask) -> None:
        """Open an episode, and play gold."""
        self._joined, self._task = joined, task
        self._episode = JoinedEpisode(joined, task.id, 0)
        self._start = self._episode.digest()
        self._gold = moves_of(task)
        self._play = GoldPlay(self._episode, task)
        self._play.play(self._gold)
        self._writes = self._play.changing
        self._end = self._episode.digest()

    def claims(self) -> dict[str, bool]:
        """Return whether each claim holds."""
        return {
            "gold_passes": self._passes(self._gold),
            "parts_in_turns_pass": self._passes(in_turns(self._gold)),
            "nothing_fails": self._fails([], parts=()),
            "each_part_is_needed": self._each_part_is_needed(),
            "each_write_is_needed": self._each_write_is_needed(),
            "answers_are_needed": self._answers_are_needed(),
            "reset_is_total": self._reset_is_total(),
            "parts_stay_apart": self._parts_stay_apart(),
        }

    def _passes(self, moves: Sequence[GoldMove]) -> bool:
        self._play.play(moves)
        is_there = self._episode.digest() == self._end
        return is_there and self._play.expected and self._play.reward() == 1.0

    def _fails(self, moves: Sequence[GoldMove], parts: Sequence[int] | None = None) -> bool:
        self._play.play(moves)
        return self._play.reward(parts) == 0.0

    def _each_part_is_needed(self) -> bool:
        numbers = range(len(self._task.parts))
        return all(
            self._fails(
                [move for move in self._gold if move.part != left_out],
                [number for number in numbers if number != left_out],
            )
            for left_out in numbers
        )

    def _each_write_is_needed(self) -> bool:
        return all(
            self._fails([move for move in self._gold if move != write]) for write in self._writes
        )

    def _answers_are_needed(self) -> bool:
        numbers = range(len(self._task.parts))
        return all(
            self._fails(self._gold, [number for number in numbers if number != silent])
            for silent in numbers
            if first_answers(self._task.parts[silent])
        )

    def _reset_is_total(self) -> bool:
        self._play.play(self._gold)
        self._episode.ask("reset", {})
        return self._episode.digest() == self._start

    def _parts_stay_apart(self) -> bool:
        """Return whether each part ends as it does in an episode of its own package."""
        self._play.play(in_turns(self._gold))
        return all(
            part.ask("diff", {}) == self._alone(number)
            for number, part in enumerate(self._episode.parts)
        )

    def _alone(self, number: int) -> Mapping[str, object]:
        task = self._task.parts[number]
        environment = self._joined.packages[number].package.environment(task.id)
        resolve = self._joined.packages[number].package.modules.task.resolve
        results: list[Any] = []
        for step in task.gold:
            arguments = resolve(step.arguments, results)
            given = environment.call(step.tool, arguments) if step.tool else None
            results.append(given.structured if given is not None else {})
        return {"changes": [change.as_json() for change in environment.diff()]}


class JointReport(JsonReport):
    """Joint tasks with their certificates: ``world``, ``tools``, ``tasks`` and ``left_out``."""

    @property
    def short(self) -> bool:
        """Whether there are fewer tasks than were wanted."""
        return bool(len(self.content["tasks"]) < self.content["wanted"])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Say in a line how many there are, then name those that were left out."""
        content = self.content
        yield (
            f"{content['world']}: {content['tools']} tools, {len(content['tasks'])} of "
            f"{content['wanted']} joint tasks, each with {len(content['claims'])} claims that hold"
        )
        for line in content["left_out"]:
            yield f"  left out: {line}"


def certify_joint(
    joined: JoinedPackages, count: int, seed: int = 0, progress: Progress | None = None
) -> JointReport:
    """Make joint tasks of which every claim holds; those that fail one are left out and named.

    Args:
        joined: The packages.
        count: How many tasks are wanted.
        seed: Varies which tasks are joined.
        progress: Told what is being done.

    Raises:
        EpisodeError: The packages have no tasks that can be joined.
    """
    say = progress or (lambda _: None)
    tasks: list[dict[str, Any]] = []
    left_out: list[str] = []
    claims: dict[str, bool] = {}
    for task in sampled(joined.packages, seed):
        say(f"Certifying task {len(tasks) + 1} of {count}")
        claims = JointTrial(joined, task).claims()
        failed = [name for name, holds in claims.items() if not holds]
        if failed:
            left_out.append(f"{task.id}: {', '.join(failed)}")
        else:
            tasks.append({**task.as_json(), "certificate": claims})
        if len(tasks) == count:
            break
    if not claims:
        raise EpisodeError(
            f"No tasks of {joined.domain} can be joined: each package needs some that need no "
            "conversation, asked by someone who may ask for every tool."
        )
    return JointReport(
        {
            "world": joined.domain,
            "tools": joined.tool_count,
            "wanted": count,
            "claims": list(claims),
            "tasks": tasks,
            "left_out": left_out,
        }
    )
