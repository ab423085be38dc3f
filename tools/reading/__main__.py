"""Makes a sheet to read blind, or sums up the ratings of one: ``python -m tools.reading``.

A reader sees the sheet and nothing else, and rates each item alone: natural, coherent and language
from 1 to 5, and whether a sentence is broken. The key beside the sheet says where each item is
from.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from statistics import fmean
from typing import Any

from tools import committed
from toolworld.packages import files_of
from toolworld.packages.tasks_file import read_tasks

SEED = 20261205
"""Committed before the tasks are made, so that none is drawn again because of its words."""
PLAYED, READ = 40, 30
"""How many tasks of each package are played, and how many of these are read."""
QUESTIONS = ("natural", "coherent", "language")
Item = dict[str, Any]


def main() -> None:
    """Write a sheet and its key, or print the means of ratings by source."""
    parser = argparse.ArgumentParser(prog="python -m tools.reading", description=__doc__)
    parser.add_argument("folder", type=Path, help="where sheet.jsonl, key.json and ratings are")
    parser.add_argument("--published", type=Path, help="published items to mix in, as JSON lines")
    options = parser.parse_args()
    if options.published is not None:
        write_sheet(options.folder, options.published)
    else:
        print(json.dumps(means(options.folder), indent=2))


def write_sheet(folder: Path, published: Path) -> None:
    """Write items in random order without their source, a key with it, and the tasks to play."""
    rng = random.Random(SEED)  # noqa: S311 - no secret
    played = {name: rng.sample(made(name), PLAYED) for name in ("retail", "hotel")}
    items = [{"source": name, **item} for name, own in played.items() for item in own[:READ]]
    lines = [json.loads(line) for line in published.read_text("utf-8").splitlines()]
    items += [{"source": "published", **item} for item in rng.sample(lines, READ)]
    rng.shuffle(items)
    folder.mkdir(parents=True, exist_ok=True)
    ids = {name: [item["id"] for item in own] for name, own in played.items()}
    (folder / "played.json").write_text(json.dumps(ids, indent=1) + "\n", "utf-8")
    sheet = [{"item": n, "text": item["text"]} for n, item in enumerate(items, 1)]
    key = {n: {"source": item["source"], "id": item["id"]} for n, item in enumerate(items, 1)}
    (folder / "sheet.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in sheet), "utf-8")
    (folder / "key.json").write_text(json.dumps(key, indent=1) + "\n", "utf-8")


def made(name: str) -> list[Item]:
    """Return the messages of a committed package's made tasks."""
    tasks = read_tasks(files_of(committed.SERVERS / name).tasks)
    return [{"id": task["id"], "text": task["instruction"]} for task in tasks if task["scenario"]]


def means(folder: Path) -> dict[str, dict[str, float]]:
    """Return the mean of each question by reader and source, and how many items are broken."""
    key = json.loads((folder / "key.json").read_text("utf-8"))
    found: dict[str, dict[str, float]] = {}
    for path in sorted(folder.glob("ratings-*.jsonl")):
        ratings = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        for source in ("retail", "hotel", "published"):
            own = [one for one in ratings if key[str(one["item"])]["source"] == source]
            if own:
                name = f"{path.stem.removeprefix('ratings-')} {source}"
                found[name] = {q: round(fmean(one[q] for one in own), 2) for q in QUESTIONS}
                found[name]["broken"] = sum(bool(one["broken"]) for one in own)
                found[name]["items"] = len(own)
    return found


if __name__ == "__main__":
    main()
