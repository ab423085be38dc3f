"""What the registry's schema of 2025-12-11 asks of a ``server.json`` like ours.

The official schema allows more. This one has only the part for a package on PyPI that runs over
stdio, so that what passes here passes there, too.
"""

from __future__ import annotations

from typing import Any

LINE = {"type": "string", "minLength": 1, "maxLength": 100}
VERSION = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": r"^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$",
}

PACKAGE: dict[str, Any] = {
    "type": "object",
    "required": ["registryType", "identifier", "version", "transport"],
    "additionalProperties": False,
    "properties": {
        "registryType": {"const": "pypi"},
        "identifier": {"type": "string", "minLength": 1},
        "version": VERSION,
        "runtimeHint": {"type": "string"},
        "transport": {
            "type": "object",
            "required": ["type"],
            "additionalProperties": False,
            "properties": {"type": {"const": "stdio"}},
        },
    },
}

SERVER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "additionalProperties": False,
    "properties": {
        "$schema": {
            "const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
        },
        "name": {
            "type": "string",
            "minLength": 3,
            "maxLength": 200,
            "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
        },
        "title": LINE,
        "description": LINE,
        "version": VERSION,
        "packages": {"type": "array", "minItems": 1, "items": PACKAGE},
    },
}
