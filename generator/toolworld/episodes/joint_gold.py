"""The gold of a joint task, played in a joined episode, as it is or changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic_core import from_json

from toolworld.episodes.joined import JoinedEpisode
from toolworld.episodes.joint_tasks import JointTask
from toolworld.jsonvalues import JsonObject
from toolworld.packages.task import StepModel, first_answers

LEFT_OUT: JsonObject = {}
"""What stands for the result of a step that was not made."""


class GoldMove(NamedTuple):
    """A step of gold.

    Attributes:
        part: The number of the package whose task it belongs to.
        place: Its place in that task's gold.
        step: The step.
    """

    part: int
    place: int
    step: StepModel


def moves_of(task: JointTask) -> list[GoldMove]:
    """Return the calls of all parts, one part after the other."""
    return [
        GoldMove(number, place, step)
        for number, part in enumerate(task.parts)
        for place, step in enumerate(part.gold)
        if step.tool
    ]


def in_turns(moves: Sequence[GoldMove]) -> list[GoldMove]:
    """Return moves in an order in which the parts take turns; each keeps its own order."""
    return sorted(moves, key=lambda move: (move.place, move.part))


class GoldPlay:
    """Plays moves in an episode.

    Attributes:
        changing: The moves of the last play that changed something.
        expected: Whether each call of the last play ended as gold says.
    """

    def __init__(self, episode: JoinedEpisode, task: JointTask) -> None:
        """Take an episode that is at the task."""
        self._episode, self._task = episode, task
        self.changing: list[GoldMove] = []
        self.expected = True

    def play(self, moves: Sequence[GoldMove]) -> None:
        """Go back to the start and make moves; those that rest on one left out are left out."""
        self._episode.ask("reset", {})
        self.changing, self.expected = [], True
        results = [[LEFT_OUT] * len(part.gold) for part in self._task.parts]
        for move in moves:
            self._make(move, results[move.part])

    def _make(self, move: GoldMove, results: list[JsonObject]) -> None:
        part = self._episode.parts[move.part]
        resolve = part.hosted.package.modules.task.resolve
        try:
            arguments: Mapping[str, object] = resolve(move.step.arguments, results)
        except part.hosted.refusal:
            return
        name = self._episode.joined.names[part.domain][move.step.tool]
        before = self._episode.digest()
        told = self._episode.call(name, arguments)
        self.expected = self.expected and told["outcome"] == move.step.expect
        if told["outcome"] == "ok":
            results[move.place] = from_json(str(told["text"]))
        if self._episode.digest() != before:
            self.changing.append(move)

    def reward(self, parts: Sequence[int] | None = None) -> float:
        """Return the reward, given all answers of some parts; None for those of all."""
        told = [
            str(value)
            for number, part in enumerate(self._task.parts)
            if parts is None or number in parts
            for value in first_answers(part)
        ]
        return float(str(self._episode.ask("grade", {"answer": "\n".join(told)})["reward"]))
