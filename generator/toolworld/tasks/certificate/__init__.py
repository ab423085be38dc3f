"""Certificates: what a task claims, shown by running it."""

from toolworld.tasks.certificate.certifier import Certifier
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.recheck import certify_package
from toolworld.tasks.certificate.report import CertifyReport, Row
from toolworld.tasks.certificate.tiers import Agreement, certify_tiers
from toolworld.tasks.certificate.verdict import Mend, Settings, Verdict, count_reasons

__all__ = [
    "Agreement",
    "Certifier",
    "CertifyReport",
    "Mend",
    "Reason",
    "Row",
    "Settings",
    "Verdict",
    "certify_package",
    "certify_tiers",
    "count_reasons",
]
