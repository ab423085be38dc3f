"""Makes runs of a tool that show what it does: some succeed, and some are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolworld.emit.jobs import Marker
from toolworld.prove.bench import Bench
from toolworld.prove.cases import ProofCase
from toolworld.prove.given import gold_cases
from toolworld.prove.variation import Variation, chance

TRIES = 200
MOST_OK, MOST_REFUSED = 2, 3
LONGEST_ARGUMENTS, LONG_ENOUGH = 400, 300
SEED_DATA = "seed data"

Json = Any
Kind = tuple[str, frozenset[int]]
"""How a run ended, and the sites it reached."""


@dataclass(frozen=True)
class Sample:
    """A call and its result.

    Attributes:
        source: Where the call comes from: ``seed data``, or a task whose steps led to it.
        end: ``ok``, ``rejected`` or ``failed``.
        text: The result or message.
        changes: The rows it changed, each as ``Change.as_json``.
        wrong: A rule of all tools that it broke; empty if none.
    """

    arguments: dict[str, Json]
    source: str
    end: str
    text: str
    changes: list[dict[str, Json]]
    wrong: str = ""

    def as_json(self) -> dict[str, Json]:
        """Return the sample as JSON values."""
        return dict(self.__dict__)

    @property
    def telling(self) -> tuple[bool, int]:
        """A sort key among runs of one kind: ASCII arguments and a longer result tell more."""
        return str(self.arguments).isascii(), min(len(self.text), LONG_ENOUGH)


def samples_of(bench: Bench, tool: str, seed: int, marker: Marker) -> list[Sample]:
    """Return a few runs of a tool, each reaching different code.

    Made-up calls start from the seed data, so that anyone can repeat them. Where none of them
    succeeds, steps of the package's tasks are shown too.
    """
    variation = Variation(bench, tool, chance(seed, "audit", tool))
    made = (variation.fresh() for _ in range(TRIES))
    kinds = _kinds(bench, (case for case in made if _is_short(case)), marker)
    if not any(end == "ok" for end, _ in kinds):
        gold = gold_cases(bench.stage, bench.limits, bench.package.tasks(), [tool], marker)
        kinds = {**_kinds(bench, gold, marker), **kinds}
    fine = (one for one in kinds.values() if one.end == "ok")
    refused = (one for one in kinds.values() if one.end != "ok")
    return [*islice(fine, MOST_OK), *islice(refused, MOST_REFUSED)]


def _is_short(case: ProofCase) -> bool:
    return len(str(case.arguments)) <= LONGEST_ARGUMENTS


def _kinds(bench: Bench, cases: Iterable[ProofCase], marker: Marker) -> dict[Kind, Sample]:
    """Run cases and return the most telling run of each kind, in the order they were met."""
    kinds: dict[Kind, Sample] = {}
    for kind, sample in _run(bench, cases, marker):
        if kind not in kinds or sample.telling > kinds[kind].telling:
            kinds[kind] = sample
    return kinds


def _run(bench: Bench, cases: Iterable[ProofCase], marker: Marker) -> Iterator[tuple[Kind, Sample]]:
    for case in cases:
        environment = bench.stage.open(case.initial)
        with bench.probing():
            run, failure = bench.run_in(environment, case, marker)
        seen = run.seen
        if seen.end != "invalid":
            wrong = f"{failure.reason}: {failure.detail}" if failure else ""
            changes = [change.as_json() for change in environment.diff()]
            source = SEED_DATA if case.source == "made" else case.source
            sample = Sample(case.arguments, source, seen.end, seen.text, changes, wrong)
            yield (seen.end, run.sites), sample
