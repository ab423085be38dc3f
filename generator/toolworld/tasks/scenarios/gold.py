"""Gold and goal, made from an expert's run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pydantic_core import from_json

from toolworld.jsonvalues import JsonObject, JsonValue, leaves, replaced, spelled
from toolworld.spec.scenarios import OutcomeWords
from toolworld.tasks.scenarios.experts import ExpertRun
from toolworld.tasks.wording.values import answers_to

MOST_ALTERNATIVES = 12


def gold_of(run: ExpertRun) -> list[JsonObject]:
    """Return an expert's run as gold; keys made in the run become references to results."""
    minted = {change.key for change in run.changes if change.before is None}
    results = list(_results(run))
    return [
        _step(step, [result for place, result in results if place < number], minted, results)
        for number, step in enumerate(run.steps)
    ]


def goal_of(
    run: ExpertRun, words: OutcomeWords, asks: Collection[str], said: str, contains: Any
) -> JsonObject:
    """Return the goal: the rows that changed, and the answers that the person wants.

    Args:
        run: What the expert did.
        words: The words of its outcome.
        asks: What this person wants to be told.
        said: All that the person says and knows: what stands there is no answer.
        contains: The package's function that finds an answer in a text.
    """
    answers = answers_of(run, words, asks, said, contains)
    return {"changes": [change.as_json() for change in run.changes], "answers": answers}


def answers_of(
    run: ExpertRun, words: OutcomeWords, asks: Collection[str], said: str, contains: Any
) -> list[JsonValue]:
    """Return the wanted answers to the person's questions, as ``goal_of`` does."""
    minted = {change.key for change in run.changes if change.before is None}
    wanted = [name for name in words.tells if name in asks]
    answers: list[JsonValue] = []
    told = [(name, value) for name in wanted for value in each_of(run.values[name])]
    for name, value in told:
        same: list[JsonValue] = [*answers_to(value), *words.alternatives.get(name, ())]
        if not any(contains(said, one) or one in minted for one in same):
            answers.append(same[:MOST_ALTERNATIVES] if len(same) > 1 else same[0])
    return answers


def each_of(value: Any) -> list[Any]:
    """Return the values to tell: of a list, each of them; of nothing, none."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _results(run: ExpertRun) -> Iterator[tuple[int, JsonValue]]:
    """Yield the number of each call among the steps, and its result as JSON."""
    calls = [number for number, step in enumerate(run.steps) if step.tool]
    events = [event for event in run.trace if event.kind == "call"]
    for number, event in zip(calls, events, strict=True):
        if event.outcome == "ok":
            yield number, from_json(event.text)


def _step(
    step: Any,
    before: Sequence[JsonValue],
    minted: Collection[str],
    results: Sequence[tuple[int, JsonValue]],
) -> JsonObject:
    if step.say:
        return {"say": step.say}
    arguments: JsonValue = step.arguments
    for path, leaf in leaves(step.arguments):
        if isinstance(leaf, str) and leaf in minted:
            reference = _reference(leaf, results[: len(before)])
            arguments = replaced(arguments, path, reference) if reference else arguments
    found: JsonObject = {"tool": step.tool, "arguments": arguments, "expect": step.expect}
    return {**found, "code": step.code} if step.code else found


def _reference(value: str, results: Sequence[tuple[int, JsonValue]]) -> JsonObject | None:
    """Return the first place of a value in a result."""
    for number, result in results:
        for path, leaf in leaves(result):
            if leaf == value:
                return {"$step": number, "path": spelled(path)}
    return None
