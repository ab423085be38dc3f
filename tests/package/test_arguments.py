"""The check of arguments: it takes what the tool's schema says, and says what is wrong else."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld import bundled
from toolworld.packages import Package

Schema = dict[str, Any]
Built = Callable[[str], Package]

LONGEST_MESSAGE = 3_000
MOST_TEXT = 10_000

each_domain = pytest.mark.parametrize("domain", ["library", *bundled.domains()])

odd_text = st.one_of(
    st.text(max_size=5),
    st.text(st.characters(categories=["Cs"]), min_size=1, max_size=2),
    st.sampled_from(["x" * MOST_TEXT, "x" * (MOST_TEXT + 1), "x" * 1_000_000, "1", "true", "null"]),
)
odd_numbers = st.one_of(
    st.integers(),
    st.floats(),
    st.sampled_from([2**53, 2**53 + 1, -(2**53), 10**15, 10**400, -(10**4000), 1e16, 0.001, 1e-7]),
)
anything = st.recursive(
    st.none() | st.booleans() | odd_numbers | odd_text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(odd_text, inner, max_size=2),
    max_leaves=4,
)
dates = st.one_of(
    st.dates().map(date.isoformat),
    st.sampled_from(
        ["2026-02-29", "2024-02-29", "2026-3-1", "20260301", "2026-03-01 ", "0000-01-01"]
    ),
    st.sampled_from(["2026-03-01T00:00:00Z", "２０２６-03-01", "2026-03-01\n", "2026-W10-1"]),
)
zones = st.sampled_from(["Z", "+00:00", "-11:30", "+14:00", "", "+1", " UTC"])
moments = st.builds(
    lambda moment, zone: f"{moment.isoformat()}{zone}",
    st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1)),
    zones,
)


TEXTS = {None: st.text(max_size=5), "date": dates, "date-time": moments}
PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-300, 300) | st.just(3.0),
    "number": st.integers(-99, 99) | st.decimals(0, 99, places=2).map(float),
    "boolean": st.booleans(),
    "null": st.none(),
}


def values_of(schema: Schema) -> st.SearchStrategy[Any]:
    """Return values around what a schema asks for: most of them fit."""
    if "anyOf" in schema:
        return st.one_of(*(values_of(arm) for arm in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from([*schema["enum"], schema["enum"][0].upper()])
    if schema["type"] == "string":
        lengths = st.sampled_from(["x" * 200, "x" * 201])
        return TEXTS[schema.get("format")] | lengths
    if schema["type"] == "array":
        return st.lists(values_of(schema["items"]), max_size=2)
    if schema["type"] == "object":
        return arguments_of(schema, odd=0)
    return PLAIN[schema["type"]]


def arguments_of(schema: Schema, odd: int = 1) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments around an object schema, at most one of them of any kind."""
    parts = {name: values_of(part) for name, part in schema["properties"].items()}
    required = {name: parts[name] for name in schema["required"]}
    rest = {name: parts[name] for name in parts if name not in required}
    fitting = st.fixed_dictionaries(required, optional=rest)
    if not odd or not parts:
        return fitting
    names = st.sampled_from([*parts, "nope"])
    return st.one_of(
        fitting,
        st.builds(lambda made, name, value: made | {name: value}, fitting, names, anything),
        st.builds(lambda made, name: {k: made[k] for k in made if k != name}, fitting, names),
    )


formats = jsonschema.FormatChecker(formats=("date",))


@formats.checks("date-time", raises=ValueError)
def is_datetime(value: object) -> bool:
    """Whether a text is a time with an offset, as RFC 3339 has them."""
    if not isinstance(value, str):
        return True
    moment = datetime.fromisoformat(value)
    return moment.tzinfo is not None and value[10:11] == "T" and value[16:17] == ":"


def oracle(schema: Schema) -> Callable[[object], bool]:
    """Return a check by jsonschema, and by what a schema cannot say in so many words."""
    validator = jsonschema.Draft202012Validator(without_bounds(schema), format_checker=formats)
    return lambda value: validator.is_valid(value) and all(within_limits(schema, value))


def without_bounds(schema: Schema) -> Schema:
    """Return a schema without the bounds of ``limit``, which the tools refuse themselves."""
    plain = {name: {**part} for name, part in schema["properties"].items()}
    for part in plain.values():
        part.pop("minimum", None), part.pop("maximum", None)
    return {**schema, "properties": plain}


