"""The reasons for which a task is not certified, each with what to do about it."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """A reason, as a report counts by it.

    Attributes:
        advice: What to do about it.
    """

    advice: str

    def __new__(cls, code: str, advice: str) -> Reason:
        """Join a code and its advice."""
        self = str.__new__(cls, code)
        self._value_ = code
        self.advice = advice
        return self

    EMPTY = "gold is empty", "Give it steps."
    LACKS_TOOL = "gold calls a tool the task lacks", "Add it to the task's tools."
    PATCH = "the initial patch does not apply", "Mend the rows of the patch."
    CANNOT_RUN = "gold cannot be run", "Mend the reference."
    UNEXPECTED = "a step does not turn out as expected", "Mend gold, or what it expects."
    NO_REWARD = "gold does not earn the reward", "Make the goal from gold's run."
    NOTHING = "doing nothing earns the reward", "Ask for a change or an answer."
    PARROT = "repeating the instruction earns the reward", "Ask for what is not said already."
    UNKNOWABLE = (
        "an argument cannot be known",
        "Say the value in the instruction or known_info, or take it from an earlier step.",
    )
    NAMES_TOOL = "the instruction names a tool", "Say what is wanted, not which tool does it."
    USELESS_ID = "the instruction has an id of no use", "Leave it out, or put it in known_info."
    NEEDLESS = "a write is not needed", "Leave it out."
    SEVERAL_NEEDLESS = "several writes are not needed", "Leave them out."
    ORDER = (
        "the order matters where it should not",
        "Say in which order, by a reference; or mend the tool's effects.",
    )
    NO_MATTER = "value does not matter", "Leave the argument out, or ask for what shows it."
    SAME_ANSWER = "another row gives the same answer", "Ask for a value that only the row has."
    LOOKALIKE = (
        "another row fits the instruction as well",
        "Say what tells them apart, or change the other row.",
    )
    SHORTER = "the goal can be had for less", "Take the shorter way as gold."
    TOOL_BREAKS = "a tool breaks", "Mend the tool: toolworld prove finds more."
    TIERS = "the transports disagree", "Mend the server: toolworld replay shows the first call."
    OUTDATED = "the certificate is another now", "Make the task anew, or certify it anew."
