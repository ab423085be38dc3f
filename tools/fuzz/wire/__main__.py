"""Sends made-up messages to servers: ``python -m tools.fuzz.wire [DOMAIN...] --messages 30000``.

They go to a package's server over stdio and over HTTP, and to a host of the package, with one
worker and with two.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from tools import committed
from tools.fuzz.episode import Fuzzer
from tools.fuzz.wire.http import fuzz_http
from tools.fuzz.wire.messages import MessageMaker
from tools.fuzz.wire.stdio import fuzz_stdio
from tools.fuzz.wire.tally import Tally
from tools.servers import host_command, started
from toolworld.harness.launch import Command, package_command
from toolworld.packages import load_package

KEPT = committed.REPOSITORY / "build" / "fuzz"
WORKERS = (1, 2)


async def fuzz(name: str, folder: Path, messages: int, seed: int, log: Path) -> int:
    """Fuzz every server of one package; return how many kinds of faults there are."""
    package = load_package(folder)
    maker = MessageMaker(Fuzzer(package), random.Random(seed))  # noqa: S311 - guards nothing
    tally = Tally(KEPT / name)
    await fuzz_stdio(package_command(package, "--control"), maker, messages // 2, tally, log)
    _report(f"{name} over stdio", tally)
    faults = len(tally.faults)
    command = package_command(package, "--http", "--port", "0", "--control")
    faults += await _http(name, command, {}, maker, messages // 4, log)
    for workers in WORKERS:
        share = messages // 4 // len(WORKERS)
        where = f"a host of {name} with {workers} workers"
        opens = {"domain": name}
        faults += await _http(
            where, host_command(folder, "--workers", str(workers)), opens, maker, share, log
        )
    return faults


async def _http(
    name: str,
    command: Command,
    opens: dict[str, str],
    maker: MessageMaker,
    messages: int,
    log: Path,
) -> int:
    tally = Tally(KEPT / name.replace(" ", "-"))
    while tally.counts["messages"] < messages and len(tally.faults) < 5:
        async with started(name, command, log, opens) as server:
            await fuzz_http(server, maker, messages - tally.counts["messages"], tally)
    _report(f"{name} over HTTP", tally)
    return len(tally.faults)


def _report(where: str, tally: Tally) -> None:
    counts = dict(tally.counts)
    messages, batches = counts.pop("messages", 0), counts.pop("batches", 0)
    same = counts.pop("batches that changed nothing", 0)
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    print(f"{where}: {messages:,} messages in {batches:,} batches, of which {same:,} changed")
    print(f"  nothing; answers: {told}; faults: {len(tally.faults)}", flush=True)


def main() -> int:
    """Fuzz the named packages, or all."""
    packages = {"library": committed.golden()[1]}
    packages |= {folder.name: folder for _, folder in committed.servers()}
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.wire", description=__doc__)
    parser.add_argument("domains", nargs="*", default=list(packages))
    parser.add_argument("--messages", type=int, default=10_000, help="for each package")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="toolworld-fuzz-") as folder:
        for name in options.domains:
            log = Path(folder) / f"{name}.log"
            faults += asyncio.run(fuzz(name, packages[name], options.messages, options.seed, log))
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main())
