"""Values as people say them: days in words, money with its cents, enums without underscores."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOON = 12


@dataclass(frozen=True)
class Style:
    """How a person writes days and times.

    Attributes:
        order: ``month`` for May 3, 2026; ``day`` for 3 May 2026; ``iso`` for 2026-05-03.
    """

    order: str = "month"
    noon_clock: bool = False

    def day(self, value: date) -> str:
        """Return a day in words."""
        month = MONTHS[value.month - 1]
        if self.order == "iso":
            return value.strftime("%Y-%m-%d")
        if self.order == "day":
            return f"{value.day} {month} {value.year}"
        return f"{month} {value.day}, {value.year}"

    def time(self, value: datetime) -> str:
        """Return a time of day."""
        if not self.noon_clock:
            return f"{value:%H:%M}"
        return f"{value.hour % NOON or NOON}:{value:%M} {'am' if value.hour < NOON else 'pm'}"


class Day(str):
    """A day as JSON has it, said in words."""

    __slots__ = ("style",)

    def __new__(cls, value: str, style: Style) -> Day:
        """Keep the text, and how it is said."""
        made = super().__new__(cls, value)
        made.style = style
        return made

    style: Style

    def __str__(self) -> str:
        """The day in words."""
        return self.day()

    def day(self) -> str:
        """Return the day in words."""
        return self.style.day(date.fromisoformat(self[:10]))


class Moment(Day):
    """A day and time as JSON has it, said in words."""

    def __str__(self) -> str:
        """The day and the time in words."""
        return f"{self.day()} at {self.time()}"

    def time(self) -> str:
        """Return the time of day in words."""
        return self.style.time(datetime.fromisoformat(self[:]))


class SpokenChoice(str):
    """A value of an enum, said without underscores."""

    __slots__ = ()

    def __str__(self) -> str:
        """The value in words."""
        return self.replace("_", " ")


class Amount(float):
    """An amount of money, said with its cents if it has any."""

    __slots__ = ()

    def __str__(self) -> str:
        """The amount in digits."""
        return f"{self:.0f}" if self.is_integer() else f"{self:.2f}"


class Number(float):
    """A number, said without a fraction it does not have."""

    __slots__ = ()

    def __str__(self) -> str:
        """The number in digits."""
        return f"{self:.0f}" if self.is_integer() else repr(float(self))
