"""The methods and attributes of plain values that tool code may use, with result shapes.

This table is the allow-list: an attribute that is no table, column or field and is not named
here is refused wherever it stands.
"""

from __future__ import annotations

from toolworld.spec.shapes import (
    ANY,
    BOOLEAN,
    DATE,
    DATETIME,
    INTEGER,
    MONEY,
    NONE,
    NUMBER,
    TEXT,
    Shape,
    list_of,
)

SELF = Shape("self")
ELEMENT = Shape("element")
VALUE = Shape("value")
TEXTS = list_of(TEXT)

_TEXT = {
    **dict.fromkeys(
        (
            "lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize", "casefold",
            "join", "replace", "removeprefix", "removesuffix", "swapcase",
        ),
        TEXT,
    ),
    **dict.fromkeys(("split", "rsplit", "splitlines", "partition", "rpartition"), TEXTS),
    **dict.fromkeys(
        (
            "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isdecimal", "isnumeric",
            "isupper", "islower", "isspace", "istitle", "isascii", "isprintable",
        ),
        BOOLEAN,
    ),
    **dict.fromkeys(("count", "find", "rfind", "index"), INTEGER),
}  # fmt: skip
_LIST = {
    **dict.fromkeys(("append", "extend", "insert", "remove", "clear", "sort", "reverse"), NONE),
    **dict.fromkeys(("index", "count"), INTEGER),
    "pop": ELEMENT,
}
_PAIR = {"index": INTEGER, "count": INTEGER}
_SET = {
    **dict.fromkeys(
        ("add", "discard", "remove", "clear", "update", "difference_update", "intersection_update"),
        NONE,
    ),
    **dict.fromkeys(("union", "intersection", "difference", "symmetric_difference"), SELF),
    **dict.fromkeys(("issubset", "issuperset", "isdisjoint"), BOOLEAN),
}
_DICT = {
    **dict.fromkeys(("update", "clear"), NONE),
    "get": VALUE,
    "setdefault": VALUE,
    "pop": VALUE,
    "keys": Shape("keys"),
    "values": Shape("values"),
    "items": Shape("items"),
}
_TIME_PARTS = ("hour", "minute", "second", "microsecond")
_DAY = {
    **dict.fromkeys(("year", "month", "day"), INTEGER),
    **dict.fromkeys(("weekday", "isoweekday", "toordinal"), INTEGER),
    **dict.fromkeys(("isoformat", "strftime"), TEXT),
    "replace": SELF,
}
_MOMENT = {
    **_DAY,
    **dict.fromkeys(_TIME_PARTS, INTEGER),
    "date": DATE,
    "timetz": ANY,
    "tzinfo": ANY,
}
_DURATION = {"days": INTEGER, "seconds": INTEGER, "microseconds": INTEGER, "total_seconds": NUMBER}
_MONEY = {
    "is_signed": BOOLEAN,
    "is_zero": BOOLEAN,
    "copy_abs": MONEY,
    "quantize": MONEY,
    "max": MONEY,
    "min": MONEY,
}
_PAGE = {"items": Shape("page-items"), "next_cursor": TEXT.or_none(), "total": INTEGER}

METHODS: dict[str, dict[str, Shape]] = {
    "text": _TEXT,
    "enum": _TEXT,
    "list": _LIST,
    "pair": _PAIR,
    "set": _SET,
    "dict": _DICT,
    "iterator": {},
    "date": _DAY,
    "datetime": _MOMENT,
    "timedelta": _DURATION,
    "money": _MONEY,
    "integer": {},
    "number": {"is_integer": BOOLEAN},
    "boolean": {},
    "page": _PAGE,
}
PROPERTIES = {
    "year", "month", "day", *_TIME_PARTS, "tzinfo", "days", "seconds", "microseconds",
    "items", "next_cursor", "total",
}  # fmt: skip
MUTATORS = {
    "append", "extend", "insert", "remove", "clear", "sort", "reverse", "pop", "add", "discard",
    "update", "difference_update", "intersection_update", "setdefault",
}  # fmt: skip

FAKE_METHODS: dict[str, Shape] = {
    "pick": ELEMENT,
    "picks": Shape("list-of-element"),
    "weighted": ELEMENT,
    "chance": BOOLEAN,
    "integer": INTEGER,
    "number": NUMBER,
    "money": MONEY,
    "moment": DATETIME,
    "day": DATE,
    **dict.fromkeys(
        (
            "first_name", "last_name", "name", "street_address", "city", "state_abbr", "postcode",
            "country_code", "phone_number", "company", "job", "word", "sentence", "paragraph",
            "user_name", "ean13", "license_plate", "iban", "color_name",
        ),
        TEXT,
    ),
}  # fmt: skip
READ_METHODS = {"get", "find", "where", "alike", "all"}
WRITE_METHODS = {"add", "update", "remove"}
TABLE_METHODS = READ_METHODS | WRITE_METHODS
CLASS_METHODS = {"date": {"fromisoformat"}, "datetime": {"fromisoformat", "combine"}}
MATH = {
    **dict.fromkeys(("floor", "ceil", "trunc", "gcd"), INTEGER),
    **dict.fromkeys(
        (
            "sqrt", "fabs", "hypot", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
            "radians", "degrees", "log", "log2", "log10", "fmod",
        ),
        NUMBER,
    ),
    "isclose": BOOLEAN,
    "pi": NUMBER,
}  # fmt: skip
ALWAYS_ATTRIBUTES = frozenset(name for methods in METHODS.values() for name in methods) | frozenset(
    CLASS_METHODS["datetime"]
)
