"""A model writes scenarios for the starter's domain: what makes sound tasks is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from toolworld.bundled import start_domain
from toolworld.cli import app
from toolworld.errors import ModelError, SpecError, ToolworldError
from toolworld.extend import ExtendOrder, ExtendReport, extend
from toolworld.extend.answers import HelperAnswer, ScenarioAnswer
from toolworld.extend.drafting import AreaDraft
from toolworld.llm import ModelReply, Prompt
from toolworld.spec import load_spec

SITUATION = '''
def cheapest_kind(db: Database, draw: Draw) -> Facts:
    """Somebody wants the cheapest bike of a kind; on some days none is free."""
    kind = draw.row("bikes").kind
    bikes = db.bikes.where(kind=kind)
    if draw.chance({share}):
        for bike in bikes:
            db.bikes.update(bike.bike_id, in_repair=True)
    for bike in bikes:
        draw.turn(bike, in_repair=not bike.in_repair)
    return facts(
        _me(draw.row("customers")), kind=kind, days=draw.integer(2, 6), agrees=draw.chance(0.7)
    )
'''
EXPERT = """
def solve_cheapest_kind(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("kind", "days")
    bikes = agent.list_bikes(given.kind)
    if len(bikes) == 0:
        return outcome("kind_gone", free=agent.get_shop_day().bikes_free)
    bike = _cheapest(bikes)
    quote = agent.quote_rental(bike.bike_id, given.days)
    if not agent.agreed(price=quote.price):
        return outcome("left_there", model=bike.model, price=quote.price)
    agent.rent_bike(customer.customer_id, bike.bike_id, given.days)
    return outcome("cheapest_rented", model=bike.model, price=quote.price)
"""
CHEAPEST = """
def _cheapest(bikes: list[Bike]) -> Bike:
    return min(bikes, key=lambda one: (one.day_rate, one.bike_id))
"""
HOSTILE = "    import os\n    os.getcwd()\n"
OPENINGS = (
    "hi, {{ email }} here. the cheapest {{ kind }} bike for {{ days }} days please, what is it?",
    "Good morning, {{ name }}. Which is your cheapest {{ kind }} bike, and what does it cost?",
    "I need a bike for {{ days }} days, a {{ kind }} one, as cheap as can be. How much is it?",
)


BOTH = {"tells": ["model", "price"], "clause": "2.2"}
OUTCOMES = (
    {"name": "cheapest_rented", "kind": "done", "reply": "The {{ model }}: {{ price }}.", **BOTH},
    {"name": "left_there", "kind": "declined", "reply": "The {{ model }} is {{ price }}.", **BOTH},
    {
        "name": "kind_gone",
        "kind": "refused",
        "clause": "2.3",
        "tells": ["free"],
        "reply": "I am sorry, none is free; {{ free }} of the others are.",
        "question": {"text": "How many others are free?", "asks": ["free"]},
    },
)
FACTS = (
    {"fact": "kind", "gives": "A {{ kind }} bike.", "topics": ["kind", "type"]},
    {"fact": "days", "gives": "For {{ days }} days.", "topics": ["days", "how long", "long"]},
)


def scenario(share: float) -> dict[str, Any]:
    """Return a scenario whose kind of bike is gone in a share of the draws."""
    return {
        "name": "cheapest_kind",
        "role": "customer",
        "situation": SITUATION.format(share=share),
        "expert": EXPERT,
        "outcomes": OUTCOMES,
        "openings": [{"text": text, "asks": ["price"]} for text in OPENINGS],
        "facts": FACTS,
    }


def hostile() -> dict[str, Any]:
    situation = SITUATION.format(share=0.3).replace("cheapest_kind", "look_about")
    return scenario(0.3) | {
        "name": "look_about",
        "situation": situation.replace("    bikes =", f"{HOSTILE}    bikes ="),
        "expert": EXPERT.replace("cheapest_kind", "look_about"),
    }


class Rounds:
    """Gives the same answer to every area, another one at each round."""

    name = "rounds"

    def __init__(self, *answers: Sequence[dict[str, Any]]) -> None:
        self.answers = [{"helpers": HELPERS, "scenarios": list(one)} for one in answers]
        self.asked: list[Prompt] = []
        self.findings: list[Sequence[str]] = []

    async def answer(self, prompt: Prompt) -> ModelReply:
        self.asked.append(prompt)
        number = int(prompt.id.rpartition(".")[2])
        if number > len(self.answers):
            raise ModelError("That is all.")
        return ModelReply.to(prompt, json.dumps(self.answers[number - 1]))

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        self.findings.append(findings)


HELPERS = [{"name": "_cheapest", "code": CHEAPEST}]
ONE = ExtendOrder(areas=1)


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extend") / "bikes"
    start_domain("bikes", folder)
    return folder


@pytest.fixture(scope="module")
def model() -> Rounds:
    return Rounds([scenario(0.0), hostile()], [scenario(0.3), hostile()], [hostile()])


@pytest.fixture(scope="module")
def report(bikes: Path, model: Rounds) -> ExtendReport:
    return extend(bikes, bikes.parent / "out", model, ONE)


def test_what_makes_sound_tasks_is_kept(bikes: Path, report: ExtendReport) -> None:
    [area] = report.content["areas"].values()
    assert area["passed"] == ["cheapest_kind"]
    assert report.content["passed_by_round"] == {"2": 1}
    assert not report.failed
    before, after = load_spec(bikes), load_spec(bikes.parent / "out" / "domain")
    assert {one.name for one in after.scenarios} - {one.name for one in before.scenarios} == {
        "cheapest_kind"
    }


def test_what_is_wrong_goes_back(report: ExtendReport, model: Rounds) -> None:
    first, second, third = model.findings
    told = " ".join(first)
    assert "`len(bikes) == 0` is true" in told, "a branch that is never taken"
    assert "look_about" in told
    assert "import" in told
    assert not any("cheapest_kind" in text for text in (*second, *third))
    assert "Accepted already, not asked for again: cheapest_kind" in model.asked[2].text


def test_what_does_not_pass_is_named(report: ExtendReport) -> None:
    [area] = report.content["areas"].values()
    assert [*area["dropped"]] == ["look_about"]


class Alike(Rounds):
    """Answers every area with the same helper, and with scenarios of other names but for one."""

    async def answer(self, prompt: Prompt) -> ModelReply:
        await super().answer(prompt)
        area = len({one.id.rpartition(".")[0] for one in self.asked})
        one = scenario(0.3)
        other = json.loads(json.dumps(one).replace("cheapest_kind", f"cheapest_{area}"))
        return ModelReply.to(prompt, json.dumps({"helpers": HELPERS, "scenarios": [one, other]}))


def test_areas_that_use_the_same_names_go_together(bikes: Path, tmp_path: Path) -> None:
    found = extend(bikes, tmp_path / "out", Alike([scenario(0.3)]), ExtendOrder(areas=2))
    first, second = found.content["areas"].values()
    assert first["passed"] == ["cheapest_kind", "cheapest_1"]
    assert second["passed"] == ["cheapest_2"]
    assert second["dropped"] == {"cheapest_kind": ["another area has a scenario of that name."]}
    code = "".join(one.code for one in load_spec(tmp_path / "out" / "domain").scenario_files)
    assert "def _cheapest(" in code
    assert "def _cheapest_2(" in code


def test_a_run_goes_on_with_its_answers(bikes: Path, report: ExtendReport) -> None:
    silent = Rounds()
    again = extend(bikes, bikes.parent / "out", silent, ExtendOrder(areas=1, resume=True))
    assert (again.content["areas"], silent.asked) == (report.content["areas"], [])


def test_a_domain_without_clauses_is_told(bikes: Path, tmp_path: Path) -> None:
    start_domain("plain", tmp_path / "plain")
    for name in ("scenarios/rentals.py", "scenarios/rentals.yaml", "conduct.py", "laws.py"):
        (tmp_path / "plain" / name).unlink()
    (tmp_path / "plain" / "scenarios").rmdir()
    (tmp_path / "plain" / "policy.md").write_text(f"{'Rent bikes out. ' * 20}\n", "utf-8")
    with pytest.raises(ToolworldError, match="no numbered clauses"):
        extend(tmp_path / "plain", tmp_path / "out", Rounds(), ONE)
    (tmp_path / "plain" / "tools.py").unlink()
    with pytest.raises(SpecError, match=r"tools\.py"):
        extend(tmp_path / "plain", tmp_path / "out", Rounds(), ONE)


def test_a_folder_in_use_is_left_alone(bikes: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    arguments = ["extend", str(bikes), "--model", "replay:none.jsonl", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "There is no recording" in result.stderr
    with pytest.raises(ModelError, match="is in use"):
        extend(bikes, tmp_path, Rounds(), ONE)


def test_a_helper_of_an_accepted_scenario_stays_as_it_is() -> None:
    draft = AreaDraft.__new__(AreaDraft)
    old = HelperAnswer(name="_cheapest", code=CHEAPEST)
    draft.helpers = {"_cheapest": old, "_left": HelperAnswer(name="_left", code="def _left(): ...")}
    draft.passed = {"cheapest_kind": ScenarioAnswer.model_construct(situation="", expert=EXPERT)}
    new = [HelperAnswer(name=name, code=f"def {name}(): ...  # new") for name in draft.helpers]
    assert draft.take_helpers([*new, HelperAnswer(name="_more", code="def _more(): ...")]) == [
        "_cheapest"
    ]
    assert draft.helpers["_cheapest"] == old
    assert draft.helpers["_left"] == new[1]
    assert "_more" in draft.helpers
