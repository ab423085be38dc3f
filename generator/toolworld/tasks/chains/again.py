"""A draft made again from another start: what rows it could be taken for may have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolworld.tasks.certificate.mend import left_without, without
from toolworld.tasks.chains.chain import Chain, Reference, Sources
from toolworld.tasks.chains.drafts import Draft, Undone
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.outline import Condition, Outline, Request

Json = Any


def made_again(
    stage: Stage,
    draft: Draft,
    initial: Mapping[str, Json],
    gold: Sequence[Mapping[str, Json]],
    kept: Sequence[int] | None = None,
) -> Draft:
    """Return a draft with another start or gold, and what a person says for it then.

    Args:
        stage: The package.
        draft: The draft.
        initial: The patch to start from.
        gold: The steps, in the draft's order.
        kept: Which of the draft's steps these are; all unless given.

    Raises:
        Undone: Gold does not run any more.
    """
    places = list(range(len(gold)) if kept is None else kept)
    chain = Chain(stage, initial)
    made: dict[int, Request] = {}
    for number, step in enumerate(gold):
        _call(chain, step)
        # Said when the step is made: later ones may change the rows it speaks of.
        made |= {
            place: _request(chain, request, number)
            for place, request in enumerate(draft.outline.requests)
            if request.step == places[number]
        }
    chain.requests += [made[place] for place in sorted(made)]
    return Draft(chain, Outline(tuple(chain.requests), draft.outline.ordered), draft.kind)


def shortened(stage: Stage, draft: Draft) -> Draft:
    """Return a draft without the look-ups that serve nothing.

    Raises:
        Undone: Nothing is left.
    """
    useless = draft.chain.useless()
    if not useless:
        return draft
    gold = draft.chain.gold()
    left = left_without(gold, useless)
    if not left:
        raise Undone("nothing to ask for")
    return made_again(stage, draft, draft.chain.initial, without(gold, useless), left)


def _call(chain: Chain, step: Mapping[str, Json]) -> None:
    tool = chain.stage.surface.tools[step["tool"]]
    results = [one.result for one in chain.steps]
    resolve = chain.stage.package.module("task").resolve
    values = {name: resolve(value, results) for name, value in step["arguments"].items()}
    sources: dict[str, Reference | None] = dict(_references(step["arguments"]))
    for way, _ in chain.stage.ids_in(tool, values):
        sources.setdefault(way, None)
    if chain.call(tool, values, sources, step["expect"]) is None:
        raise Undone("gold does not run again")


def _references(value: Json, way: str = "") -> Sources:
    """Return the references in arguments, by their place."""
    if isinstance(value, Mapping) and "$step" in value:
        return {way: Reference(int(value["$step"]), str(value["path"]))}
    parts = (
        value.items()
        if isinstance(value, Mapping)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found: dict[str, Reference | None] = {}
    for name, part in parts:
        found |= _references(part, f"{way}.{name}" if way else str(name))
    return found


def _request(chain: Chain, request: Request, step: int) -> Request:
    again = chain.request_for(step, request.role, request.asks)
    condition = request.condition
    if condition is not None:
        condition = _condition(chain, condition, step)
    return replace(again, every=request.every, condition=condition)


def _condition(chain: Chain, condition: Condition, step: int) -> Condition:
    shown = chain.first_mention(condition.mention.entity, condition.mention.key)
    if shown is None:
        raise Undone("gold does not run again")
    mentions = tuple(replace(shown, path=one.path) for one in condition.other.mentions)
    return replace(
        condition, mention=shown, other=replace(condition.other, step=step, mentions=mentions)
    )
