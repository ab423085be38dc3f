"""Outlines over rows of the library, made by hand."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from toolworld.chained.outline import Json, Mention, Request, Row, TaskOutline
from toolworld.chained.phrasing import Phrasebook, Said

CLOCK = datetime(2026, 3, 2, 9, tzinfo=UTC)
SEEDS = range(60)


@dataclass(frozen=True)
class Library:
    """The library's phrases and rows."""

    book: Phrasebook
    state: dict[str, dict[str, Row]]

    def loan(self, number: int, **more: Any) -> Mention:
        """Return a mention of a loan as an argument."""
        key = f"LOA-{number:05}"
        return Mention("loan_id", "Loan", key, self.state["loans"][key], **more)

    def hold(self, number: int, **more: Any) -> Mention:
        """Return a mention of a hold as an argument."""
        key = f"HLD-{number:05}"
        return Mention("hold_id", "Hold", key, self.state["holds"][key], **more)

    def title(self, isbn: str, **more: Any) -> Mention:
        """Return a mention of a book as an argument."""
        return Mention("isbn", "Book", isbn, self.state["books"][isbn], **more)

    def member(self, number: int, **more: Any) -> Mention:
        """Return a mention of a member as an argument."""
        key = f"MEM-{number:05}"
        return Mention("member_id", "Member", key, self.state["members"][key], **more)

    def loans(self) -> tuple[Row, ...]:
        """Return all loans."""
        return tuple(self.state["loans"].values())

    def holds(self) -> tuple[Row, ...]:
        """Return all holds."""
        return tuple(self.state["holds"].values())

    def said(self, outline: TaskOutline, seed: int = 0) -> Said:
        """Return an outline in words."""
        return self.book.compose(outline, random.Random(seed), CLOCK)  # noqa: S311 - no secret

    def all_said(self, *requests: Request, ordered: bool = False) -> list[str]:
        """Return requests in many wordings."""
        outline = TaskOutline(requests, ordered)
        return [self.said(outline, seed).instruction for seed in SEEDS]


def does(tool: str, *mentions: Mention, step: int = 1, **more: Any) -> Request:
    """Return a request for a change; what is no mention is an argument."""
    arguments: dict[str, Json] = {one.path: one.key for one in mentions} | more
    return Request(step, tool, arguments, "does", mentions)


def knows(tool: str, **arguments: Any) -> Request:
    """Return a look-up by what the person knows."""
    return Request(0, tool, arguments, "knows")
