"""The answers of an episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from pydantic_core import from_json

from toolworld.errors import EpisodeError
from toolworld.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True)
class CallResult:
    """The result of a call.

    Attributes:
        outcome: ``rejected`` by a rule, ``invalid`` by its schema, ``failed`` by a defect.
        text: What an agent reads.
        code: The code of the rejection.
        values: The values of the rejection, for programs.
    """

    outcome: Literal["ok", "rejected", "invalid", "failed"]
    text: str
    code: str = ""
    values: JsonObject = field(default_factory=dict)

    @cached_property
    def structured(self) -> JsonObject:
        """The result as JSON; empty unless ok."""
        return {} if self.is_error else from_json(self.text)

    @property
    def is_error(self) -> bool:
        """Whether the outcome is not ``ok``; then nothing was changed."""
        return self.outcome != "ok"


@dataclass(frozen=True)
class PersonReply:
    """What the person says.

    Attributes:
        text: The words.
        acts: The acts of the reply, such as giving a fact.
    """

    text: str
    acts: Sequence[JsonValue] = ()


@dataclass(frozen=True)
class GradePart:
    """One part of a grade.

    Attributes:
        passed: Whether nothing is wrong.
        reasons: What is wrong, in words.
        unseen: The clauses that could not be checked; only of conduct.
    """

    passed: bool
    reasons: Sequence[str] = ()
    unseen: Sequence[str] = ()


@dataclass(frozen=True)
class Grade:
    """The grade of an episode.

    Attributes:
        reward: 1.0 if all three parts passed, else 0.0.
        score: From 0.0 to 1.0; 1.0 only with the reward.
        reasons: Those of the parts.
        state: Whether the rows are as wanted.
        answers: Whether the person was told what was asked for.
        conduct: Whether the policy was kept.
    """

    reward: float
    score: float
    reasons: Sequence[str]
    state: GradePart
    answers: GradePart
    conduct: GradePart

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Grade:
        """Return the grade in an episode's answer."""
        parts = {name: _part(told[name]) for name in ("state", "answers", "conduct")}
        return cls(told["reward"], told["score"], tuple(told["reasons"]), **parts)


def _part(told: Mapping[str, Any]) -> GradePart:
    return GradePart(told["passed"], tuple(told["reasons"]), tuple(told["unseen"]))


def read_call(told: JsonObject) -> CallResult:
    """Return the result of a call in an episode's answer.

    Raises:
        EpisodeError: The call could not be made.
    """
    if "error" in told:
        raise EpisodeError(str(told["error"]))
    return CallResult(**cast("dict[str, Any]", told))
