"""Scenarios with one fault each, and what is said of it."""

from __future__ import annotations

SITUATIONS = {
    "never_drawn": "draw.need(db.bikes.get('BIK-00001').in_repair)",
    "crashes": "draw.name(db.bikes.all()[999].model)",
    "breaks_a_rule": "db.rentals.update('REN-00001', returned_on=db.today())",
}
"""What is wrong in a situation, by the scenario's name."""
EXPERTS = {
    "is_refused": "agent.find_bike('nothing')",
    "reads_unasked": "agent.find_bike(given.model)",
    "expert_crashes": "agent.tell(model=agent.list_bikes()[999].model)",
    "goes_on": "agent.attempt.find_bike('nothing')\n    agent.get_shop_day()",
    "looks_for_another": (
        "found = agent.attempt.find_bike('nothing')\n"
        "    if found.rejected('not_free'):\n"
        "        return outcome('nobody')\n"
        "    agent.get_shop_day()"
    ),
    "uses_a_refused_result": (
        "found = agent.attempt.find_bike('nothing')\n    agent.find_bike(found.model)"
    ),
    "ends_on_a_refusal": "agent.attempt.find_bike('nothing')",
    "never_two": "only(bike for bike in agent.list_bikes())",
    "wrong_argument": "agent.quote_rental('BIK-00002', '3')",
    "no_such_value": (
        "found = agent.attempt.find_bike('nothing')\n"
        "    if found.rejected('unknown_model'):\n"
        "        agent.tell(most=found.values.most)"
    ),
}
"""What is wrong in an expert, by the scenario's name."""

HEAD = '''"""Scenarios that their author has to mend."""


def _end(customer: Customer) -> Outcome:
    if customer.name == "Nobody":
        return outcome("nobody")
    return outcome("found", name=customer.name)
'''
SITUATION = '''

def {name}(db: Database, draw: Draw) -> Facts:
    """Somebody wants to know who has an address."""
    customer = db.customers.get("CUS-00001")
    {fault}
    return facts(email=told(customer.email, customer, "email"), model="Swift 4")


def solve_{name}(agent: Agent, given: Given) -> Outcome:
    customer = agent.find_customer(given.email)
    {expert}
    return _end(customer)
'''
WORDS = """
{name}:
  role: customer
  outcomes:
    found: {{kind: done, tells: [name], reply: "It is the address of {{{{ name }}}}."}}
    nobody: {{kind: refused, reply: "I am sorry, nobody has it."}}
  says:
    - text: "Whose address is {{{{ email }}}}?"
      asks: [name]
"""


def _situation(name: str) -> str:
    fault, expert = SITUATIONS.get(name, "draw.need(True)"), EXPERTS.get(name, "agent.list_bikes()")
    return SITUATION.format(name=name, fault=fault, expert=expert)


NAMES = [*SITUATIONS, *EXPERTS]
FAULTY_CODE = HEAD + "".join(_situation(name) for name in NAMES)
HANGING_CODE = HEAD + SITUATION.format(
    name="hangs",
    fault="draw.need(sum(range(len('a') * 10_000_000_000)) > 0)",
    expert="agent.list_bikes()",
)


def faulty_words(*names: str) -> str:
    """Return the words of scenarios; of all that have a fault, if none is named."""
    return "# Words of scenarios that have a fault.\n" + "".join(
        WORDS.format(name=name) for name in names or NAMES
    )
