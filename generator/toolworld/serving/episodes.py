"""The open episodes of a host: found by id, bounded in number, closed when idle."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from toolworld.episodes.hosted import HostedWorld, OpenEpisode, Start
from toolworld.errors import EpisodeError, EpisodeGone, LimitReached
from toolworld.jsonvalues import JsonObject

MOST_KEYS = 64
"""How many calls with a key an episode remembers."""
AVERAGED = 10
"""The seconds over which the calls of an episode are averaged."""


@dataclass(frozen=True)
class EpisodeLimits:
    """What episodes may use.

    Attributes:
        episodes: How many may be open at once.
        idle: Seconds without a request after which one is closed; 0 for never.
        rate: How many calls a second each may make, on average over ten; 0 for any number.
    """

    episodes: int = 4096
    idle: float = 3600.0
    rate: float = 0.0


class HeldEpisode:
    """An open episode with what the host knows about it.

    Attributes:
        id: The id, which cannot be guessed.
        token: The token that an agent shows to call its tools.
        opened: The episode.
        used: When it was last used, by the monotonic clock.
    """

    __slots__ = ("_answers", "_counted", "_limits", "_spent", "id", "opened", "token", "used")

    def __init__(self, episode_id: str, opened: OpenEpisode, limits: EpisodeLimits) -> None:
        """Take an episode that was just opened."""
        self.id, self.opened = episode_id, opened
        self.token = secrets.token_urlsafe(16)
        self.used = self._counted = time.monotonic()
        self._limits, self._spent = limits, 0.0
        self._answers: OrderedDict[str, tuple[object, JsonObject]] | None = None

    def admits(self, token: str) -> bool:
        """Return whether a token is this episode's own."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def call(self, tool: str, arguments: Mapping[str, object], key: str = "") -> JsonObject:
        """Call a tool; a repeated call with the same key gets the first answer again.

        Raises:
            EpisodeError: There is no such tool, or another call had the key.
            LimitReached: It makes too many calls.
        """

        def make() -> JsonObject:
            self.count_call()
            return self.opened.call(tool, arguments)

        return self._once(key, [tool, arguments], make)

    def ask(self, operation: str, parameters: Mapping[str, object], key: str = "") -> JsonObject:
        """Run a control operation; a repeated one with the same key gets the first answer again.

        Raises:
            EpisodeError: It cannot be done, or another request had the key.
        """
        return self._once(
            key, {operation: parameters}, lambda: self.opened.ask(operation, parameters)
        )

    def _once(self, key: str, asked: object, make: Callable[[], JsonObject]) -> JsonObject:
        if not key:
            return make()
        known = self._answers.get(key) if self._answers else None
        if known is not None:
            return _same(known, asked)
        answer = make()
        self._remember(key, asked, answer)
        return answer

    def count_call(self) -> None:
        """Count a call.

        Raises:
            LimitReached: There were too many in the last seconds.
        """
        rate = self._limits.rate
        if not rate:
            return
        now = time.monotonic()
        # A leaky bucket that holds as many calls as may be made in ``AVERAGED`` seconds.
        self._spent = max(0.0, self._spent - (now - self._counted) * rate)
        self._counted = now
        if self._spent + 1 > AVERAGED * rate:
            raise LimitReached(f"An episode may make {rate:g} calls a second; wait a little.")
        self._spent += 1

    def _remember(self, key: str, asked: object, answer: JsonObject) -> None:
        if self._answers is None:
            self._answers = OrderedDict()
        self._answers[key] = asked, answer
        if len(self._answers) > MOST_KEYS:
            self._answers.popitem(last=False)


def _same(known: tuple[object, JsonObject], asked: object) -> JsonObject:
    if known[0] != asked:
        raise EpisodeError("This key was another call's; give each call a key of its own.")
    return known[1]


class HeldEpisodes:
    """The open episodes of one process."""

    def __init__(self, limits: EpisodeLimits, worker: int = 0) -> None:
        """Start with no episodes.

        Args:
            limits: What episodes may use.
            worker: The number of the process, which is the first part of each id.
        """
        self._limits, self._worker = limits, worker
        self._held: dict[str, HeldEpisode] = {}

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._held)

    def ids(self) -> list[str]:
        """Return the ids, oldest first."""
        return list(self._held)

    def open(self, world: HostedWorld, task: Start, seed: int) -> HeldEpisode:
        """Open an episode.

        Raises:
            LimitReached: There are too many.
            EpisodeError: There is no such task, or it does not fit the package.
        """
        if len(self._held) >= self._limits.episodes:
            self.close_idle()
        if len(self._held) >= self._limits.episodes:
            raise LimitReached(
                f"{self._limits.episodes} episodes are open, and there may be no more. "
                "Close some, or start the host with more --episodes."
            )
        episode_id = f"{self._worker}-{secrets.token_urlsafe(16)}"
        held = self._held[episode_id] = HeldEpisode(
            episode_id, world.open(task, seed), self._limits
        )
        return held

    def find(self, episode_id: str) -> HeldEpisode:
        """Return an open episode.

        Raises:
            EpisodeGone: No open episode has that id.
        """
        held = self._held.get(episode_id)
        if held is None:
            raise EpisodeGone(
                f'There is no open episode "{episode_id:.60}": it was closed, was idle for '
                "too long, or the host was started anew. Open another one."
            )
        held.used = time.monotonic()
        return held

    def close(self, episode_id: str) -> None:
        """Close an episode.

        Raises:
            EpisodeGone: No open episode has that id.
        """
        self.find(episode_id)
        del self._held[episode_id]

    def close_idle(self) -> int:
        """Close the episodes that were idle for too long; return how many."""
        if not self._limits.idle:
            return 0
        since = time.monotonic() - self._limits.idle
        idle = [held.id for held in self._held.values() if held.used < since]
        for episode_id in idle:
            del self._held[episode_id]
        return len(idle)
