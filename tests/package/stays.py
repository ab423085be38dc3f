"""Episodes in the hotel group: what a person said, what an agent does, and what it breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from toolworld.packages import Package

Built = Callable[[str], Package]
Begin = Callable[..., Any]
Step = str | tuple[str, Mapping[str, object]]

RILEY, WILSON = "GST-00001", "GST-00002"


def beginner(package: Package) -> Begin:
    """Return a function that begins an episode with a person who has told some facts."""

    def begun(
        told: Mapping[str, object], role: str = "guest", says: str = "", **person: Any
    ) -> Any:
        facts = {name: fact(value) for name, value in told.items()} | person.pop("facts", {})
        task = {"id": "errand", "instruction": says, "role": role, "known_info": {}}
        return package.environment({**task, "person": {"facts": facts, "agrees": True, **person}})

    return begun


def fact(value: object, **more: object) -> dict[str, object]:
    """Return a fact that the person says at once, unless told otherwise."""
    return {"says": f"It is {value}.", "value": value, "said": True, **more}


def done(episode: Any, tool: str, **arguments: object) -> Any:
    """Return the result of a call that is ok."""
    called = episode.call(tool, arguments)
    assert called.outcome == "ok", called.text
    return json.loads(called.text)


def play(episode: Any, *steps: Step) -> Any:
    """Say each text and make each call, and return the result of the last call."""
    result: Any = None
    for step in steps:
        if isinstance(step, str):
            episode.say(step)
        else:
            result = done(episode, step[0], **step[1])
    return result


def broken(episode: Any) -> list[str]:
    """Return the numbers of the clauses that were broken; without a talk, few are judged."""
    if not any(event.kind == "message" for event in episode.trace):
        episode.say("Is there anything else?")
    return [reason.split(" ")[1] for reason in episode.grade().conduct.reasons]


def email_of(episode: Any, guest_id: str) -> str:
    """Return the e-mail address of a guest's account."""
    return str(episode._database.guests.get(guest_id).email)


def found(email: str) -> Step:
    """Return the call that finds a guest."""
    return ("find_guest", {"email": email})


def seen(reservation_id: str) -> Step:
    """Return the call that looks a reservation up."""
    return ("get_reservation", {"reservation_id": reservation_id})
