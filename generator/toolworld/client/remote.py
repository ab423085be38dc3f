"""Episodes on a host, over HTTP; a request is sent again if its connection drops."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2

from toolworld.client.local import Task
from toolworld.errors import EpisodeError, EpisodeGone, LimitReached
from toolworld.jsonvalues import JsonObject

TOKEN_VARIABLE = "TOOLWORLD_TOKEN"  # noqa: S105 - the name of a variable
TRIES = 4
SECONDS = 60.0
BYTES_OF_KEY = 12
ERRORS = {404: EpisodeGone, 503: EpisodeGone, 413: LimitReached, 429: LimitReached}


def connection_options(url: str, token: str | None) -> dict[str, Any]:
    """Return the options of an HTTP client that reaches a host.

    Args:
        url: The URL of the host.
        token: The token of its control API; None for the one in the environment.
    """
    shown = token if token is not None else os.environ.get(TOKEN_VARIABLE, "")
    return {
        "base_url": url,
        "headers": {"Authorization": f"Bearer {shown}"},
        "timeout": SECONDS,
        "limits": httpx2.Limits(max_connections=None),
    }


def new_key() -> str:
    """Return a key for a request that must be done only once, however often it is sent."""
    return secrets.token_hex(BYTES_OF_KEY)


def read_answer(response: httpx2.Response) -> Any:
    """Return the content of a host's answer.

    Raises:
        EpisodeError: The host refuses; the text says why.
    """
    if response.status_code == 204:
        return {}
    try:
        told = response.json()
    except ValueError as error:
        raise EpisodeError(f"The host answers {response.status_code}, and no JSON.") from error
    if response.is_success:
        return told
    raise ERRORS.get(response.status_code, EpisodeError)(str(told.get("error", told)))


def lost(error: httpx2.TransportError) -> EpisodeGone:
    """Return the error to raise for a host that does not answer."""
    return EpisodeGone(f"The host does not answer: {error or type(error).__name__}.")


class Host:
    """A connection to a host; many episodes may share it."""

    def __init__(self, url: str, token: str | None) -> None:
        """Take the host's URL and token."""
        self._http = httpx2.Client(**connection_options(url, token))

    def request(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        """Send a request, again if the connection drops; with a key it is done only once.

        Raises:
            EpisodeError: The host refuses.
            EpisodeGone: It does not answer.
        """
        headers = {"Idempotency-Key": key} if key else {}
        for left in reversed(range(TRIES)):
            try:
                response = self._http.request(method, path, json=body, headers=headers)
            except httpx2.TransportError as error:
                if not left:
                    raise lost(error) from error
            else:
                return read_answer(response)
        raise AssertionError("unreachable")

    def open_many(self, steps: Sequence[Mapping[str, object]]) -> list[JsonObject]:
        """Open episodes with one request.

        Raises:
            EpisodeError: One cannot be opened; the others are closed again.
        """
        opened: list[JsonObject] = self.request("POST", "/open", {"steps": [*steps]})["results"]
        refused = [one["error"] for one in opened if "error" in one]
        if refused:
            for one in opened:
                if "id" in one:
                    self.request("DELETE", f"/episodes/{one['id']}")
            raise EpisodeError(str(refused[0]))
        return opened

    @contextmanager
    def closed_if_refused(self) -> Iterator[None]:
        """Close the connection if a request in the block is refused."""
        try:
            yield
        except EpisodeError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


class RemoteEpisode:
    """One episode on a host.

    Attributes:
        mcp_url: The URL for an agent's MCP client.
        mcp_token: The token that this client shows.
    """

    def __init__(self, url: str, domain: str, task: Task, seed: int, token: str | None) -> None:
        """Open the episode.

        Raises:
            EpisodeError: There is no such domain or task, or there are too many episodes.
        """
        self._host = Host(url, token)
        asked = {"domain": domain, "task": task, "seed": seed}
        with self._host.closed_if_refused():
            opened = self._host.request("POST", "/episodes", asked)
        self._domain, self._path = domain, f"/episodes/{opened['id']}"
        self.mcp_url, self.mcp_token = str(opened["url"]), str(opened["token"])

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools."""
        found: list[dict[str, Any]] = self._host.request("GET", f"{self._path}/tools")
        return found

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks of its package."""
        found: list[dict[str, Any]] = self._host.request("GET", f"/domains/{self._domain}/tasks")[
            "tasks"
        ]
        return found

    def call(self, tool: str, arguments: Mapping[str, object]) -> JsonObject:
        """Call a tool; only once, even if the connection drops."""
        asked = {"tool": tool, "arguments": arguments, "key": new_key()}
        told: JsonObject = self._host.request("POST", f"{self._path}/call", asked)
        return told

    def ask(self, operation: str, parameters: Mapping[str, object]) -> JsonObject:
        """Run a control operation; only once, even if the connection drops."""
        path = f"{self._path}/{operation}"
        told: JsonObject = self._host.request("POST", path, parameters, new_key())
        return told

    def close(self) -> None:
        """Close it on the host."""
        try:
            self._host.request("DELETE", self._path)
        except EpisodeGone:
            pass
        finally:
            self._host.close()
