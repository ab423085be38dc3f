"""Procedural testing of an emitted package: cases, coverage, checks and mutants, all by running."""

from toolworld.prove.report import ProofReport
from toolworld.prove.run import prove
from toolworld.prove.study import ProofSettings

__all__ = ["ProofReport", "ProofSettings", "prove"]
