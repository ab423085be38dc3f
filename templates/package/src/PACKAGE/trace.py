"""What happens in an episode, as events that can be compared: calls, messages and replies."""

from __future__ import annotations

from typing import NamedTuple


class Act(NamedTuple):
    """What a message does to the one who hears it.

    Attributes:
        kind: What is done, such as ``asks`` or ``gives``.
        name: The fact it is about; empty when it is about none that is known.
        value: What is stated, given or corrected: a number, or a text (days in ISO form).
    """

    kind: str
    name: str = ""
    value: object = None
