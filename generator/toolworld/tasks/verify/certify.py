"""Certifies tasks: each claim about a task is run on its package, none is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package
from toolworld.packages.task import TaskModel, read_task
from toolworld.tasks.execute import Playthrough
from toolworld.tasks.verify.case import CertifiedCase, CertifiedPackage
from toolworld.tasks.verify.claim import Claim
from toolworld.tasks.verify.conduct import breaches_are_caught, extra_reads_cost_nothing
from toolworld.tasks.verify.expert import (
    every_wording_leads_there,
    expert_leads_to_gold,
    naive_agents_fail,
    no_other_row_fits,
)
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.gold import gold_passes
from toolworld.tasks.verify.idle import answers_are_not_given_away, idling_fails, pasting_fails
from toolworld.tasks.verify.knowable import values_are_knowable
from toolworld.tasks.verify.necessary import writes_are_necessary
from toolworld.tasks.verify.order import order_does_not_matter
from toolworld.tasks.verify.stray import stray_writes_fail
from toolworld.tasks.verify.wrong import other_rows_fail, other_values_fail

CLAIMS = (
    Claim("gold", gold_passes, is_first=True),
    Claim("idle", idling_fails),
    Claim("parrot", answers_are_not_given_away),
    Claim("paste", pasting_fails),
    Claim("necessary", writes_are_necessary),
    Claim("rows", other_rows_fail),
    Claim("values", other_values_fail),
    Claim("stray", stray_writes_fail),
    Claim("order", order_does_not_matter),
    Claim("knowable", values_are_knowable),
    Claim("expert", expert_leads_to_gold),
    Claim("wordings", every_wording_leads_there),
    Claim("unique", no_other_row_fits),
    Claim("naive", naive_agents_fail),
    Claim("breaches", breaches_are_caught),
    Claim("reads", extra_reads_cost_nothing),
)


@dataclass(frozen=True)
class TaskVerdict:
    """What certifying a task came to.

    Attributes:
        task: The task's id.
        flaws: What is wrong with it.
        certificate: What was run, by claim; None if anything is wrong.
        run: Its gold as it ran; None if it cannot run.
    """

    task: str
    flaws: tuple[Flaw, ...]
    certificate: JsonObject | None
    run: Playthrough | None = field(default=None, compare=False, repr=False)

    @property
    def passed(self) -> bool:
        """Whether the task is certified."""
        return not self.flaws


class Certifier:
    """Certifies tasks of one package; the package is read once.

    Attributes:
        package: What it knows of the package.
    """

    def __init__(self, package: Package, claims: Sequence[Claim] = CLAIMS) -> None:
        """Take a package.

        Args:
            package: The package.
            claims: What is claimed of each task, in this order.

        Raises:
            PackageLoadError: The package was built before agents could talk with people.
        """
        self.package = CertifiedPackage(package)
        self._claims = claims
        self._error = package.modules.errors.PackageError

    @property
    def calls(self) -> int:
        """How many calls were made so far."""
        return self.package.player.calls

    def certify(self, task: TaskModel | Mapping[str, object]) -> TaskVerdict:
        """Certify a task.

        What is run depends on the package's folder and the task alone, so certifying it again
        runs the same.

        Args:
            task: The task, as the package's own object or as JSON values.
        """
        try:
            model = read_task(self.package.package, task)
            run = self.package.player.play(model)
            return self._judge(CertifiedCase(self.package, model, run))
        except self._error as error:
            name = str(task.get("id", "") if isinstance(task, Mapping) else task.id)
            mend = "Mend the task, the rows of its patch, or what the message names."
            return TaskVerdict(name, (Flaw("cannot_run", str(error), mend),), None)

    def _judge(self, case: CertifiedCase) -> TaskVerdict:
        flaws: list[Flaw] = []
        before = case.player.calls - len(case.run.steps)
        for claim in self._claims:
            case.reseed(claim.name)
            flaw = claim.check(case)
            if flaw is not None:
                flaws.append(flaw)
                if claim.is_first:
                    break
        certificate = certificate_of(case, case.player.calls - before) if not flaws else None
        return TaskVerdict(case.task.id, tuple(flaws), certificate, case.run)


def certificate_of(case: CertifiedCase, calls: int) -> JsonObject:
    """Return the counts of trials, by claim, of a task that passed every claim."""
    found: dict[str, JsonObject] = {}
    for thing, number in sorted(case.counts.items()):
        claim, _, name = thing.partition(".")
        found.setdefault(claim, {})[name] = number
    return {**found, "calls": calls}
