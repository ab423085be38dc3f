"""The effects of each tool, from its own code and that of the functions it calls."""

from __future__ import annotations

from collections.abc import Mapping

from toolworld.spec.callorder import callees_first
from toolworld.spec.facts import FunctionFacts
from toolworld.spec.idempotence import idempotent_functions
from toolworld.spec.lookups import Lookups, lookups_of
from toolworld.spec.model import DomainFile, Effects, Tool
from toolworld.spec.signatures import Signature


def with_effects(
    tools: list[Tool],
    signatures: list[Signature],
    facts: Mapping[str, FunctionFacts],
    domain: DomainFile,
) -> tuple[Tool, ...]:
    """Return the tools with their effects filled in."""
    whole = whole_facts(facts)
    repeatable = idempotent_functions(signatures, whole, domain)
    lookups = lookups_of(signatures, domain)
    effects = {
        name: _effects(whole[name], lookups[name], name in repeatable)
        for name in (tool.name for tool in tools)
    }
    return tuple(tool.model_copy(update={"effects": effects[tool.name]}) for tool in tools)


def whole_facts(facts: Mapping[str, FunctionFacts]) -> dict[str, FunctionFacts]:
    """Return the effects of each function, callees included; recursion is cut short."""
    order = callees_first({name: [call.callee for call in facts[name].calls] for name in facts})
    found: dict[str, FunctionFacts] = {}
    for name in order:
        found[name] = _whole(facts[name], found)
    return {name: found[name] for name in facts}


def _whole(own: FunctionFacts, found: Mapping[str, FunctionFacts]) -> FunctionFacts:
    """Return the effects of a function, given the effects of those it calls."""
    whole = FunctionFacts(
        reads=set(own.reads),
        writes=set(own.writes),
        creates=set(own.creates),
        deletes=set(own.deletes),
        requires=dict(own.requires),
        rejects=dict(own.rejects),
        codes=dict(own.codes),
        calls=dict(own.calls),
    )
    for call in own.calls:
        if call.callee in found:
            _add(whole, found[call.callee], dict(call.passed))
    return whole


def _add(whole: FunctionFacts, callee: FunctionFacts, passed: dict[str, str]) -> None:
    whole.reads |= callee.reads
    whole.writes |= callee.writes
    whole.creates |= callee.creates
    whole.deletes |= callee.deletes
    whole.rejects.update(callee.rejects)
    whole.codes.update(callee.codes)
    for parameter, entity in callee.requires:
        if parameter in passed:
            whole.requires[passed[parameter], entity] = None


def _effects(facts: FunctionFacts, lookups: Lookups, idempotent: bool) -> Effects:
    return Effects(
        reads=tuple(sorted(facts.reads)),
        writes=tuple(sorted(facts.writes)),
        creates=tuple(sorted(facts.creates)),
        deletes=tuple(sorted(facts.deletes)),
        requires=tuple(f"{parameter}: {entity}" for parameter, entity in facts.requires),
        looks_up=tuple(f"{path}: {column}" for path, column in lookups.items()),
        rejects=tuple(facts.rejects),
        codes=tuple(facts.codes),
        idempotent=idempotent,
    )
