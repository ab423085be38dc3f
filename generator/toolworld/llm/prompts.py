"""Prompts: a template rendered over what is settled, with the schema of the answer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toolworld import bundled

GIVEN = re.compile(r"<\s*/?\s*given\s*>", re.IGNORECASE)
BYTES_A_TOKEN = 4
"""An estimate, for models that do not say what they used."""


@dataclass(frozen=True)
class Prompt:
    """One question to a model.

    Attributes:
        id: Stage, group and round, as ``tools-orders.1``; unique in a run.
        instructions: What holds for every prompt of its kind.
        text: What is asked.
        schema: The JSON schema of the answer.
        left: How many answers there may be after this one, if it is not accepted.
    """

    id: str
    stage: str
    instructions: str
    text: str
    schema: dict[str, Any]
    left: int = 0

    @property
    def tokens(self) -> int:
        """The estimated number of tokens that a model reads."""
        return estimate(
            self.instructions + self.text + json.dumps(self.schema, separators=(",", ":"))
        )

    def as_json(self) -> dict[str, Any]:
        """Return the prompt as JSON values."""
        return {
            "prompt": self.id,
            "stage": self.stage,
            "instructions": self.instructions,
            "text": self.text,
            "schema": self.schema,
            "left": self.left,
        }


def estimate(text: str) -> int:
    """Return about how many tokens a text has: a quarter of its bytes, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def render(template: str, **values: Any) -> str:
    """Return the text of a prompt template."""
    return _environment().get_template(f"{template}.md.jinja").render(values)


@cache
def _environment() -> Environment:
    # Prompts are text for a model, not HTML.
    environment = Environment(  # noqa: S701
        loader=FileSystemLoader(Path(bundled.templates()) / "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inert"] = inert
    return environment


def inert(text: str) -> str:
    """Return text from outside without tags that could end its part of a prompt."""
    before = ""
    while before != text:
        before, text = text, GIVEN.sub("", text)
    return text.strip()
