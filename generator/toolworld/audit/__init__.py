"""A finished package looked at by a second model, whose findings are run before they count."""

from toolworld.audit.report import AuditReport
from toolworld.audit.run import Settings, audit

__all__ = ["AuditReport", "Settings", "audit"]
