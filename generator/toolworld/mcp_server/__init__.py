"""toolworld itself as an MCP server: any agent client is the model that drafts a domain."""

from toolworld.mcp_server.server import build_server, serve

__all__ = ["build_server", "serve"]
