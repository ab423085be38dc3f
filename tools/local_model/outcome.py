"""The outcome of a draft: how far it got, by stage, from the journal it left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from toolworld.llm.journal import FILE

ROUND = re.compile(r"^(.*)\.(\d+)$")


@dataclass
class StageOutcome:
    """One stage's answers.

    Attributes:
        rounds: How often each question was asked.
        read: Tokens the model read.
        wrote: Tokens it wrote.
        cut: How many answers were cut off, and so are no JSON.
        unfit: The prompts of whole answers that break their schema.
    """

    rounds: dict[str, int] = field(default_factory=dict)
    read: int = 0
    wrote: int = 0
    cut: int = 0
    unfit: list[str] = field(default_factory=list)

    def take(self, line: dict[str, Any]) -> None:
        """Count an answer."""
        found = ROUND.match(line["prompt"])
        question, number = (found[1], int(found[2])) if found else (line["prompt"], 1)
        self.rounds[question] = max(number, self.rounds.get(question, 0))
        self.read += line["usage"]["read"]
        self.wrote += line["usage"]["wrote"]
        try:
            answer = json.loads(line["answer"])
        except ValueError:
            self.cut += 1
            return
        if not Draft202012Validator(line["schema"]).is_valid(answer):
            self.unfit.append(line["prompt"])


def outcomes(draft: Path) -> dict[str, StageOutcome]:
    """Return the outcome of each stage in a draft's journal, in the order of the stages."""
    journal = draft / FILE
    lines = journal.read_text("utf-8").splitlines() if journal.is_file() else []
    found: dict[str, StageOutcome] = {}
    for line in map(json.loads, lines):
        found.setdefault(line["stage"], StageOutcome()).take(line)
    return found


def told(found: dict[str, StageOutcome], passed_all: bool) -> list[str]:
    """Return a line for each stage: passed if a later one was reached, and in how many rounds."""
    names = [*found]
    return [
        f"{name:8} {_end(name, names, passed_all):14} "
        f"{len(stage.rounds)} questions, rounds {_rounds(stage)}; read {stage.read:,} tokens, "
        f"wrote {stage.wrote:,}; {stage.cut} cut off, {len(stage.unfit)} against the schema"
        for name, stage in found.items()
    ]


def _end(name: str, names: Sequence[str], passed_all: bool) -> str:
    return "passed" if passed_all or name != names[-1] else "did not pass"


def _rounds(stage: StageOutcome) -> str:
    return ", ".join(map(str, stage.rounds.values()))


def unfit(found: Iterable[StageOutcome]) -> list[str]:
    """Return the prompts whose answers broke a schema that the engine should have enforced."""
    return [prompt for stage in found for prompt in stage.unfit]
