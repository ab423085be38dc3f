"""What is wrong with a task, as a claim finds it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Flaw:
    """A fault of a task that a claim found.

    Attributes:
        code: What reports count by, such as ``needless_write``.
        message: What was found, and where.
        mend: What to do about it.
        step: The step of gold that it is about, if it is about one.
    """

    code: str
    message: str
    mend: str
    step: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the flaw as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        """One line: code, message, mend."""
        return f"[{self.code}] {self.message} {self.mend}"
