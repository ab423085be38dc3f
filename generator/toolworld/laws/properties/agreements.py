"""Numbers that nearly always agree: a case where they differ is a suspect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from toolworld.graph.evidence import PlannedCall

FEWEST, SHARE = 10, 0.85
"""How often two numbers must agree, and in which share of cases, to be expected to."""


@dataclass
class _Seen:
    agreed: int = 0
    differed: int = 0
    shortest: Sequence[PlannedCall] | None = None
    values: tuple[Decimal, Decimal] = (Decimal(0), Decimal(0))


@dataclass(frozen=True)
class Disagreement:
    """A case in which two numbers differ, though they nearly always agree.

    Attributes:
        key: What the numbers belong to.
        names: Their names.
        values: What they were.
        agreed: How often they agreed.
        calls: The shortest episode in which they differ.
    """

    key: tuple[str, ...]
    names: tuple[str, str]
    values: tuple[Decimal, Decimal]
    agreed: int
    calls: tuple[PlannedCall, ...]


@dataclass
class Agreements:
    """Counts which numbers agree, up to their sign.

    Dynamic detection of likely invariants, as in Ernst et al., "Dynamically discovering likely
    program invariants to support program evolution" (1999), with exceptions.
    """

    _seen: dict[tuple[tuple[str, ...], str, str], _Seen] = field(
        default_factory=lambda: defaultdict(_Seen)
    )

    def note(
        self,
        key: tuple[str, ...],
        ones: Mapping[str, Decimal],
        others: Mapping[str, Decimal],
        calls: Sequence[PlannedCall],
    ) -> None:
        """Take in numbers of one case.

        Args:
            key: What they belong to.
            ones: Numbers by name.
            others: Numbers that each of them is compared with.
            calls: The episode.
        """
        for one, value in ones.items():
            for other, compared in others.items():
                if value or compared:
                    seen = self._seen[key, one, other]
                    if abs(value) == abs(compared):
                        seen.agreed += 1
                    else:
                        seen.differed += 1
                        if seen.shortest is None or len(calls) < len(seen.shortest):
                            seen.shortest, seen.values = calls, (value, compared)

    def disagreements(self) -> Iterator[Disagreement]:
        """Yield pairs of numbers that nearly always agree, with a case in which they differ."""
        for (key, one, other), seen in self._seen.items():
            expected = seen.agreed >= FEWEST and seen.agreed >= SHARE * (
                seen.agreed + seen.differed
            )
            if expected and seen.shortest is not None:
                yield Disagreement(
                    key, (one, other), seen.values, seen.agreed, tuple(seen.shortest)
                )
