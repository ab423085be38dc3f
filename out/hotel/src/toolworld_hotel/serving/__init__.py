"""The MCP server, over stdio and HTTP, and the control plane of its episodes."""
