"""One reply of the person: its text, its acts, and the conversation's state after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from ..calls.trace import Act
from .acts import HeardMessage
from .answers import contains_answer, is_told
from .persona import (
    AnyBehaviour,
    ChangesMind,
    Fact,
    Impatient,
    Insists,
    OffTopic,
    Person,
    WantsMore,
    WrongFirst,
)
from .state import PersonState

BehaviourT = TypeVar("BehaviourT", bound=AnyBehaviour)

MOST_REMINDERS = 2
"""How often the person reminds the agent before leaving without being served."""

PHRASES = {
    "agrees": ("Yes, please go ahead.", "Yes, go ahead."),
    "holds": ("If that is what I asked for, yes. Nothing else, please.", "If I asked for it."),
    "declines": ("No, thank you. I don't want that.", "No."),
    "unknown": ("I'm sorry, I don't know that.", "Don't know."),
    "nothing_more": ("I'm afraid I can't tell you more than I have.", "That's all I have."),
    "noted": ("Okay, thank you.", "Okay."),
    "unclear": ("Okay.", "Okay."),
    "waits": ("Sure, take your time.", "Okay."),
    "refused": ("All right, I understand.", "I see."),
    "corrects": ("Sorry, what I gave you was wrong.", "Sorry, wrong."),
    "reminds": ("Has it been done? I would like you to go ahead with it.", "Is it done?"),
    "unserved": ("But you haven't done or told me anything yet.", "And? Nothing's done yet."),
    "leaves": ("Thank you for your help. Goodbye.", "Thanks, bye."),
}
"""What the person says: at length, and when impatient."""


class Reply(NamedTuple):
    """What the person answers: its text and its acts."""

    text: str
    acts: tuple[Act, ...]


SERVES = ("states", "refuses", "offers")
DECIDED = ("asks_yes", "offers", "refuses", "closes")
"""The acts of an agent that the person answers with a decision."""


class Turn:
    """Makes one reply: its text, its acts, and the state after it."""

    def __init__(
        self, person: Person, outcome: str, state: PersonState, wrote: bool, heard: HeardMessage
    ) -> None:
        """Begin a reply to a message."""
        self._person = person
        self._heard = heard
        self._outcome = outcome
        self._wrote = wrote
        self._said: list[str] = []
        self._acts: list[Act] = []
        self._was_owed = state.owed
        self.state = state

    def reply(self) -> Reply:
        """Return the person's answer."""
        heard, state = self._heard, self.state
        self.state = state._replace(
            owed=state.owed and not self._wrote,
            told=heard.amounts or state.told,
            served=state.served or self._wrote or not heard.kinds.isdisjoint(SERVES),
            known=state.known | self._answered(),
        )
        leaves_open = self._leaves_open()
        if self._correct() or self._change_mind_late():
            # The corrected value is why nothing was found, so that alone asks for no other fact.
            named = self._acts[-1].name
            self._give([one for one in heard.acts if one.kind == "asks" and one.name != named])
        elif not self._give(heard.acts) and not (leaves_open and self._is_open()):
            self._say(self._phrase("nothing_more"), Act("does_not_know"))
        else:
            self._decide()
        if not self._said and not (leaves_open and self._ask()):
            self._acknowledge()
        self._behave()
        return Reply(" ".join(self._said), tuple(self._acts))

    # ---- facts

    def _give(self, acts: Iterable[Act]) -> bool:
        """Give the facts asked for; give all held back if none is named or nothing was found.

        Returns:
            False if the person has nothing to say to a request.
        """
        names = [act.name for act in acts if act.kind == "asks"]
        for name in filter(None, names):
            self._give_fact(name)
        if "" in names or any(act.kind == "finds_none" for act in acts):
            self._give_held_back()
            return bool(self._said) or any(act.kind in DECIDED for act in acts)
        return True

    def _give_fact(self, name: str) -> None:
        fact = self._fact(name)
        if not fact.is_known:
            self._say(fact.says or self._phrase("unknown"), Act("does_not_know", name))
            return
        self._say(fact.says, Act("gives", name, fact.value))
        self.state = self.state._replace(given=self.state.given | {name})

    def _give_held_back(self) -> None:
        for name, fact in self._person.facts.items():
            if fact.is_known and not fact.said and name not in self.state.given:
                self._give_fact(name)

    def _fact(self, name: str) -> Fact:
        """Return a fact as the person gives it now: wrong at first, or after a change of mind."""
        fact = self._person.facts[name]
        changed = self._behaviour(ChangesMind)
        if changed is not None and changed.fact == name and self._has_played(changed):
            return fact.model_copy(update={"says": changed.says, "value": changed.value})
        wrong = self._behaviour(WrongFirst)
        if wrong is not None and wrong.fact == name and not self._has_played(wrong):
            return fact.model_copy(update={"says": wrong.says, "value": wrong.value})
        return fact

    # ---- corrections and changes

    def _correct(self) -> bool:
        """Correct a value that was given wrongly, if the message shows that it was."""
        wrong = self._behaviour(WrongFirst)
        if wrong is None or self._has_played(wrong) or not self._was_said(wrong.fact):
            return False
        shown = any(
            act.kind in ("finds_none", "asks_yes", "refuses", "closes")
            or (act.kind == "asks" and act.name == wrong.fact)
            for act in self._heard.acts
        )
        if not shown and not says(self._heard.text, wrong.value):
            return False
        self._play(wrong)
        fact = self._fact(wrong.fact)
        self._say(self._phrase("corrects"))
        self._say(fact.says, Act("corrects", wrong.fact, fact.value))
        return True

    def _was_said(self, name: str) -> bool:
        return self._person.facts[name].said or name in self.state.given

    def _change_mind_late(self) -> bool:
        """Change the person's mind if it is due after a yes, or after what was agreed to."""
        changes = self._behaviour(ChangesMind)
        if changes is None or self._has_played(changes) or not self._was_owed:
            return False
        return changes.at == ("after_write" if self._wrote else "after_yes") and self._change(
            changes
        )

    def _change(self, changes: ChangesMind) -> bool:
        self._play(changes)
        self._say(changes.says, Act("changes_mind", changes.fact, changes.value))
        self.state = self.state._replace(
            owed=False, given=self.state.given | {changes.fact}, told=()
        )
        return True

    # ---- decisions

    def _decide(self) -> None:
        """Answer an offer, else a request for a yes, else a refusal; then answer an end."""
        kinds = self._heard.kinds
        refused = self.state.refused or "refuses" in kinds
        if "refuses" in kinds and self._insist():
            return
        takes = self._person.takes_offer
        is_offer = "offers" in kinds and (takes is not None or "asks_yes" not in kinds)
        if is_offer and not self._acts and (refused or "asks_yes" not in kinds):
            self._answer_offer(takes=bool(takes))
        elif "asks_yes" in kinds:
            self._answer_yes()
        elif "refuses" in kinds:
            self._accept_refusal()
        if "closes" in kinds:
            self._close()

    def _insist(self) -> bool:
        insists = self._behaviour(Insists)
        self.state = self.state._replace(owed=False)
        if insists is None or self._has_played(insists):
            return False
        self._play(insists)
        self._say(insists.says, Act("insists"))
        self.state = self.state._replace(refused=True)
        return True

    def _answer_offer(self, *, takes: bool) -> None:
        usual = self._phrase("agrees" if takes else "declines")
        text = self._person.when.get("offered", usual)
        self._say(text, Act("agrees" if takes else "declines"))
        if not takes:
            self._ask()
        self.state = self.state._replace(owed=takes, reminders=0)

    def _answer_yes(self) -> None:
        changes = self._behaviour(ChangesMind)
        if changes is not None and changes.at == "yes" and not self._has_played(changes):
            self._change(changes)
            return
        left = [name for name in self._person.first if self._is_left_to_say(name)]
        if left:
            for name in left:
                self._give_fact(name)
            return
        if self._person.agrees is None:
            self._say(self._phrase("holds"), Act("holds"))
            return
        agrees = self._agrees()
        if agrees:
            self._say(self._phrase("agrees"), Act("agrees"))
        else:
            text = self._person.when.get("declined", self._phrase("declines"))
            self._say(text, Act("declines"))
            self._ask()
        self.state = self.state._replace(owed=agrees, reminders=0, told=())

    def _is_left_to_say(self, name: str) -> bool:
        return not self._person.facts[name].said and name not in self.state.given

    def _agrees(self) -> bool:
        """Return whether each limited value is within its limit, as far as it was told.

        Amounts told under the value's name count; without any, those of ``sums`` that were told;
        without these, all amounts without a name.
        """
        limits = self._person.agrees
        if not isinstance(limits, dict):
            return bool(limits)
        for name, most in limits.items():
            said = [amount for called, amount in self.state.told if called == name]
            if any(amount > most for amount in said or self._measured()):
                return False
        return True

    def _measured(self) -> list[float]:
        told = self.state.told
        expected = [amount for _, amount in told if amount in self._person.sums]
        return expected or [amount for called, amount in told if not called]

    def _accept_refusal(self) -> None:
        self.state = self.state._replace(refused=True)
        if self._ask():
            return
        wants = self._behaviour(WantsMore)
        when = self._person.when
        if wants is not None and self._has_played(wants):
            text = wants.refused
        else:
            text = when.get(self._outcome) or when.get("refused") or self._phrase("refused")
        self._say(text)

    # ---- the person's question

    def _answered(self) -> frozenset[int]:
        """Return the positions of the answers to the person's question that the message gives."""
        question = self._person.question
        wanted = question.answers if question is not None else ()
        return frozenset(
            place for place, one in enumerate(wanted) if is_told(one, [self._heard.text])
        )

    def _leaves_open(self) -> bool:
        """Return whether the message may be an unstated refusal that leaves a question open."""
        could_be = self._is_open() and not self._wrote and "waits" not in self._heard.kinds
        return could_be and self._heard.gives_reason

    def _is_open(self) -> bool:
        """Return whether the person has a question that was neither asked nor fully answered."""
        question, state = self._person.question, self.state
        return question is not None and not state.asked and len(state.known) < len(question.answers)

    def _ask(self) -> bool:
        """Ask the person's question, once, unless all of it has been told."""
        question = self._person.question
        if question is None or not self._is_open():
            return False
        self._say(question.says, Act("wants_to_know"))
        self.state = self.state._replace(asked=True)
        return True

    # ---- the end

    def _close(self) -> None:
        """Leave, unless something is still to come: a write, any answer, or another wish.

        That something is done ends the talk only after a write or a refusal: else it only tells
        how things are.
        """
        state, wants = self.state, self._behaviour(WantsMore)
        if self._acts and (state.owed or self._acts[-1].kind == "wants_to_know"):
            return
        if not (state.owed or self._wrote) and self._ask():
            return
        if (state.owed or not state.served) and state.reminders < MOST_REMINDERS:
            self._say(self._phrase("reminds" if state.owed else "unserved"))
            self.state = state._replace(reminders=state.reminders + 1)
        elif not (self._heard.takes_leave or self._wrote or state.refused or state.reminders):
            self._say(self._phrase("noted"))
        elif wants is not None and not self._has_played(wants):
            self._play(wants)
            self._say(wants.says, Act("wants_more"))
        else:
            self._say(self._phrase("leaves"), Act("leaves"))
            self.state = state._replace(left=True)

    # ---- other replies

    def _acknowledge(self) -> None:
        """Answer a message that asks for nothing.

        If it may hide a request that no rule found, the person also gives all facts held back.
        """
        heard = self._heard
        if "waits" in heard.kinds:
            self._say(self._phrase("waits"))
            return
        if heard.kinds:
            self._say(self._phrase("noted"))
        else:
            self._say(self._phrase("unclear"), Act("unplaced"))
            self.state = self.state._replace(unplaced=self.state.unplaced + 1)
        if not self._wrote and ("?" in heard.text or not heard.kinds):
            self._give_held_back()

    def _behave(self) -> None:
        """Add what impatient and off-topic people say, once, to the first reply."""
        for kind in (Impatient, OffTopic):
            behaviour = self._behaviour(kind)
            if behaviour is not None and not self._has_played(behaviour) and not self.state.left:
                self._play(behaviour)
                self._say(behaviour.says)

    def _say(self, text: str, *acts: Act) -> None:
        self._said.append(text)
        self._acts += acts

    def _phrase(self, name: str) -> str:
        at_length, shortly = PHRASES[name]
        return at_length if self._behaviour(Impatient) is None else shortly

    def _behaviour(self, kind: type[BehaviourT]) -> BehaviourT | None:
        for behaviour in self._person.behaviours:
            if isinstance(behaviour, kind):
                return behaviour
        return None

    def _has_played(self, behaviour: AnyBehaviour) -> bool:
        return behaviour.kind in self.state.played

    def _play(self, behaviour: AnyBehaviour) -> None:
        self.state = self.state._replace(played=self.state.played | {behaviour.kind})


def says(text: str, value: object) -> bool:
    """Return whether a message says a value."""
    return isinstance(value, str | int | float) and contains_answer(text, value)
