"""What each kind of module of a domain may name, beyond what every module may.

A module's services are parameters with a fixed name and type, such as ``db: Database``: they are
passed on to functions of the module, and nothing else is done with them but what is listed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolworld.spec.methods import FAKE_METHODS

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Service:
    """A parameter that code works through.

    Attributes:
        type: The name of its type.
        methods: What may be called on it; None for anything that is checked elsewhere.
        attributes: What may be read of it; None for anything that is checked elsewhere.
    """

    type: str
    methods: frozenset[str] | None = NONE
    attributes: frozenset[str] | None = NONE


@dataclass(frozen=True)
class Dialect:
    """What code of one kind of module may use.

    Attributes:
        services: The parameters that stand for something, by name.
        functions: Functions beyond those of every module.
        methods: Methods of values beyond those of every module.
        attributes: Attributes of values beyond columns and fields.
        nested_constants: Whether lists may stand inside constants.
        rejects: Whether ``Rejected`` may be raised.
    """

    services: Mapping[str, Service]
    functions: frozenset[str] = NONE
    methods: frozenset[str] = NONE
    attributes: frozenset[str] = NONE
    nested_constants: bool = False
    rejects: bool = field(default=True)

    @property
    def types(self) -> dict[str, str]:
        """The type of each service."""
        return {name: service.type for name, service in self.services.items()}


DATABASE = {"db": Service("Database")}
TOOLS = Dialect(DATABASE)
SEED = Dialect(
    {**DATABASE, "fake": Service("Fake", frozenset(FAKE_METHODS))}, nested_constants=True
)
EVENT_METHODS = frozenset({"argument", "repeats", "does", "names", "values", "texts"})
EVENT_ATTRIBUTES = frozenset({
    "is_call", "is_message", "tool", "ok", "code", "changes", "result", "role",
})  # fmt: skip
PAST_METHODS = frozenset({
    "called", "saw", "read", "unseen", "counted_from", "said", "said_in_words", "may", "agreed",
    "yes_to", "agreed_in_words", "agreed_so_far", "done_since_yes", "refused",
})  # fmt: skip
CONDUCT = Dialect(
    {
        **DATABASE,
        "past": Service(
            "Past",
            PAST_METHODS,
            frozenset({"role", "told", "calls", "messages", "replies"}),
        ),
        "event": Service("Event", EVENT_METHODS, EVENT_ATTRIBUTES),
    },
    methods=EVENT_METHODS,
    attributes=EVENT_ATTRIBUTES | {"table", "key", "before", "after"},
    rejects=False,
)
TALK = frozenset({
    "agreed", "yes_to", "agreed_in_words", "agreed_so_far", "done_since_yes", "refused", "messages",
    "replies", "told", "said", "unseen", "is_message", "does", "names", "values", "texts",
})  # fmt: skip
"""What a predicate of conduct reads when it looks at messages, not only at calls."""
SCENARIOS = Dialect(
    {
        **DATABASE,
        "draw": Service(
            "Draw",
            frozenset({
                "one", "some", "chance", "integer", "need", "row", "name", "call", "later", "turn",
            }),
        ),
        "agent": Service("Agent", None, frozenset({"attempt"})),
        "given": Service("Given", NONE, None),
    },
    functions=frozenset({"facts", "told", "only", "maybe", "fits", "outcome"}),
    methods=frozenset({"rejected"}),
    attributes=frozenset({"values", "code", "result"}),
    rejects=False,
)  # fmt: skip
AGENT_TALK = frozenset({"knows", "ask", "tell", "agreed", "offer"})
"""What an expert does with its agent, besides calling tools."""
