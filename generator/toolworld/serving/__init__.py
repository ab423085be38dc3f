"""One host for the episodes of many packages: MCP for agents, an HTTP API for their trainers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolworld.lazy_imports import imported_when_asked

if TYPE_CHECKING:
    from toolworld.serving.run import HostSettings, serve

__all__ = ["HostSettings", "serve"]

__getattr__ = imported_when_asked(__name__, {"HostSettings": "run", "serve": "run"})
