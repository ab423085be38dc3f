"""Models of providers and of one's own servers, through pydantic-ai."""

from __future__ import annotations

from toolworld.draft.backend import Backend
from toolworld.errors import DraftError


def provider_model(model: str, base_url: str | None) -> Backend:
    """Return the backend for a provider's model, or for an OpenAI-compatible endpoint.

    Raises:
        DraftError: The extra is not installed, or there is no key.
    """
    raise DraftError(f"{model} at {base_url} cannot be used yet.")
