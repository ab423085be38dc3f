"""An HTTP server that answers oddly: ``strangers_http.py MODE``; it says its port first."""

from __future__ import annotations

import gzip
import json
import socketserver
import sys
import time
from typing import Any

HTML = b"<!doctype html><title>Hello</title>"
PLAIN = "application/json"


def response(body: bytes, kind: str = PLAIN, status: str = "200 OK", *more: str) -> bytes:
    """Return a whole response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def result(asked: dict[str, Any], told: object) -> bytes:
    """Return a response with a result."""
    return response(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": told}).encode())


ODD = {
    "closes": b"",
    "half": response(b'{"jsonrpc": "2.0", ' + b" " * 500)[:-400],
    "garbage": b"\x00\xffno HTTP at all\r\n\r\n" * 20,
    "html": response(HTML, "text/html"),
    "text": response(b"Hello", "application/json"),
    "empty": response(b"", "application/json"),
    "error": response(b"It broke.", "text/plain", "500 Internal Server Error"),
    "not_found": response(b"", "text/plain", "404 Not Found"),
    "no_content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "redirect": response(b"", PLAIN, "307 Temporary Redirect", "Location: /mcp"),
    "elsewhere": response(b"", PLAIN, "308 Permanent Redirect", "Location: http://127.0.0.1:9/"),
    "packed": response(gzip.compress(b" " * 10**8), PLAIN, "200 OK", "Content-Encoding: gzip"),
    "no_stream": response(b"data: {\n\nevent: \xff\n\ndata: [1]\n\n", "text/event-stream"),
    "list": response(b"[]"),
    "other_id": response(b'{"jsonrpc": "2.0", "id": "other", "result": {}}'),
}


class Stranger(socketserver.StreamRequestHandler):
    """Answers one request, oddly if it is a call."""

    def handle(self) -> None:
        """Read a request and answer it."""
        length = 0
        while (line := self.rfile.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = self.rfile.read(length)
        asked = json.loads(body) if body else {}
        try:
            self._answer(asked)
        except OSError:
            return

    def _answer(self, asked: dict[str, Any]) -> None:
        mode, method = sys.argv[1], asked.get("method")
        if method == "initialize" and not mode.startswith("first_"):
            told = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            hello = {**told, "serverInfo": {"name": "odd", "version": "1"}}
            self.wfile.write(result(asked, hello))
        elif method == "tools/list":
            self.wfile.write(result(asked, {"tools": [{"name": "odd", "inputSchema": {}}]}))
        elif method == "tools/call" or mode.startswith("first_"):
            self._answer_oddly(mode.removeprefix("first_"))
        elif "id" in asked:
            self.wfile.write(response(b"", PLAIN, "400 Bad Request"))
        else:
            self.wfile.write(response(b"", PLAIN, "202 Accepted"))

    def _answer_oddly(self, mode: str) -> None:
        if mode == "never":
            time.sleep(600)
        elif mode == "drips":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
            while True:
                self.wfile.write(b" ")
                time.sleep(0.05)
        elif mode in ("endless", "endless_stream"):
            kind = b"application/json" if mode == "endless" else b"text/event-stream"
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\ndata: " % kind)
            while True:
                self.wfile.write(b"x" * 2**20)
        else:
            self.wfile.write(ODD[mode])


class Strangers(socketserver.ThreadingTCPServer):
    """Serves every request in a thread."""

    daemon_threads = True


if __name__ == "__main__":
    with Strangers(("127.0.0.1", 0), Stranger) as server:
        print(server.server_address[1], flush=True)  # noqa: T201 - whoever started it reads it
        server.serve_forever()
