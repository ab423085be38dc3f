"""An emitted package, imported from its folder: the generator runs the code that ships.

Each import gets a module name of its own, so two builds of one domain can be alive at once.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.errors import PackageLoadError
from toolworld.packages.files import SOURCE, PackageFiles
from toolworld.packages.modules import PackageModules
from toolworld.packages.tasks_file import checked_tasks
from toolworld.packages.tools_modules import ToolsModule, tools_modules

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Package:
    """An imported package.

    Attributes:
        name: Its distribution and console script.
        path: Its folder.
        module_name: Its module as users import it.
        alias: Its module as it was imported here.
    """

    name: str
    path: Path
    module_name: str
    alias: str

    @property
    def modules(self) -> PackageModules:
        """Its modules."""
        return PackageModules(self.alias)

    @property
    def files(self) -> PackageFiles:
        """Its files."""
        return PackageFiles(self.path / SOURCE / self.module_name)

    def module(self, name: str = "") -> Any:
        """Return the package's module, or one of its submodules."""
        return self.modules.named(name)

    def tools_modules(self) -> list[ToolsModule]:
        """Return the modules of its tools, by name."""
        return tools_modules(self.files.module)

    def environment(self, task: Any = None, seed: int = 0) -> Any:
        """Return a new episode."""
        return self.modules.environment.Environment(task, seed)

    def tasks(self) -> list[dict[str, Any]]:
        """Return the package's tasks as JSON values, in file order.

        Raises:
            PackageLoadError: The file cannot be read, or a line of it is no task.
        """
        return checked_tasks(self.files.tasks, self.modules.task.Task)


def load_package(path: Path) -> Package:
    """Import the package in a folder.

    Raises:
        PackageLoadError: The folder holds no package, or it cannot be imported.
    """
    # A relative path would name another folder once the process has changed its own.
    module_folder = find_module(path.absolute())
    alias = f"toolworld_loaded_{next(_numbers)}_{module_folder.name}"
    spec = importlib.util.spec_from_file_location(
        alias, module_folder / "__init__.py", submodule_search_locations=[str(module_folder)]
    )
    if spec is None or spec.loader is None:
        raise PackageLoadError(f"{module_folder} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        forget(alias)
        raise PackageLoadError(
            f"{path} cannot be imported: {type(error).__name__}: {error}. Build it again."
        ) from error
    return Package(
        name=module_folder.name.replace("_", "-"),
        path=path.absolute(),
        module_name=module_folder.name,
        alias=alias,
    )


def find_module(path: Path) -> Path:
    """Return the folder of the one module under a package's ``src``.

    Raises:
        PackageLoadError: There is none.
    """
    found = sorted(path.glob(f"{SOURCE}/toolworld_*/__init__.py"))
    if len(found) != 1:
        raise PackageLoadError(
            f"{path} is not a toolworld package: it has no src/toolworld_<domain>/__init__.py. "
            "Build one with: toolworld build DOMAIN --out DIR"
        )
    return found[0].parent


def files_of(path: Path) -> PackageFiles:
    """Return the files of the package in a folder, which is not imported.

    Raises:
        PackageLoadError: The folder holds no package.
    """
    return PackageFiles(find_module(path))


def forget(alias: str) -> None:
    """Drop an imported package and its submodules."""
    for name in [name for name in sys.modules if name == alias or name.startswith(f"{alias}.")]:
        del sys.modules[name]
