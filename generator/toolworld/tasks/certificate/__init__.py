"""Certificates: what a task claims, shown by running it."""

from toolworld.tasks.certificate.certifier import Certifier
from toolworld.tasks.certificate.verdict import Mend, Settings, Verdict, count_reasons

__all__ = ["Certifier", "Mend", "Settings", "Verdict", "count_reasons"]
