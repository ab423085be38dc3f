"""Certificates: what a task claims, shown by running it."""

from toolworld.tasks.certificate.certifier import Certifier
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.recheck import certify_package
from toolworld.tasks.certificate.reference import Reference
from toolworld.tasks.certificate.report import CertifyReport, Row
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.certificate.verdict import Mend, Settings, Task, Verdict, count_reasons

__all__ = [
    "Agreement",
    "Certifier",
    "CertifyReport",
    "Mend",
    "Reason",
    "Reference",
    "Row",
    "Settings",
    "Task",
    "Verdict",
    "certify_package",
    "certify_tiers",
    "count_reasons",
]
