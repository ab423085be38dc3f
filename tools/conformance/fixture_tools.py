"""The tools the conformance suite calls by name.

Unlike an emitted package's tools these talk back to the client: they log, report progress and
ask for input, over both wires.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageResult,
    ElicitRequest,
    ElicitResult,
    LoggingMessageNotification,
)

from tools.conformance.fixture_content import (
    COMPLETE,
    Json,
    audio,
    elicitation,
    embedded,
    image,
    input_required,
    sampling,
    text,
)

Context = ServerRequestContext[Any, Any]
FixtureTool = Callable[[Context], Awaitable[Json]]

PAUSE = 0.05
STRING = {"type": "string"}
KEY = secrets.token_bytes(32)
bus = InMemorySubscriptionBus()

TOOLS: dict[str, FixtureTool] = {}
SCHEMAS: dict[str, Json] = {}


def tool(**properties: Json) -> Callable[[FixtureTool], FixtureTool]:
    """Add a function to the tools, with the arguments it requires."""

    def add(function: FixtureTool) -> FixtureTool:
        name = function.__name__
        TOOLS[name] = function
        SCHEMAS[name] = {"type": "object", "properties": properties, "required": list(properties)}
        return function

    return add


def definitions() -> list[Json]:
    """Return the tools as ``tools/list`` shows them."""
    return [
        {"name": name, "description": (function.__doc__ or name), "inputSchema": SCHEMAS[name]}
        for name, function in TOOLS.items()
    ]


def done(*blocks: Json) -> Json:
    """Return a finished result."""
    return {**COMPLETE, "content": list(blocks)}


def given(context: Context, name: str) -> Any:
    """Return an argument of the call."""
    return ((context.params or {}).get("arguments") or {}).get(name)


def answers_of(context: Context) -> Json:
    """Return the answers to the requests of the round before."""
    answers: Json = (context.params or {}).get("inputResponses") or {}
    return answers


@tool()
async def test_simple_text(_: Context) -> Json:
    """Return a text."""
    return done(text("This is a simple text response for testing."))


@tool()
async def test_image_content(_: Context) -> Json:
    """Return an image."""
    return done(image())


@tool()
async def test_audio_content(_: Context) -> Json:
    """Return a sound."""
    return done(audio())


@tool()
async def test_embedded_resource(_: Context) -> Json:
    """Return a resource."""
    content = "This is an embedded resource content."
    return done(embedded("test://embedded-resource", "text/plain", content))


@tool()
async def test_multiple_content_types(_: Context) -> Json:
    """Return a text, an image and a resource."""
    content = json.dumps({"test": "data", "value": 123})
    resource = embedded("test://mixed-content-resource", "application/json", content)
    return done(text("Multiple content types test:"), image(), resource)


@tool()
async def test_error_handling(_: Context) -> Json:
    """Fail."""
    failure = done(text("This tool intentionally returns an error for testing"))
    return {**failure, "isError": True}


@tool()
async def test_tool_with_logging(context: Context) -> Json:
    """Log three messages."""
    for message in ("started", "processing data", "completed"):
        await log(context, f"Tool {message}" if " " in message else f"Tool execution {message}")
        await anyio.sleep(PAUSE)
    return done(text("Tool with logging executed successfully"))


async def log(context: Context, message: str) -> None:
    """Send a log message on the request's own stream."""
    params = {"level": "info", "data": message}
    notification = LoggingMessageNotification.model_validate(
        {"method": "notifications/message", "params": params}
    )
    await context.session.send_notification(notification, related_request_id=context.request_id)


@tool()
async def test_logging_tool(_: Context) -> Json:
    """Log nothing, since the request does not ask for it."""
    return done(text("Nothing logged."))


@tool()
async def test_tool_with_progress(context: Context) -> Json:
    """Report progress three times."""
    for progress in (0, 50, 100):
        await context.session.report_progress(progress, 100, f"{progress} of 100")
        await anyio.sleep(PAUSE)
    return done(text("Progress reported."))


@tool(prompt=STRING)
async def test_sampling(context: Context) -> Json:
    """Ask the client's model."""
    request = CreateMessageRequest.model_validate(sampling(given(context, "prompt"), 100))
    result = await context.session.send_request(request, CreateMessageResult)
    return done(text(f"LLM response: {result.content}"))


async def elicit(context: Context, message: str, **properties: Json) -> str:
    """Ask the client's user over the older wire, and return the answer in words."""
    request = ElicitRequest.model_validate(elicitation(message, **properties))
    result = await context.session.send_request(request, ElicitResult)
    return f"action={result.action}, content={json.dumps(result.content)}"


@tool(message=STRING)
async def test_elicitation(context: Context) -> Json:
    """Ask for a name and an address."""
    message = given(context, "message")
    return done(
        text(f"User response: {await elicit(context, message, username=STRING, email=STRING)}")
    )


