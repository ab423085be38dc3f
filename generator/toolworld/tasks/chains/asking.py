"""What is asked for, chosen anew where an answer would be worth nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

from toolworld.tasks.chains.again import shortened
from toolworld.tasks.chains.closure import says_something
from toolworld.tasks.chains.drafts import Draft
from toolworld.tasks.chains.questions import answer_to, asks_of
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.outline import Ask, Request
from toolworld.tasks.phrasing import says


class Asking:
    """What a draft asks for, as attempts at putting it into words go by.

    Attributes:
        draft: The draft as it is now.
    """

    def __init__(self, stage: Stage, draft: Draft, rng: random.Random) -> None:
        """Take a draft."""
        self.draft = draft
        self._stage, self._rng = stage, rng
        # By what a step showed: its number changes where steps are left out.
        self._never: dict[str, set[Ask]] = {}
        self._text = ""

    def gives_away(self, text: str) -> bool:
        """Whether a text says what is asked for; the draft then asks for something else.

        Raises:
            Undone: There is nothing left to ask for.
        """
        self._text = text
        said = {
            request.step: {ask for ask in request.asks if self._is_said(text, request, ask)}
            for request in self.draft.outline.requests
        }
        return self._changed({step: asks for step, asks in said.items() if asks})

    def _is_said(self, text: str, request: Request, ask: Ask) -> bool:
        return says(text, answer_to(ask, self.draft.chain.steps[request.step].result))

    def ask_otherwise(self, step: int | None) -> None:
        """Ask for other things that a step shows, or any does if that one is not asked about.

        Raises:
            Undone: There is nothing else to ask for.
        """
        asked = {one.step: {*one.asks} for one in self.draft.outline.requests if one.asks}
        self._changed({step: asked[step]} if step in asked else asked)

    def _changed(self, bad: dict[int, set[Ask]]) -> bool:
        if not bad:
            return False
        requests: list[Request] = []
        for request in self.draft.outline.requests:
            requests += self._again(request, bad.get(request.step, set()))
        self.draft.chain.requests = requests
        outline = replace(self.draft.outline, requests=tuple(requests))
        self.draft = shortened(self._stage, replace(self.draft, outline=outline))
        return True

    def _again(self, request: Request, bad: set[Ask]) -> list[Request]:
        """Return a request that asks for something else, or none where there is nothing else."""
        if not bad:
            return [request]
        step = self.draft.chain.steps[request.step]
        never = self._never.setdefault(step.text, set())
        never |= bad
        kept = tuple(ask for ask in request.asks if ask not in never)
        schema = self._stage.schemas[step.tool.name]
        asks = kept or asks_of(
            step.tool,
            schema,
            step.values,
            step.result,
            self._rng,
            never=never,
            clauses=self._stage.clauses,
            is_told=partial(says, self._text),
        )
        if asks:
            return [replace(request, asks=asks)]
        told = says_something(step.tool, step.values, step.sources)
        return [replace(request, role="knows", asks=())] if told else []
