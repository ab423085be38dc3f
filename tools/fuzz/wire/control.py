"""Requests that an agent may not make: to the control plane of a package, the API of a host."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tools.fuzz.wire.messages import MessageMaker
from tools.fuzz.wire.schemas import SchemaSampler
from tools.fuzz.wire.values import mutate, written

Json = dict[str, Any]
MUTATED = 0.5
READ, DONE = ("state", "diff", "digest"), ("reset", "snapshot", "restore", "say", "grade")
MANY = ("/step", "/ask", "/open")


class ControlRequest(NamedTuple):
    """One such request.

    Attributes:
        may_write: Whether it may change the episode that is watched.
    """

    method: bytes
    path: str
    body: bytes
    may_write: bool


Source = Callable[[str], ControlRequest]
"""Makes a request, given the id of an episode."""


class PackageControl:
    """Makes requests to the control plane of a package's server."""

    def __init__(self, maker: MessageMaker, rng: random.Random) -> None:
        """Take the maker of parameters."""
        self._maker, self._rng = maker, rng

    def __call__(self, episode: str) -> ControlRequest:
        """Return a request, in many cases to this episode."""
        rng, chosen = self._rng, self._rng.random()
        if chosen < 0.3:
            return ControlRequest(b"GET", f"/episodes/{episode}/{rng.choice(READ)}", b"", False)
        if chosen < 0.5:
            method = rng.choice((b"GET", b"POST"))
            return ControlRequest(method, "/episodes", self._body("open"), False)
        if chosen < 0.55:
            return ControlRequest(b"DELETE", f"/episodes/{episode}", b"", True)
        operation = rng.choice(DONE)
        path = f"/episodes/{episode}/{operation}"
        return ControlRequest(b"POST", path, self._body(operation), operation != "grade")

    def _body(self, operation: str) -> bytes:
        return _mutated(self._maker.parameters(operation), self._rng)


class HostControl:
    """Makes requests to the API of a host, by its OpenAPI document."""

    def __init__(
        self, document: Json, domains: Sequence[str], maker: MessageMaker, rng: random.Random
    ) -> None:
        """Take the OpenAPI document, and the domains of the host."""
        self._sampler, self._domains = SchemaSampler(document, rng), domains
        self._maker, self._rng = maker, rng
        self._known = [
            (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]

    def __call__(self, episode: str) -> ControlRequest:
        """Return a request, in many cases to this episode."""
        method, path, operation = self._rng.choice(self._known)
        filled = path.replace("{id}", episode).replace("{domain}", self._rng.choice(self._domains))
        name = self._rng.choice((*READ, *DONE, "x"))
        content = operation.get("requestBody", {}).get("content", {})
        body: Json = {}
        if "application/json" in content:
            sampled = self._sampler.value(content["application/json"]["schema"])
            body = self._likely(sampled, episode, name) if isinstance(sampled, dict) else {}
        return ControlRequest(
            method.upper().encode(),
            filled.replace("{operation}", name),
            _mutated(body, self._rng) if content else b"",
            method != "get" and (episode in filled or path in MANY),
        )

    def _likely(self, body: Json, episode: str, operation: str) -> Json:
        """Return a body in which random texts are replaced by values that exist."""
        call = self._maker.call()
        there = {
            "domain": self._rng.choice(self._domains),
            "episode": episode,
            "tool": call["name"],
            "arguments": call["arguments"],
            "operation": operation,
            "parameters": self._maker.parameters(operation),
        }
        if "steps" in body:
            return {"steps": [self._likely(step, episode, operation) for step in body["steps"]]}
        return {**body, **{name: there[name] for name in body if name in there}}


def _mutated(body: Json, rng: random.Random) -> bytes:
    held = {"body": body}
    if rng.random() < MUTATED:
        mutate(held, rng)
    return written(held.get("body")).encode()
