"""Counters for Prometheus, summed over worker processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where processes share their counters; the library reads it when it is imported."""


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        """Start all counters at zero."""
        # Imported here, and not above: only now it is known whether the counters are shared.
        import prometheus_client as prometheus

        self._prometheus = prometheus
        self._own = own = prometheus.CollectorRegistry()
        self._calls = prometheus.Counter(
            "toolworld_calls", "Calls of tools.", ["domain", "outcome"], registry=own
        )
        self.opened = prometheus.Counter(
            "toolworld_episodes_opened", "Episodes opened.", ["domain"], registry=own
        )
        self.episodes = prometheus.Gauge(
            "toolworld_episodes", "Open episodes.", multiprocess_mode="livesum", registry=own
        )

        self._of_outcome: dict[tuple[str, str], Any] = {}

    def count_call(self, domain: str, outcome: str) -> None:
        """Count a call of a tool."""
        counter = self._of_outcome.get((domain, outcome))
        if counter is None:
            counter = self._of_outcome[domain, outcome] = self._calls.labels(domain, outcome)
        counter.inc()

    def text(self) -> tuple[bytes, str]:
        """Return the counters as Prometheus reads them, and their media type."""
        registry = self._own
        if VARIABLE in os.environ:
            from prometheus_client import multiprocess

            registry = self._prometheus.CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return self._prometheus.generate_latest(registry), self._prometheus.CONTENT_TYPE_LATEST


def forget(process: int) -> None:
    """Remove a process that has ended from the sums over the running ones."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]


def share_in(folder: Path) -> None:
    """Let processes that start later share their counters in a folder."""
    folder.mkdir()
    os.environ[VARIABLE] = str(folder)
