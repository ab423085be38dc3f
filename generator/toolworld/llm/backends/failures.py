"""Messages for failed requests to a model: what was wrong, where, and what to do."""

from __future__ import annotations

from typing import Any

from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelResponse

from toolworld.llm.backends.places import Place
from toolworld.llm.prompts import Prompt

MOST_SAID = 300
FORBIDDEN = 403
PASSING = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)


def passes(error: AgentRunError) -> bool:
    """Return whether an error may not come again when the same prompt is sent again.

    An error that is not the server's own is a reply that cannot be read: cut off, or empty.
    """
    if isinstance(error, ModelConnectionError):
        return error.phase != "connect"
    return isinstance(error, PASSING) or not isinstance(error, ModelAPIError)


def is_about_the_schema(error: ModelRequestRejectedError) -> bool:
    """Return whether a request may have been refused for its schema: no other reason is known."""
    known = (ModelAuthenticationError, ModelNotFoundError, ModelContextWindowExceededError)
    return not isinstance(error, known)


def told(error: AgentRunError, place: Place, prompt: Prompt, tries: int) -> str:
    """Return what to tell a user about an error that stays."""
    name = place.name
    match error:
        case ModelAuthenticationError():
            return _refused_key(error, place)
        case ModelNotFoundError():
            return _unknown(error, place)
        case ModelQuotaExceededError():
            return f"The account of {name} is out of credit. Top it up."
        case ModelContextWindowExceededError():
            return (
                f"The prompt {prompt.id}, about {prompt.tokens:,} tokens, is longer than the "
                f"context of {name}. Serve it with a longer one, or use another model."
            )
        case ModelConnectionError() if error.phase == "connect":
            mend = "Start its server or mend the URL" if place.base_url else "Look at the network"
            return f"{name} cannot be reached. {mend}."
        case ModelTimeoutError():
            return f"{name} hangs: no answer to {prompt.id}, {_times(tries)}. Try later."
        case _ if passes(error):
            return f"{name} failed {_times(tries)}{_said(error, place)}. Try later."
        case _:
            return f"{name} does not take the prompt {prompt.id}{_said(error, place)}."


def refusal(response: ModelResponse, place: Place, prompt: Prompt) -> str:
    """Return what to tell a user when a model refuses to answer."""
    said = (response.provider_details or {}).get("refusal")
    because = f': "{_bare(str(said), place)}"' if said else ""
    return (
        f"{place.name} refused to answer the prompt {prompt.id}{because}. Say the wish in other "
        "words, or use another model."
    )


def _refused_key(error: ModelAuthenticationError, place: Place) -> str:
    if not place.key_name:
        return (
            f"{place.name} wants a key. Call the model openai:{place.model_name}, so that the one "
            "in OPENAI_API_KEY is sent there."
        )
    # The message of a 401 often repeats part of the key.
    forbidden = isinstance(error, ModelHTTPError) and error.status_code == FORBIDDEN
    said = _said(error, place) if forbidden else ""
    return (
        f"{place.name} refused the key in {place.key_name}{said}. Set one that is valid and may "
        "use this model."
    )


def _unknown(error: ModelNotFoundError, place: Place) -> str:
    near = error.suggested_model_id if isinstance(error, ModelHTTPError) else None
    mend = f'Did you mean "{near}"?' if near else "Mend the name."
    if place.base_url is None:
        return f"There is no model {place.name}. {mend}"
    return (
        f'There is no model "{place.model_name}" at {place.base_url}. {mend} Or mend the URL, '
        "which often has to end in /v1."
    )


def _times(tries: int) -> str:
    return "once" if tries == 1 else f"{tries} times over"


def _said(error: AgentRunError, place: Place) -> str:
    """Return the server's text, with the API key removed."""
    body: Any = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    text = inner.get("message") if isinstance(inner, dict) else None
    said = _bare(text if isinstance(text, str) else error.message, place)
    return f': "{said}"' if said else ""


def _bare(text: str, place: Place) -> str:
    text = text.replace(place.key, "...") if place.key else text
    return " ".join(text.split())[:MOST_SAID]
