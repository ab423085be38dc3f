"""Stub."""

from __future__ import annotations

from typing import NamedTuple

from .persona import Person
from .trace import Act


class Reply(NamedTuple):
    text: str
    acts: tuple[Act, ...]


class Conversation(NamedTuple):
    person: Person

    @classmethod
    def with_person(cls, person):
        return cls(person)

    def said(self, text, wrote):
        low = text.lower()
        if "shall i go ahead" in low or "would you like that" in low:
            import re

            nums = [float(x) for x in re.findall(r"\d+\.\d\d", text)]
            return (
                Reply("Yes, please.", (Act("agrees"),)),
                (Act("asks_yes"), *(Act("states", "", n) for n in nums)),
                self,
            )
        if "could you tell me" in low:
            for n, f in self.person.facts.items():
                if any(t.lower() in low for t in f.topics):
                    return Reply(f.says, (Act("gives", n, f.value),)), (Act("asks", n),), self
        return Reply("Thanks.", ()), (Act("closes"),), self
