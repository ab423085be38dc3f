"""The tools of the server: names, descriptions, arguments, results, and their methods."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import Tool as Definition
from mcp_types import ToolAnnotations
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from toolworld.mcp_server import arguments, results
from toolworld.mcp_server.worlds import KeptWorlds


@dataclass(frozen=True)
class AgentTool:
    """One tool.

    Attributes:
        run: Does it; async, and returns a ``gives``.
        looks: Whether it changes nothing.
        repeatable: Whether doing it twice has the same effect as once.
        replaces: Whether what was made before is gone afterwards.
    """

    name: str
    title: str
    says: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Callable[[KeptWorlds, Any], Awaitable[BaseModel]]
    looks: bool = False
    repeatable: bool = False
    replaces: bool = False

    @property
    def definition(self) -> Definition:
        """The tool's definition, as clients see it."""
        return Definition(
            name=self.name,
            title=self.title,
            description=self.says,
            input_schema=_schema(self.takes, "validation"),
            output_schema=_schema(self.gives, "serialization"),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.looks,
                destructive_hint=self.replaces,
                idempotent_hint=self.looks or self.repeatable,
                open_world_hint=False,
            ),
        )


class _Plain(GenerateJsonSchema):
    """Schemas without titles for the fields: titles only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: no field gets a title."""
        return False


def _schema(kind: type[BaseModel], mode: Any) -> dict[str, Any]:
    schema = kind.model_json_schema(mode=mode, schema_generator=_Plain)
    for part in (schema, *schema.get("$defs", {}).values()):
        # Docstrings of the classes are for readers of the code.
        part.pop("title", None)
        part.pop("description", None)
    return schema


WAITS = "Waits for it, wait_seconds at most; if it goes on, call again with the same arguments."

TOOLS: tuple[AgentTool, ...] = (
    AgentTool(
        "list_domains",
        "List domains and worlds",
        "List the domains that ship with toolworld, and the worlds drafted in the server's folder.",
        arguments.Nothing,
        results.ListedDomains,
        KeptWorlds.list_domains,
        looks=True,
    ),
    AgentTool(
        "start_draft",
        "Start a draft",
        "Start a new domain from a keyword or description. You are the model that drafts it: ask "
        "for its prompts with next_prompts, and answer them with submit_answer.",
        arguments.StartDraft,
        results.Draft,
        KeptWorlds.start_draft,
    ),
    AgentTool(
        "resume_draft",
        "Resume a draft",
        "Go on with a draft that an earlier server, or `toolworld new`, left unfinished. What has "
        "been answered is not asked again.",
        arguments.OneWorld,
        results.Draft,
        KeptWorlds.resume_draft,
        repeatable=True,
    ),
    AgentTool(
        "next_prompts",
        "Get the open prompts",
        "Return every open prompt of a draft with the JSON schema of its answer, or wait for the "
        "next one while answers are being checked. Also tells when the draft is done or failed. "
        "Several prompts can be answered in any order, or by several agents.",
        arguments.Work,
        results.Prompts,
        KeptWorlds.next_prompts,
        looks=True,
    ),
    AgentTool(
        "submit_answer",
        "Submit an answer",
        "Hand in the answer to an open prompt. It is checked by the rules, the type checker and by "
        "running it; what is found comes back, and is to be mended in the next prompt.",
        arguments.SubmitAnswer,
        results.JudgedAnswer,
        KeptWorlds.submit_answer,
    ),
    AgentTool(
        "draft_status",
        "Look at a draft",
        "Tell how far a draft is: open prompts, answers, tokens, and what passed in each stage.",
        arguments.OneWorld,
        results.DraftStatus,
        KeptWorlds.draft_status,
        looks=True,
    ),
    AgentTool(
        "build_package",
        "Build the package",
        "Build the MCP server package of a drafted world or a bundled domain. A package that is "
        f"there is replaced, its tasks too. {WAITS}",
        arguments.Work,
        results.WorkStanding[results.Built],
        KeptWorlds.build_package,
        repeatable=True,
        replaces=True,
    ),
    AgentTool(
        "prove_package",
        "Prove the package",
        "Run thousands of made-up calls on every tool of a world's package, and on mutants of its "
        f"code; tell what fails and what was not reached. {WAITS}",
        arguments.Work,
        results.WorkStanding[results.Proven],
        KeptWorlds.prove_package,
        repeatable=True,
    ),
    AgentTool(
        "make_tasks",
        "Make certified tasks",
        "Find the tool graph of a world's package, make certified tasks of it, and write them into "
        f"the package; tasks made before are replaced. {WAITS}",
        arguments.MakeTasks,
        results.WorkStanding[results.TasksMade],
        KeptWorlds.make_tasks,
        repeatable=True,
        replaces=True,
    ),
    AgentTool(
        "replay_package",
        "Replay the tasks",
        "Replay every task of a world's package, and check that its reward can be trusted. "
        f"{WAITS}",
        arguments.ReplayPackage,
        results.WorkStanding[results.Replayed],
        KeptWorlds.replay_package,
        repeatable=True,
    ),
    AgentTool(
        "get_report",
        "Get the report",
        "Return what is known of a world so far: its draft, proof, tool graph, tasks and replay.",
        arguments.OneWorld,
        results.WorldReport,
        KeptWorlds.get_report,
        looks=True,
    ),
    AgentTool(
        "read_made",
        "Read tasks and survivors",
        "Return tasks that make_tasks made for a world, or mutants of its code that survived "
        "prove_package (each a mistake that no call noticed), a few at a time.",
        arguments.ReadMade,
        results.MadePage,
        KeptWorlds.read_made,
        looks=True,
    ),
    AgentTool(
        "discard_draft",
        "Discard a draft",
        "Stop a draft and delete it for good: its answers, its domain, and the package, tasks and "
        "reports made of it. Nothing of that can be had back.",
        arguments.Work,
        results.Discarded,
        KeptWorlds.discard_draft,
        replaces=True,
    ),
)
