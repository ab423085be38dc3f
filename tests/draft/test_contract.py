"""What a prompt asks for and what the schema of its answer takes are the same, field by field."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.draft.conftest import TINY, WISH
from tests.draft.scripted import Scripted
from toolworld.audit.answers import DataFinding, Findings, TaskFinding, ToolFinding
from toolworld.bundled import templates
from toolworld.draft import Brief, answers, draft, open_draft
from toolworld.draft.stages.cases import TOOLS_A_PROMPT as TOOLS_WITH_CASES
from toolworld.draft.stages.seeds import THINGS_A_PROMPT as THINGS_WITH_SEEDS
from toolworld.draft.stages.things import THINGS_A_PROMPT
from toolworld.draft.stages.words import TOOLS_A_PROMPT as TOOLS_TO_ASK_FOR
from toolworld.errors import DraftError
from toolworld.extend.answers import Scenarios
from toolworld.llm.journal import replies_of
from toolworld.llm.names import schema_of, type_names

NAMES = {
    "thing": ["Pet", "Visit"],
    "type": type_names(["VisitStatus"], ["Pet", "Visit"]),
    "result": ["Pet", "Visit", "summary"],
    "tool": ["find_pet", "book_visit"],
    "argument": ["book_visit.note"],
    "table": ["pets"],
    "task": ["task-1"],
    "role": ["customer"],
    "clause": ["1.2"],
}
PROMPTS: dict[str, type[BaseModel]] = {
    "outline": answers.Outline,
    "plan": answers.Plan,
    "tools": answers.ToolPlans,
    "things": answers.ThingPlans,
    "seeds": answers.Seeds,
    "bodies": answers.Bodies,
    "policy": answers.Policy,
    "people": answers.People,
    "asking": answers.Asking,
    "cases": answers.Cases,
    "scenarios": Scenarios,
    "audit_tools": Findings[ToolFinding],
    "audit_data": Findings[DataFinding],
    "audit_tasks": Findings[TaskFinding],
}
NO_FIELDS: dict[str, set[str]] = {
    "tools": {"summary", "_id", "_ids", "cursor", "limit"},
    "things": {"pet_id", "hard", "semantic", "exempt", "db"},
    "seeds": {"count", "date", "datetime", "math", "timedelta"},
    "bodies": {
        "get",
        "if",
        "raise",
        "add",
        "update",
        "summary",
        "date",
        "datetime",
        "math",
        "timedelta",
    },
    "people": {"pet_id"},
    "asking": {"_id"},
    "cases": {"null"},
    "scenarios": {
        "lambda",
        "done",
        "refused",
        "capped",
        "offered",
        "declined",
        "db",
        "date",
        "timedelta",
    },
    "audit_tools": {"total"},
    "audit_tasks": {"instruction"},
}
"""Words of a prompt's code and values, which stand in backticks as fields do."""
NOT_ASKED = {"audit_data": {"tool", "arguments", "expect"}}
"""What belongs to parts of an answer that its prompt does not ask for."""


@dataclass(frozen=True)
class Claim:
    """What a prompt says of a field, with values that it therefore must take, and must not."""

    prompt: str
    says: str
    kind: type[BaseModel]
    field: str
    takes: tuple[Any, ...]
    refuses: tuple[Any, ...] = ()


def many(value: Any, *counts: int) -> tuple[Any, ...]:
    return tuple([value] * count for count in counts)