@tool()
async def test_elicitation_sep1034_defaults(context: Context) -> Json:
    """Ask with a default of each type."""
    answer = await elicit(
        context,
        "Please check these.",
        name={"type": "string", "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        verified={"type": "boolean", "default": True},
    )
    return done(text(f"Elicitation completed: {answer}"))


@tool()
async def test_elicitation_sep1330_enums(context: Context) -> Json:
    """Ask with each kind of choice."""
    plain = ["option1", "option2", "option3"]
    titled = [
        {"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"},
        {"const": "value3", "title": "Third"},
    ]
    answer = await elicit(
        context,
        "Please choose.",
        untitledSingle={"type": "string", "enum": plain},
        titledSingle={"type": "string", "oneOf": titled},
        legacyEnum={"type": "string", "enum": plain, "enumNames": ["One", "Two", "Three"]},
        untitledMulti={"type": "array", "items": {"type": "string", "enum": plain}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )
    return done(text(f"Elicitation completed: {answer}"))


NAME_QUESTION = elicitation("What is your name?", name=STRING)
ROOTS_QUESTION: Json = {"method": "roots/list", "params": {}}


@tool()
async def test_input_required_result_elicitation(context: Context) -> Json:
    """Ask for a name, then greet."""
    name = ((answers_of(context).get("user_name") or {}).get("content") or {}).get("name")
    if name is None:
        return input_required({"user_name": NAME_QUESTION})
    return done(text(f"Hello, {name}!"))


@tool()
async def test_input_required_result_sampling(context: Context) -> Json:
    """Ask the client's model, then repeat it."""
    answer = answers_of(context).get("capital_question")
    if answer is None:
        question = sampling("What is the capital of France?", 100)
        return input_required({"capital_question": question})
    return done(text(answer["content"]["text"]))


@tool()
async def test_input_required_result_list_roots(context: Context) -> Json:
    """Ask for the roots, then name them."""
    answer = answers_of(context).get("client_roots")
    if answer is None:
        return input_required({"client_roots": ROOTS_QUESTION})
    return done(text(", ".join(root["uri"] for root in answer["roots"])))


@tool()
async def test_input_required_result_request_state(context: Context) -> Json:
    """Ask for a confirmation and check the state that comes back."""
    if "confirm" not in answers_of(context):
        question = elicitation("Please confirm", ok={"type": "boolean"})
        return input_required({"confirm": question}, seal("confirm"))
    unseal(context)
    return done(text("state-ok"))


@tool()
async def test_input_required_result_tampered_state(context: Context) -> Json:
    """Ask for a confirmation and refuse a state that was changed."""
    return await test_input_required_result_request_state(context)


@tool()
async def test_input_required_result_multiple_inputs(context: Context) -> Json:
    """Ask for three things at once."""
    questions = {
        "user_name": NAME_QUESTION,
        "greeting": sampling("Generate a greeting", 50),
        "client_roots": ROOTS_QUESTION,
    }
    if questions.keys() - answers_of(context).keys():
        return input_required(questions, seal("three"))
    unseal(context)
    return done(text("All three answered."))


@tool()
async def test_input_required_result_multi_round(context: Context) -> Json:
    """Ask for a name, then for a color."""
    if (context.params or {}).get("requestState") is None:
        question = elicitation("Step 1: What is your name?", name=STRING)
        return input_required({"step1": question}, seal("step1"))
    if unseal(context) == "step1":
        question = elicitation("Step 2: What is your favorite color?", color=STRING)
        return input_required({"step2": question}, seal("step2"))
    return done(text("Both steps done."))


@tool()
async def test_input_required_result_capabilities(context: Context) -> Json:
    """Ask only for what the client can answer."""
    questions = {
        "elicitation": ("user_name", NAME_QUESTION),
        "sampling": ("greeting", sampling("Generate a greeting", 50)),
        "roots": ("client_roots", ROOTS_QUESTION),
    }
    able = capabilities(context)
    return input_required(dict(questions[name] for name in questions if name in able))


@tool()
async def test_streaming_elicitation(context: Context) -> Json:
    """Ask for a name within the response."""
    return await test_input_required_result_elicitation(context)


@tool()
async def test_missing_capability(context: Context) -> Json:
    """Refuse clients without a model."""
    if "sampling" not in capabilities(context):
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs a client with sampling.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return done(text("The client has a model."))


@tool()
async def test_trigger_tool_change(_: Context) -> Json:
    """Announce that the tools changed."""
    await bus.publish(ToolsListChanged())
    return done(text("Announced."))


@tool()
async def test_trigger_prompt_change(_: Context) -> Json:
    """Announce that the prompts changed."""
    await bus.publish(PromptsListChanged())
    return done(text("Announced."))


def capabilities(context: Context) -> Json:
    """Return what the client of a request on the newer wire can do."""
    meta: Json = (context.params or {}).get("_meta") or {}
    able: Json = meta.get(CLIENT_CAPABILITIES_META_KEY) or {}
    return able


def seal(state: str) -> str:
    """Return a state that the client cannot change unnoticed."""
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def unseal(context: Context) -> str:
    """Return the state that came back.

    Raises:
        MCPError: It is not the state that was sent.
    """
    sealed = str((context.params or {}).get("requestState"))
    state = sealed.partition(".")[0]
    if not hmac.compare_digest(sealed.encode(), seal(state).encode()):
        raise MCPError(INVALID_PARAMS, "The request state was changed.")
    return state
