"""The control plane over HTTP: routes beside ``/mcp``, behind a bearer token.

GET    /episodes                                 the ids of the open episodes
POST   /episodes {"task", "seed"}                opens one: {"id", "url", ...}
GET    /episodes/<id>/state, diff, digest
POST   /episodes/<id>/reset, snapshot, restore, say, grade
DELETE /episodes/<id>
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..errors import BadParameters, LimitReached, PackageError, UnknownEpisode
from .control import COMMANDS, QUERIES, Operation, describe, open_episode
from .episodes import Episodes

Endpoint = Callable[[Request], Awaitable[Response]]

BODY: TypeAdapter[dict[str, object]] = TypeAdapter(dict[str, object])


class Control:
    """The control plane's routes over the episodes of a server."""

    def __init__(self, episodes: Episodes, token: str) -> None:
        """Let whoever holds the token control the episodes."""
        self._episodes = episodes
        self._expected = f"Bearer {token}".encode()

    def routes(self) -> list[Route]:
        """Return the routes."""
        routes = [
            self._route("/episodes", "GET", self._list),
            self._route("/episodes", "POST", self._open),
            self._route("/episodes/{id}", "DELETE", self._close),
        ]
        for name, query in QUERIES.items():
            endpoint = partial(self._query, query)
            routes.append(self._route(f"/episodes/{{id}}/{name}", "GET", endpoint))
        for name, command in COMMANDS.items():
            endpoint = partial(self._command, command)
            routes.append(self._route(f"/episodes/{{id}}/{name}", "POST", endpoint))
        return routes

    def _route(self, path: str, method: str, endpoint: Endpoint) -> Route:
        return Route(path, partial(self._guard, endpoint), methods=[method])

    async def _guard(self, endpoint: Endpoint, request: Request) -> Response:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, self._expected):
            refusal = problem(401, "The control plane needs its bearer token.")
            refusal.headers["WWW-Authenticate"] = "Bearer"
            return refusal
        try:
            return await endpoint(request)
        except UnknownEpisode as error:
            return problem(404, str(error))
        except LimitReached as error:
            return problem(429, str(error))
        except PackageError as error:
            return problem(400, str(error))

    async def _list(self, _: Request) -> Response:
        return JSONResponse({"episodes": self._episodes.ids()})

    async def _open(self, request: Request) -> Response:
        episode = open_episode(await body_of(request))
        episode_id = self._episodes.open(episode)
        url = str(request.base_url) + f"episodes/{episode_id}/mcp"
        return JSONResponse({"id": episode_id, "url": url, **describe(episode)}, 201)

    async def _close(self, request: Request) -> Response:
        self._episodes.close(request.path_params["id"])
        return Response(status_code=204)

    async def _query(self, operation: Operation[Any], request: Request) -> Response:
        return JSONResponse(operation(self._episodes.find(request.path_params["id"]), {}))

    async def _command(self, operation: Operation[Any], request: Request) -> Response:
        parameters = await body_of(request)
        episode = self._episodes.find(request.path_params["id"])
        return JSONResponse(operation(episode, parameters))


def problem(status: int, text: str) -> JSONResponse:
    """Return an error response that says why."""
    return JSONResponse({"error": text}, status)


async def body_of(request: Request) -> Mapping[str, object]:
    """Return the JSON object sent with a request; an empty body is an empty object.

    Raises:
        BadParameters: The body is no JSON object.
    """
    body = await request.body()
    try:
        return BODY.validate_json(body or b"{}")
    except ValidationError as error:
        raise BadParameters("The body is not a JSON object.") from error
