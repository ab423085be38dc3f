"""The control plane: what a harness may do to an episode, and an agent may not.

Each operation takes an episode and JSON parameters and returns JSON. On stdio an operation is
the JSON-RPC method ``toolworld/episode/<name>``, over HTTP the route ``/episodes/<id>/<name>``;
neither is ever a tool, and both are there only when the server is started with ``--control``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from ..errors import BadParameters
from .episodes import Episode

Json = dict[str, Any]


class Parameters(BaseModel):
    """What an operation takes: nothing, unless a subclass says otherwise."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Start(Parameters):
    """Where an episode starts: a task or its id, and a seed."""

    task: StrictStr | dict[str, object] | None = None
    seed: StrictInt | None = None


class Answer(Parameters):
    """What the agent finally said to the person."""

    answer: StrictStr | None = None


class Message(Parameters):
    """What the agent says to the person."""

    text: StrictStr


class SnapshotName(Parameters):
    """A name that ``snapshot`` gave."""

    snapshot: StrictStr


ParametersT = TypeVar("ParametersT", bound=Parameters)


class Operation(Generic[ParametersT]):
    """One thing to do to an episode, with checked parameters."""

    def __init__(
        self, takes: type[ParametersT], run: Callable[[Episode, ParametersT], Json]
    ) -> None:
        """Join the type of the parameters to the function that takes them."""
        self._takes = takes
        self._run = run

    def __call__(self, episode: Episode, parameters: Mapping[str, object]) -> Json:
        """Run the operation and return its result.

        Raises:
            PackageError: The parameters do not fit, or the episode cannot do it.
        """
        return self._run(episode, parse(self._takes, parameters))


def parse(takes: type[ParametersT], parameters: Mapping[str, object]) -> ParametersT:
    """Return checked parameters.

    Raises:
        BadParameters: They do not fit; the message names each finding.
    """
    try:
        return takes.model_validate(parameters)
    except ValidationError as error:
        findings = "; ".join(
            f"{'.'.join(str(part) for part in finding['loc'])}: {finding['msg']}"
            for finding in error.errors(include_url=False, include_input=False)
        )
        raise BadParameters(f"The parameters are not valid: {findings}.") from error


def open_episode(parameters: Mapping[str, object]) -> Episode:
    """Open an episode at a task and seed, or at the plain seed database.

    Raises:
        PackageError: The parameters do not fit, or there is no such task.
    """
    start = parse(Start, parameters)
    return Episode(start.task, start.seed or 0)


def reset(episode: Episode, start: Start) -> Json:
    """Go back to the start, or to the start of another task or seed."""
    episode.environment.reset(start.task, start.seed)
    return describe(episode)


def describe(episode: Episode) -> Json:
    """Return an episode's task and the digest of its state."""
    task = episode.environment.task
    return {
        "task": None if task is None else task.id,
        "digest": episode.environment.digest(),
    }


def restore(episode: Episode, wanted: SnapshotName) -> Json:
    """Go back to a snapshot."""
    episode.restore(wanted.snapshot)
    return describe(episode)


def say(episode: Episode, message: Message) -> Json:
    """Tell the person something, and return the reply with its acts."""
    reply = episode.environment.say(message.text)
    return {"text": reply.text, "acts": [act._asdict() for act in reply.acts]}


def grade(episode: Episode, final: Answer) -> Json:
    """Return the grade of an episode, with its task and the digest of its state."""
    return {**asdict(episode.environment.grade(final.answer)), **describe(episode)}


def changes(episode: Episode, _: Parameters) -> Json:
    """Return the rows that differ from the start."""
    return {"changes": [change.as_json() for change in episode.environment.diff()]}


QUERIES: Mapping[str, Operation[Any]] = {
    "state": Operation(Parameters, lambda episode, _: {"state": episode.environment.state()}),
    "diff": Operation(Parameters, changes),
    "digest": Operation(Parameters, lambda episode, _: describe(episode)),
}
"""Operations that change nothing: GET over HTTP."""

COMMANDS: Mapping[str, Operation[Any]] = {
    "reset": Operation(Start, reset),
    "snapshot": Operation(Parameters, lambda episode, _: {"snapshot": episode.snapshot()}),
    "restore": Operation(SnapshotName, restore),
    "say": Operation(Message, say),
    "grade": Operation(Answer, grade),
}
"""Operations with parameters or effects: POST over HTTP."""
