"""Starts a host: loads packages, binds sockets, and answers in one process or several."""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.types import ASGIApp

from toolworld.episodes.hosted import HostedPackage, HostedWorld
from toolworld.episodes.joined import JoinedPackages
from toolworld.episodes.joint_tasks import JOINT
from toolworld.errors import ToolworldError
from toolworld.harness.packages import package_folders
from toolworld.packages import load_package
from toolworld.serving.access import Gate
from toolworld.serving.api import ControlApi
from toolworld.serving.episodes import EpisodeLimits, HeldEpisodes
from toolworld.serving.listening import answer, bound, bound_at, url_of
from toolworld.serving.logs import log_to_stderr
from toolworld.serving.metrics import forget, share_in
from toolworld.serving.relay import Relay
from toolworld.serving.workers import Workers
from toolworld.system.temporary import temporary_folder

TOKEN_VARIABLE = "TOOLWORLD_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")

Say = Callable[[str], None]


@dataclass(frozen=True)
class HostSettings:
    """Settings of a host: its address and its limits.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any.
        names: Names it is reached under, beside the loopback ones.
        workers: How many processes.
        most_bytes: The most bytes in the body of a request.
        call_seconds: How long a tool may run; 0 for no bound.
        limits: What episodes may use, in each process.
        join: Domains whose packages are also served as one world, such as ``retail+hotel``.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    names: Sequence[str] = ()
    workers: int = 1
    most_bytes: int = 4_000_000
    call_seconds: float = 10.0
    limits: EpisodeLimits = field(default_factory=EpisodeLimits)
    join: Sequence[str] = ()


def serve(paths: Sequence[Path], settings: HostSettings, say: Say) -> bool:
    """Serve episodes of packages until Ctrl-C or termination.

    Args:
        paths: Package folders, and folders of packages.
        settings: How it is reached, and what it allows.
        say: Called with each line for the user who starts it.

    Returns:
        False if it gave up because its workers kept failing.

    Raises:
        PackageLoadError: A path is no package and holds none.
        ToolworldError: No package can be loaded, or the address cannot be used.
    """
    if settings.host not in LOOPBACK_HOSTS and not settings.names:
        raise ToolworldError(
            f"--host {settings.host} can be reached from outside: say with --allow-host under "
            "which names clients may reach it."
        )
    packages, broken = _loaded(paths, settings.call_seconds, say)
    worlds = {**packages, **_joined(packages, settings.join)}
    token = _token(say)
    try:
        listener = bound(settings.host, settings.port)
    except OSError as error:
        place = f"{settings.host}:{settings.port}"
        raise ToolworldError(f"{place} cannot be listened on: {error.strerror}.") from error
    url = url_of(listener)
    log_to_stderr()
    # Workers share the memory of what is loaded as long as the collector does not touch it.
    gc.collect()
    gc.freeze()

    def api(worker: int) -> ASGIApp:
        episodes = HeldEpisodes(settings.limits, worker)
        return ControlApi(worlds, broken, episodes, token).app

    def gated(app: ASGIApp) -> Gate:
        return Gate(app, settings.names, settings.most_bytes)

    def started() -> None:
        say(f"Serving {', '.join(worlds)} at {url}")

    if settings.workers == 1:
        answer(gated(api(0)), [listener], started)
        return True
    with temporary_folder() as folder:
        share_in(folder / "metrics")
        sockets = [folder / f"{worker}.socket" for worker in range(settings.workers)]

        def work(worker: int) -> None:
            sockets[worker].unlink(missing_ok=True)
            own = bound(settings.host, listener.getsockname()[1])
            relay = gated(Relay(api(worker), worker, sockets))
            begun = started if worker == 0 else lambda: None
            answer(relay, [own, bound_at(sockets[worker])], begun)

        return Workers(work, settings.workers, say, forget).run()


def _loaded(
    paths: Sequence[Path], seconds: float, say: Say
) -> tuple[dict[str, HostedPackage], dict[str, str]]:
    """Return the packages by domain, and by folder the reasons why others could not be loaded.

    Raises:
        PackageLoadError: A path is no package and holds none.
        ToolworldError: No package can be loaded, or two have one name.
    """
    packages: dict[str, HostedPackage] = {}
    broken: dict[str, str] = {}
    for folder in [one for path in paths for one in package_folders(path)]:
        try:
            hosted = HostedPackage(load_package(folder), seconds)
            hosted.open()
        except Exception as error:  # noqa: BLE001 - broken code of a package may raise anything
            broken[str(folder)] = f"{type(error).__name__}: {error}".splitlines()[0]
            say(f"{folder} is left out: {broken[str(folder)]}")
            continue
        if hosted.domain in packages:
            raise ToolworldError(f"Two packages are called {hosted.domain}; leave out {folder}.")
        packages[hosted.domain] = hosted
    if not packages:
        raise ToolworldError("There is no package to serve.")
    return packages, broken


def _joined(packages: Mapping[str, HostedPackage], wanted: Sequence[str]) -> dict[str, HostedWorld]:
    """Return joined packages by their domains.

    Raises:
        ToolworldError: One of them is not served, or they cannot be joined.
    """
    worlds: dict[str, HostedWorld] = {}
    for joined in wanted:
        unknown = [one for one in joined.split(JOINT) if one not in packages]
        if unknown:
            raise ToolworldError(
                f"--join {joined}: no package that is served is called {unknown[0]!r}. "
                f"There are: {', '.join(packages)}."
            )
        world = JoinedPackages([packages[one] for one in joined.split(JOINT)])
        worlds[world.domain] = world
    return worlds


def _token(say: Say) -> str:
    """Return the control API's token: from the environment, or a new one, which is printed."""
    token = os.environ.get(TOKEN_VARIABLE)
    if not token:
        token = secrets.token_urlsafe(24)
        say(f"Control API: Authorization: Bearer {token}")
    return token
