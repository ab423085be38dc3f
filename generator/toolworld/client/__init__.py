"""Episodes to train or grade agents in: in this process, or on a host, with one interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolworld.lazy_imports import imported_when_asked

if TYPE_CHECKING:
    from toolworld.client.awaited import AsyncEnvironment
    from toolworld.client.environment import Environment
    from toolworld.client.gym import GymnasiumEnvironment
    from toolworld.client.results import CallResult
    from toolworld.client.vector import VectorEnvironment

__all__ = [
    "AsyncEnvironment",
    "CallResult",
    "Environment",
    "GymnasiumEnvironment",
    "VectorEnvironment",
]

__getattr__ = imported_when_asked(
    __name__,
    {
        "AsyncEnvironment": "awaited",
        "CallResult": "results",
        "Environment": "environment",
        "GymnasiumEnvironment": "gym",
        "VectorEnvironment": "vector",
    },
)
