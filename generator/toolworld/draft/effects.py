"""Compares the effects computed from a tool's code with those its signature declares."""

from __future__ import annotations

from toolworld.draft.blueprint import Blueprint
from toolworld.draft.trial import check
from toolworld.spec.model import Effects


def unlike(name: str, blueprint: Blueprint) -> list[str]:
    """Return where the effects of a tool that is otherwise sound differ from its signature."""
    spec, _ = check(blueprint, [name])
    if spec is None:
        return []
    thing_of = {kind.table: thing for thing, kind in blueprint.kinds.items()}
    [tool] = [tool for tool in spec.tools if tool.name == name]
    done = {(does, thing_of[table]) for does, table in _done(tool.effects)}
    declared = {(change.does, change.thing) for change in blueprint.tools[name].changes}
    found = [f"{name} never {does} {thing}, which its header says." for does, thing in
             sorted(declared - done)]  # fmt: skip
    more = sorted(done - declared)
    return [*found, *(f"{name} {does} {thing}, which its header does not say."
                      for does, thing in more)]  # fmt: skip


def _done(effects: Effects) -> set[tuple[str, str]]:
    changed = {("changes", name.partition(".")[0]) for name in effects.writes}
    added = {("adds", table) for table in effects.creates}
    return changed | added | {("removes", table) for table in effects.deletes}
