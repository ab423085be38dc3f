"""Changes domain folders at random, checks them, and builds those that pass.

``python -m tools.fuzz.domains --specs 1000 --templates 500``. Each folder must end in problems that
say what to do, or in a package, within five seconds and without harm: nothing runs, opens a
connection or writes elsewhere.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tools import committed
from tools.fuzz.domains.mutations import change_for, in_templates
from tools.fuzz.domains.watch import HarmWatch
from toolworld import bundled, emit
from toolworld.emit.checking import check_limited
from toolworld.errors import ToolworldError
from toolworld.spec.files import read_files, write_files

LONGEST = 5.0
BUILT = 0.3
"""The share of passing domains whose package is built."""
MOST_CHANGES = 3


@dataclass
class DomainFuzzer:
    """Tries changed domains, and keeps how they ended."""

    folder: Path
    watch: HarmWatch
    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def try_specs(self, texts: dict[str, str], rng: random.Random) -> None:
        """Change any file of a domain in one to three places, and try it."""
        changed = dict(texts)
        for _ in range(rng.randint(1, MOST_CHANGES)):
            file = rng.choice(sorted(changed))
            changed[file] = change_for(file)(changed[file], rng)
        self._try(changed, rng)

    def try_templates(self, texts: dict[str, str], rng: random.Random) -> None:
        """Change a template of a domain, and try it."""
        file = rng.choice([name for name, text in texts.items() if "{{" in text])
        self._try({**texts, file: in_templates(texts[file], rng)}, rng)

    def _try(self, texts: dict[str, str], rng: random.Random) -> None:
        began = time.monotonic()
        self.watch.start()
        try:
            end = self._end(texts, rng)
        except Exception:  # noqa: BLE001 - what is looked for
            end = f"traceback: {traceback.format_exc(limit=-3)}"
        harm, took = self.watch.stop(), time.monotonic() - began
        self.slowest = max(self.slowest, took)
        kind = end.partition(":")[0]
        if harm:
            kind, end = "harm", harm
        elif took > LONGEST:
            kind, end = "too slow", f"{took:.1f} s, {end}"
        self.ends[kind] += 1
        if kind not in ("refused", "passed", "built"):
            self._keep(kind, end, texts)

    def _end(self, texts: dict[str, str], rng: random.Random) -> str:
        """Return how a domain ends."""
        spec, problems = check_limited(texts)
        if problems or spec is None:
            lacking = [one for one in problems if not one.mend or not one.message]
            return f"no mend: {lacking}" if lacking or not problems else "refused"
        if rng.random() > BUILT:
            return "passed"
        try:
            emit.build_spec(spec, self.folder / "package")
        except ToolworldError as error:
            return "refused" if str(error) else "no message"
        return "built"

    def _keep(self, kind: str, end: str, texts: dict[str, str]) -> None:
        """Keep a domain in a folder, and print what is wrong with it."""
        self.faults.append(f"{kind}: {end}")
        kept = Path(tempfile.mkdtemp(prefix="toolworld-fuzz-"))
        write_files(kept, texts)
        print(f"{kind}, kept in {kept}: {end[:1_500]}", flush=True)


def main() -> int:
    """Try changed folders of the starter and of the golden record's domain."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.domains", description=__doc__)
    parser.add_argument("--specs", type=int, default=1_000)
    parser.add_argument("--templates", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    domains = [
        read_files(path)[0] for path in (bundled.templates() / "starter", committed.golden()[0])
    ]
    with tempfile.TemporaryDirectory(prefix="toolworld-domains-") as name:
        folder = Path(name)
        fuzzer = DomainFuzzer(folder, HarmWatch(folder / "harm", folder.parent))
        for number in range(options.specs):
            rng = random.Random(f"{options.seed}/spec/{number}")  # noqa: S311 - guards nothing
            fuzzer.try_specs(rng.choice(domains), rng)
        for number in range(options.templates):
            rng = random.Random(f"{options.seed}/template/{number}")  # noqa: S311 - the same
            fuzzer.try_templates(domains[0], rng)
    told = ", ".join(f"{count:,} {end}" for end, count in fuzzer.ends.most_common())
    print(f"{options.specs:,} specs and {options.templates:,} templates: {told}")
    print(f"the slowest took {fuzzer.slowest:.1f} s, {len(fuzzer.faults)} faults")
    return int(bool(fuzzer.faults))


if __name__ == "__main__":
    raise SystemExit(main())
