"""Emitted servers against the MCP conformance suite, the Inspector and the bundle validator."""
