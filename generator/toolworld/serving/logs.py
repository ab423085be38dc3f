"""Log lines as JSON objects on standard error, for programs that gather them."""

from __future__ import annotations

import json
import logging
import sys


class JsonLines(logging.Formatter):
    """Formats each record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        said = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def log_to_stderr() -> None:
    """Log this host's activity, and warnings of all libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for library in ("mcp", "httpx2"):
        logging.getLogger(library).setLevel(logging.WARNING)
