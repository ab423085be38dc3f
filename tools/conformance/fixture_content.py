"""What the conformance suite asks a server for by name, apart from tools.

The names and texts are the suite's own: each scenario's description states them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

Json = dict[str, Any]

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
COMPLETE = {"resultType": "complete"}
FRESHNESS = {"ttlMs": 0, "cacheScope": "private"}


def text(value: str) -> Json:
    """Return a text block."""
    return {"type": "text", "text": value}


def image() -> Json:
    """Return an image block."""
    return {"type": "image", "data": PNG, "mimeType": "image/png"}


def audio() -> Json:
    """Return an audio block."""
    return {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def embedded(uri: str, mime_type: str, value: str) -> Json:
    """Return an embedded text resource."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": value}}


def elicitation(message: str, **properties: Json) -> Json:
    """Return a request for a form, all of whose fields are required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def sampling(prompt: str, max_tokens: int) -> Json:
    """Return a request for a model's answer."""
    messages = [{"role": "user", "content": text(prompt)}]
    params = {"messages": messages, "maxTokens": max_tokens}
    return {"method": "sampling/createMessage", "params": params}


def input_required(requests: Json, state: str | None = None) -> Json:
    """Return a result that asks the client for input."""
    result: Json = {"resultType": "input_required", "inputRequests": requests}
    return result if state is None else {**result, "requestState": state}


RESOURCES = [
    {
        "uri": "test://static-text",
        "name": "static-text",
        "description": "A text.",
        "mimeType": "text/plain",
    },
    {
        "uri": "test://static-binary",
        "name": "static-binary",
        "description": "An image.",
        "mimeType": "image/png",
    },
    {
        "uri": "test://watched-resource",
        "name": "watched-resource",
        "description": "A text to subscribe to.",
        "mimeType": "text/plain",
    },
]

TEMPLATES = [
    {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "JSON about an id.",
        "mimeType": "application/json",
    }
]


def read_resource(uri: str) -> Json:
    """Return a resource's content.

    Raises:
        MCPError: No resource has that URI.
    """
    template = re.fullmatch(r"test://template/([^/]+)/data", uri)
    if uri == "test://static-text":
        content = {
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }
    elif uri == "test://static-binary":
        content = {"mimeType": "image/png", "blob": PNG}
    elif uri == "test://watched-resource":
        content = {"mimeType": "text/plain", "text": "Watched resource content"}
    elif template:
        found = template[1]
        data = {"id": found, "templateTest": True, "data": f"Data for ID: {found}"}
        content = {"mimeType": "application/json", "text": json.dumps(data)}
    else:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return {**COMPLETE, **FRESHNESS, "contents": [{"uri": uri, **content}]}


def argument(name: str) -> Json:
    """Return the definition of a required prompt argument."""
    return {"name": name, "description": f"The {name}.", "required": True}


PROMPTS = [
    {"name": "test_simple_prompt", "description": "A text."},
    {
        "name": "test_prompt_with_arguments",
        "description": "A text with arguments.",
        "arguments": [argument("arg1"), argument("arg2")],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "A resource and a text.",
        "arguments": [argument("resourceUri")],
    },
    {"name": "test_prompt_with_image", "description": "An image and a text."},
    {"name": "test_input_required_result_prompt", "description": "Asks for a context."},
]


def get_prompt(name: str, arguments: dict[str, str], answers: Json) -> Json:
    """Return a prompt's messages, or what it asks for first.

    Raises:
        MCPError: There is no such prompt, or an argument is missing.
    """
    if name == "test_input_required_result_prompt" and "user_context" not in answers:
        question = elicitation("What context should the prompt use?", context={"type": "string"})
        return input_required({"user_context": question})
    messages = [
        {"role": "user", "content": block} for block in prompt_blocks(name, arguments, answers)
    ]
    return {**COMPLETE, "messages": messages}


def prompt_blocks(name: str, arguments: dict[str, str], answers: Json) -> list[Json]:
    """Return the content of a prompt's messages.

    Raises:
        MCPError: There is no such prompt, or an argument is missing.
    """
    try:
        if name == "test_simple_prompt":
            return [text("This is a simple prompt for testing.")]
        if name == "test_prompt_with_arguments":
            one, two = arguments["arg1"], arguments["arg2"]
            return [text(f"Prompt with arguments: arg1='{one}', arg2='{two}'")]
        if name == "test_prompt_with_embedded_resource":
            content = "Embedded resource content for testing."
            resource = embedded(arguments["resourceUri"], "text/plain", content)
            return [resource, text("Please process the embedded resource above.")]
        if name == "test_prompt_with_image":
            return [image(), text("Please analyze the image above.")]
        if name == "test_input_required_result_prompt":
            return [text(f"Use this context: {answers['user_context']}")]
    except KeyError as error:
        raise MCPError(INVALID_PARAMS, f"The argument {error} is missing.") from error
    raise MCPError(INVALID_PARAMS, f"There is no prompt {name!r}.")