ACTOR = {"name": "Guest", "wants": "A room."}
AREA = {"name": "stays", "says": "Stays.", "things": ["Pet"], "tools": ["find_pet"]}
COLUMN = {"name": "note", "type": "text", "says": "A note."}
ROW = {"thing": "Pet", "id": "PET-90001", "columns": {"born": "2026-03-02", "fee": 2.5}}
CALL = {"tool": "find_pet", "arguments": {"name": "Rex"}}
CLAIMS = [
    Claim("outline", "`actors`: one to five", answers.Outline, "actors", many(ACTOR, 1, 5),
          many(ACTOR, 0, 6)),
    Claim("outline", "3 to 14 `everyday`", answers.Outline, "everyday", many("Feed.", 3, 14),
          many("Feed.", 2, 15)),
    Claim("outline", "2 to 12 `awkward`", answers.Outline, "awkward", many("Bites.", 2, 12),
          many("Bites.", 1, 13)),
    Claim("outline", "2 to 4 capitals", answers.Thing, "prefix", ("PE", "PETS"), ("pe",)),
    Claim("outline", "`name` in CamelCase", answers.Thing, "name", ("VisitNote",), ("visit_note",)),
    Claim("plan", "2 to 12 `values`", answers.Choice, "values", many("open", 2, 12),
          many("open", 1, 13)),
    Claim("plan", "in lower_snake_case", answers.Choice, "values", (["in_transit", "open"],),
          (["In", "open"],)),
    Claim("plan", "4 to 12 each", answers.Area, "tools", many("find_pet", 4, 12)),
    Claim("plan", "3 to 40 characters", answers.Area, "tools", (["a" * 40],), (["a" * 41],)),
    Claim("tools", "at most 90 characters", answers.ToolPlan, "does", ("a" * 90,), ("a" * 91,)),
    Claim("tools", "or `list of` one of these", answers.Argument, "type",
          ("text", "money", "VisitStatus", "Pet", "list of Pet", "list of date"), ("list of Dog",)),
    Claim("tools", "`page of` a thing", answers.ToolPlan, "returns",
          ("Pet", "page of Pet", "summary"), ("text", "Dog")),
    Claim("things", "4 to 14 columns", answers.ThingPlan, "columns", many(COLUMN, 4, 14)),
    Claim("things", "`match` is `hard`; `semantic`", answers.ColumnPlan, "match",
          ("hard", "semantic", "exempt"), ("soft",)),
    Claim("things", "`unit` such as EUR", answers.ColumnPlan, "unit", ("EUR",)),
    Claim("things", "`rules` (0 to 3)", answers.ThingPlan, "rules",
          ([], [{"name": "paid", "says": "Paid.", "rule": "visit.price >= 0"}] * 3)),
    Claim("things", '`(visit.status == "done") == (visit.done_on is not None)`', answers.Rule,
          "rule", ('(visit.status == "done") == (visit.done_on is not None)',)),
    Claim("things", "12 to 80", answers.ThingPlan, "rows", (12, 80)),
    Claim("seeds", "`name` in CAPITALS and `value` as Python", answers.Constant, "name",
          ("TITLES",), ("titles",)),
    Claim("seeds", '`("open", "paid")`', answers.Constant, "value", ('("open", "paid")',)),
    Claim("bodies", "`def _name(db: Database, ...)", answers.Helper, "name", ("_name",), ("name",)),
    Claim("policy", "4 to 6, each with", answers.Policy, "sections",
          many({"title": "One", "rules": ["Be kind.", "Be brief."]}, 4, 6)),
    Claim("policy", "2 to 5 short `rules`", answers.Section, "rules", many("Be kind.", 2, 5)),
    Claim("people", "6 to 8 ways to speak", answers.People, "personas",
          many({"name": "hurried", "says": "You are in a hurry."}, 6, 8)),
    Claim("people", "every `thing` 3 `phrases`", answers.RowWords, "phrases",
          (["visit {{ visit.visit_id }}", "the visit", "Rex's visit"],)),
    Claim("asking", "2 or 3 `phrases`", answers.Requests, "phrases", many("Find Rex.", 2, 3)),
    Claim("asking", "6 to 8 `texts`", answers.Sayings, "texts", many("It limps.", 6, 8)),
    Claim("cases", "`columns` as a JSON object or the text of one", answers.Row, "columns",
          (ROW["columns"], '{"born": "2026-03-02"}', {}), ([], 3)),
    Claim("cases", "the columns `null`", answers.Row, "columns", (None, "null")),
    Claim("cases", "`arguments` as a JSON object or the text", answers.Call, "arguments",
          (CALL["arguments"], '{"name": "Rex"}', {}), (None, [], 3)),
    Claim("cases", "calls `before`", answers.Case, "before", ([], [CALL])),
    Claim("cases", "`rows` put over the data", answers.Case, "rows", ([], [ROW])),
    Claim("cases", "every row that is changed", answers.Case, "changed", ([], [ROW])),
    Claim("cases", "part of the refusal's message", answers.Case, "rejected", ("", "too late")),
    Claim("audit_tools", "`arguments` as a JSON object or the text",
          ToolFinding, "calls", ([{**CALL, "expect": "ok"}],)),
    Claim("audit_tools", "equal, differ, contain, lack, at least, at most", ToolFinding, "rows",
          tuple([{"table": "pets", "id": "PET-00001", "must": must, "value": "null"}]
                for must in ("equal", "differ", "contain", "lack", "at least", "at most"))),
    Claim("audit_tools", "`severity`: high if", ToolFinding, "severity", ("high", "medium", "low")),
]  # fmt: skip


