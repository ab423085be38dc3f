"""Where models are asked: providers with a key from the environment, and endpoints without one."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic_ai.models import Model
from pydantic_ai.profiles.openai import OpenAIModelProfile

from toolworld.errors import ModelError


@dataclass(frozen=True)
class Place(ABC):
    """A model's server, and the model's name there.

    Attributes:
        name: The model as the user calls it, for reports and errors.
        model_name: As the server calls it.
        base_url: The server; None for the provider's own.
        key: The secret, which is shown nowhere.
        key_name: The environment variable it comes from; empty where none is sent.
        strict: Whether the server is told to enforce schemas to the letter.
        priced: Whether an answer costs what the provider's price list says.
    """

    name: str
    model_name: str
    base_url: str | None
    key: str = field(repr=False)
    key_name: ClassVar[str] = ""
    strict: ClassVar[bool | None] = True
    priced: ClassVar[bool] = True

    @abstractmethod
    def model(self) -> Model:
        """Return the model, ready to be asked."""


class Anthropic(Place):
    """Anthropic's own API, or a gateway that speaks it."""

    key_name = "ANTHROPIC_API_KEY"

    def model(self) -> Model:
        """Return the model, ready to be asked."""
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        provider = AnthropicProvider(api_key=self.key, base_url=self.base_url)
        return AnthropicModel(self.model_name, provider=provider)


class OpenAI(Place):
    """OpenAI's own API, or a service that speaks it and takes a key."""

    key_name = "OPENAI_API_KEY"

    def model(self) -> Model:
        """Return the model, ready to be asked."""
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(api_key=self.key, base_url=self.base_url)
        return OpenAIChatModel(self.model_name, provider=provider)


class Endpoint(Place):
    """A local server with OpenAI's chat completions API, such as vLLM or Ollama."""

    strict = None
    priced = False

    def model(self) -> Model:
        """Return the model, ready to be asked.

        Such servers enforce a schema by masking tokens, so a model sees it only if it is written
        out. The templates of some allow no second system message.
        """
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        profile = OpenAIModelProfile(
            supports_json_schema_output=True,
            native_output_requires_schema_in_instructions=True,
            openai_chat_supports_multiple_system_messages=False,
        )
        provider = OpenAICompatibleProvider(
            "endpoint", base_url=self.base_url or "", profile=profile
        )
        return OpenAIChatModel(self.model_name, provider=provider)


PROVIDERS: dict[str, type[Place]] = {"anthropic": Anthropic, "openai": OpenAI}


def place_of(model: str, base_url: str | None) -> Place:
    """Return the place of a model.

    Raises:
        ModelError: A key is missing, or the URL is not valid.
    """
    if base_url is not None:
        _check_url(base_url)
    kind, _, name = model.partition(":")
    provider = PROVIDERS.get(kind)
    if provider is None or not name:
        return Endpoint(f"{model} at {base_url}", model, base_url, "")
    return provider(model, name, base_url, _key(provider.key_name, model))


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelError(f'"{url}" is no URL; give one such as http://localhost:11434/v1.')
    if parts.username is not None or parts.password is not None:
        raise ModelError(
            f"The URL of {parts.hostname} holds a password; keys go into {OpenAI.key_name}."
        )


def _key(name: str, model: str) -> str:
    key = os.environ.get(name, "").strip()
    if not key:
        raise ModelError(f"{model} needs a key: set {name} in the environment.")
    return key
