"""Launches packages and other MCP servers, replays calls on them, and reports what it found."""

from __future__ import annotations

from toolworld.harness.calls import replay_calls
from toolworld.harness.connect import Connection, Refused, Transport, connect, over_stdio
from toolworld.harness.forking import ForkingParent, forking_parent
from toolworld.harness.launch import Timeouts
from toolworld.harness.packages import replay_packages
from toolworld.harness.progress import OnProgress, Progress, progress_bar
from toolworld.harness.reply import Reply, Verdict
from toolworld.harness.report import Failure, PackageReport, Report

__all__ = [
    "Connection",
    "Failure",
    "ForkingParent",
    "OnProgress",
    "PackageReport",
    "Progress",
    "Refused",
    "Reply",
    "Report",
    "Timeouts",
    "Transport",
    "Verdict",
    "connect",
    "forking_parent",
    "over_stdio",
    "progress_bar",
    "replay_calls",
    "replay_packages",
]
