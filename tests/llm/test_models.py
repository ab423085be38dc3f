"""Models behind servers: what they are sent, what comes back, and what goes wrong."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import anyio
import pytest

from tests.draft.provider import (
    Move,
    Request,
    drops,
    fails,
    hangs,
    refuses,
    says,
    serving,
    shows_a_page,
)
from toolworld.errors import ModelError
from toolworld.llm import ModelReply, Prompt
from toolworld.llm.backends.choose import backend_of
from toolworld.llm.backends.models import Patience, provider_model

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "note": {"type": "string", "default": ""}},
    "required": ["name"],
    "additionalProperties": False,
}
PROMPT = Prompt("outline.1", "outline", "Answer in JSON.", "Outline a shop.", SCHEMA)
GOOD = '{"name": "shop"}'
QUICK = Patience(tries=3, first_wait=0.01, longest_wait=0.05, silence=30.0)
BRISK, IMPATIENT = replace(QUICK, silence=0.5), replace(QUICK, silence=0.1)
KEY = "sk-secret-0123456789"
CLAUDE, OLD_CLAUDE = "anthropic:claude-opus-5-latest", "anthropic:claude-3-haiku-latest"
GPT, OWN = "openai:gpt-4o", "tiny"


@pytest.fixture(autouse=True)
def only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No real key, and no way out: whatever is not on this machine goes to a closed port."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def outcome(
    model: str, *moves: Move, patience: Patience = QUICK
) -> tuple[ModelReply | ModelError, Sequence[Request]]:
    async def asked() -> tuple[ModelReply | ModelError, Sequence[Request]]:
        async with serving(*moves) as provider:
            # Anthropic's client adds /v1 by itself.
            url = provider.url.removesuffix("/v1") if "claude" in model else provider.url
            try:
                return await provider_model(model, url, patience).answer(PROMPT), provider.requests
            except ModelError as error:
                return error, provider.requests

    return anyio.run(asked)


def ask(model: str, *moves: Move) -> tuple[ModelReply, Sequence[Request]]:
    reply, requests = outcome(model, *moves)
    assert isinstance(reply, ModelReply), reply
    return reply, requests


def complaint(model: str, *moves: Move) -> str:
    error, _ = outcome(model, *moves)
    assert isinstance(error, ModelError), error
    return str(error)


@pytest.mark.parametrize("model", [CLAUDE, OLD_CLAUDE, GPT, OWN])
def test_the_answer_is_the_text_that_the_model_streamed(model: str) -> None:
    reply, requests = ask(model, says(GOOD))
    assert json.loads(reply.text) == {"name": "shop"}
    assert (reply.read, reply.wrote, reply.estimated) == (1000, 200, False)
    assert [request.body["stream"] for request in requests] == [True]


@pytest.mark.parametrize("model", [CLAUDE, OLD_CLAUDE, GPT, OWN])
def test_an_answer_that_ignores_the_schema_goes_back_as_it_is(model: str) -> None:
    reply, requests = ask(model, says("I would rather talk."))
    assert reply.text == "I would rather talk."
    assert len(requests) == 1


def test_a_provider_is_told_to_enforce_the_schema() -> None:
    _, [openai] = ask(GPT, says(GOOD))
    settings = openai.body["response_format"]["json_schema"]
    assert settings["strict"] is True
    assert settings["schema"]["required"] == ["name", "note"]
    _, [anthropic] = ask(CLAUDE, says(GOOD))
    assert anthropic.body["output_config"]["format"]["schema"]["required"] == ["name"]


def test_a_model_without_schemas_gets_a_tool_that_it_must_call() -> None:
    _, [request] = ask(OLD_CLAUDE, says(GOOD))
    [tool] = request.body["tools"]
    assert tool["input_schema"]["properties"].keys() == {"name", "note"}
    assert request.body["tool_choice"]["type"] in ("any", "tool")


@pytest.mark.parametrize("model", [CLAUDE, GPT, OWN])
def test_a_server_that_takes_no_schema_gets_a_tool(model: str) -> None:
    reply, requests = ask(model, fails(400, "The compiled grammar is too large."), says(GOOD))
    assert json.loads(reply.text) == {"name": "shop"}
    assert ["tools" in request.body for request in requests] == [False, True]


def test_a_server_of_ones_own_gets_the_schema_in_words_too_and_no_key() -> None:
    _, [request] = ask(OWN, says(GOOD))
    assert request.body["response_format"]["json_schema"]["schema"]["required"] == ["name"]
    system, user = request.body["messages"]
    assert system["content"].startswith("Answer in JSON.")
    assert "additionalProperties" in system["content"]
    assert user["content"] == "Outline a shop."
    assert KEY not in str(request.headers)


def test_the_cost_is_known_at_providers_only() -> None:
    assert (ask(GPT, says(GOOD))[0].cost or 0) > 0
    assert (ask(CLAUDE, says(GOOD))[0].cost or 0) > 0
    assert ask("openai:no-such-model-yet", says(GOOD))[0].cost is None
    assert ask("claude-opus-5", says(GOOD))[0].cost is None
    assert ask("gpt-4o", says(GOOD))[0].cost is None


def test_tokens_are_estimated_where_the_server_does_not_count() -> None:
    reply, _ = ask(OWN, says(GOOD, usage=False))
    assert reply.estimated
    assert reply.read == PROMPT.tokens


@pytest.mark.parametrize("model", [CLAUDE, GPT, OWN])
@pytest.mark.parametrize(
    "fault",
    [fails(429), fails(503), fails(529), drops],
    ids=["rate limit", "unavailable", "overloaded", "dropped"],
)
def test_what_passes_is_asked_again(model: str, fault: Move) -> None:
    reply, requests = ask(model, fault, says(GOOD))
    assert json.loads(reply.text) == {"name": "shop"}
    assert len(requests) == 2


@pytest.mark.parametrize("model", [CLAUDE, GPT, OWN])
def test_a_server_that_hangs_is_asked_again(model: str) -> None:
    reply, requests = outcome(model, hangs, says(GOOD), patience=BRISK)
    assert isinstance(reply, ModelReply)
    assert len(requests) == 2


def test_a_provider_that_says_how_long_is_waited_for() -> None:
    async def seconds(*moves: Move) -> float:
        async with serving(*moves) as provider:
            patience = Patience(tries=2, first_wait=0.0, longest_wait=0.3, silence=30.0)
            start = anyio.current_time()
            await provider_model(GPT, provider.url, patience).answer(PROMPT)
            return anyio.current_time() - start

    assert anyio.run(seconds, fails(429, retry_after="3600"), says(GOOD)) > 0.3


@pytest.mark.parametrize("model", [CLAUDE, GPT, OWN])
@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_does_not_pass_is_not_asked_again(model: str, status: int) -> None:
    error, requests = outcome(model, fails(status), says(GOOD))
    assert isinstance(error, ModelError)
    assert len(requests) == 1


def test_a_key_that_is_refused_is_named_but_not_shown() -> None:
    said = complaint(GPT, fails(401, f"Incorrect API key provided: {KEY}"))
    assert said.startswith("openai:gpt-4o refused the key in OPENAI_API_KEY.")
    assert KEY not in said
    assert "openai:tiny" in complaint(OWN, fails(401))
    assert "Not in your country" in complaint(GPT, fails(403, "Not in your country."))


def test_a_server_that_repeats_the_key_is_not_quoted_with_it() -> None:
    said = complaint(GPT, fails(400, f"Bad request with {KEY}"))
    assert "Bad request with ..." in said
    assert KEY not in said


def test_no_log_holds_the_key(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ask(GPT, fails(429), says(GOOD))
        ask(CLAUDE, says(GOOD))
    assert KEY not in caplog.text


def test_a_model_that_is_not_there_is_named() -> None:
    assert complaint(GPT, fails(404)).startswith('There is no model "gpt-4o" at http://127.0.0.1')
    assert "/v1" in complaint(OWN, fails(404))


def test_a_fault_that_stays_is_told_with_what_the_server_said() -> None:
    said = complaint(GPT, fails(429, "Too many tokens a minute."))
    assert said.startswith('openai:gpt-4o failed 3 times over: "Too many tokens a minute."')


def test_a_server_that_keeps_hanging_is_given_up() -> None:
    error, _ = outcome(GPT, hangs, patience=IMPATIENT)
    assert str(error).startswith("openai:gpt-4o hangs: no answer to outline.1, 3 times over.")


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    backend = provider_model(OWN, "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="tiny at http://127.0.0.1:9/v1 cannot be reached"):
        anyio.run(backend.answer, PROMPT)


def test_a_prompt_that_is_too_long_is_told() -> None:
    said = complaint(OWN, fails(400, "This model's maximum context length is 2048 tokens."))
    assert "longer than the context of tiny" in said


def test_a_model_that_will_not_answer_is_quoted() -> None:
    said = complaint(GPT, refuses("I cannot help with arms."))
    assert 'refused to answer the prompt outline.1: "I cannot help with arms."' in said


@pytest.mark.parametrize("model", [CLAUDE, GPT, OWN])
def test_a_server_that_is_no_models_gives_no_answer(model: str) -> None:
    error, requests = outcome(model, shows_a_page)
    assert "failed 3 times over" in str(error)
    assert len(requests) == 3


@pytest.mark.parametrize("model", [CLAUDE, GPT])
def test_a_key_is_asked_for_before_anything_is_sent(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"{model.partition(':')[0].upper()}_API_KEY"
    monkeypatch.setenv(name, " ")
    with pytest.raises(ModelError, match=f"{model} needs a key: set {name} in the environment"):
        backend_of(model)


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://host/v1", "http://"])
def test_an_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ModelError, match="is no URL; give one such as http://"):
        backend_of(OWN, url)


def test_a_password_in_an_url_is_refused_and_not_shown() -> None:
    with pytest.raises(ModelError, match="holds a password; keys go into OPENAI_API_KEY") as caught:
        backend_of(OWN, f"http://me:{KEY}@127.0.0.1/v1")
    assert KEY not in str(caught.value)


def test_several_prompts_are_answered_at_once_and_in_run_after_run() -> None:
    async def asked() -> list[str]:
        async with serving(says(GOOD)) as provider:
            backend = provider_model(OWN, provider.url, QUICK)
            texts: list[str] = []

            async def one() -> None:
                texts.append((await backend.answer(PROMPT)).text)

            for _ in range(2):
                async with anyio.create_task_group() as group:
                    for _ in range(4):
                        group.start_soon(one)
            return texts

    assert anyio.run(asked) == [GOOD] * 8


def test_without_the_extra_a_user_is_told_what_to_install() -> None:
    program = (
        "import sys; sys.modules['pydantic_ai'] = None\n"
        "from toolworld.llm.backends.choose import backend_of\n"
        "from toolworld.errors import ModelError\n"
        "try: backend_of('openai:gpt-4o')\n"
        "except ModelError as error: print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 'pip install "toolworld[llm]"' in ended.stdout, ended.stderr
