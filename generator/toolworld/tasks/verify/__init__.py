"""Certificates: the claims about a task, shown by running it."""

from toolworld.tasks.verify.case import CertifiedCase, CertifiedPackage
from toolworld.tasks.verify.certify import CLAIMS, Certifier, TaskVerdict
from toolworld.tasks.verify.claim import Claim
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.recheck import certify_package
from toolworld.tasks.verify.report import CertifyReport, RecheckedTask

__all__ = [
    "CLAIMS",
    "CertifiedCase",
    "CertifiedPackage",
    "Certifier",
    "CertifyReport",
    "Claim",
    "Flaw",
    "RecheckedTask",
    "TaskVerdict",
    "certify_package",
]
