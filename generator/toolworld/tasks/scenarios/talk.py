"""What an expert's talk with the person shows: whether there must be one, and how they answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from toolworld.jsonvalues import JsonObject, JsonValue, leaves
from toolworld.tasks.scenarios.experts import ExpertRun

Defaults = Mapping[str, Mapping[str, JsonValue]]
DECISIONS = ("agrees", "declines")


def needs_talk(run: ExpertRun, opening: str, contains: Any, defaults: Defaults) -> bool:
    """Return whether a task cannot be done without talking to the person.

    It takes a talk where the person decides something, or gives a fact that a later call uses: one
    that the opening does not say in any words, and that is not what a tool does by itself.

    Args:
        run: What the expert did.
        opening: What the person says first.
        contains: The package's function that finds an answer in a text.
        defaults: What arguments are when they are left out, by tool and name.
    """
    given: list[Any] = []
    for event in run.trace:
        if event.kind == "call":
            usual = defaults.get(event.tool, {})
            chosen = {name: one for name, one in event.arguments.items() if usual.get(name) != one}
            used = {str(leaf) for _, leaf in leaves(chosen)}
            if any(str(value) in used for value in given):
                return True
        for act in event.acts if event.kind == "reply" else ():
            if act.kind in DECISIONS:
                return True
            # A number may stand in the opening for something else.
            is_said = isinstance(act.value, str) and contains(opening, act.value)
            if act.kind in ("gives", "corrects") and not is_said:
                given.append(act.value)
    return False


def manner_of(
    run: ExpertRun, rows: Mapping[str, object] | None = None, said: Collection[str] = ()
) -> JsonObject:
    """Return the person's answers to questions that the expert did not ask.

    Who had nothing to agree to agrees to nothing else. Before they answer to a yes that is sought
    they bring up what the expert had learned by then. Who was offered nothing takes no other yes
    for an offer. Who was offered something answers the same however it is put: as an offer, or as a
    plain question.

    Args:
        run: What the expert did.
        rows: Which row is meant, by the facts that say it.
        said: The facts that the opening says.
    """
    kinds = {act.kind for act in _acts(run)}
    first: list[JsonValue] = [*_telling_more(_given_before_a_decision(run), rows or {}, said)]
    if kinds.isdisjoint(DECISIONS):
        return {"agrees": None, "takes_offer": False, "first": first}
    decisions = list(_decisions(run))
    offers = [is_yes for is_offer, is_yes in decisions if is_offer]
    sums: list[JsonValue] = [*sorted(set(_told_before_decisions(run)))]
    return {
        "first": first,
        "sums": sums,
        "takes_offer": offers[-1] if offers else None,
        **({"agrees": offers[-1]} if len(offers) == len(decisions) else {}),
    }


def _decisions(run: ExpertRun) -> Iterator[tuple[bool, bool]]:
    """Yield for each decision whether it was on an offer, and whether it was a yes."""
    for message, reply in pairwise(run.trace):
        kinds = [act.kind for act in reply.acts if act.kind in DECISIONS]
        if kinds:
            yield any(act.kind == "offers" for act in message.acts), kinds[-1] == "agrees"


def _told_before_decisions(run: ExpertRun) -> Iterator[float]:
    """Yield the amounts in the messages that the person decides on."""
    events = list(run.trace)
    for message, reply in pairwise(events):
        if any(act.kind in DECISIONS for act in reply.acts):
            for act in message.acts:
                if act.kind == "states" and isinstance(act.value, float):
                    yield act.value


def left_to_defaults(run: ExpertRun, defaults: Defaults) -> bool:
    """Return whether the expert asked for a fact that no agent would ask for.

    That is a fact which an argument takes that may be left out, and then is something else than
    nothing: an agent that does not ask goes on with the default, and never hears of it.
    """
    given = [act.value for act in _acts(run) if act.kind == "gives"]
    return any(
        one in given and usual.get(name) not in (None, one)
        for event in run.trace
        if event.kind == "call" and event.writes
        for usual in [defaults.get(event.tool, {})]
        for name, one in event.arguments.items()
    )


def _acts(run: ExpertRun) -> Iterator[Any]:
    for event in run.trace:
        if event.kind == "reply":
            yield from event.acts


def _given_before_a_decision(run: ExpertRun) -> Iterator[str]:
    for event in run.trace:
        # What comes up after the expert's last words was not what they had to know.
        if event.kind == "message" and event.text == run.reply:
            return
        for act in event.acts if event.kind == "reply" else ():
            if act.kind in DECISIONS:
                return
            if act.kind == "gives":
                yield act.name


def _telling_more(
    names: Iterable[str], rows: Mapping[str, object], said: Iterable[str]
) -> Iterator[str]:
    """Yield facts, each once, without those that only describe a known row again."""
    known = {rows[name] for name in said if name in rows}
    for name in dict.fromkeys(names):
        row = rows.get(name)
        if row is None or row not in known:
            yield name
            known.add(row)
