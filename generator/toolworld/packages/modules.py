"""The modules of an emitted package, each with the names that the generator uses.

A package is made of templates and imported while the generator runs. These protocols are what the
type checker knows of it, and the only place that says which module holds what.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, cast


class AboutModule(Protocol):
    """What the package says of itself."""

    TITLE: str
    SUMMARY: str


class AnswersModule(Protocol):
    """How answers are found in what an agent says."""

    contains_answer: Callable[..., bool]
    words: Callable[..., Any]


class ArgumentsModule(Protocol):
    """How arguments of calls are checked."""

    arguments_of: Callable[[str], Any]


class BaseModule(Protocol):
    """The rows that every episode of a database shares."""

    Base: Callable[..., Any]
    BaseTable: Callable[..., Any]


class BoundsModule(Protocol):
    """Limits of time for tools."""

    TookTooLong: type[BaseException]
    TimeBound: Any


class ClausesModule(Protocol):
    """The clauses of the policy, and the roles of people."""

    all_clauses: Callable[[], Sequence[Any]]
    policy_text: Callable[[], str]
    tools_of_others: Callable[[str], frozenset[str]]
    conduct_clauses: Callable[[], Sequence[Any]]
    roles: Callable[[], Mapping[str, Sequence[str]]]


class ControlModule(Protocol):
    """The operations of the control plane."""

    open_episode: Callable[..., Any]
    QUERIES: Mapping[str, Callable[..., Mapping[str, object]]]
    COMMANDS: Mapping[str, Callable[..., Mapping[str, object]]]


class DefinitionsModule(Protocol):
    """The tools as clients see them."""

    definitions: Callable[[], Mapping[str, Any]]


class EnvironmentModule(Protocol):
    """One episode: calls, talk, state and grade."""

    Environment: Callable[..., Any]
    EnvironmentSnapshot: Any


class EpisodesModule(Protocol):
    """The episodes that a server holds."""

    DEFAULT_EPISODE: str
    Episode: Callable[..., Any]
    Episodes: Callable[..., Any]


class ErrorsModule(Protocol):
    """The package's one family of exceptions."""

    PackageError: type[Exception]
    BadTask: type[Exception]
    BrokenClause: type[Exception]
    IntegrityError: type[Exception]
    Rejected: type[Exception]
    UnknownTool: type[Exception]


class GradingModule(Protocol):
    """The parts of a grade."""

    GradePart: Callable[..., Any]
    grade: Callable[..., Any]


class InvariantsModule(Protocol):
    """The rules of the rows of each table."""

    INVARIANTS: Mapping[str, Sequence[Any]]


class JudgingModule(Protocol):
    """Which clauses an episode broke."""

    judge: Callable[..., Any]


class MethodsModule(Protocol):
    """The control plane as methods of MCP."""

    add_control: Callable[..., None]


class ModelsModule(Protocol):
    """The rows, and the database that holds them."""

    SCHEMAS: Mapping[str, Any]
    Database: Callable[..., Any]


class PastModule(Protocol):
    """What has happened in an episode, as predicates of conduct see it."""

    Past: Callable[..., Any]
    Event: Callable[..., Any]
    leaves: Callable[..., Any]


class PatchesModule(Protocol):
    """Rows laid over the database for a task."""

    apply_patch: Callable[..., Any]
    as_json: Callable[..., Any]
    patch_row: Callable[..., Any]


class PersonaModule(Protocol):
    """The person who asks, as a task describes them."""

    Person: Any


class SchemaModule(Protocol):
    """What the columns of a table are."""

    values_at: Callable[..., Any]


class SeedModule(Protocol):
    """The seed database."""

    default_base: Callable[[], Any]
    base_from_json: Callable[[Any], Any]
    check_base: Callable[[Any], None]


class ServerModule(Protocol):
    """The MCP server."""

    build_server: Callable[..., Any]


class TaskModule(Protocol):
    """Tasks and their steps."""

    Task: Any
    Step: Any
    all_tasks: Callable[[], Mapping[str, Any]]
    as_task: Callable[[object], Any]
    resolve: Callable[..., Any]


class WebModule(Protocol):
    """The server over HTTP."""

    EPISODE_KEY: str
    episode_of: Callable[..., Any]


class AgentModule(Protocol):
    """What stands between an expert and the world."""

    Agent: Callable[..., Any]
    ExpertFailed: type[Exception]


class DrawModule(Protocol):
    """How a situation is drawn."""

    Draw: Callable[..., Any]
    as_json: Callable[..., Any]


class LanguageModule(Protocol):
    """What situations and experts are written in."""

    Redraw: type[Exception]
    fits: Callable[..., bool]


