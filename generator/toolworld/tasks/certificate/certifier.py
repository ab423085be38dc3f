"""Certifies tasks: each claim about a task is run on the package, none is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolworld.emit import Package
from toolworld.graph import ToolGraph
from toolworld.tasks.certificate.answers import Answers
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.knowable import Knowable
from toolworld.tasks.certificate.lookalikes import LookAlikes
from toolworld.tasks.certificate.mend import mended
from toolworld.tasks.certificate.order import Orders
from toolworld.tasks.certificate.reference import Reference, reference_of
from toolworld.tasks.certificate.shorter import Shorter
from toolworld.tasks.certificate.sound import check_gold, check_necessary, check_nothing
from toolworld.tasks.certificate.track import Track
from toolworld.tasks.certificate.verdict import Flaw, Settings, Tally, Task, Verdict
from toolworld.tasks.certificate.words import Said
from toolworld.tasks.certificate.wrong import WrongSequences
from toolworld.tasks.episodes import Episodes

Json = Any


class Certifier:
    """Certifies tasks of one package, which it reads once.

    Attributes:
        sequences: Sequences of calls that were run so far, for all tasks.
        calls: Calls that were made.
    """

    def __init__(
        self,
        package: Package,
        graph: ToolGraph | None = None,
        settings: Settings | None = None,
        episodes: Episodes | None = None,
    ) -> None:
        """Take a package.

        Args:
            package: The package.
            graph: Its tool graph, where it is known: tools of which no call succeeds are not
                tried.
            settings: How much is tried.
            episodes: Where it is tried.

        Raises:
            PackageLoadError: It was built before packages told their effects.
        """
        self._facts = Facts(package)
        self._never = frozenset(graph.never if graph is not None else ())
        self._settings = settings or Settings()
        self._episodes = episodes or Episodes(package)
        self.sequences = 0
        self.calls = 0

    def certify(self, task: Task) -> Verdict:
        """Certify a task.

        Which wrong sequences are run depends on the task alone, so certifying it again runs the
        same.

        Args:
            task: The task, as JSON values in the package's own form.

        Returns:
            The certificate, or the first reason there is none.
        """
        tally = Tally()
        name = str(task.get("id", ""))
        try:
            digest = self._check(task, tally)
        except Flaw as flaw:
            verdict = Verdict(name, None, flaw.reason, flaw.detail, flaw.mend, flaw.step)
        else:
            verdict = Verdict(name, certificate_of(digest, tally))
        self.sequences += tally.sequences
        self.calls += tally.calls
        return verdict

    def _check(self, task: Task, tally: Tally) -> str:
        """Run every check, the cheapest and the likeliest to fail first."""
        settings = self._settings
        track = Track(self._facts, task, self._episodes, tally)
        said = Said(self._facts, task["instruction"], task.get("known_info", {}))
        check_gold(track)
        check_nothing(track)
        Knowable(track, said).check(tally)
        check_necessary(track, tally)
        Orders(track).check(settings, tally)
        WrongSequences(track, settings, tally, self._never).check()
        Answers(track, settings, tally).check()
        LookAlikes(track, said).check(settings, tally)
        Shorter(track, settings, tally).check()
        return track.digest

    def ambiguous_answer(self, task: Task) -> int | None:
        """Return a step that answers the same for another row, if there is one.

        Certifying finds that out too, but this needs no words, so it can be asked early.
        """
        tally = Tally()
        try:
            track = Track(self._facts, task, self._episodes, tally)
            Answers(track, self._settings, tally).check()
        except Flaw as flaw:
            return flaw.step
        return None

    def reference(self, task: Task) -> Reference:
        """Return gold of a task that passed as it ran in process, for other transports."""
        return reference_of(task, self._facts, self._episodes)

    def mend(self, task: Task, verdict: Verdict) -> dict[str, Json] | None:
        """Return a task that failed without what made it fail, its goal as gold now leads to.

        Returns:
            The task, to be certified anew; None if it cannot be mended.
        """
        if verdict.mend is None:
            return None
        return mended(self._facts, self._episodes, task, verdict.mend)


def certificate_of(digest: str, tally: Tally) -> Mapping[str, Json]:
    """Return the certificate of a task that passed everything."""
    return {
        "digest": digest,
        **tally.as_json(),
        "run": {"sequences": tally.sequences, "calls": tally.calls},
    }
