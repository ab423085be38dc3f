"""An episode on this package's database: call tools, look at the state, grade, reset.

It does not import ``mcp``: a trainer can use it in process, beside any version of ``mcp``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json

from . import tools as tool_functions
from .calls.arguments import arguments_of
from .calls.definitions import ToolDefinition, definitions
from .calls.results import ToolResult, as_values
from .calls.trace import MOST_EVENTS, Trace, TraceEvent
from .database.base import Base
from .database.invariants import INVARIANTS
from .database.models import SCHEMAS, Database
from .database.schema import in_key_order
from .database.seed import default_base
from .database.store import Snapshot, Written
from .database.table import ABSENT
from .errors import BadTask, InvalidArguments, Rejected, UnknownTool
from .person.conversation import Conversation
from .person.persona import Person
from .person.turn import Reply
from .policy.judging import judge
from .tasks.grading import Grade, GradePart, grade
from .tasks.openings import open_at
from .tasks.patches import as_json, change_of, change_row, with_change
from .tasks.progress import Progress, started, wrote_since_reply
from .tasks.task import Change, Task, WorldChange, as_task

NEEDS_TALK = (
    "The task needs a conversation: the person holds something back or must say yes. Tell each "
    "message of the agent with say."
)

SEED_STRIDE = 7919
SEED_SPAN = 90_000


class EnvironmentSnapshot(NamedTuple):
    """An environment at one moment: its state, and the task it is graded by."""

    state: Snapshot
    start: Snapshot
    opening: Snapshot
    task: Task | None
    seed: int
    progress: Progress | None

    @classmethod
    def beginning(cls, task: Task, state: Snapshot) -> EnvironmentSnapshot:
        """Return the start of a task from a state that already holds its patch."""
        return cls(state, state, state, task, 0, started(task))


class Environment:
    """One episode of this package's world.

    Episodes of a process share one immutable database and never see each other's changes.

    Attributes:
        bound: A context manager that each tool runs in, such as a ``TimeBound``; None for none.
    """

    def __init__(
        self,
        task: Task | Mapping[str, object] | str | None = None,
        seed: int = 0,
        base: Base | None = None,
    ) -> None:
        """Open an episode.

        Args:
            task: The task to start from, or its id; None for the plain seed database.
            seed: Varies the keys that new rows get, and nothing else.
            base: The database to start from; None for the package's own.

        Raises:
            UnknownTask: No task has that id.
            BadTask: The task does not fit the database.
        """
        self._base = base if base is not None else default_base()
        self.bound: AbstractContextManager[None] | None = None
        self._open(as_task(task), seed)

    def _open(self, task: Task | None, seed: int) -> None:
        tools = available(task)
        database = Database(self._base, INVARIANTS, first_number(seed))
        start = database.snapshot() if task is None else open_at(database, task)
        # Nothing below can fail: an episode is never left half open.
        self._task, self._seed = task, seed
        self._tools, self._database = tools, database
        self._start = self._opening = start
        self._progress = started(task)
        self._conversation: Conversation | None = None

    @property
    def task(self) -> Task | None:
        """The task this episode is graded by."""
        return self._task

    @property
    def tools(self) -> list[ToolDefinition]:
        """The definitions of the episode's tools, as MCP lists them; fresh copies."""
        listed = [one for name, one in definitions().items() if name in self._tools]
        return from_json(to_json(listed))  # type: ignore[no-any-return]

    @property
    def trace(self) -> Trace:
        """What happened since the start; empty without a task."""
        return self._progress.trace if self._progress is not None else Trace()

    def call(self, name: str, arguments: Mapping[str, object] | None = None) -> ToolResult:
        """Call a tool, in a transaction: unless the outcome is ok, nothing is changed.

        Raises:
            UnknownTool: The environment has no such tool.
            IntegrityError: The tool would break the database. Like any other error of a tool,
                it is a defect; the state is as it was before the call.
        """
        # As text: a trainer passes on whatever a model wrote.
        function = self._tools.get(str(name))
        if function is None:
            raise UnknownTool(f'There is no tool "{name!s:.80}".')
        database = self._database
        given = arguments if arguments is not None else {}
        writes: tuple[Written, ...] = ()
        try:
            checked = arguments_of(name).check(given)
            if self.bound is None:
                text = to_json(function(database, **checked)).decode()
            else:
                with self.bound:
                    text = to_json(function(database, **checked)).decode()
            if self._progress is not None:
                writes = database.written()
            database.commit()
            result = ToolResult("ok", text)
        except InvalidArguments as error:
            result = ToolResult("invalid", str(error))
        except Rejected as error:
            database.rollback()
            result = ToolResult("rejected", str(error), error.code, as_values(error))
        except BaseException:
            database.rollback()
            raise
        if self._progress is not None:
            self._note_call(self._progress, name, given, result, writes)
        return result

    def _note_call(
        self,
        progress: Progress,
        name: str,
        arguments: Mapping[str, object],
        result: ToolResult,
        writes: tuple[Written, ...],
    ) -> None:
        event = TraceEvent(
            "call", result.text, name, dict(arguments), result.outcome, result.code,
            result.values, writes,
        )  # fmt: skip
        changed = progress.changed + bool(writes)
        trace = progress.trace.added(event)
        self._progress = Progress(trace, progress.person, changed, progress.left)
        if progress.left and writes:
            self._change_world(lambda change: 0 < change.after_writes <= changed)

    def say(self, text: str) -> Reply:
        """Tell the person something, and return the reply.

        Raises:
            BadTask: The episode has no task with a person to talk to.
        """
        progress, task = self._progress, self._task
        if progress is None or task is None or task.person is None:
            raise BadTask("There is nobody to talk to: open the episode at a task with a person.")
        conversation, trace = self._talk(task, task.person), progress.trace
        conversation.state = progress.person
        reply = conversation.say(text, wrote_since_reply(trace))
        trace = trace.added(TraceEvent("message", text, acts=conversation.understood(text)))
        trace = trace.added(TraceEvent("reply", reply.text, acts=reply.acts))
        self._progress = Progress(trace, conversation.state, progress.changed, progress.left)
        if progress.left:
            kinds = {act.kind for act in reply.acts}
            self._change_world(lambda change: change.after_act in kinds)
        return reply

    def _talk(self, task: Task, person: Person) -> Conversation:
        if self._conversation is None:
            self._conversation = Conversation(person, task.outcome, self._database.today())
        return self._conversation

    def _change_world(self, happens: Callable[[WorldChange], bool]) -> None:
        """Make the due changes of the world; the diff does not count them as the agent's."""
        progress = self._progress
        if progress is None:
            return
        due = [change for change in progress.left if happens(change)]
        for change in due:
            change_row(self._database, change)
        self._database.commit()
        for change in due:
            self._start = with_change(self._start, self._database, change)
        left = tuple(change for change in progress.left if change not in due)
        self._progress = progress._replace(left=left)

    def reset(
        self, task: Task | Mapping[str, object] | str | None = None, seed: int | None = None
    ) -> None:
        """Go back to the start, or to the start of another task or seed.

        Args:
            task: The task to go on with; None to stay with the present one.
            seed: The seed to go on with; None to stay with the present one.

        Raises:
            UnknownTask: No task has that id; nothing is changed.
            BadTask: The task does not fit the database; nothing is changed.
        """
        if task is None and seed is None:
            self._start = self._opening
            self._database.restore(self._start)
            self._progress = started(self._task)
        else:
            wanted = self._task if task is None else as_task(task)
            self._open(wanted, self._seed if seed is None else seed)

    def state(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return every row as JSON values, by table and key."""
        return {
            name: {getattr(row, table.schema.key): as_json(row) for row in table.all()}
            for name, table in self._database.tables.items()
        }

    def digest(self) -> str:
        """Return the state's digest; equal states have equal ones."""
        return self._database.digest()

    def diff(self) -> list[Change]:
        """Return the rows that differ from the start, in table and key order."""
        found: list[Change] = []
        for name, table in self._database.tables.items():
            if not table.changes and name not in self._start.changes:
                continue
            start = self._start.changes.get(name, {})
            # A row that nothing wrote is the same object; most rows of a patch stay unwritten.
            keys = [key for key, row in table.changes.items() if start.get(key, ABSENT) is not row]
            keys += start.keys() - table.changes.keys()
            changes = [change_of(table, key, start) for key in sorted(keys, key=in_key_order)]
            found += [change for change in changes if change is not None]
        return found

    def snapshot(self) -> EnvironmentSnapshot:
        """Return the present state of the episode, for ``restore``."""
        state, start = self._database.snapshot(), (self._start, self._opening)
        return EnvironmentSnapshot(state, *start, self._task, self._seed, self._progress)

    def restore(self, snapshot: EnvironmentSnapshot) -> None:
        """Restore a snapshot of this environment or of one forked from it."""
        if snapshot.task is not self._task:
            self._tools = available(snapshot.task)
            self._conversation = None
        self._task, self._seed = snapshot.task, snapshot.seed
        self._start, self._opening = snapshot.start, snapshot.opening
        self._progress = snapshot.progress
        self._database.first_number = first_number(snapshot.seed)
        self._database.restore(snapshot.state)

    def fork(self) -> Environment:
        """Return an independent episode that goes on from this one's present moment."""
        other = Environment(base=self._base)
        other.restore(self.snapshot())
        return other

    def grade(self, answer: str | None = None) -> Grade:
        """Return the grade of the episode by its task's goal.

        Args:
            answer: The agent's final answer to the person.

        Raises:
            BadTask: The episode has no task.
        """
        if self._task is None:
            raise BadTask("This episode has no task to grade it by. Open it with one.")
        messages = [event.text for event in self.trace if event.kind == "message"]
        conduct = self._conduct(self._task, answer, talked=bool(messages))
        messages += [answer] if answer else []
        return grade(self._task.goal, self.diff(), messages, conduct, SCHEMAS)

    def _conduct(self, task: Task, answer: str | None, *, talked: bool) -> GradePart:
        if self.trace.is_full:
            return GradePart.of([f"More than {MOST_EVENTS} things happened."])
        if task.conversation and not talked:
            return GradePart.of([NEEDS_TALK])
        trace = self.trace
        if talked and answer and task.person is not None:
            acts = self._talk(task, task.person).understood(answer)
            trace = trace.added(TraceEvent("message", answer, acts=acts))
        broken, unseen = judge(task, trace, self._database)
        return GradePart.of(
            (
                f"Clause {clause.number} is broken {where}: {clause.text}"
                for clause, where in broken
            ),
            unseen,
        )


def available(task: Task | None) -> dict[str, Callable[..., Any]]:
    """Return the functions of the tools a task allows.

    Raises:
        BadTask: The task names a tool that does not exist.
    """
    known = definitions()
    names = known if task is None or not task.tools else task.tools
    if task is not None and (unknown := sorted(name for name in names if name not in known)):
        raise BadTask(f'Task "{task.id}" allows tools that do not exist: {unknown}.')
    return {name: getattr(tool_functions, name) for name in names}


def first_number(seed: int) -> int:
    """Return how many key numbers a seed skips; none for seed 0."""
    return seed * SEED_STRIDE % SEED_SPAN
