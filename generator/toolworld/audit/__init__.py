"""Audits a finished package with a second model, whose findings are run before they count."""

import typing

from toolworld import lazy_imports

if typing.TYPE_CHECKING:
    from toolworld.audit.report import AuditReport
    from toolworld.audit.run import AuditSettings, audit
else:
    # The process that holds the package asks no model, and so loads none of this.
    __getattr__ = lazy_imports.imported_when_asked(
        __name__, {"AuditReport": "report", "AuditSettings": "run", "audit": "run"}
    )

__all__ = ["AuditReport", "AuditSettings", "audit"]
