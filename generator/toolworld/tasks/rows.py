"""Rows by entity and key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]

Place = tuple[str, str]
"""An entity and a key."""
