"""A claim of a certificate: something about a task that is shown by running it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        name: What the certificate counts its runs under.
        check: Runs what shows it. It counts what it ran in the case, and returns the first thing
            that is not as it must be.
        is_first: Whether nothing else can be shown of a task for which it does not hold.
    """

    name: str
    check: Callable[[CertifiedCase], Flaw | None]
    is_first: bool = False