def within_limits(schema: Schema, value: Any) -> Iterator[bool]:
    """Yield whether each part of a value that fits a schema is JSON, and is not too large."""
    if value is not None and "anyOf" in schema:
        # Ours are a type or null.
        said = {"description": schema.get("description", "")}
        yield from within_limits({**said, **schema["anyOf"][0]}, value)
        return
    if isinstance(value, str):
        yield not any("\ud800" <= char <= "\udfff" for char in value)
    elif isinstance(value, list):
        for item in value:
            yield from within_limits(schema["items"], item)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from within_limits(schema["properties"][name], part)
    elif schema.get("type") == "integer":
        yield abs(value) <= 2**53
    elif schema.get("type") == "number":
        yield from number_within_limits(schema, value)


def number_within_limits(schema: Schema, value: float) -> Iterator[bool]:
    if "Two decimals" in schema.get("description", ""):
        yield math.isfinite(value) and abs(value) < 10**13
        yield not math.isfinite(value) or Decimal(str(float(value))) % Decimal("0.01") == 0
    else:
        yield abs(value) <= sys.float_info.max


def check_agreement(check: Any, error: type[Exception], schema: Schema, budget: int) -> None:
    """Check that arguments are taken if and only if they fit the schema."""
    fits = oracle(schema)

    @settings(max_examples=budget)
    @given(arguments_of(schema))
    def agree(arguments: Mapping[str, Any]) -> None:
        if fits(arguments):
            check(arguments)
            return
        with pytest.raises(error) as refused:
            check(arguments)
        message = str(refused.value)
        assert "not valid" in message and len(message.encode()) < LONGEST_MESSAGE
        assert any(f"- {name}" in message for name in [*schema["properties"], "nope"])

    agree()


@each_domain
def test_tools_take_what_their_schemas_say(built: Built, domain: str) -> None:
    package = built(domain)
    error = package.module("errors").InvalidArguments
    arguments_of_tool = package.module("calls.arguments").arguments_of
    for tool in package.environment().tools:
        check = arguments_of_tool(tool["name"]).check
        check_agreement(check, error, tool["inputSchema"], budget=4)


def with_all_types(package: Package) -> Any:
    """Return the checker of a function with a parameter of each type."""

    def everything(  # noqa: D417
        db: object,
        text: Any,
        whole: Any,
        number: Any,
        amount: Any,
        yes: Any,
        day: Any,
        moment: Any,
        kind: Any,
        days: Any,
        maybe: Any = None,
    ) -> None:
        """Take one of each."""

    everything.__annotations__ = {
        "text": str, "whole": int, "number": float, "amount": package.module("values").Money,
        "yes": bool, "day": date, "moment": datetime, "kind": Literal["a", "b"],
        "days": list[date], "maybe": float | None,
    }  # fmt: skip
    return package.module("calls.arguments").Arguments(everything)


ALL_TYPES: Schema = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": MOST_TEXT},
        "whole": {"type": "integer"},
        "number": {"type": "number"},
        "amount": {"type": "number", "description": "Two decimals."},
        "yes": {"type": "boolean"},
        "day": {"type": "string", "format": "date"},
        "moment": {"type": "string", "format": "date-time"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "days": {"type": "array", "items": {"type": "string", "format": "date"}},
        "maybe": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    },
    "required": ["text", "whole", "number", "amount", "yes", "day", "moment", "kind", "days"],
    "additionalProperties": False,
}

FITTING = {
    "text": "x", "whole": 1, "number": 1.5, "amount": 1.25, "yes": True, "day": "2026-03-02",
    "moment": "2026-03-02T09:00:00+02:00", "kind": "a", "days": ["2026-03-02"], "maybe": None,
}  # fmt: skip


def test_every_type_takes_what_its_schema_says(library: Package) -> None:
    error = library.module("errors").InvalidArguments
    check_agreement(with_all_types(library).check, error, ALL_TYPES, budget=250)


