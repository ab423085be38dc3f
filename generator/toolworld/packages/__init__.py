"""An emitted package as the generator works with it: its files, modules and tasks, all typed.

Nothing else of the generator names a file or a module of a package.
"""

from toolworld.packages.files import PackageFiles
from toolworld.packages.loading import Package, files_of, find_module, forget, load_package
from toolworld.packages.modules import PackageModules

__all__ = [
    "Package",
    "PackageFiles",
    "PackageModules",
    "files_of",
    "find_module",
    "forget",
    "load_package",
]
