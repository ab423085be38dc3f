"""Fuzzes packages for some time each: ``python -m tools.fuzz [DOMAIN...] --seconds 60``."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from tools import committed
from tools.fuzz.episode import Defect, Fuzzer
from toolworld import bundled
from toolworld.packages import load_package

CALLS = 150
STRAYED = (5, 40, 150)
CHECKED_WHOLE = 0.03
"""The share of episodes in which every row is checked, not only the written ones."""


def fuzz(name: str, seconds: float, calls: int, seed: int) -> int:
    """Fuzz one domain and print what was found; return how many different defects."""
    packages = {"library": committed.golden()[1]}
    packages |= {folder.name: folder for _, folder in committed.servers()}
    fuzzer = Fuzzer(load_package(packages[name]))
    defects: Counter[str] = Counter()
    began = time.monotonic()
    while fuzzer.calls < calls or time.monotonic() - began < seconds:
        try:
            _episode(fuzzer, random.Random(seed))  # noqa: S311 - made-up calls guard nothing
        except Defect as defect:
            text = str(defect)
            kind = f"{text.split(' ')[0]} {text.rsplit('}: ', 1)[-1][:80]}"
            if not defects[kind]:
                print(f"\n{name}, seed {seed}: {text}")
            defects[kind] += 1
        seed += 1
    _report(name, fuzzer, len(defects), time.monotonic() - began)
    return len(defects)


def _episode(fuzzer: Fuzzer, rng: random.Random) -> None:
    if rng.random() < CHECKED_WHOLE:
        fuzzer.run((rng.choice(fuzzer.tools), rng.getrandbits(32)) for _ in range(CALLS))
    else:
        fuzzer.stray(rng, rng.choice(STRAYED))


def _report(name: str, fuzzer: Fuzzer, defects: int, seconds: float) -> None:
    ends: Counter[str] = Counter()
    for (_, end), count in fuzzer.outcomes.items():
        ends[end] += count
    never = [tool for tool in fuzzer.tools if not fuzzer.outcomes[tool, "ok"]]
    told = ", ".join(f"{count:,} {end}" for end, count in ends.most_common())
    print(f"\n{name}: {fuzzer.calls:,} calls in {seconds:.0f} s ({told}), {defects} defects")
    print(f"Never ok: {', '.join(never) or 'none'}", flush=True)


def main() -> int:
    """Fuzz the named domains, or all."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("domains", nargs="*", default=["library", *bundled.domains()])
    parser.add_argument("--seconds", type=float, default=60, help="for each domain, at least")
    parser.add_argument("--calls", type=int, default=0, help="for each domain, at least")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = [fuzz(name, options.seconds, options.calls, options.seed) for name in options.domains]
    return int(any(found))


if __name__ == "__main__":
    raise SystemExit(main())