def test_arguments_come_in_the_types_tools_work_with(library: Package) -> None:
    taken = with_all_types(library).check({**FITTING, "whole": 3.0, "number": 2, "maybe": -0.0})
    assert taken["whole"] == 3 and isinstance(taken["whole"], int)
    assert taken["number"] == 2.0 and isinstance(taken["number"], float)
    assert math.copysign(1, taken["maybe"]) == 1
    assert taken["amount"] == Decimal("1.25")
    assert taken["day"] == date(2026, 3, 2) and taken["days"] == [date(2026, 3, 2)]
    assert taken["moment"].isoformat() == "2026-03-02T07:00:00+00:00"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("whole", "1", "whole number"),
        ("whole", True, "whole number"),
        ("whole", 1.5, "whole number"),
        ("whole", math.nan, "whole number"),
        ("whole", math.inf, "whole number"),
        ("whole", 10**5000, "less than or equal"),
        ("whole", [1], "whole number"),
        ("number", "1.5", "number"),
        ("number", False, "number"),
        ("number", math.nan, "finite number"),
        ("number", -math.inf, "finite number"),
        ("number", 10**400, "number"),
        ("amount", "1.50", "number"),
        ("amount", 1.005, "at most two decimals"),
        ("amount", math.nan, "Input should"),
        ("amount", 10**13, "Input should"),
        ("amount", 10**5000, ""),
        ("yes", 1, "boolean"),
        ("yes", "true", "boolean"),
        ("text", 1, "string"),
        ("text", None, "string"),
        ("text", "\ud800", "string"),
        ("text", "x" * 1_000_000, "at most 10000"),
        ("day", 20260302, "date such as"),
        ("day", "02.03.2026", "date such as"),
        ("day", "2026-02-30", "date"),
        ("day", "x" * 1_000_000, "date such as"),
        ("moment", "2026-03-02T09:00:00", "date and time such as"),
        ("moment", "2026-03-02", "date and time such as"),
        ("moment", 1772442000, "date and time such as"),
        ("moment", datetime(2026, 3, 2, 9), "date and time such as"),
        ("moment", "2026-03-02T24:00:00Z", "date and time such as"),
        ("moment", "\u0662026-03-02T09:00:00Z", "date and time such as"),
        ("moment", "2026-13-02T09:00:00Z", "month"),
        ("moment", "2026-03-02T09:00:00+24:00", "offset"),
        ("moment", "9999-12-31T23:59:59-12:00", "year"),
        ("kind", "c", "'a' or 'b'"),
        ("kind", "x" * 1_000_000, "'a' or 'b'"),
        ("kind", ["a"], "'a' or 'b'"),
        ("days", "2026-03-02", "list"),
        ("days", ["2026-03-02", "x"], "days.1"),
        ("maybe", "1", "number"),
        ("nope", 1, "not permitted"),
        ("x" * 1_000_000, 1, "not permitted"),
    ],
    ids=lambda value: "huge" if isinstance(value, int) else repr(value)[:20],
)
def test_a_refusal_names_the_argument(
    library: Package, name: str, value: object, says: str
) -> None:
    with pytest.raises(library.module("errors").InvalidArguments) as refused:
        with_all_types(library).check({**FITTING, name: value})
    message = str(refused.value)
    assert f"- {name[:60]}" in message
    assert says in message and len(message.encode()) < 300


def test_a_name_that_is_no_text_is_refused(library: Package) -> None:
    with pytest.raises(library.module("errors").InvalidArguments) as refused:
        with_all_types(library).check({**FITTING, "\ud800": 1})
    assert "valid string" in str(refused.value)
    assert str(refused.value).encode()


def test_all_that_is_wrong_is_said_at_once(library: Package) -> None:
    with pytest.raises(library.module("errors").InvalidArguments) as refused:
        with_all_types(library).check({"text": 1, "nope": 2})
    message = str(refused.value)
    assert message.startswith("The arguments of everything are not valid:")
    for name in ("text", "whole", "day"):
        assert f"- {name}: " in message


@pytest.mark.parametrize("arguments", [[], [1], "text", 7, {1: 2}])
def test_arguments_that_are_no_object_are_refused(library: Package, arguments: Any) -> None:
    result = library.environment().call("find_member", arguments)
    assert result.outcome == "invalid" and result.structured == {}


@each_domain
@pytest.mark.parametrize("limit", [0, 201, -1])
def test_pages_are_of_a_sensible_size(built: Built, domain: str, limit: int) -> None:
    environment = built(domain).environment()
    before, seen = environment.digest(), 0
    for tool in environment.tools:
        schema = tool["inputSchema"]
        if "limit" in schema["properties"] and not schema["required"]:
            assert environment.call(tool["name"], {"limit": limit}).is_error
            assert not environment.call(tool["name"], {"limit": 200}).is_error
            seen += 1
    assert environment.digest() == before
    assert seen or domain == "library"
