"""Who a task's person is: what it knows, and how it answers."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class PersonPart(BaseModel):
    """A frozen piece of a person."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Fact(PersonPart):
    says: str
    value: object = None
    topics: tuple[str, ...] = ()
    said: bool = False


class Person(PersonPart):
    facts: dict[str, Fact] = Field(default_factory=dict)
    agrees: bool | dict[str, float] = True
    accepts: tuple[str, ...] = ()
    when: dict[str, str] = Field(default_factory=dict)
    behaviours: tuple[str, ...] = ()
