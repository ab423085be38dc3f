"""Every error toolworld raises on purpose.

ToolworldError
├── SpecError        a domain folder breaks rules; carries all its problems
├── BuildError       a spec is sound but its package could not be made
├── PackageLoadError a folder is not a usable toolworld package
├── LaunchError      a server could not be started or did not answer
├── DraftError       a domain could not be drafted; what there is is kept
├── ModelError       a model cannot be asked, or gives no answer
│   └── BudgetSpent  the tokens or the money of a run are used up
├── EpisodeError     an episode cannot do what it is asked
│   ├── EpisodeGone  it is closed, was idle for too long, or its host is gone
│   └── LimitReached there are too many of something
├── PlayError        something cannot be done in an episode that is played
└── Unsayable        what a person wants cannot be put into words
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong in a domain folder.

    Attributes:
        file: The file, relative to the domain folder.
        line: Its line, from 1; 0 when the whole file is meant.
        rule: A short stable code, such as ``unknown-column``.
        message: What is wrong.
        mend: What to do about it.
    """

    file: str
    line: int
    rule: str
    message: str
    mend: str

    def __str__(self) -> str:
        """One line: where, rule, what, mend."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: [{self.rule}] {self.message} {self.mend}"


class ToolworldError(Exception):
    """The root of the family: its text is fit to show to a person."""


class SpecError(ToolworldError):
    """A domain folder breaks rules.

    Attributes:
        problems: Everything found, in file and line order.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep all problems; the text lists each on a line of its own."""
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[SpecError], tuple[tuple[Problem, ...]]]:
        """Survive pickling, so that errors pass between processes whole."""
        return SpecError, (self.problems,)


class BuildError(ToolworldError):
    """A spec is sound but its package could not be made."""


class PackageLoadError(ToolworldError):
    """A folder is not a usable toolworld package."""


class LaunchError(ToolworldError):
    """A server could not be started or did not answer."""


class DraftError(ToolworldError):
    """A domain could not be drafted to its end; finished parts are kept."""


class ModelError(ToolworldError):
    """A model cannot be asked, or gives no answer that will do; the answers so far are kept."""


class BudgetSpent(ModelError):
    """A run has used up its tokens or its money."""


class EpisodeError(ToolworldError):
    """An episode cannot do what it was asked; its state is unchanged."""


class EpisodeGone(EpisodeError):
    """There is no such episode: it is closed, was idle for too long, or its host is gone."""


class LimitReached(EpisodeError):
    """There are too many episodes, calls or bytes; the text says how many there may be."""


class PlayError(ToolworldError):
    """Something cannot be done in an episode that is played; the episode goes on."""


class Unsayable(ToolworldError):
    """What a person wants cannot be put into words.

    Attributes:
        reason: Why not, in a few words that are the same for all such cases.
    """

    def __init__(self, reason: str) -> None:
        """Keep the reason, which is the text too."""
        self.reason = reason
        super().__init__(reason)


def first_of(error: BaseException) -> BaseException:
    """Return the first of errors that came together, out of the groups that tasks put it in.

    To raise it, catch the group as a whole: what is raised in an ``except*`` comes out in a group
    again before Python 3.11.4.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
