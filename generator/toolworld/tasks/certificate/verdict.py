"""What certifying a task comes to: a certificate, or the reason there is none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolworld.tasks.certificate.reasons import Reason

Json = Any
Task = Mapping[str, Json]


@dataclass(frozen=True)
class Settings:
    """How much of each kind is tried.

    Attributes:
        rows: Other rows for each id that a write is given.
        values: Other values for each plain argument of a write.
        added: Optional arguments added to each write.
        wrong: Wrong sequences of these three kinds, for a whole task.
        strays: Writes that succeed after gold and were not asked for.
        stray_calls: Calls made to find them.
        orders: Whole reorderings.
        subsets: Sets of several writes that are dropped together.
        search: Calls made in search of a shorter gold.
        lookalikes: Look-alike rows for each row that a look-up gave.
    """

    rows: int = 3
    values: int = 2
    added: int = 1
    wrong: int = 32
    strays: int = 3
    stray_calls: int = 12
    orders: int = 2
    subsets: int = 12
    search: int = 40
    lookalikes: int = 4


@dataclass(frozen=True)
class Mend:
    """How a task that fails can be mended: what to take out of its gold.

    Attributes:
        says: What was mended, as a report counts it.
        steps: Steps to take out.
        argument: A step and the name of an optional argument to take out of it.
    """

    says: str
    steps: tuple[int, ...] = ()
    argument: tuple[int, str] | None = None


class Flaw(Exception):  # noqa: N818 - a finding on its way to the verdict, not an error
    """The first thing that is wrong with a task."""

    def __init__(
        self, reason: Reason, detail: str, mend: Mend | None = None, step: int | None = None
    ) -> None:
        """Keep what the verdict says.

        Args:
            reason: What a report counts by.
            detail: The step, and what was run or looked for.
            mend: How it can be mended, if it can.
            step: The step whose result is asked for, if something else should be.
        """
        super().__init__(reason)
        self.reason, self.detail, self.mend, self.step = reason, detail, mend, step


@dataclass
class Tally:
    """What was run for a task so far.

    Attributes:
        figures: Counts of the certificate, by part.
        sequences: Sequences of calls that were run.
        calls: Calls that were made.
    """

    figures: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sequences: int = 0
    calls: int = 0

    def count(self, part: str, name: str, number: int = 1) -> None:
        """Add to a figure."""
        self.figures[part][name] += number

    def as_json(self) -> dict[str, Json]:
        """Return the figures as JSON values."""
        return {part: dict(sorted(counts.items())) for part, counts in self.figures.items()}


@dataclass(frozen=True)
class Verdict:
    """A task's certificate, or the reason it has none.

    Attributes:
        task: The task's id.
        certificate: What was run and found; None if the task fails.
        reason: Why it fails, as a report counts it; None if it does not.
        detail: Which step or text it is, and what was run.
        mend: How the task can be mended, if it can.
        step: The step of whose result something else should be asked, if that is what is wrong.
    """

    task: str
    certificate: Mapping[str, Json] | None
    reason: Reason | None = None
    detail: str = ""
    mend: Mend | None = None
    step: int | None = None

    @property
    def passed(self) -> bool:
        """Whether the task is certified."""
        return self.certificate is not None


def count_reasons(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Return how many tasks fail for each reason, the most frequent first."""
    counts = Counter(str(one.reason) for one in verdicts if one.reason is not None)
    return dict(counts.most_common())
