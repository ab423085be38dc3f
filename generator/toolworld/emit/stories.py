"""Policy and scenarios as package data: ``policy.json``, and ``scenarios.json`` of ``making``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolworld.spec.spec import Spec

Json = dict[str, Any]


def policy_json(spec: Spec) -> Json:
    """Return the clauses of a policy, and the tools that only one role may ask for."""
    roles = {name: list(role.tools) for name, role in spec.domain.roles.items()}
    return {"roles": roles, "clauses": _clauses(spec)}


def _clauses(spec: Spec) -> list[Json]:
    return [
        {
            "number": clause.number,
            "text": clause.text,
            "kept_by": clause.kept_by,
            "names": list(clause.names),
            "talk": clause.kept_by == "conduct" and bool(set(clause.names) & set(spec.talking)),
        }
        for clause in spec.clauses
    ]


def scenarios_json(spec: Spec) -> Json:
    """Return the scenarios with their words, and the domain's currency."""
    return {
        "currency": currency_of(spec),
        "scenarios": [scenario.model_dump(mode="json") for scenario in spec.scenarios],
    }


def currency_of(spec: Spec) -> str:
    """Return the unit that most amounts of a domain have; empty if none says one."""
    columns = (column for one in spec.domain.entities.values() for column in one.columns.values())
    fields = (field for one in spec.domain.objects.values() for field in one.fields.values())
    money = [field for field in (*columns, *fields) if field.item_type == "money"]
    units = Counter(field.unit for field in money if field.unit)
    return units.most_common(1)[0][0] if units else ""