def source(prompt: str) -> str:
    return (templates() / "prompts" / f"{prompt}.md.jinja").read_text("utf-8")


def named(prompt: str) -> set[str]:
    """Return what stands in backticks in a prompt and could be a field."""
    return set(re.findall(r"`([a-z_]+)`", source(prompt)))


def fields(kind: type[BaseModel]) -> tuple[set[str], set[str]]:
    """Return all fields of an answer and its parts, and those that must be there."""
    schema = schema_of(kind, NAMES)
    parts = [schema, *schema["$defs"].values()]
    every = {name for part in parts for name in part.get("properties", ())}
    return every, {name for part in parts for name in part.get("required", ())}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_names_every_field_that_must_be_there_and_none_that_is_not(prompt: str) -> None:
    every, needed = fields(PROMPTS[prompt])
    said, words = named(prompt), NO_FIELDS.get(prompt, set())
    assert needed - said == NOT_ASKED.get(prompt, set())
    assert said - every - words == set()
    assert words - said == set(), "no word of the prompt any more"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: f"{one.prompt}: {one.says[:30]}")
def test_a_schema_takes_what_its_prompt_says_and_nothing_else(claim: Claim) -> None:
    assert claim.says in source(claim.prompt)
    schema = schema_of(claim.kind, NAMES)
    checker = jsonschema.Draft202012Validator(
        {"$defs": schema.get("$defs", {}), **schema["properties"][claim.field]}
    )
    info = claim.kind.model_fields[claim.field]
    field: Any = Annotated[info.annotation, info]
    adapter = TypeAdapter[Any](field)
    for value in claim.takes:
        checker.validate(value)
        adapter.validate_python(value, context=NAMES)
    for value in claim.refuses:
        with pytest.raises(ValidationError):
            adapter.validate_python(value, context=NAMES)
        assert not checker.is_valid(value)


def most(kind: type[BaseModel], field: str) -> int:
    """Return how many entries a list of an answer may have."""
    return int(schema_of(kind, NAMES)["properties"][field]["maxItems"])


def test_a_list_takes_as_many_entries_as_a_prompt_asks_for() -> None:
    assert most(answers.ThingPlans, "things") >= THINGS_A_PROMPT
    assert most(answers.Seeds, "seeds") >= THINGS_WITH_SEEDS
    assert most(answers.Asking, "tools") >= TOOLS_TO_ASK_FOR
    arguments = most(answers.ToolPlan, "arguments")
    assert most(answers.Asking, "values") >= TOOLS_TO_ASK_FOR * arguments
    assert most(answers.Cases, "tools") >= TOOLS_WITH_CASES


def test_of_what_there_is_none_nothing_is_asked() -> None:
    schema = schema_of(answers.Asking, {**NAMES, "argument": []})
    assert "values" not in schema["properties"]
    assert "Sayings" not in schema["$defs"]
    for kind in PROMPTS.values():
        for missing in NAMES:
            text = str(schema_of(kind, {**NAMES, missing: []}))
            assert "'enum': []" not in text
            assert "()$" not in text


@pytest.mark.parametrize("tools", [4, 13, 14, 50, 108, 120])
def test_a_plan_can_have_as_many_areas_and_tools_as_it_is_asked_for(
    tmp_path: Path, tools: int
) -> None:
    things = [{"name": f"Thing{letter}", "table": f"things_{letter.lower()}",
               "prefix": f"TH{letter}", "says": "A thing."}
              for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]  # fmt: skip
    outline = json.loads(replies_of(TINY)["outline.1"].text)
    outline["things"] = things[: 3 if tools < 20 else 20 if tools > 80 else 14]
    brief = Brief(WISH, tools)
    open_draft(tmp_path / "draft", brief, resume=False)
    backend = Scripted({"outline.1": json.dumps(outline)})
    with pytest.raises(DraftError, match=r"Nobody answers plan\.1"):
        draft(tmp_path / "draft", brief, backend)
    plan = backend.asked[-1]
    found = re.search(r"`areas`: (\d+) parts", plan.text)
    asked = int(found[1]) if found else 1
    areas = plan.schema["properties"]["areas"]
    assert areas["minItems"] <= asked <= areas["maxItems"]
    assert plan.schema["$defs"]["Area"]["properties"]["tools"]["maxItems"] * asked >= tools
