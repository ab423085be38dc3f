"""The control API of a host: for those who train or grade, never for an agent."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar, cast

import anyio
from fastapi import APIRouter, Body, Depends, FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from toolworld.episodes.hosted import HostedWorld
from toolworld.errors import EpisodeError, EpisodeGone, LimitReached, ToolworldError
from toolworld.jsonvalues import JsonObject
from toolworld.serving import wire
from toolworld.serving.access import is_token, refused, writable
from toolworld.serving.agents import PATH, AgentEndpoints
from toolworld.serving.episodes import HeldEpisode, HeldEpisodes
from toolworld.serving.metrics import Metrics

SWEEP_SECONDS = 15.0
STATUS: Mapping[type[Exception], int] = {EpisodeGone: 404, LimitReached: 429}
Parameters = Annotated[dict[str, Any], Body()]
Shown = Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))]

StepT = TypeVar("StepT")

logger = logging.getLogger("toolworld.serving")


class ControlApi:
    """The routes over the episodes of one process."""

    def __init__(
        self,
        worlds: dict[str, HostedWorld],
        broken: Mapping[str, str],
        episodes: HeldEpisodes,
        token: str,
    ) -> None:
        """Serve packages by domain.

        Args:
            worlds: What episodes can be opened of: packages, alone or joined.
            broken: Why a package could not be loaded, by its folder.
            episodes: The open episodes.
            token: The token that a request has to show.
        """
        self._worlds, self._broken, self._episodes = worlds, broken, episodes
        self._token = token
        self._metrics = Metrics()
        self._agents = AgentEndpoints(worlds, episodes, self._api())

    @property
    def app(self) -> ASGIApp:
        """The agents' endpoints, with this API and its OpenAPI document behind them."""
        return self._agents

    def _api(self) -> FastAPI:
        app = FastAPI(
            title="toolworld", summary="Episodes of tool-using worlds.", lifespan=self._lifespan
        )
        app.add_api_route("/healthz", self.health, methods=["GET"])
        app.include_router(self._control())
        for error in (ToolworldError, RequestValidationError, HTTPException):
            app.add_exception_handler(error, _refusal)
        return app

    def _control(self) -> APIRouter:
        """Return the routes that need the token."""
        router = APIRouter(dependencies=[Depends(self._authorized)])
        add = router.add_api_route
        add("/metrics", self.metrics, methods=["GET"], include_in_schema=False)
        add("/domains", self.domains, methods=["GET"])
        add("/domains/{domain}/tasks", self.tasks, methods=["GET"])
        add("/episodes", self.listed, methods=["GET"])
        add("/episodes", self.open, methods=["POST"], status_code=201)
        add("/episodes/{id}", self.close, methods=["DELETE"], status_code=204)
        add("/episodes/{id}/tools", self.tools, methods=["GET"])
        add("/episodes/{id}/call", self.call, methods=["POST"], response_model=wire.Called)
        add("/episodes/{id}/{operation}", self.ask, methods=["POST"], response_model=dict[str, Any])
        add("/step", self.step, methods=["POST"], response_model=wire.Stepped)
        add("/ask", self.ask_many, methods=["POST"], response_model=wire.Asked)
        add("/open", self.open_many, methods=["POST"], response_model=wire.OpenedMany)
        return router

    @asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        async with await self._agents.running(), anyio.create_task_group() as tasks:
            tasks.start_soon(self._close_idle)
            yield
            tasks.cancel_scope.cancel()

    async def _close_idle(self) -> None:
        while True:
            await anyio.sleep(SWEEP_SECONDS)
            closed = self._episodes.close_idle()
            if closed:
                self._metrics.episodes.set(len(self._episodes))
                logger.info("Closed %s idle episodes.", closed)

    async def _authorized(self, shown: Shown) -> None:
        if shown is None or not is_token(shown.credentials, self._token):
            raise HTTPException(
                401, "The control API needs its bearer token.", {"WWW-Authenticate": "Bearer"}
            )

    async def health(self) -> wire.Health:
        """Tell that the host answers."""
        return wire.Health(status="ok", episodes=len(self._episodes), domains=len(self._worlds))

    async def metrics(self) -> Response:
        """Tell the counters, for Prometheus."""
        text, media_type = self._metrics.text()
        return Response(text, media_type=media_type)

    async def domains(self) -> wire.Domains:
        """List the domains whose episodes can be opened."""
        held = [
            wire.DomainHeld(
                domain=name,
                tools=one.tool_count,
                tasks=len(one.tasks()),
            )
            for name, one in self._worlds.items()
        ]
        return wire.Domains(domains=held, broken=dict(self._broken))

    async def tasks(self, domain: str) -> wire.Tasks:
        """List the tasks of a domain."""
        return wire.Tasks(tasks=self._world(domain).tasks())

    async def listed(self) -> wire.Episodes:
        """List the open episodes."""
        return wire.Episodes(episodes=self._episodes.ids())

    async def open(self, asked: wire.OpenRequest, request: Request) -> wire.Opened:
        """Open an episode."""
        return self._opened(asked, str(request.base_url).rstrip("/"))

    async def open_many(self, asked: wire.OpenManyRequest, request: Request) -> Response:
        """Open many episodes with one request."""
        base = str(request.base_url).rstrip("/")
        return _each(asked.steps, lambda one: self._opened(one, base).model_dump())

    async def ask_many(self, asked: wire.AskRequest) -> Response:
        """Do operations of the control plane in many episodes with one request."""
        return _each(asked.steps, self._asked)

    def _asked(self, one: wire.Ask) -> JsonObject:
        return self._episodes.find(one.episode).ask(one.operation, one.parameters)

    def _opened(self, asked: wire.OpenRequest, base: str) -> wire.Opened:
        world = self._world(asked.domain)
        held = self._episodes.open(world, asked.task, asked.seed)
        self._metrics.opened.labels(asked.domain).inc()
        self._metrics.episodes.set(len(self._episodes))
        where = PATH.format(domain=asked.domain, id=held.id)
        told = held.opened.ask("digest", {})
        return wire.Opened(
            id=held.id,
            domain=asked.domain,
            url=base + where,
            token=held.token,
            task=cast("str | None", told["task"]),
            digest=str(told["digest"]),
        )

    async def close(self, id: str) -> None:
        """Close an episode."""
        self._episodes.close(id)
        self._metrics.episodes.set(len(self._episodes))

    async def tools(self, id: str) -> list[dict[str, Any]]:
        """List the tools of an episode, as MCP does."""
        return self._episodes.find(id).opened.tools

    async def call(self, id: str, asked: wire.CallRequest) -> Response:
        """Call a tool of an episode."""
        return _json(self._called(self._episodes.find(id), asked))

    async def ask(
        self,
        id: str,
        operation: str,
        parameters: Parameters | None = None,
        idempotency_key: Annotated[str, Header(max_length=200)] = "",
    ) -> Response:
        """Do an operation of the control plane.

        The operations are reset, snapshot, restore, state, diff, digest, say and grade.
        """
        answer = self._episodes.find(id).ask(operation, parameters or {}, idempotency_key)
        return _json(answer)

    async def step(self, asked: wire.StepRequest) -> Response:
        """Call tools of many episodes with one request."""
        return _each(asked.steps, self._stepped)

    def _stepped(self, step: wire.EpisodeCall) -> JsonObject:
        return self._called(self._episodes.find(step.episode), step)

    def _called(self, held: HeldEpisode, asked: wire.CallRequest) -> JsonObject:
        answer = held.call(asked.tool, asked.arguments, asked.key)
        self._metrics.count_call(held.opened.domain, str(answer["outcome"]))
        return answer

    def _world(self, domain: str) -> HostedWorld:
        if domain not in self._worlds:
            raise EpisodeGone(
                f"There is no domain {domain:.60}; there are: {', '.join(self._worlds)}."
            )
        return self._worlds[domain]


def _each(steps: Sequence[StepT], make: Callable[[StepT], JsonObject]) -> Response:
    """Return the result of each step, or the error that it ends with."""

    def told(step: StepT) -> JsonObject:
        try:
            return make(step)
        except EpisodeError as error:
            return {"error": writable(str(error))}

    return _json({"results": [told(step) for step in steps]})


def _json(answer: JsonObject) -> Response:
    """Return an answer as JSON, without checking its shape: that would take twice as long."""
    return Response(to_json(answer), media_type="application/json")


async def _refusal(_: Request, error: Exception) -> JSONResponse:
    """Return an error response that says what is wrong with a request."""
    if isinstance(error, RequestValidationError):
        found = "; ".join(f"{_place(one['loc'])}: {one['msg']}" for one in error.errors())
        return refused(422, f"The request does not fit: {found}.")
    if isinstance(error, HTTPException):
        return refused(error.status_code, str(error.detail))
    return refused(STATUS.get(type(error), 400), str(error))


def _place(parts: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in parts)
