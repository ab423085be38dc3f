"""The drafts that a server is making: hands out their prompts, and takes answers."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from toolworld.draft import BRIEF, Brief, open_draft
from toolworld.draft.run import desk_in, drafted
from toolworld.errors import DraftError, ToolworldError
from toolworld.llm import ModelLimits, Prompt
from toolworld.llm.backends.open import OpenPrompts
from toolworld.llm.desk import Desk
from toolworld.llm.reading import unfenced
from toolworld.pipeline.world import World
from toolworld.system.locks import holding

LONGEST_ANSWER = 200_000
DEFECT = "a defect of toolworld; the server's log (standard error) says more."

logger = logging.getLogger(__name__)


@dataclass
class OpenDraft:
    """A draft that is being made, or was made since the server started.

    Attributes:
        failure: Why it ended without a domain; empty if it has not.
        domain: The domain's folder, once it is there.
        scope: Is cancelled to stop the draft.
        ended: Set when no part of it runs any more.
    """

    folder: Path
    brief: Brief
    desk: Desk
    prompts: OpenPrompts
    failure: str = ""
    domain: Path | None = None
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: anyio.Event = field(default_factory=anyio.Event)
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, folder: Path, brief: Brief) -> OpenDraft:
        """Return the draft in a folder, with the answers it has.

        Raises:
            DraftError: Its journal is broken.
        """
        prompts = OpenPrompts()
        return cls(folder, brief, desk_in(folder, prompts, ModelLimits()), prompts)

    @property
    def name(self) -> str:
        """The world's name."""
        return self.folder.name

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a domain or without."""
        return self.prompts.closed

    async def run(self) -> None:
        """Run the draft to its end; an error is kept in ``failure``, and whoever waits is told."""
        with self.scope:
            await self._draft()
        self.ended.set()

    async def _draft(self) -> None:
        try:
            with holding(self.folder):
                made = await drafted(self.folder, self.brief, self.desk)
                world = World(self.folder)
                await anyio.to_thread.run_sync(world.take, made, self.prompts.name, self.began)
                self.domain = made.folder
        except ToolworldError as error:
            self.failure = str(error)
        except Exception:
            logger.exception("The draft in %s failed.", self.folder)
            self.failure = f"It failed because of {DEFECT}"
        finally:
            self.prompts.close()

    async def wait(self, seconds: float) -> Sequence[Prompt]:
        """Wait for prompts to answer, and return them; none at the end or after ``seconds``."""
        with anyio.move_on_after(seconds):
            while not self.prompts.waiting and not self.is_over:
                await self.prompts.change()
        return self.prompts.waiting

    async def submit(self, prompt: str, text: str, seconds: float) -> Sequence[str] | None:
        """Submit an answer, and return the findings about it; None if that takes longer.

        Raises:
            DraftError: No such prompt is open, the answer is no JSON object, or the draft ends.
        """
        _check(text)
        with anyio.move_on_after(seconds):
            return await self.prompts.submit(prompt, text)
        return None


def _check(text: str) -> None:
    """Refuse a text that need not be judged; it does not count as an answer.

    Raises:
        DraftError: It is too long, or no JSON object.
    """
    again = "Nothing was handed in; the prompt is still open."
    if len(text) > LONGEST_ANSWER:
        raise DraftError(
            f"The answer has {len(text):,} characters, of {LONGEST_ANSWER:,} at most. {again}"
        )
    try:
        value = json.loads(unfenced(text))
    except (ValueError, RecursionError) as error:
        raise DraftError(
            f"The answer is no JSON ({error}). Give one JSON object that fits the prompt's "
            f"schema. {again}"
        ) from error
    if not isinstance(value, dict):
        raise DraftError(f"The answer is no JSON object. {again}")


class Drafts:
    """The drafts of a server, by the names of their worlds."""

    def __init__(self, tasks: TaskGroup) -> None:
        """Take the task group that drafts run in."""
        self._tasks = tasks
        self._by_name: dict[str, OpenDraft] = {}

    def start(self, folder: Path, brief: Brief) -> OpenDraft:
        """Begin a draft in a new folder.

        Raises:
            DraftError: The folder is in use.
        """
        try:
            open_draft(folder, brief, resume=False)
        except DraftError as error:
            raise DraftError(
                f"There is something in {folder.name} already. Choose another name, or go on "
                "with what is there: resume_draft."
            ) from error
        return self._begin(folder, brief)

    def resume(self, folder: Path) -> OpenDraft:
        """Go on with a draft that is in a folder; one that is being made is left running.

        Raises:
            DraftError: The folder holds none.
        """
        known = self._by_name.get(folder.name)
        if known is not None and not known.is_over:
            return known
        return self._begin(folder, brief_of(folder))

    async def stop(self, folder: Path, seconds: float) -> None:
        """Stop the draft in a folder, if one is being made there.

        Raises:
            DraftError: An answer to it is still being checked after this many seconds.
        """
        draft = self._by_name.get(folder.name)
        if draft is None:
            return
        if not draft.is_over:
            draft.failure = "It was stopped."
        draft.scope.cancel()
        with anyio.move_on_after(seconds):
            await draft.ended.wait()
        if not draft.ended.is_set():
            raise DraftError(
                f"{folder.name} is stopped, but an answer is still being checked. Call "
                "discard_draft again."
            )
        del self._by_name[folder.name]

    def find(self, name: str) -> OpenDraft:
        """Return a draft.

        Raises:
            DraftError: It is not being made here.
        """
        found = self._by_name.get(name)
        if found is None:
            known = ", ".join(self._by_name) or "none"
            raise DraftError(
                f'No draft "{name:.60}" is open; open are: {known}. start_draft makes one, '
                "resume_draft goes on with one that list_domains shows."
            )
        return found

    def get(self, name: str) -> OpenDraft | None:
        """Return a draft, or None if it is not being made here."""
        return self._by_name.get(name)

    def _begin(self, folder: Path, brief: Brief) -> OpenDraft:
        draft = self._by_name[folder.name] = OpenDraft.of(folder, brief)
        self._tasks.start_soon(draft.run)
        return draft


def brief_of(folder: Path) -> Brief:
    """Return the brief of the draft in a folder.

    Raises:
        DraftError: There is no draft, or its brief is broken.
    """
    file = folder / BRIEF
    if not file.is_file():
        raise DraftError(
            f"{folder.name} holds no draft to go on with; list_domains shows which there are, "
            "start_draft makes one."
        )
    try:
        return Brief(**json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise DraftError(f"{file} is broken ({error}); start a draft of another name.") from error
