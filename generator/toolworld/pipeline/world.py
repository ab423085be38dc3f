"""A world's folder: builds the package of its domain, proves it, makes tasks, replays them.

The steps can be taken one by one, by one process or by several. Each step writes what it finds
into the world's report, and removes what depended on its earlier run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld import emit, graph, harness
from toolworld.chained import ChainedOrder, ChainedReport, make_tasks
from toolworld.draft import Drafted
from toolworld.pipeline.report import DraftReport
from toolworld.prove import ProofReport, ProofSettings, prove

PACKAGE, PROOF = "package", "proof.json"
Say = Callable[[str], None]
Json = Any


def _silent(_: str) -> None:
    return


@dataclass(frozen=True)
class World:
    """What is made of a domain, in one folder.

    Attributes:
        folder: Holds the package, the tool graph and the report.
        workers: How many processes run tools at once.
        say: Called with each line of progress.
    """

    folder: Path
    workers: int = 1
    say: Say = _silent

    @property
    def package(self) -> Path:
        """The folder of its package."""
        return self.folder / PACKAGE

    def take(self, drafted: Drafted, model: str, began: float) -> None:
        """Start the report anew, with the draft of the domain.

        Args:
            drafted: The draft.
            model: The name of the model that answered.
            began: The monotonic time at which it was begun.
        """
        self._write(DraftReport.of(drafted, model).noted("draft", _since(began)))

    def build(self, domain: Path) -> emit.BuildReport:
        """Build the package of a domain folder.

        Raises:
            SpecError: The domain folder breaks rules.
            BuildError: The package cannot be made or written.
        """
        began = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / PROOF).unlink(missing_ok=True)
        built = emit.build(domain, self.package, on_progress=self.say)
        self._note("build", began, domain=built.name)
        return built

    def prove(self) -> ProofReport:
        """Run made-up and given calls on every tool, and on mutants of its code.

        The whole proof goes into ``proof.json``, and its main figures into the report.

        Raises:
            ToolworldError: There is no package, or it cannot be run.
        """
        began = time.monotonic()
        proof = prove(self.package, ProofSettings(workers=self.workers), self.say)
        proof.write(self.folder / PROOF)
        self._note("prove", began, proof=proof.content)
        return proof

    def find_graph(self) -> graph.ToolGraph:
        """Find the tool graph, and write it as JSON and as a page.

        Raises:
            ToolworldError: There is no package, or it cannot be run.
        """
        began = time.monotonic()
        found = graph.kept_graph(self.package, self.say, self.workers)
        graph.write(found, json=self.folder / "graph.json", html=self.folder / "graph.html")
        self._note("graph", began, graph={"tools": len(found.tools), "edges": len(found.edges)})
        return found

    def make_tasks(self, order: ChainedOrder, found: graph.ToolGraph) -> ChainedReport:
        """Make certified tasks, and write them into the package.

        Raises:
            ToolworldError: There is no package, or its tasks cannot be written.
        """
        began = time.monotonic()
        made = make_tasks(self.package, order, found, self.say)
        self._note("tasks", began, tasks=made.content)
        return made

    def replay(self, transport: harness.Transport = "stdio") -> harness.Report:
        """Replay every task, and check that its reward can be trusted.

        Raises:
            ToolworldError: There is no package.
        """
        began = time.monotonic()
        replayed = harness.replay_packages([self.package], transport)
        self._note("replay", began, replay=replayed.as_json())
        return replayed

    def report(self) -> DraftReport:
        """Return the report on the world so far.

        Raises:
            ToolworldError: There is no report, or it is broken.
        """
        return DraftReport.read(self.folder)

    def _note(self, step: str, began: float, **parts: Json) -> None:
        known = self.report() if DraftReport.is_in(self.folder) else self._fresh()
        self._write(known.noted(step, _since(began), **parts))

    def _fresh(self) -> DraftReport:
        return DraftReport({"domain": self.folder.name, "seconds": {}})

    def _write(self, report: DraftReport) -> None:
        report.write_pages(self.folder)


def _since(began: float) -> float:
    """Return the seconds since a time; they are for the report alone."""
    return round(time.monotonic() - began, 1)
