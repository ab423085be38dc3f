"""Fuzzes packages for some time each: ``python -m tools.fuzz [DOMAIN...] --seconds 60``."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from tools import committed
from tools.fuzz.episode import Defect, Fuzzer
from toolworld import bundled, emit

CALLS = 150


def fuzz(name: str, seconds: float, seed: int, folder: Path) -> int:
    """Fuzz one domain and print what was found; return how many different defects."""
    domains = {"library": committed.golden()[0], **bundled.domains()}
    emit.build(domains[name], folder / name)
    fuzzer = Fuzzer(emit.load_package(folder / name))
    defects: Counter[str] = Counter()
    end, calls = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        rng = random.Random(seed)  # noqa: S311 - made-up calls guard nothing
        try:
            fuzzer.run((rng.choice(fuzzer.tools), rng.getrandbits(32)) for _ in range(CALLS))
        except Defect as defect:
            text = str(defect)
            kind = f"{text.split(' ')[0]} {text.rsplit('}: ', 1)[-1][:80]}"
            if not defects[kind]:
                print(f"\n{name}, seed {seed}: {text}")
            defects[kind] += 1
        seed, calls = seed + 1, calls + CALLS
    never = [tool for tool in fuzzer.tools if not fuzzer.outcomes[tool, "ok"]]
    print(f"\n{name}: about {calls:,} calls, {len(defects)} kinds of defects")
    print(f"Never ok: {', '.join(never) or 'none'}")
    return len(defects)


def main() -> int:
    """Fuzz the named domains, or all."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("domains", nargs="*", default=["library", *bundled.domains()])
    parser.add_argument("--seconds", type=float, default=60, help="for each domain")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toolworld-fuzz-") as folder:
        found = [
            fuzz(name, options.seconds, options.seed, Path(folder)) for name in options.domains
        ]
    return int(any(found))


if __name__ == "__main__":
    raise SystemExit(main())
