"""The methods behind the tools: the drafts and the work of one server, in its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Literal, TypeVar

import anyio
from anyio.abc import TaskGroup
from pydantic import BaseModel

from toolworld import bundled
from toolworld.draft import Brief
from toolworld.draft.run import DOMAIN
from toolworld.draft.sources import read_source
from toolworld.errors import DraftError, ToolworldError
from toolworld.mcp_server import arguments, made, making, results
from toolworld.mcp_server.drafts import Drafts, OpenDraft, brief_of
from toolworld.mcp_server.jobs import BegunWork, Jobs, Say, WorkOrder
from toolworld.mcp_server.place import WorldsFolder
from toolworld.pipeline.world import World
from toolworld.spec import load_spec

FoundT = TypeVar("FoundT", bound=BaseModel)

SAYS: dict[results.State, str] = {
    "prompts_open": "Answer the prompts with submit_answer, in any order.",
    "checking": "There is nothing to answer yet; call next_prompts to wait for what comes.",
    "drafted": "The domain is there; go on with build_package.",
}
THEN: dict[results.Verdict, str] = {
    "checking": "It is still being checked; call next_prompts to wait for what comes of it.",
    "to_mend": "Mend what was found: next_prompts asks for it again.",
    "accepted": "Call next_prompts for what comes next.",
}

KEPT = (
    "What there is is kept: resume_draft goes on with it. start_draft with another name begins "
    "anew, discard_draft removes it."
)
LAST = "That was the last round for this prompt; next_prompts tells what becomes of the draft."


class KeptWorlds:
    """The worlds that a server is working on."""

    def __init__(self, place: WorldsFolder, tasks: TaskGroup) -> None:
        """Take the folder of the worlds, and the task group for drafts and jobs."""
        self._place = place
        self._drafts = Drafts(tasks)
        self._jobs = Jobs(tasks)

    async def list_domains(self, _: arguments.Nothing) -> results.ListedDomains:
        """Return the bundled domains, and the worlds of the folder."""
        domains = await anyio.to_thread.run_sync(_bundled)
        return results.ListedDomains(
            bundled=domains, worlds=[self._listed(folder) for folder in self._place.worlds()]
        )

    def _listed(self, folder: Path) -> results.ListedWorld:
        name, draft = folder.name, self._drafts.get(folder.name)
        has_package = World(folder).package.is_dir()
        try:
            brief = brief_of(folder)
        except DraftError:
            return results.ListedWorld(
                world=name, wish="", tools=0, state="broken", has_package=has_package
            )
        return results.ListedWorld(
            world=name,
            wish=brief.wish,
            tools=brief.tools,
            state=_left(folder) if draft is None else _state(draft),
            has_package=has_package,
        )

    async def start_draft(self, asked: arguments.StartDraft) -> results.Draft:
        """Begin a draft."""
        if asked.world in bundled.domains():
            raise DraftError(f"{asked.world} is a bundled domain; choose another name.")
        folder = self._place.world(asked.world)
        source = await anyio.to_thread.run_sync(self._source, asked.source)
        return _standing(self._drafts.start(folder, Brief(asked.wish, asked.tools, source)))

    def _source(self, path: str) -> str:
        return read_source(self._place.inside(path)) if path else ""

    async def resume_draft(self, asked: arguments.OneWorld) -> results.Draft:
        """Go on with a draft."""
        return _standing(self._drafts.resume(self._place.world(asked.world)))

    async def next_prompts(self, asked: arguments.Work) -> results.Prompts:
        """Wait for prompts, and return all that are open."""
        draft = self._drafts.find(asked.world)
        prompts = await draft.wait(asked.wait_seconds)
        return results.Prompts(
            **_standing(draft).model_dump(),
            instructions=prompts[0].instructions if prompts else "",
            prompts=[
                results.OpenPrompt(
                    prompt=one.id, rounds_left=one.left, text=one.text, answer_schema=one.schema
                )
                for one in prompts
            ],
        )

    async def submit_answer(self, asked: arguments.SubmitAnswer) -> results.JudgedAnswer:
        """Submit an answer, and return the findings about it."""
        draft = self._drafts.find(asked.world)
        given = asked.answer
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        left = draft.prompts.left(asked.prompt)
        findings = await draft.submit(asked.prompt, text, asked.wait_seconds)
        verdict = _verdict(findings)
        return results.JudgedAnswer(
            world=asked.world,
            prompt=asked.prompt,
            verdict=verdict,
            findings=list(findings or ()),
            rounds_left=left,
            message=THEN[verdict] if left or verdict != "to_mend" else LAST,
        )

    async def draft_status(self, asked: arguments.OneWorld) -> results.DraftStatus:
        """Return the state and the figures of a draft."""
        draft = self._drafts.find(asked.world)
        ledger = draft.desk.ledger
        return results.DraftStatus(
            **_standing(draft).model_dump(),
            wish=draft.brief.wish,
            tools=draft.brief.tools,
            answered=ledger.prompts,
            tokens=ledger.tokens,
            open_prompts=[prompt.id for prompt in draft.prompts.waiting],
            stages=[
                results.StageFigures(
                    stage=name,
                    prompts=account.prompts,
                    tokens=account.read + account.wrote,
                    passed=account.passed.total(),
                    failed=account.failed,
                )
                for name, account in ledger.stages.items()
            ],
        )

    async def build_package(self, asked: arguments.Work) -> results.WorkStanding[results.Built]:
        """Build a drafted or bundled domain's package."""
        folder = self._place.world(asked.world)
        work = partial(making.build, folder, self._domain(folder))
        return await self._work("build_package", asked, work, "Go on with prove_package.")

    def _domain(self, folder: Path) -> Path:
        draft = self._drafts.get(folder.name)
        if draft is not None and draft.domain is None:
            raise DraftError(f"{folder.name} is not drafted yet. {_standing(draft).message}")
        if (folder / DOMAIN).is_dir():
            return folder / DOMAIN
        domains = bundled.domains()
        if folder.name not in domains:
            raise ToolworldError(
                f"{folder.name} is neither a drafted world nor a bundled domain; "
                "list_domains shows both."
            )
        return domains[folder.name]

    async def prove_package(self, asked: arguments.Work) -> results.WorkStanding[results.Proven]:
        """Prove a world's package."""
        work = partial(making.prove, self._packaged(asked.world))
        return await self._work("prove_package", asked, work, "Go on with make_tasks.")

    async def make_tasks(
        self, asked: arguments.MakeTasks
    ) -> results.WorkStanding[results.TasksMade]:
        """Make tasks of a world's package."""
        work = partial(making.make_tasks, self._packaged(asked.world), asked)
        return await self._work("make_tasks", asked, work, "Go on with replay_package.")

    async def replay_package(
        self, asked: arguments.ReplayPackage
    ) -> results.WorkStanding[results.Replayed]:
        """Replay the tasks of a world's package."""
        work = partial(making.replay, self._packaged(asked.world), asked)
        return await self._work("replay_package", asked, work, "get_report tells it all.")

    def _packaged(self, name: str) -> Path:
        folder = self._place.world(name)
        if not World(folder).package.is_dir():
            raise ToolworldError(f"{name} has no package; build_package makes one.")
        return folder

    async def _work(
        self, tool: str, asked: arguments.Work, work: Callable[[Say], FoundT], then: str
    ) -> results.WorkStanding[FoundT]:
        order = WorkOrder(tool, asked.model_copy(update={"wait_seconds": 0.0}), work)
        found = await self._jobs.run(asked.world, order, asked.wait_seconds)
        if isinstance(found, BegunWork):
            message = f"{found.doing}. Call {tool} again with the same arguments to wait on."
            return results.WorkStanding(
                world=asked.world, state="working", message=message, found=None
            )
        return results.WorkStanding(world=asked.world, state="done", message=then, found=found)

    async def get_report(self, asked: arguments.OneWorld) -> results.WorldReport:
        """Return a world's report."""
        folder = self._packaged(asked.world)
        report = await anyio.to_thread.run_sync(World(folder).report)
        return results.WorldReport(
            world=asked.world,
            failed=report.failed,
            lines=[results.Line(name=name, says=says) for name, says in report.lines()],
            files=[str(folder / name) for name in made.FILES if (folder / name).is_file()],
            content=dict(report.content),
        )

    async def read_made(self, asked: arguments.ReadMade) -> results.MadePage:
        """Return some of a world's tasks or surviving mutants."""
        folder = self._packaged(asked.world)
        package = World(folder).package
        return await anyio.to_thread.run_sync(made.read_made, folder, package, asked)

    async def discard_draft(self, asked: arguments.Work) -> results.Discarded:
        """Stop a draft, and remove its folder."""
        folder = self._place.world(asked.world)
        self._jobs.check_idle(asked.world)
        await self._drafts.stop(folder, asked.wait_seconds)
        return await anyio.to_thread.run_sync(made.discard, folder)


@cache
def _bundled() -> list[results.BundledDomain]:
    specs = [load_spec(folder) for folder in bundled.domains().values()]
    return [
        results.BundledDomain(
            name=spec.name,
            title=spec.domain.title,
            tools=len(spec.tools),
            things=len(spec.domain.entities),
        )
        for spec in specs
    ]


def _state(draft: OpenDraft) -> results.State:
    if draft.is_over:
        return "failed" if draft.failure else "drafted"
    return "prompts_open" if draft.prompts.waiting else "checking"


def _verdict(findings: Sequence[str] | None) -> results.Verdict:
    if findings is None:
        return "checking"
    return "to_mend" if findings else "accepted"


def _left(folder: Path) -> Literal["drafted", "not_open"]:
    return "drafted" if (folder / DOMAIN).is_dir() else "not_open"


def _standing(draft: OpenDraft) -> results.Draft:
    state = _state(draft)
    message = SAYS.get(state) or f"{draft.failure} {KEPT}"
    return results.Draft(world=draft.name, state=state, message=message)
