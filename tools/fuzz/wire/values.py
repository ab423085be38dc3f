"""Values that nobody sends, and JSON text that the standard library would not write."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

Json = Any
Place = tuple[Any, Any]

RAW = {
    "surrogate": '"\\ud800"',
    "pair_turned": '"\\udc00\\ud800"',
    "nul": '"\\u0000"',
    "digits": "9" * 5_000,
    "fraction": "0." + "1" * 5_000,
    "huge": "1e999",
    "tiny": "-1e-999",
    "exponent": "1e" + "9" * 400,
    "minus_nought": "-0",
    "nan": "NaN",
    "infinity": "-Infinity",
    "twice": '{"a": 1, "a": 2}',
    "id_twice": '{"jsonrpc": "2.0", "id": 1, "id": {}, "method": "ping"}',
    "deep": "[" * 150 + "]" * 150,
    "deeper": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "deepest": "[" * 40_000 + "]" * 40_000,
    "open": "[" * 3_000,
    "long": '"' + "x" * 200_000 + '"',
    "wide": "[" + ",".join("0" * 20_000) + "]",
    "escape": '"\\x"',
    "comment": "/* no */ 1",
    "leading": "007",
    "bare": "undefined",
}
"""Raw texts that are put into a message as they are, by name."""
PLACED = re.compile(r'"@raw:(\w+)@"')
ODD: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1.0, -0.0, 2**31, 2**53, 2**63, 2**64, -(2**70), 1e308,
    "", " ", "0", "1", "null", "\x00", "\u2028", "\ufeff", "é́", "x" * 300, "\U0001f600",
    [], {}, [[]], [None], [{}], {"": None}, {"a": {"b": [1]}}, {"$ref": "#"}, {"__class__": 1},
    {"jsonrpc": "2.0", "method": "ping", "id": 1}, "../../etc/passwd", "{0.__class__}", "%n",
    *(f"@raw:{name}@" for name in RAW),
)  # fmt: skip
NAMES = ("", "id", "_meta", "params", "method", "__proto__", "self", "cls", "x", "ID", "@raw:nul@")


def odd(rng: random.Random) -> Json:
    """Return a value that nobody sends."""
    return copy.deepcopy(rng.choice(ODD if rng.random() < 0.5 else ODD[: -len(RAW)]))


def written(message: Json) -> str:
    """Return a message as JSON text, with each placeholder replaced by its raw text."""
    return PLACED.sub(lambda found: RAW[found[1]], json.dumps(message))


def places(value: Json) -> Iterator[Place]:
    """Yield every place in a value: its container, and its name or number there."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    else:
        return
    for name, part in pairs:
        yield value, name
        yield from places(part)


def mutate(message: dict[str, Json], rng: random.Random) -> None:
    """Change a message in one to three places."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = list(places(message))
        if found:
            _change(*rng.choice(found), rng)


def _change(holder: Any, name: Any, rng: random.Random) -> None:
    """Change one place: remove, replace, wrap or rename it, or add something beside it."""
    chosen = rng.randrange(7)
    if chosen == 0:
        del holder[name]
    elif chosen == 1:
        holder[name] = rng.choice(([holder[name]], {"value": holder[name]}, [holder[name]] * 2))
    elif chosen == 2 and isinstance(holder, dict):
        holder[_renamed(str(name), rng)] = holder.pop(name)
    elif chosen == 3 and isinstance(holder, dict):
        holder[rng.choice(NAMES)] = odd(rng)
    elif chosen == 4:
        holder[name] = json.dumps(holder[name])
    else:
        holder[name] = odd(rng)


def _renamed(name: str, rng: random.Random) -> str:
    return rng.choice((name.upper(), name + "s", name[:-1], f" {name}", name + "\x00"))
