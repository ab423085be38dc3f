"""A whole domain folder: the facts of all its files together."""

from __future__ import annotations

from datetime import datetime

from toolworld.spec.drafts import CaseDraft, Explanation, Phrases, SuspectExplanation, TaskDraft
from toolworld.spec.model import CodeFile, DomainFile, SpecPart, Tool
from toolworld.spec.policy import PolicyClause
from toolworld.spec.scenarios import Scenario


class Spec(SpecPart):
    """A whole domain folder, read and checked.

    Attributes:
        domain: ``domain.yaml``.
        tools: The public functions of ``tools.py``, in file order; of a folder ``tools``, the
            files by name.
        tools_code: The text of ``tools.py``, or all code of the folder ``tools``.
        tools_files: The files of the folder ``tools``, by name; none if there is ``tools.py``.
        seed_code: The text of ``seed.py``, or all code of the folder ``seed``.
        seed_files: The files of that folder, those that others use first.
        policy: The text of ``policy.md``, what keeps each clause included.
        clauses: The clauses of it.
        conduct_code: The same of ``conduct.py``; empty if there is none.
        conduct_files: The files of the folder ``conduct``.
        talking: The predicates of it that look at messages.
        laws_code: The same of ``laws.py``; empty if there is none.
        laws_files: The files of the folder ``laws``.
        scenario_files: The code in the folder ``scenarios``, by name.
        scenarios: The scenarios, file by file.
        phrases: How people speak, for domains without scenarios.
    """

    domain: DomainFile
    tools: tuple[Tool, ...]
    tools_code: str
    tools_files: tuple[CodeFile, ...] = ()
    seed_code: str
    seed_files: tuple[CodeFile, ...] = ()
    policy: str
    clauses: tuple[PolicyClause, ...] = ()
    conduct_code: str = ""
    conduct_files: tuple[CodeFile, ...] = ()
    talking: tuple[str, ...] = ()
    laws_code: str = ""
    laws_files: tuple[CodeFile, ...] = ()
    scenario_files: tuple[CodeFile, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    phrases: Phrases | None = None
    tasks: tuple[TaskDraft, ...]
    cases: tuple[CaseDraft, ...] = ()
    survivors: tuple[Explanation, ...] = ()
    explained: tuple[SuspectExplanation, ...] = ()

    @property
    def name(self) -> str:
        """The domain's name."""
        return self.domain.name

    @property
    def clock(self) -> datetime:
        """The world clock's constant time."""
        return self.domain.clock
