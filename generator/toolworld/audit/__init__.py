"""A finished package looked at by a second model, whose findings are run before they count."""

import typing

from toolworld import lazily

if typing.TYPE_CHECKING:
    from toolworld.audit.report import AuditReport
    from toolworld.audit.run import Settings, audit
else:
    # The process that holds the package asks no model.
    __getattr__ = lazily.opening(
        __name__, {"AuditReport": "report", "Settings": "run", "audit": "run"}
    )

__all__ = ["AuditReport", "Settings", "audit"]
