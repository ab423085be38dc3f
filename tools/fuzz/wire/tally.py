"""Counts messages and their answers, and notes what is wrong with answers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

INTERNAL_ERROR = -32603
DEFECT = "because of a defect of the server"
SHOWN = 600


@dataclass
class Tally:
    """The counts of messages, answers and faults.

    Attributes:
        kept: The folder that keeps batches with a fault.
        counts: How many messages, batches and answers there were, and of which kind.
        faults: What was wrong, counted.
    """

    kept: Path
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def fault(self, where: str, what: str, batch: bytes = b"") -> None:
        """Note a fault; the first of its kind is printed, and its batch kept."""
        kind = f"{where}: {what[:60]}"
        self.faults[kind] += 1
        if self.faults[kind] > 1:
            return
        self.kept.mkdir(parents=True, exist_ok=True)
        path = self.kept / f"{len(self.faults)}.txt"
        path.write_bytes(batch)
        print(f"  {where}: {what[:SHOWN]}\n  what was sent is kept in {path}", flush=True)

    def take(self, where: str, text: bytes, batch: bytes) -> dict[str, Any]:
        """Count an answer and return it; note what is wrong with it."""
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.fault(where, f"no JSON object is answered: {text[:300]!r}", batch)
            return {}
        error = answer.get("error")
        if not isinstance(error, dict):
            told = answer.get("result")
            is_error = isinstance(told, dict) and told.get("isError")
            self.counts["tool errors" if is_error else "results"] += 1
            if DEFECT in text.decode():
                self.fault(where, f"a tool failed: {text[:300]!r}", batch)
            return answer
        self.counts[f"errors {error.get('code')}"] += 1
        if error.get("code") == INTERNAL_ERROR:
            self.fault(where, f"an internal error is answered: {text[:300]!r}", batch)
        return answer