@dataclass(frozen=True)
class PackageModules:
    """The modules of a package; each is imported when it is first asked for.

    Attributes:
        alias: The package's module as it was imported here.
    """

    alias: str

    def named(self, name: str) -> ModuleType:
        """Return a module by its name inside the package, such as ``tools.orders``."""
        return importlib.import_module(f"{self.alias}.{name}" if name else self.alias)

    def of_making(self, name: str) -> ModuleType:
        """Return a module of the scenarios by its name."""
        return self.named(f"making.{name}")

    @property
    def laws(self) -> ModuleType:
        """The laws, one function each."""
        return self.named("proof.laws")

    @property
    def tools(self) -> ModuleType:
        """The tools; of several modules, the one that joins them."""
        return self.named("tools")

    @property
    def values(self) -> ModuleType:
        """What code of a domain may use: money, pages and texts."""
        return self.named("values")

    @property
    def about(self) -> AboutModule:
        """What the package says of itself."""
        return cast(AboutModule, self.named("about"))

    @property
    def answers(self) -> AnswersModule:
        """How answers are found in what an agent says."""
        return cast(AnswersModule, self.named("person.answers"))

    @property
    def arguments(self) -> ArgumentsModule:
        """How arguments of calls are checked."""
        return cast(ArgumentsModule, self.named("calls.arguments"))

    @property
    def base(self) -> BaseModule:
        """The rows that every episode of a database shares."""
        return cast(BaseModule, self.named("database.base"))

    @property
    def bounds(self) -> BoundsModule:
        """Limits of time for tools."""
        return cast(BoundsModule, self.named("bounds"))

    @property
    def clauses(self) -> ClausesModule:
        """The clauses of the policy, and the roles of people."""
        return cast(ClausesModule, self.named("policy.clauses"))

    @property
    def control(self) -> ControlModule:
        """The operations of the control plane."""
        return cast(ControlModule, self.named("serving.control"))

    @property
    def definitions(self) -> DefinitionsModule:
        """The tools as clients see them."""
        return cast(DefinitionsModule, self.named("calls.definitions"))

    @property
    def environment(self) -> EnvironmentModule:
        """One episode: calls, talk, state and grade."""
        return cast(EnvironmentModule, self.named("environment"))

    @property
    def episodes(self) -> EpisodesModule:
        """The episodes that a server holds."""
        return cast(EpisodesModule, self.named("serving.episodes"))

    @property
    def errors(self) -> ErrorsModule:
        """The package's one family of exceptions."""
        return cast(ErrorsModule, self.named("errors"))

    @property
    def grading(self) -> GradingModule:
        """The parts of a grade."""
        return cast(GradingModule, self.named("tasks.grading"))

    @property
    def invariants(self) -> InvariantsModule:
        """The rules of the rows of each table."""
        return cast(InvariantsModule, self.named("database.invariants"))

    @property
    def judging(self) -> JudgingModule:
        """Which clauses an episode broke."""
        return cast(JudgingModule, self.named("policy.judging"))

    @property
    def methods(self) -> MethodsModule:
        """The control plane as methods of MCP."""
        return cast(MethodsModule, self.named("serving.methods"))

    @property
    def models(self) -> ModelsModule:
        """The rows, and the database that holds them."""
        return cast(ModelsModule, self.named("database.models"))

    @property
    def past(self) -> PastModule:
        """What has happened in an episode, as predicates of conduct see it."""
        return cast(PastModule, self.named("policy.past"))

    @property
    def patches(self) -> PatchesModule:
        """Rows laid over the database for a task."""
        return cast(PatchesModule, self.named("tasks.patches"))

    @property
    def persona(self) -> PersonaModule:
        """The person who asks, as a task describes them."""
        return cast(PersonaModule, self.named("person.persona"))

    @property
    def schema(self) -> SchemaModule:
        """What the columns of a table are."""
        return cast(SchemaModule, self.named("database.schema"))

    @property
    def seed(self) -> SeedModule:
        """The seed database."""
        return cast(SeedModule, self.named("database.seed"))

    @property
    def server(self) -> ServerModule:
        """The MCP server."""
        return cast(ServerModule, self.named("serving.server"))

    @property
    def task(self) -> TaskModule:
        """Tasks and their steps."""
        return cast(TaskModule, self.named("tasks.task"))

    @property
    def web(self) -> WebModule:
        """The server over HTTP."""
        return cast(WebModule, self.named("serving.web"))

    @property
    def agent(self) -> AgentModule:
        """What stands between an expert and the world."""
        return cast(AgentModule, self.named("making.agent"))

    @property
    def draw(self) -> DrawModule:
        """How a situation is drawn."""
        return cast(DrawModule, self.named("making.draw"))

    @property
    def language(self) -> LanguageModule:
        """What situations and experts are written in."""
        return cast(LanguageModule, self.named("making.language"))
