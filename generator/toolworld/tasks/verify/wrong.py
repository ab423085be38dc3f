"""A write at another row or with another value misses the goal."""

from __future__ import annotations

from collections.abc import Iterator

from toolworld.jsonvalues import JsonValue, replaced
from toolworld.tasks.execute import Ending, PlayedStep
from toolworld.tasks.verify.arguments import ArgumentLeaf, argument_leaves
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.others import other_rows, other_values

ROWS = 2
VALUES = 2
MOST_IN_A_WRITE = 8


def other_rows_fail(case: CertifiedCase) -> Flaw | None:
    """Claim that gold misses the goal where a write names another row that exists."""
    for step, leaf in _chosen(case, named=True):
        for name in other_rows(case, step.index, leaf, ROWS):
            case.count("rows.others")
            ending = with_other(case, step, leaf, name)
            if ending.free:
                case.count("rows.free")
            elif ending.reached:
                message = f'{step}: the goal is reached with {leaf.place} = "{name}", too.'
                mend = "Ask for what tells the rows apart, or take the argument out."
                return Flaw("another_row_does", message, mend, step.index)
    return None


def other_values_fail(case: CertifiedCase) -> Flaw | None:
    """Claim that gold misses the goal where a write is given another value.

    A value may be capped or rounded away, so one other value that makes a difference shows that
    an argument matters. Columns that grading leaves free are counted as such.
    """
    for step, leaf in _chosen(case, named=False):
        endings = []
        for value in other_values(case, leaf, VALUES):
            case.count("values.others")
            endings.append(with_other(case, step, leaf, value))
            if not endings[-1].reached:
                break
        if endings and all(ending.same for ending in endings):
            message = f"{step}: no other {leaf.place} makes a difference."
            mend = "Leave the argument out, or make the tool keep it."
            return Flaw("value_without_effect", message, mend, step.index)
        if endings and endings[-1].free:
            case.count("values.free")
        elif len(endings) > 1:
            case.count("values.capped")
    return None


def _chosen(case: CertifiedCase, named: bool) -> Iterator[tuple[PlayedStep, ArgumentLeaf]]:
    """Yield arguments of the writes, at most so many of each."""
    for step in case.run.writes:
        tool = case.package.surface.tools[step.step.tool]
        leaves = [
            leaf
            for leaf in argument_leaves(tool, step.arguments)
            if leaf.value is not None and bool(leaf.named) is named
        ]
        if len(leaves) > MOST_IN_A_WRITE:
            leaves = case.rng.sample(leaves, MOST_IN_A_WRITE)
        for leaf in leaves:
            yield step, leaf


def with_other(
    case: CertifiedCase, step: PlayedStep, leaf: ArgumentLeaf, value: JsonValue
) -> Ending:
    """Run gold with another value in one place of one call."""
    arguments = replaced(step.arguments, leaf.path, value)
    assert isinstance(arguments, dict)  # noqa: S101 - a leaf stands below a name
    return case.player.instead(case.run, step.index, arguments)
