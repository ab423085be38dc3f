"""Prompts as files: written, answered from outside, and told what was found."""

from __future__ import annotations

import json
from pathlib import Path

import anyio

from toolworld.llm import Prompt
from toolworld.llm.backends.files import Files

PROMPT = Prompt("outline.1", "outline", "Answer in JSON.", "Outline a shop.", {"type": "object"})


def write(folder: Path, name: str, value: object) -> None:
    temporary = folder / f"{name}.tmp"
    temporary.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    temporary.rename(folder / name)


async def exchange(folder: Path, *answers: object) -> str:
    backend = Files(folder)
    texts: list[str] = []

    async def asked() -> None:
        texts.append((await backend.answer(PROMPT)).text)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(asked)
            for answer in answers:
                while (
                    not (folder / "001.prompt.json").exists()
                    or (folder / "001.answer.json").exists()
                ):
                    await anyio.sleep(0.01)
                write(folder, "001.answer.json", answer)
    backend.judged(PROMPT, ["It is thin."])
    return texts[0]


def test_a_prompt_is_written_and_its_answer_taken(tmp_path: Path) -> None:
    text = anyio.run(exchange, tmp_path, {"name": "shop"})
    assert json.loads(text) == {"name": "shop"}
    said = json.loads((tmp_path / "001.prompt.json").read_text("utf-8"))
    assert said["prompt"] == "outline.1"
    assert said["schema"] == {"type": "object"}
    assert json.loads((tmp_path / "001.findings.json").read_text("utf-8")) == ["It is thin."]


def test_an_answer_to_another_prompt_is_put_aside(tmp_path: Path) -> None:
    wrong = {"prompt": "plan.1", "answer": {"name": "plan"}}
    right = {"prompt": "outline.1", "answer": {"name": "shop"}}
    text = anyio.run(exchange, tmp_path, wrong, right)
    assert json.loads(text) == {"name": "shop"}
    assert json.loads((tmp_path / "001.refused.json").read_text("utf-8")) == wrong


def test_an_answer_that_is_no_text_is_put_aside(tmp_path: Path) -> None:
    text = anyio.run(
        exchange, tmp_path, '{"name": "caf\u00e9"}'.encode("latin-1"), {"name": "shop"}
    )
    assert json.loads(text) == {"name": "shop"}
    assert (tmp_path / "001.refused.json").read_bytes().endswith(b'\xe9"}')


async def asked_for_a_moment(folder: Path) -> None:
    with anyio.move_on_after(0.5):
        await Files(folder).answer(PROMPT)


def test_a_second_run_in_a_folder_goes_on_counting(tmp_path: Path) -> None:
    anyio.run(exchange, tmp_path, {"name": "shop"})
    anyio.run(asked_for_a_moment, tmp_path)
    assert (tmp_path / "002.prompt.json").is_file()


def test_a_prompt_left_open_is_taken_up_again(tmp_path: Path) -> None:
    anyio.run(asked_for_a_moment, tmp_path)
    text = anyio.run(exchange, tmp_path, {"name": "shop"})
    assert json.loads(text) == {"name": "shop"}
    assert not (tmp_path / "002.prompt.json").exists()
