"""One command over many packages: on this machine, or on the nodes of a Ray cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolworld.lazy_imports import imported_when_asked

if TYPE_CHECKING:
    from toolworld.fanout.actors import HostActor
    from toolworld.fanout.run import FanOut, fan_out

__all__ = ["FanOut", "HostActor", "fan_out"]

__getattr__ = imported_when_asked(
    __name__, {"FanOut": "run", "HostActor": "actors", "fan_out": "run"}
)
