"""What a package's ``making`` holds, as the generator works with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from pydantic import TypeAdapter

from toolworld.errors import PackageLoadError
from toolworld.packages import Package
from toolworld.packages.files import read_json
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.scenarios.code import ExpertCode

SCENARIOS: TypeAdapter[tuple[Scenario, ...]] = TypeAdapter(tuple[Scenario, ...])


@dataclass(frozen=True)
class Making:
    """The scenarios of a package, and the modules that run them."""

    package: Package

    @cached_property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios, in file order.

        Raises:
            PackageLoadError: The package has none.
        """
        path = self.package.files.scenarios
        try:
            return SCENARIOS.validate_python(json.loads(path.read_text("utf-8"))["scenarios"])
        except FileNotFoundError as error:
            raise PackageLoadError(
                f"{self.package.path} has no scenarios to make tasks from. Write some in its "
                "domain folder, under scenarios/, and build it again."
            ) from error
        except (OSError, ValueError, KeyError) as error:
            first = " ".join(str(error).split("\n")[:3])
            raise PackageLoadError(f"{path} cannot be read: {first}. Build it again.") from error

    @cached_property
    def currency(self) -> str:
        """The unit of the domain's money, such as ``USD``."""
        return str(read_json(self.package.files.scenarios)["currency"])

    @cached_property
    def code(self) -> ExpertCode:
        """The functions."""
        return ExpertCode(self.package)
